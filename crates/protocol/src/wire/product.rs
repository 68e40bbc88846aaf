//! `product.json`: a product with its options and variants (rule C6).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::category::Category;
use super::description::Description;
use super::media::Media;
use super::price_range::PriceRange;
use super::product_option::ProductOption;
use super::rating::Rating;
use super::variant::Variant;

/// A product with its options and variants.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Product<'a, V = Variant<'a>, O = ProductOption<'a>> {
    /// Identifier of the product.
    pub id: &'a str,
    /// Name of the product in URLs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<&'a str>,
    /// Title of the product.
    pub title: &'a str,
    /// What it is.
    pub description: Description<'a>,
    /// Page of the product in the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub url: Option<&'a str>,
    /// Its categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Category<'a>>,
    /// Lowest and highest price over all variants, also those not listed here.
    pub price_range: PriceRange<'a>,
    /// Lowest and highest price before discounts, to show struck through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_price_range: Option<PriceRange<'a>>,
    /// Pictures and films of it, the leading one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media<'a>>,
    /// The options along which its variants differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<O>,
    /// Variants of the product, the one to show first in front.
    #[schemars(extend("minItems" = 1))]
    pub variants: Vec<V>,
    /// What buyers think of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Words that the store files it under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<&'a str>,
    /// The store's own data about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<&'a Map<String, Value>>,
    /// Members of other namespaces, passed through.
    #[serde(flatten)]
    pub extensions: Option<&'a Map<String, Value>>,
}
