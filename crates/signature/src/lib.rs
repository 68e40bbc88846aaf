//! HTTP message signatures (RFC 9421) with digest fields (RFC 9530), as the
//! protocols use them (rules S1 to S4, S7).
//!
//! Pure: the bytes of a message, public keys and the time go in, a verdict comes
//! out. No I/O, no clock, no logging, and no error text repeats a signature or a
//! key. Where keys come from, which code a refusal has on the wire and when a
//! signature is asked for belong to the application.

mod base;
mod digest;
mod key;
mod nonce;
mod private;
mod sign;
mod verify;

pub use base::Request;
pub use digest::{BodyDigest, content_digest, digest_of_body};
pub use key::{Algorithm, PublicKey};
pub use nonce::Nonces;
pub use private::{KeyFault, SigningKey};
pub use sign::{Response, SignedResponse};
pub use verify::{Nonce, Refusal, Signed, Verified};

/// The field that names what each signature covers (RFC 9421, section 4.1).
pub const SIGNATURE_INPUT: &str = "signature-input";
/// The field that holds the signatures (RFC 9421, section 4.2).
pub const SIGNATURE: &str = "signature";
/// The field that holds digests of the body (RFC 9530, section 2).
pub const CONTENT_DIGEST: &str = "content-digest";
/// The field that says what kind of text the body is.
pub const CONTENT_TYPE: &str = "content-type";
