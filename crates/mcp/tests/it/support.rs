//! A server with two tools and an application that answers for them.

use mcp::{
    Call, Era, Exchange, Headers, INVALID_PARAMS, Outcome, Received, Reply, RpcError, Server,
    ServerInfo, Tool, Transport,
};
use serde_json::{Value, json};

pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

pub(crate) fn server() -> Server {
    let info = ServerInfo {
        name: "shop".into(),
        title: "A shop".into(),
        version: "1.2.3".into(),
        instructions: "Amounts are in minor units.".into(),
    };
    let tool = |name: &str, title: &str| Tool {
        name: name.into(),
        title: title.into(),
        description: format!("Calls {name}."),
        input_schema: json!({"type": "object"}),
        output_schema: json!({"type": "object", "properties": {"b": {}, "a": {}}}),
    };
    Server::new(info, vec![tool("search", "Search"), tool("lookup", "Look up")])
}

/// Sends a body and plays the application.
pub(crate) fn send(server: &Server, transport: &Transport<'_>, body: &[u8]) -> Reply {
    match server.receive(transport, body) {
        Received::Reply(reply) => reply,
        Received::Calls(exchange) => answer(exchange),
    }
}

pub(crate) fn http(version: Option<&'static str>) -> Transport<'static> {
    Transport::Http(Headers { protocol_version: version, ..Headers::default() })
}

/// The three headers of a stateless request.
pub(crate) fn modern<'a>(method: &'a str, name: Option<&'a str>) -> Transport<'a> {
    Transport::Http(Headers { protocol_version: Some("2026-07-28"), method: Some(method), name })
}

fn answer(exchange: Exchange) -> Reply {
    let outcomes = exchange.calls().iter().map(run).collect();
    exchange.answer(outcomes)
}

/// `search` and `lookup` echo, `broken` panicked, `busy` wants a pause, others do not exist.
fn run(call: &Call) -> Outcome {
    match call.tool.as_str() {
        "search" | "lookup" => Outcome::Result {
            structured: json!({"tool": call.tool, "arguments": call.arguments}).to_string(),
            is_error: call.arguments.get("fail") == Some(&Value::Bool(true)),
        },
        "broken" => Outcome::Error(RpcError::internal("Internal error, request r-1.")),
        "busy" => Outcome::Error(RpcError {
            code: -32000,
            message: "Too many requests. Wait 3 seconds.".into(),
            data: Some(json!({"code": "rate_limited", "retry_after": 3})),
            http_status: 429,
            retry_after_s: Some(3),
        }),
        other => {
            let content = format!("There is no tool '{other}'.");
            Outcome::Error(RpcError::of_row(&INVALID_PARAMS, Era::Lifecycle, content))
        }
    }
}
