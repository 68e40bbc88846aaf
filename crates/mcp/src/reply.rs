//! The bytes that go back: envelopes written around text that is JSON already.
//!
//! A tool's answer arrives as serialised JSON and leaves twice in one result: as
//! `structuredContent` and, escaped, as a text block (rule M9). Nothing is parsed or
//! rebuilt on the way, which is most of what keeps a call cheap.

use serde_json::{Map, Value, json};

use crate::era::Era;
use crate::errors::{
    BODY_TOO_LARGE, ErrorRow, FORBIDDEN_HOST, FORBIDDEN_ORIGIN, NOT_ACCEPTABLE, RpcError,
};
use crate::id::Id;

/// An answer, or that there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status; without meaning on stdio.
    pub status: u16,
    /// `application/json` on one line, without a line feed; `None` for nothing at all.
    pub body: Option<Vec<u8>>,
    /// For a `Retry-After` header, in seconds.
    pub retry_after_s: Option<u64>,
}

impl Reply {
    /// What a notification gets: 202 over HTTP, silence on stdio (rule M2).
    pub(crate) fn accepted() -> Self {
        Self { status: 202, body: None, retry_after_s: None }
    }

    /// A refusal without a body, for a transport on which nobody may be answered.
    pub(crate) fn silent(status: u16) -> Self {
        Self { status, body: None, retry_after_s: None }
    }

