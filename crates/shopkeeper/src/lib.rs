//! The merchant's side of agentic commerce: everything behind the command line.
//!
//! The way of a request, file by file: `http/mcp_endpoint.rs` or `stdio.rs` takes
//! the bytes, `app.rs` hands them to the package `mcp`, `app/call.rs` finds out
//! who is calling and what was negotiated, `ops/<tool>.rs` asks `search`,
//! `catalog` and `location`, `to_wire/` writes the answer, and `respond.rs` turns
//! what went wrong into a status and a body. ARCHITECTURE.md has the map.

pub mod app;
pub mod cli;
pub mod config;
mod cursor;
mod failure;
mod from_wire;
pub mod http;
mod limits;
mod ops;
pub mod platform;
mod respond;
pub mod stdio;
pub mod store;
mod to_wire;
