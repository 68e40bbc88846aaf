//! `price_filter.json`: bounds on a price (rules C2, C3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::amount::Amount;
use super::number::Integer;

/// Inclusive bounds on the price, in the currency that context.currency names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PriceFilter {
    /// Lowest price that matches, as an integer in minor units (1999 with USD is 19.99).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Amount>")]
    pub min: Option<Integer>,
    /// Highest price that matches, as an integer in minor units (1999 with USD is 19.99).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Amount>")]
    pub max: Option<Integer>,
    /// Members that this store does not know, by name (rule C5).
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}
