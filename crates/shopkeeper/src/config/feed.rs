//! One feed: a path, or a path with its format.

use serde::{Deserialize, Serialize};

/// A feed as the file names it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a feed is a path, or { path = \"...\", format = \"...\" }")]
pub enum Feed {
    /// The format is found from the name and the content.
    Path(String),
    /// The format is said.
    Explicit(ExplicitFeed),
}

/// A feed whose format is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExplicitFeed {
    /// Path, relative to the configuration file.
    pub path: String,
    /// Name of the format (DESIGN 5).
    pub format: String,
}

impl Feed {
    /// The path as the file has it.
    pub fn path(&self) -> &str {
        match self {
            Self::Path(path) => path,
            Self::Explicit(feed) => &feed.path,
        }
    }

    /// The name of the format, when it is said.
    pub fn format(&self) -> Option<&str> {
        match self {
            Self::Path(_) => None,
            Self::Explicit(feed) => Some(&feed.format),
        }
    }
}
