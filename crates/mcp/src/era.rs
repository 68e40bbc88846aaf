//! Which of the two eras of MCP a request belongs to (rule M1).
//!
//! The decision is made per request and from the request alone, because the
//! server keeps no session. What each era then demands stands in
//! [`crate::stateless`] and in [`check_lifecycle`].

use serde_json::{Map, Value};

use crate::fault::Fault;
use crate::header::Transport;
use crate::version;

/// How a request is framed: with a handshake before it, or self-contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// `initialize` first (2024-11-05 to 2025-11-25), or bare JSON-RPC without it.
    Lifecycle,
    /// Every request carries its version and capabilities (2026-07-28).
    Stateless,
}

/// The member of `params._meta` that names the request's revision.
pub(crate) const META_PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The member of `params._meta` that holds what the client can do.
pub(crate) const META_CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The member of a result's `_meta` that names the server.
pub(crate) const META_SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The method that exists in the stateless era only and therefore marks it.
pub(crate) const DISCOVER: &str = "server/discover";

/// Decides the era (rule M1): `_meta` names a version, or the method is
/// `server/discover`, or the version header is 2026-07-28 or later.
pub(crate) fn of(transport: &Transport<'_>, method: &str, params: &Map<String, Value>) -> Era {
    let named = meta(params).is_some_and(|meta| meta.contains_key(META_PROTOCOL_VERSION));
    let by_header = || transport.protocol_version().is_some_and(version::is_stateless);
    if named || method == DISCOVER || by_header() { Era::Stateless } else { Era::Lifecycle }
}

/// The request's `_meta`, when it is an object.
pub(crate) fn meta(params: &Map<String, Value>) -> Option<&Map<String, Value>> {
    params.get("_meta").and_then(Value::as_object)
}

/// Refuses a version header that names no revision served (rule M5); no header at
/// all is 2025-03-26 and fine.
pub(crate) fn check_lifecycle(transport: &Transport<'_>) -> Result<(), Fault> {
    match transport.protocol_version() {
        Some(name) if version::revision(name).is_none() => Err(Fault::unknown_header_version(name)),
        _ => Ok(()),
    }
}

/// Whether a batch may come by this transport (rule M5): over HTTP, with a header
/// that names a revision which has batches. Nothing on stdio says what was negotiated.
pub(crate) fn accepts_batch(transport: &Transport<'_>) -> bool {
    transport
        .protocol_version()
        .and_then(version::revision)
        .is_some_and(|revision| revision.batches)
}
