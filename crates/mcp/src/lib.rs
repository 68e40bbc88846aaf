//! JSON-RPC 2.0 and the Model Context Protocol, every revision: bytes in, bytes out.
//!
//! One [`Server`] serves three kinds of client on one endpoint (rules M1-M13):
//! bare JSON-RPC, lifecycle MCP (2024-11-05 to 2025-11-25, `initialize` first)
//! and stateless MCP (2026-07-28). A caller hands over what arrived, with the
//! [`Transport`] it came by, and gets either a finished [`Reply`] or an
//! [`Exchange`]: the tool calls to make, to be answered by one [`Outcome`] each.
//!
//! The crate does no input or output, keeps no session and never waits. It leaves
//! to others: sockets and line framing, the HTTP methods other than POST, body
//! limits, Origin and Host checks (though [`oversized`], [`refused_origin`] and
//! [`refused_host`] write their answers), which tools exist, and what a tool does.
//!
//! ```
//! use mcp::{Headers, Outcome, Received, Server, ServerInfo, Transport};
//!
//! let info = ServerInfo {
//!     name: "shop".into(),
//!     title: "A shop".into(),
//!     version: "1.0.0".into(),
//!     instructions: String::new(),
//! };
//! let server = Server::new(info, Vec::new());
//! let body = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet"}}"#;
//! let reply = match server.receive(&Transport::Http(Headers::default()), body) {
//!     Received::Reply(reply) => reply,
//!     Received::Calls(exchange) => {
//!         let outcomes = exchange.calls().iter().map(|call| Outcome::Result {
//!             structured: format!(r#"{{"called":"{}"}}"#, call.tool),
//!             is_error: false,
//!         });
//!         let outcomes = outcomes.collect();
//!         exchange.answer(outcomes)
//!     }
//! };
//! assert_eq!(reply.status, 200);
//! ```

mod era;
mod errors;
mod exchange;
mod fault;
mod header;
mod id;
mod json;
mod message;
mod reply;
mod server;
mod stateless;
mod tools;
mod version;

pub use era::Era;
pub use errors::{
    BODY_TOO_LARGE, ERRORS, ErrorRow, FORBIDDEN_HOST, FORBIDDEN_ORIGIN, HEADER_MISMATCH,
    INTERNAL_ERROR, INVALID_META, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND,
    NOT_ACCEPTABLE, PARSE_ERROR, RpcError, UNSUPPORTED_PROTOCOL_VERSION,
};
pub use exchange::{Call, Exchange, Outcome};
pub use header::{
    HEADER_LAST_EVENT_ID, HEADER_METHOD, HEADER_NAME, HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID,
    Headers, REQUEST_HEADERS, Transport,
};
pub use json::MAX_DEPTH;
pub use message::MAX_BATCH;
pub use reply::{Reply, not_acceptable, oversized, refused_host, refused_origin};
pub use server::{CACHE_TTL_MS, Received, Server, ServerInfo, TOOLS_CALL, TOOLS_LIST};
pub use tools::Tool;
pub use version::{FIRST_STATELESS, LATEST_LIFECYCLE, REVISIONS, Revision};
