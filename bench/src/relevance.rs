//! Relevance: judged queries, the catalogs that they ask, and who answers them.
//!
//! Why: a change to the ranking is kept or dropped by what it does to these
//! figures. What they mean, and how the queries were judged, is in
//! docs/relevance.md; printing them is the work of the `relevance` binary.

pub mod corpus;
pub mod engine;
pub mod judged;
pub mod metrics;
pub mod postgres;
pub mod predicate;
pub mod query_parser;
pub mod report;

use corpus::Corpus;
use std::io;
use std::path::PathBuf;

/// How many answers of each query are looked at.
pub const DEPTH: usize = 50;

/// The answers to one query: places in [`Corpus::subjects`], best first.
pub type Ranking = Vec<usize>;

/// Somebody who answers queries over a corpus, at most [`DEPTH`] places for each.
pub type Answerer = fn(&Corpus, &[&str]) -> Result<Vec<Ranking>, RelevanceError>;

/// Why relevance cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum RelevanceError {
    /// A file is not there or cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The products are not what they were when the queries were judged.
    #[error("{path}: {why}")]
    Products {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The judged queries cannot be read.
    #[error("judged queries: {0}")]
    Judged(#[from] toml::de::Error),
    /// A judgment says something that cannot be understood.
    #[error("judged query {query:?}: {why}")]
    Predicate {
        /// The query that is judged.
        query: String,
        /// What is wrong with its judgment.
        why: String,
    },
    /// Our index cannot be built.
    #[error(transparent)]
    Index(#[from] search::BuildError),
    /// Tantivy's index cannot be built or asked.
    #[error(transparent)]
    Tantivy(#[from] tantivy::TantivyError),
    /// Something that PostgreSQL needs cannot be written or started.
    #[error("PostgreSQL: {0}")]
    Io(#[from] io::Error),
    /// PostgreSQL's programs are not installed: this baseline is skipped.
    #[error("PostgreSQL is not installed")]
    NoPostgres,
    /// PostgreSQL refused something.
    #[error("{program}: {said}")]
    Postgres {
        /// The program that failed.
        program: String,
        /// What it wrote.
        said: String,
    },
}
