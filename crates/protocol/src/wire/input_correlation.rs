//! `input_correlation.json`: which identifier led to a variant, and how (rule C9).

use schemars::JsonSchema;
use serde::Serialize;

/// An identifier of the request that led here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputCorrelation<'a> {
    /// The identifier exactly as it was sent.
    pub id: &'a str,
    /// `exact` when the identifier named this variant, `featured` when it named the product and this variant was chosen for it.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kind: Option<Match>,
}

/// How an identifier led to a variant; the vocabulary is open, these are its known words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Match {
    /// The identifier names this variant.
    Exact,
    /// The identifier names the product; this variant stands for it.
    Featured,
}
