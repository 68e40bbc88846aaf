//! The crate from outside: a table of requests and their answers, and properties
//! that hold for every request.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod properties;
mod support;
mod table;
