//! `policy.json`: terms that apply to what a response shows (2026-08-25 only).

use schemars::JsonSchema;
use serde::Serialize;

use super::description::Description;
use super::reverse_domain_name::ReverseDomainName;

/// Terms that apply to what the response shows, such as returns or warranty.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Policy<'a> {
    /// Kind of the terms in reverse-domain form, such as dev.ucp.shopping.policy.return.
    #[serde(rename = "type")]
    #[schemars(with = "ReverseDomainName")]
    pub kind: &'a str,
    /// The terms in short.
    pub description: Description<'a>,
    /// JSONPaths into this response of what the terms apply to; all of it when absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applies_to: Vec<&'a str>,
    /// Page with the terms in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub url: Option<&'a str>,
}
