//! `[catalog]`: product feeds and the bounds of catalog requests.

use super::{ConfigError, Feed};
use serde::{Deserialize, Serialize};

/// The smallest batch that a business must accept in one lookup (rule C10).
const LEAST_BATCH: usize = 10;

/// The table `[catalog]`; without feeds, catalog is not advertised (rule P5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Catalog {
    /// Product feeds; of two rows with one id the first wins.
    pub feeds: Vec<Feed>,
    /// File of words that stand for one another, a group a line; empty for none.
    pub synonyms: String,
    /// Most identifiers in one lookup_catalog, after deduplication (rule C10).
    pub max_batch: usize,
    /// Most products on a page; a larger limit is lowered to it (rule C7).
    pub max_page: usize,
}

impl Default for Catalog {
    fn default() -> Self {
        Self { feeds: Vec::new(), synonyms: String::new(), max_batch: 100, max_page: 100 }
    }
}

impl Catalog {
    /// The file of synonyms, if there is one, as a feed.
    pub fn synonyms_feed(&self) -> Vec<Feed> {
        let named = Some(&self.synonyms).filter(|path| !path.is_empty());
        named.map(|path| Feed::Path(path.clone())).into_iter().collect()
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let unusable = |key, text: &str| {
            Err(ConfigError::Unusable { table: "catalog", key, text: text.to_owned() })
        };
        if self.max_batch < LEAST_BATCH {
            return unusable("max_batch", "the specification asks for at least 10");
        }
        if self.max_page == 0 {
            return unusable("max_page", "a page holds at least 1");
        }
        Ok(())
    }
}
