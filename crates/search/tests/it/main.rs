//! The index as the rest of the program uses it, through its public interface.

#![expect(clippy::unwrap_used, reason = "what builds a test's world may fail the test")]

mod filters;
mod forms;
mod identifiers;
mod oracle;
mod words;
mod world;
