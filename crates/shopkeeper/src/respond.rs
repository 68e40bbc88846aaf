//! The only place where a failure becomes a status and a body.

use crate::failure::{Failure, Outcome, Transport, Violation};
use mcp::{Reply, RpcError};
use protocol::codes::Code;
use protocol::dialect::Dialect;
use protocol::envelope::Ucp;
use protocol::message::{Message, Severity};
use protocol::negotiate::Active;
use protocol::wire;
use serde_json::{Map, Value, json};

/// The JSON-RPC code of discovery and version failures (rule N8).
const DISCOVERY: i32 = -32001;

/// What is known of a call that failed.
pub(crate) struct Said<'a> {
    /// The version in which the answer is given.
    pub dialect: &'static Dialect,
    /// The negotiated capabilities, with their versions.
    pub capabilities: &'a Active,
    /// Where a buyer can go on.
    pub continue_url: Option<&'a str>,
    /// Names the request in the log.
    pub request_id: &'a str,
}

/// The answer to a call that failed, in its layer (rule E1).
pub(crate) fn failure(failed: Failure, said: &Said<'_>) -> mcp::Outcome {
    match failed {
        Failure::Transport(failure) => mcp::Outcome::Error(transport(failure, said)),
        Failure::Outcome(outcome) => match business(&outcome, said) {
            Ok(structured) => mcp::Outcome::Result { structured, is_error: true },
            Err(error) => {
                tracing::error!(%error, "an answer cannot be written");
                failure(Failure::transport(Code::Internal, ""), said)
            }
        },
    }
}

/// `reply` with HTTP 200 where it carries a JSON-RPC error, for clients that lose
/// the body of any other status (`server.rpc_errors_always_200`).
pub(crate) fn flattened(reply: Reply) -> Reply {
    match reply.body {
        Some(_) => Reply { status: 200, ..reply },
        None => reply,
    }
}

fn transport(failure: Transport, said: &Said<'_>) -> RpcError {
    let Transport { code, content, violations, retry_after_s } = failure;
    let mut data = Map::new();
    data.insert("code".to_owned(), code.name().into());
    let content = match code {
        // The cause is in the log alone (rule E4).
        Code::Internal => format!(
            "this server has failed at the request; its operator finds the cause under request id {}",
            said.request_id
        ),
        _ => content,
    };
    data.insert("content".to_owned(), content.clone().into());
    if code == Code::Internal {
        data.insert("request_id".to_owned(), said.request_id.into());
    }
    if !violations.is_empty() {
        data.insert("errors".to_owned(), violations.iter().map(violation).collect());
    }
    if let Some(seconds) = retry_after_s {
        data.insert("retry_after".to_owned(), seconds.into());
    }
    if is_discovery(code)
        && let Some(url) = said.continue_url
    {
        data.insert("continue_url".to_owned(), url.into());
    }
    RpcError {
        code: code.json_rpc().unwrap_or(mcp::INTERNAL_ERROR.json_rpc),
        message: content,
        data: Some(Value::Object(data)),
        http_status: code.http_status(),
        retry_after_s,
    }
}

fn violation(violation: &Violation) -> Value {
    json!({"path": violation.path, "message": violation.message})
}

/// Failures of discovery and version offer the buyer another way (rule N8).
fn is_discovery(code: Code) -> bool {
    code.json_rpc() == Some(DISCOVERY)
}

fn business(outcome: &Outcome, said: &Said<'_>) -> serde_json::Result<String> {
    let severity = outcome.code.severity().unwrap_or(Severity::Unrecoverable);
    let response = wire::ErrorResponse {
        ucp: if outcome.names_capabilities {
            Ucp::error(said.dialect, said.capabilities)
        } else {
            Ucp::incompatible(said.dialect)
        },
        messages: vec![Message::error(outcome.code, outcome.content.as_str(), severity)],
        continue_url: said.continue_url,
    };
    serde_json::to_string(&response)
}
