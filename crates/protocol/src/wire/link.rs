//! `link.json`: a page about the seller's terms.

use schemars::JsonSchema;
use serde::Serialize;

/// A page about the seller's terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Link<'a> {
    /// What the page is: `privacy_policy`, `terms_of_service`, `refund_policy`, `shipping_policy`, `faq` or another word.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Where it is.
    #[schemars(extend("format" = "uri"))]
    pub url: &'a str,
    /// The text to show for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
}
