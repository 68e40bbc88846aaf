//! Shopkeeper from outside: the real router over the demo store, called as agents
//! call it.
//!
//! `app` starts the store, `profiles` the platforms that call it, `clients` the
//! five ways to call; the other files are the tests. Scenarios are data, in
//! `scenarios/*.json`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

mod answers;
mod app;
mod bad_input;
mod clients;
mod command;
mod discovery;
mod fidelity;
mod generations;
mod house;
mod http;
mod lifetime;
mod listing;
mod negotiation;
mod noise;
mod paging;
mod print;
mod privacy;
mod profiles;
mod published;
mod random;
mod scenarios;
mod seeds;
mod selection;
mod signatures;
