//! Everything that a client can get wrong about JSON-RPC and MCP, in words.
//!
//! A [`Fault`] holds the facts; its text says what was wrong and what to send
//! instead, for that text is all that several clients show (rule M10). The row of
//! [`crate::errors`] that it belongs to gives the numbers.

use serde_json::json;
use thiserror::Error;

use crate::era::{Era, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION};
use crate::errors::{self, ErrorRow, RpcError};
use crate::json::JsonError;
use crate::message::{EnvelopeFault, MAX_BATCH};
use crate::version;

/// A reason to refuse a message.
#[derive(Debug, Error)]
pub(crate) enum Fault {
    #[error("The body is not readable as JSON: {0}. Send one JSON-RPC 2.0 object, in UTF-8.")]
    Json(#[from] JsonError),
    #[error("Not a JSON-RPC 2.0 request: {0}.")]
    Envelope(#[from] EnvelopeFault),
    #[error(
        "This server sends no requests, so it expects no JSON-RPC response. Send a request or a notification."
    )]
    Response,
    #[error(
        "A JSON-RPC batch is accepted over HTTP with the header MCP-Protocol-Version: 2025-03-26 only. Send each message in a request of its own."
    )]
    BatchRefused,
    #[error("The batch is empty. Send at least one message.")]
    BatchEmpty,
    #[error("The batch holds {0} messages; the maximum is {MAX_BATCH}. Send several smaller ones.")]
    BatchTooLong(usize),
    #[error("initialize cannot be part of a batch. Send it in a request of its own.")]
    InitializeInBatch,
    #[error("MCP-Protocol-Version '{0}' is no revision of MCP that this server knows. Send one of {list}, or leave the header out.", list = version::names().join(", "))]
    UnknownHeaderVersion(String),
    #[error(
        "params._meta[\"{META_PROTOCOL_VERSION}\"] is required in every request of MCP 2026-07-28 and must be a string."
    )]
    MetaVersion,
    #[error(
        "params._meta[\"{META_CLIENT_CAPABILITIES}\"] is required in every request of MCP 2026-07-28 and must be an object; {{}} will do."
    )]
    MetaCapabilities,
    #[error(
        "The header {header} is required by MCP 2026-07-28 and must repeat the body's {member}, '{expected}'."
    )]
    HeaderMissing { header: &'static str, member: &'static str, expected: String },
    #[error(
        "The header {header} is '{found}', but the body's {member} is '{expected}'. They must be equal."
    )]
    HeaderDiffers { header: &'static str, member: &'static str, found: String, expected: String },
    #[error("MCP {requested} is not served with per-request metadata. Send {list}; earlier revisions begin with initialize.", list = version::names_of(Era::Stateless).join(", "))]
    UnsupportedVersion { requested: String },
    #[error("There is no method '{method}'. This server has {list}.", list = methods(*.era))]
    MethodNotFound { method: String, era: Era },
    #[error("params.name must be a string: the name of a tool from tools/list.")]
    ToolName,
    #[error(
        "params.cursor is not one that this server gave: tools/list has a single page. Leave cursor out."
    )]
    Cursor,
    #[error("params.protocolVersion must be a string such as \"{}\".", version::LATEST_LIFECYCLE)]
    InitializeVersion,
}

impl Fault {
    /// A version header that names nothing known.
    pub(crate) fn unknown_header_version(name: &str) -> Self {
        Self::UnknownHeaderVersion(excerpt(name))
    }

    /// The error to send to a client of that era.
    pub(crate) fn to_error(&self, era: Era) -> RpcError {
        let mut error = RpcError::of_row(self.row(), era, self.to_string());
        if let (Self::UnsupportedVersion { requested }, Some(data)) = (self, &mut error.data) {
            data["supported"] = json!(version::names());
            data["requested"] = json!(requested);
        }
        error
    }

    fn row(&self) -> &'static ErrorRow {
        match self {
            Self::Json(_) => &errors::PARSE_ERROR,
            Self::Envelope(_)
            | Self::Response
            | Self::BatchRefused
            | Self::BatchEmpty
            | Self::BatchTooLong(_)
            | Self::InitializeInBatch
            | Self::UnknownHeaderVersion(_) => &errors::INVALID_REQUEST,
            Self::MetaVersion | Self::MetaCapabilities => &errors::INVALID_META,
            Self::HeaderMissing { .. } | Self::HeaderDiffers { .. } => &errors::HEADER_MISMATCH,
            Self::UnsupportedVersion { .. } => &errors::UNSUPPORTED_PROTOCOL_VERSION,
            Self::MethodNotFound { .. } => &errors::METHOD_NOT_FOUND,
            Self::ToolName | Self::Cursor | Self::InitializeVersion => &errors::INVALID_PARAMS,
        }
    }
}

/// A client's own text cut to a length that is fit for a message.
pub(crate) fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 100;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn methods(era: Era) -> &'static str {
    match era {
        Era::Lifecycle => "initialize, ping, tools/list and tools/call",
        Era::Stateless => "server/discover, tools/list and tools/call",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_of_a_client_is_cut_between_characters() {
        assert_eq!(excerpt("short"), "short");
        let cut = excerpt(&"é".repeat(5_000));
        assert_eq!(cut, format!("{}...", "é".repeat(100)));
    }
}
