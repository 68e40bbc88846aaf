//! `[locations]`: store lists and the bounds of location requests.

use super::{ConfigError, Feed};
use serde::{Deserialize, Serialize};

/// The table `[locations]`; without feeds, locations are not advertised (rule P5).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Locations {
    /// Store lists; of two Locations with one id the first wins.
    pub feeds: Vec<Feed>,
    /// Most identifiers that one lookup_locations evaluates (rule L11).
    pub max_batch: usize,
    /// Most Locations on a page; a larger limit is lowered to it (rule L14).
    pub max_page: usize,
}

impl Default for Locations {
    fn default() -> Self {
        Self { feeds: Vec::new(), max_batch: 100, max_page: 100 }
    }
}

impl Locations {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (key, value) in [("max_batch", self.max_batch), ("max_page", self.max_page)] {
            if value == 0 {
                let text = "at least 1 is needed".to_owned();
                return Err(ConfigError::Unusable { table: "locations", key, text });
            }
        }
        Ok(())
    }
}
