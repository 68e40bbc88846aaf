//! `availability.json`: whether a variant can be had (rule C14).

use schemars::JsonSchema;
use serde::Serialize;

/// Whether this can be bought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Availability<'a> {
    /// Whether this can be bought now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<bool>,
    /// The state behind it: `in_stock`, `backorder`, `preorder`, `out_of_stock`, `discontinued` or another word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'a str>,
}
