//! `search_filters.json`: what a product must be (rules C1 to C5).
//!
//! `categories` and `price` are the specification's; the others are this
//! project's, and what nobody knows is kept so that it can be answered with a
//! warning.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::price_filter::PriceFilter;

/// What a product must be; all that is given must hold. An empty list is no filter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchFilters {
    /// The product is in any of these categories; each is compared with the exact value of a category entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Inclusive bounds on the price in minor units of context.currency; set that too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<PriceFilter>,
    /// Only what can be bought now; true is the only value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("const" = true))]
    pub available: Option<bool>,
    /// The brand, or any of several; exact text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand: Option<OneOrMany>,
    /// The condition, such as new or used, or any of several; exact text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<OneOrMany>,
    /// Tags that the product has, all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Bounds on the average rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<RatingFilter>,
    /// Option values by option name, such as {"Color": ["Red", "Blue"]}: any value within an option, all options together.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Vec<String>>,
    /// Identifier of a store location that must have the variant in stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Filters that this store does not know, by name (rule C5).
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// One text, or any of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum OneOrMany {
    /// Exactly this one.
    One(String),
    /// Any of these; none is no filter.
    Many(Vec<String>),
}

impl OneOrMany {
    /// The texts of which any will do.
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// Bounds on the average rating.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatingFilter {
    /// Lowest average that matches, on the product's own scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Members that this store does not know, by name (rule C5).
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}
