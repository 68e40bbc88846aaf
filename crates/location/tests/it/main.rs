//! The crate as its users see it, compared with slow readings of the rules.

#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

mod lookup;
mod sample;
mod schedule;
mod search;
mod text;
