//! The product index: built once from a catalog, then only read.
//!
//! [`Index::search`] answers words and filters (rules C1 to C7), and
//! [`Index::resolve`] identifiers (rule C9). Everything is in memory and
//! synchronous, and the same question gets the same answer in the same order
//! every time. Messages, cursors and what a product looks like on the wire are
//! the application's work; which products exist is `ingest`'s.
//!
//! The way of a query: `plan` turns its words into terms of the `vocabulary`,
//! `rank` finds and scores the products that have them, `page` cuts the page.

mod collect;
mod identifiers;
mod index;
mod page;
mod plan;
mod query;
mod rank;
mod text;
mod vocabulary;

pub use identifiers::Resolved;
pub use index::Index;
pub use page::Position;
pub use query::{Hit, Hits, Query};
