//! The product index: built once from a catalog, then only read.
//!
//! [`Index::search`] answers words and filters (rules C1 to C7), and
//! [`Index::resolve`] identifiers (rule C9). An index is a folder of files that are
//! read in place: the terms in tantivy, the rest in columns. Everything is
//! synchronous, and the same question gets the same answer in the same order every
//! time, on every machine. Messages, cursors and what a product looks like on the
//! wire are the application's work; which products exist is `ingest`'s.
//!
//! The way of a query: `plan` turns its words into terms that the `lexicon` knows,
//! `matching` walks their postings, `rank` scores what has them all, `sieve` holds
//! the filters against the variants, `page` keeps the best.

mod builder;
mod collect;
mod facets;
mod filter;
mod identifiers;
mod index;
mod items;
mod lexicon;
mod matching;
mod page;
mod plan;
mod query;
mod rank;
mod sieve;
mod storage;
mod synonyms;
mod terms;
mod text;
mod vocabulary;

pub use builder::{BuildError, Builder, Sealed};
pub use filter::{Filter, PriceBounds};
pub use identifiers::Resolved;
pub use index::{Index, OpenError};
pub use items::Items;
pub use page::Position;
pub use query::{Hit, Hits, Query};
pub use sieve::Sieve;
pub use synonyms::Synonyms;
