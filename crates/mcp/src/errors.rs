//! The errors of MCP itself, as data, and the shape in which any error leaves.
//!
//! One row per error: the word in `data.code`, the JSON-RPC code, and the HTTP
//! status in each era (rules E1, M4, M5). Errors of tools have rows elsewhere and
//! come in as an [`RpcError`].

use serde_json::{Value, json};
use thiserror::Error;

use crate::era::Era;

/// One kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorRow {
    /// The word in `error.data.code`.
    pub word: &'static str,
    /// The number in `error.code`.
    pub json_rpc: i32,
    /// The HTTP status for a lifecycle or bare client.
    pub http_lifecycle: u16,
    /// The HTTP status for a stateless client.
    pub http_stateless: u16,
}

impl ErrorRow {
    const fn new(word: &'static str, json_rpc: i32, http: u16) -> Self {
        Self { word, json_rpc, http_lifecycle: http, http_stateless: http }
    }

    /// The HTTP status for a client of that era.
    pub fn http(&self, era: Era) -> u16 {
        match era {
            Era::Lifecycle => self.http_lifecycle,
            Era::Stateless => self.http_stateless,
        }
    }
}

/// The body is not JSON, or nests too deep (rule M6).
pub const PARSE_ERROR: ErrorRow = ErrorRow::new("parse_error", -32700, 400);
/// JSON, but not a JSON-RPC message that may stand here (rules M5, M6).
pub const INVALID_REQUEST: ErrorRow = ErrorRow::new("invalid_request", -32600, 400);
/// No such method: 404 in the stateless era (rule M4), 200 otherwise (rule M5).
pub const METHOD_NOT_FOUND: ErrorRow =
    ErrorRow { http_lifecycle: 200, ..ErrorRow::new("method_not_found", -32601, 404) };
/// A method's own parameters are wrong (rule E1: HTTP 200 in both eras).
pub const INVALID_PARAMS: ErrorRow = ErrorRow::new("invalid_params", -32602, 200);
/// A stateless request lacks a required member of `params._meta` (rule M4).
pub const INVALID_META: ErrorRow = ErrorRow::new("invalid_params", -32602, 400);
/// A stateless request's headers are missing or contradict its body (rule M4).
pub const HEADER_MISMATCH: ErrorRow = ErrorRow::new("header_mismatch", -32020, 400);
/// A stateless request names a revision that is not served in that era (rule M4).
pub const UNSUPPORTED_PROTOCOL_VERSION: ErrorRow =
    ErrorRow::new("unsupported_protocol_version", -32022, 400);
/// Something broke on the server's side (rule E1).
pub const INTERNAL_ERROR: ErrorRow = ErrorRow::new("internal_error", -32603, 500);
/// The body exceeds the transport's limit (rule M6).
pub const BODY_TOO_LARGE: ErrorRow = ErrorRow::new("body_too_large", -32600, 413);
/// The Origin header is not allowed (rule M7).
pub const FORBIDDEN_ORIGIN: ErrorRow = ErrorRow::new("forbidden_origin", -32600, 403);
/// The Host header is not allowed (rule M7).
pub const FORBIDDEN_HOST: ErrorRow = ErrorRow::new("forbidden_host", -32600, 403);

/// The Accept header leaves no room for JSON (rule M2).
pub const NOT_ACCEPTABLE: ErrorRow = ErrorRow::new("not_acceptable", -32600, 406);

/// Every row, for documentation and tests.
pub const ERRORS: [ErrorRow; 12] = [
    PARSE_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    INVALID_PARAMS,
    INVALID_META,
    HEADER_MISMATCH,
    UNSUPPORTED_PROTOCOL_VERSION,
    INTERNAL_ERROR,
    BODY_TOO_LARGE,
    FORBIDDEN_ORIGIN,
    FORBIDDEN_HOST,
    NOT_ACCEPTABLE,
];

/// A JSON-RPC error on its way out, with the HTTP status that goes with it.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct RpcError {
    /// The JSON-RPC code.
    pub code: i32,
    /// What went wrong and what to do about it; clients often show nothing else (rule M10).
    pub message: String,
    /// The `data` member, usually `{code, content, ...}`.
    pub data: Option<Value>,
    /// The HTTP status; without meaning on stdio.
    pub http_status: u16,
    /// For a `Retry-After` header, in seconds.
    pub retry_after_s: Option<u64>,
}

impl RpcError {
    /// An error of MCP itself: the text goes into `message` and `data.content` alike (rule M10).
    pub fn of_row(row: &ErrorRow, era: Era, content: impl Into<String>) -> Self {
        let content = content.into();
        Self {
            code: row.json_rpc,
            data: Some(json!({ "code": row.word, "content": content })),
            message: content,
            http_status: row.http(era),
            retry_after_s: None,
        }
    }

    /// An internal error (-32603, HTTP 500), as after a panic in a tool (rule M12);
    /// the text must name no internals (rule E4).
    pub fn internal(content: impl Into<String>) -> Self {
        Self::of_row(&INTERNAL_ERROR, Era::Lifecycle, content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_m4_codes_stay_out_of_the_ranges_that_mcp_reserves() {
        for row in ERRORS {
            let of_json_rpc = row.json_rpc == -32700 || (-32603..=-32600).contains(&row.json_rpc);
            assert!(of_json_rpc || [-32020, -32022].contains(&row.json_rpc), "{row:?}");
        }
    }

    #[test]
    fn rule_e1_statuses_differ_between_eras_for_an_unknown_method_only() {
        for row in ERRORS {
            let differs = row.http_lifecycle != row.http_stateless;
            assert_eq!(differs, row == METHOD_NOT_FOUND, "{row:?}");
        }
    }

    #[test]
    fn rule_m10_message_and_content_say_the_same() {
        let error = RpcError::internal("sorry");
        assert_eq!((error.code, error.http_status), (-32603, 500));
        assert_eq!(error.data, Some(json!({"code": "internal_error", "content": "sorry"})));
        assert_eq!(error.to_string(), "sorry");
    }
}
