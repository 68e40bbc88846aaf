//! Digests of bodies: the field Content-Digest (RFC 9530).

use base64::prelude::{BASE64_STANDARD, Engine};
use ring::digest::{SHA256, SHA512, digest};
use sfv::{Dictionary, ListEntry, Parser};

/// What a Content-Digest field says of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyDigest {
    /// Every digest that we know is the body's, and there is one.
    Matches,
    /// Some digest is not the body's.
    Differs,
    /// No digest of an algorithm that we know: sha-256 and sha-512.
    Unknown,
    /// Not a dictionary of byte sequences.
    Malformed,
}

/// Compares the value of a Content-Digest field with the raw `body`.
pub fn digest_of_body(value: &str, body: &[u8]) -> BodyDigest {
    let Ok(digests) = Parser::new(value).parse::<Dictionary>() else {
        return BodyDigest::Malformed;
    };
    let mut found = BodyDigest::Unknown;
    for (name, entry) in &digests {
        let algorithm = match name.as_str() {
            "sha-256" => &SHA256,
            "sha-512" => &SHA512,
            _ => continue,
        };
        let ListEntry::Item(item) = entry else { return BodyDigest::Malformed };
        let Some(claimed) = item.bare_item.as_byte_sequence() else {
            return BodyDigest::Malformed;
        };
        if digest(algorithm, body).as_ref() != claimed {
            return BodyDigest::Differs;
        }
        found = BodyDigest::Matches;
    }
    found
}

/// The value of the Content-Digest field of `body`, by sha-256.
pub fn content_digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", BASE64_STANDARD.encode(digest(&SHA256, body)))
}
