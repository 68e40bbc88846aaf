//! `[inventory]`: stock feeds, and what counts as providable.

use super::{ConfigError, Feed};
use location::inventory::StockStatus;
use serde::{Deserialize, Serialize};

/// The table `[inventory]`; without feeds, item filters are unsupported (rule L7).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Inventory {
    /// Stock feeds; of two lines for one pair the later wins.
    pub feeds: Vec<Feed>,
    /// Statuses under which a Location can provide an item (DESIGN 5).
    pub providable: Vec<String>,
}

impl Default for Inventory {
    fn default() -> Self {
        Self { feeds: Vec::new(), providable: vec!["in_stock".to_owned()] }
    }
}

impl Inventory {
    /// The statuses under which a Location can provide an item.
    pub fn providable_statuses(&self) -> Vec<StockStatus> {
        self.providable.iter().filter_map(|name| status(name)).collect()
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        match self.providable.iter().find(|name| status(name).is_none()) {
            None => Ok(()),
            Some(name) => Err(ConfigError::Unusable {
                table: "inventory",
                key: "providable",
                text: format!("`{name}` is none of in_stock, backorder and preorder"),
            }),
        }
    }
}

fn status(name: &str) -> Option<StockStatus> {
    match name {
        "in_stock" => Some(StockStatus::InStock),
        "backorder" => Some(StockStatus::Backorder),
        "preorder" => Some(StockStatus::Preorder),
        _ => None,
    }
}
