//! The HTTP headers that MCP reads, and how their values are compared.
//!
//! Names stand here because they are protocol; picking them out of a request is
//! the transport's work. A value that is not visible ASCII should be handed over
//! as absent: it can match nothing.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Names the revision that a request is written in.
pub const HEADER_PROTOCOL_VERSION: &str = "mcp-protocol-version";
/// Repeats the JSON-RPC method (stateless era).
pub const HEADER_METHOD: &str = "mcp-method";
/// Repeats `params.name` of a `tools/call` (stateless era).
pub const HEADER_NAME: &str = "mcp-name";
/// Sent by lifecycle clients; never minted and never read (rule M2), named for CORS.
pub const HEADER_SESSION_ID: &str = "mcp-session-id";
/// Sent by lifecycle clients that resume a stream; never read (rule M2), named for CORS.
pub const HEADER_LAST_EVENT_ID: &str = "last-event-id";

/// Every request header of MCP, for a transport that says what a browser may send.
pub const REQUEST_HEADERS: [&str; 5] =
    [HEADER_PROTOCOL_VERSION, HEADER_METHOD, HEADER_NAME, HEADER_SESSION_ID, HEADER_LAST_EVENT_ID];

/// What brought a message, which decides whether headers are checked at all.
#[derive(Clone, Copy, Debug)]
pub enum Transport<'a> {
    /// One HTTP POST, with the headers that MCP reads.
    Http(Headers<'a>),
    /// One line of standard input.
    Stdio,
}

/// The values of the three headers that MCP reads, as they arrived; `None` when absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Headers<'a> {
    /// The value of [`HEADER_PROTOCOL_VERSION`].
    pub protocol_version: Option<&'a str>,
    /// The value of [`HEADER_METHOD`].
    pub method: Option<&'a str>,
    /// The value of [`HEADER_NAME`].
    pub name: Option<&'a str>,
}

impl<'a> Transport<'a> {
    /// The value of the version header without the white space around it.
    pub(crate) fn protocol_version(&self) -> Option<&'a str> {
        match self {
            Transport::Http(headers) => headers.protocol_version.map(trim),
            Transport::Stdio => None,
        }
    }

    /// Whether a peer waits for an answer to everything, as over HTTP.
    pub(crate) fn is_http(&self) -> bool {
        matches!(self, Transport::Http(_))
    }
}

/// Removes the optional white space that HTTP allows around a value.
pub(crate) fn trim(value: &str) -> &str {
    value.trim_matches([' ', '\t'])
}

/// The text that a header value stands for: trimmed, and decoded when it is
/// written as `=?base64?...?=` (rule M4). `None` when that encoding is broken.
pub(crate) fn decode(value: &str) -> Option<Cow<'_, str>> {
    let value = trim(value);
    let encoded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    match encoded {
        None => Some(Cow::Borrowed(value)),
        Some(encoded) => {
            let bytes = STANDARD.decode(encoded).ok()?;
            String::from_utf8(bytes).ok().map(Cow::Owned)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_m4_values_are_trimmed_then_decoded() {
        let cases = [
            ("tools/call", Some("tools/call")),
            (" \ttools/call ", Some("tools/call")),
            ("=?base64?SGVsbG8=?=", Some("Hello")),
            ("  =?base64?IHBhZGRlZCA=?=", Some(" padded ")),
            ("=?base64?SGVsbG8sIOS4lueVjA==?=", Some("Hello, 世界")),
            ("=?base64??=", Some("")),
            ("=?base64?SGVsbG8?=", None),
            ("=?base64?SGVs!!!bG8=?=", None),
            ("=?base64?/w==?=", None),
            ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8=")),
            ("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?=")),
            ("=?base64?=", Some("=?base64?=")),
            ("", Some("")),
        ];
        for (value, text) in cases {
            assert_eq!(decode(value).as_deref(), text, "{value:?}");
        }
    }
}