    /// A result that is complete JSON text.
    pub(crate) fn result(id: &Id, result: &str) -> Self {
        let mut body = open(id, result.len());
        body.extend_from_slice(br#""result":"#);
        body.extend_from_slice(result.as_bytes());
        body.push(b'}');
        Self { status: 200, body: Some(body), retry_after_s: None }
    }

    /// The result of a tool (rule M9); `server_info` is the server's JSON, for the
    /// stateless era (rule M4).
    pub(crate) fn of_tool(
        id: &Id,
        structured: &str,
        is_error: bool,
        era: Era,
        server_info: &str,
    ) -> Self {
        // The text, its escaped form at its longest, and the fixed parts.
        let mut body = open(id, structured.len() * 3 + server_info.len() + 256);
        body.extend_from_slice(br#""result":{"content":[{"type":"text","text":"#);
        escape(structured, &mut body);
        body.extend_from_slice(br#"}],"structuredContent":"#);
        body.extend_from_slice(structured.as_bytes());
        body.extend_from_slice(br#","isError":"#);
        body.extend_from_slice(if is_error { b"true" } else { b"false" });
        if era == Era::Stateless {
            body.extend_from_slice(stateless_members(server_info).as_bytes());
        }
        body.extend_from_slice(b"}}");
        Self { status: 200, body: Some(body), retry_after_s: None }
    }

    /// An error; without an id that could be read, the id is null.
    pub(crate) fn error(id: Option<&Id>, error: RpcError) -> Self {
        let (status, retry_after_s) = (error.http_status, error.retry_after_s);
        let error = error_object(error);
        let id = id.map_or("null", Id::as_json);
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#);
        Self { status, body: Some(body.into_bytes()), retry_after_s }
    }

    /// Several replies as the array that answers a batch, in order (rule M5).
    ///
    /// The status is the one that all of them share, else 200: the array is then
    /// the only place to look. The longest wait is the one to keep.
    pub(crate) fn array(replies: &[Self]) -> Self {
        let Some(first) = replies.first() else {
            return Self::accepted();
        };
        let shared = replies.iter().all(|reply| reply.status == first.status);
        let bodies: Vec<&[u8]> = replies.iter().filter_map(|reply| reply.body.as_deref()).collect();
        let mut body = vec![b'['];
        body.extend_from_slice(&bodies.join(&b','));
        body.push(b']');
        Self {
            status: if shared { first.status } else { 200 },
            body: Some(body),
            retry_after_s: replies.iter().filter_map(|reply| reply.retry_after_s).max(),
        }
    }
}

/// The answer to a body above the transport's limit, in bytes (rule M6): 413, -32600.
pub fn oversized(limit: usize) -> Reply {
    let content = format!(
        "The body is larger than {limit} bytes. Send a smaller request, for example fewer ids at once."
    );
    Reply::error(None, RpcError::of_row(&BODY_TOO_LARGE, Era::Lifecycle, content))
}

/// The answer to an Origin that is not allowed (rule M7): 403, an error without an id.
pub fn refused_origin() -> Reply {
    without_id(
        &FORBIDDEN_ORIGIN,
        "The Origin header is not on this server's list. Call it without one, or have the origin allowed.",
    )
}

/// The answer to a Host that is not allowed (rule M7): 403, an error without an id.
pub fn refused_host() -> Reply {
    without_id(
        &FORBIDDEN_HOST,
        "The Host header names a host that this server does not answer for. Use its public URL.",
    )
}

/// The answer to a client that accepts no JSON (rule M2).
pub fn not_acceptable() -> Reply {
    without_id(
        &NOT_ACCEPTABLE,
        "Answers are application/json, which the Accept header excludes. Accept it, or send no \
         Accept header.",
    )
}

/// What every result carries in the stateless era (rule M4), with a comma before it.
pub(crate) fn stateless_members(server_info: &str) -> String {
    let key = crate::era::META_SERVER_INFO;
    format!(r#","resultType":"complete","_meta":{{"{key}":{server_info}}}"#)
}

fn without_id(row: &ErrorRow, content: &str) -> Reply {
    let error = error_object(RpcError::of_row(row, Era::Lifecycle, content));
    let body = format!(r#"{{"jsonrpc":"2.0","error":{error}}}"#).into_bytes();
    Reply { status: row.http_lifecycle, body: Some(body), retry_after_s: None }
}

fn error_object(error: RpcError) -> Value {
    let mut object = Map::new();
    object.insert("code".to_owned(), json!(error.code));
    object.insert("message".to_owned(), Value::String(error.message));
    if let Some(data) = error.data {
        object.insert("data".to_owned(), data);
    }
    Value::Object(object)
}

/// Starts a response, with room for `len` bytes more.
fn open(id: &Id, len: usize) -> Vec<u8> {
    let id = id.as_json();
    let mut body = Vec::with_capacity(id.len() + len + 64);
    body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    body.extend_from_slice(id.as_bytes());
    body.push(b',');
    body
}

/// Appends `text` as a JSON string.
///
/// In JSON every sixth byte or so is a quote, too many for copying the stretches
/// between them to pay; bytes one by one into room that is there are faster.
fn escape(text: &str, out: &mut Vec<u8>) {
    out.reserve(2 * text.len() + 2);
    out.push(b'"');
    for &byte in text.as_bytes() {
        if byte < b' ' {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            continue;
        }
        if byte == b'"' || byte == b'\\' {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_agrees_with_serde_json() {
        let every_control: String = (0u8..=0x7f).map(char::from).collect();
        for text in ["", "plain", r#"{"a":"b\"c\\d"}"#, "é 世界 \u{1f600}\u{2028}", &every_control]
        {
            let mut escaped = Vec::new();
            escape(text, &mut escaped);
            let read: String = serde_json::from_slice(&escaped).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn rule_m5_a_batch_has_the_status_that_its_replies_share() {
        let reply = |status, retry_after_s| Reply { status, body: Some(vec![b'1']), retry_after_s };
        let array = Reply::array(&[reply(429, Some(3)), reply(429, Some(7))]);
        assert_eq!((array.status, array.retry_after_s), (429, Some(7)));
        assert_eq!(array.body.as_deref(), Some(&b"[1,1]"[..]));
        assert_eq!(Reply::array(&[reply(429, None), reply(200, None)]).status, 200);
        assert_eq!(Reply::array(&[]), Reply::accepted());
    }
}
