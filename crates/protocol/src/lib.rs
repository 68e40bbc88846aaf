//! What goes over the wire between an agent platform and a shop, as facts and
//! types: the dialects of UCP and BCP, their error codes, version negotiation,
//! profiles, envelopes, and the types of every schema that Catalog and Location
//! need.
//!
//! Every literal of the two protocols lives here, so that the rest of the
//! program speaks of them by name. Nothing here waits, reads a clock, logs or
//! touches a file: fetching profiles, serving HTTP and JSON-RPC belong to other
//! packages. Rule numbers (P1, N5, C14) are those of the project's RULES.md.

pub mod codes;
pub mod dialect;
pub mod envelope;
pub mod message;
pub mod negotiate;
pub mod operation;
pub mod profile;
pub mod schema;
pub mod wire;

pub use codes::{Code, Layer, Row};
pub use dialect::{Artifact, Dialect, Protocol, Service, Shape};
pub use envelope::{Status, Ucp};
pub use message::{Message, MessageKind, Severity};
pub use negotiate::{Active, Entry, Offer};
pub use operation::{Capability, Operation};
