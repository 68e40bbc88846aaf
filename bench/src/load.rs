//! Load over HTTP: starts the server, is its platform, asks class by class and
//! measures what that costs.
//!
//! Everything is blocking and on plain threads: a client that spends little keeps
//! the second core free for the server.

pub mod bare;
pub mod client;
pub mod platform;
pub mod process;
pub mod report;
pub mod run;
pub mod server;

use std::path::PathBuf;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or folder of the measured shop.
    #[error("{path}: {source}")]
    File {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Sockets, processes and their figures.
    #[error("cannot {doing}: {source}")]
    System {
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The requests are not what `generate` writes.
    #[error("{path}: {source}")]
    Queries {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The server ended, or was not ready in time.
    #[error("the server {what}; its log is {log}")]
    Server {
        /// What it did.
        what: String,
        /// Where its log is.
        log: PathBuf,
    },
    /// What stands under /proc is not what proc(5) says.
    #[error("/proc/{pid}/{file} says nothing of {field}")]
    Proc {
        /// The process.
        pid: u32,
        /// The file.
        file: &'static str,
        /// What was looked for.
        field: &'static str,
    },
    /// The bare index that the server is compared with.
    #[error("the bare index: {0}")]
    Bare(#[from] tantivy::TantivyError),
    /// An answer that is no success, or has no products.
    #[error("{class}: {what}; asked for {request}; answered {answer}")]
    Answer {
        /// The class of the request.
        class: String,
        /// What is wrong.
        what: String,
        /// The request.
        request: String,
        /// The beginning of the answer.
        answer: String,
    },
}

impl LoadError {
    pub(crate) const fn system(doing: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::System { doing, source }
    }
}
