//! `category.json`: where a product stands in a taxonomy.

use schemars::JsonSchema;
use serde::Serialize;

/// A category of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Category<'a> {
    /// The category, as a path or an id of its taxonomy.
    pub value: &'a str,
    /// The taxonomy that `value` belongs to, such as `google_product_category`, `shopify` or `merchant`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxonomy: Option<&'a str>,
}
