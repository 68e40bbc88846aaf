//! `price_range.json`: from the lowest price to the highest.

use schemars::JsonSchema;
use serde::Serialize;

use super::price::Price;

/// From the lowest price to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PriceRange<'a> {
    /// The lowest price.
    pub min: Price<'a>,
    /// The highest price.
    pub max: Price<'a>,
}
