//! The ways to call: three kinds of client over HTTP, two over stdio (rules M1, M11).

use crate::app::{TestApp, runtime};
use crate::http::Request;
use crate::profiles;
use protocol::dialect::Protocol;
use protocol::operation::{AGENT, META, PROFILE};
use serde_json::{Map, Value, json};
use shopkeeper::stdio;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub(crate) const LIFECYCLE: &str = "2025-11-25";
pub(crate) const STATELESS: &str = "2026-07-28";

/// A kind of client on a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// One JSON-RPC request over HTTP and nothing else.
    Bare,
    /// Over HTTP after initialize, with the negotiated version in a header.
    Lifecycle,
    /// Over HTTP with everything in every request.
    Stateless,
    /// Over stdio after initialize.
    StdioLifecycle,
    /// Over stdio with everything in every request.
    StdioStateless,
}

/// What a client got.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The HTTP status, where there is HTTP.
    pub(crate) status: Option<u16>,
    /// The JSON-RPC response.
    pub(crate) message: Value,
}

impl Channel {
    pub(crate) const ALL: [Self; 5] =
        [Self::Bare, Self::Lifecycle, Self::Stateless, Self::StdioLifecycle, Self::StdioStateless];

    pub(crate) fn is_stateless(self) -> bool {
        matches!(self, Self::Stateless | Self::StdioStateless)
    }

    /// Sends one request at the endpoint of `protocol`.
    pub(crate) fn send(
        self,
        store: &TestApp,
        protocol: Protocol,
        method: &str,
        mut params: Value,
    ) -> Answer {
        if self.is_stateless() {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": {"name": "it", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        let request = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let answer = match self {
            Self::Bare => post(store, protocol, &request, &[]),
            Self::Lifecycle => {
                let hello = post(store, protocol, &initialize(), &[]);
                assert_eq!(hello.message["result"]["protocolVersion"], LIFECYCLE);
                post(store, protocol, &request, &[("MCP-Protocol-Version", LIFECYCLE)])
            }
            Self::Stateless => {
                let name = params["name"].as_str().unwrap_or_default().to_owned();
                let mut headers = vec![("MCP-Protocol-Version", STATELESS), ("Mcp-Method", method)];
                if !name.is_empty() {
                    headers.push(("Mcp-Name", &name));
                }
                post(store, protocol, &request, &headers)
            }
            Self::StdioLifecycle => {
                let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
                over_stdio(store, protocol, &[initialize(), ready, request])
            }
            Self::StdioStateless => over_stdio(store, protocol, &[request]),
        };
        assert_eq!(answer.message["id"], 7, "{self:?}: {}", answer.message);
        answer
    }

    /// Calls a tool.
    pub(crate) fn call(
        self,
        store: &TestApp,
        protocol: Protocol,
        tool: &str,
        arguments: &Value,
    ) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(store, protocol, "tools/call", params)
    }
}

impl Answer {
    /// The structured content of a tool's result.
    pub(crate) fn structured(&self) -> &Value {
        let structured = &self.message["result"]["structuredContent"];
        assert!(structured.is_object(), "no result: {}", self.message);
        structured
    }
}

/// The arguments of a call: `request` under the member that `tool` wants, as the
/// platform whose profile is at `profile`.
pub(crate) fn arguments(tool: &str, request: &Value, profile: &str) -> Value {
    let mut arguments = Map::new();
    arguments.insert(META.to_owned(), json!({ AGENT: { PROFILE: profile } }));
    let member = if tool.ends_with("locations") { "location" } else { "catalog" };
    arguments.insert(member.to_owned(), request.clone());
    Value::Object(arguments)
}

/// Calls the demo store the plainest way and gives the structured content.
pub(crate) fn ask(store: &TestApp, tool: &str, request: &Value) -> Value {
    ask_in(store, Protocol::Ucp, "2026-08-25", tool, request)
}

/// As [`ask`], in a version.
pub(crate) fn ask_in(
    store: &TestApp,
    protocol: Protocol,
    version: &str,
    tool: &str,
    request: &Value,
) -> Value {
    let arguments = arguments(tool, request, &profiles::good(protocol, version));
    Channel::Bare.call(store, protocol, tool, &arguments).structured().clone()
}

fn initialize() -> Value {
    let client = json!({"name": "it", "version": "1"});
    let params = json!({"protocolVersion": LIFECYCLE, "capabilities": {}, "clientInfo": client});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn post(store: &TestApp, protocol: Protocol, body: &Value, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::post(protocol.mcp_path(), body.to_string())
        .with("Accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.with(name, value);
    }
    let response = request.send(store.address);
    assert_eq!(response.header("content-type"), Some("application/json"), "rule M2");
    assert_eq!(response.header("mcp-session-id"), None, "rule M2");
    Answer { status: Some(response.status), message: response.json() }
}

/// Sends `messages`, ends the input and gives the last line that came back.
fn over_stdio(store: &TestApp, protocol: Protocol, messages: &[Value]) -> Answer {
    let lines: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let answered = messages.iter().filter(|message| message.get("id").is_some()).count();
    let output = raw_stdio(store, protocol, lines.as_bytes());
    let answers: Vec<&str> = output.lines().collect();
    assert_eq!(answers.len(), answered, "one line for each request: {output}");
    let message = serde_json::from_str(answers.last().unwrap()).unwrap();
    Answer { status: None, message }
}

/// All that the store writes for `input`, which then ends (rule M11).
pub(crate) fn raw_stdio(store: &TestApp, protocol: Protocol, input: &[u8]) -> String {
    let app = Arc::clone(&store.app);
    let index = app.endpoints().iter().position(|endpoint| endpoint.protocol() == protocol);
    runtime().block_on(async move {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let serving =
            tokio::spawn(async move { stdio::serve(&app, index.unwrap(), read, write).await });
        let (mut read, mut write) = tokio::io::split(ours);
        let mut output = String::new();
        let sending = async {
            write.write_all(input).await.unwrap();
            write.shutdown().await.unwrap();
        };
        let ((), read) = tokio::join!(sending, read.read_to_string(&mut output));
        read.unwrap();
        serving.await.unwrap().unwrap();
        output
    })
}
