//! `context.json`: hints about the buyer (rules C3, C16, C17).
//!
//! `location` and `payment` are of 2026-08-25; in the older shape these names
//! are free, so they are read as whatever they are (rule C15).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::locality::Locality;
use super::reverse_domain_name::ReverseDomainName;

/// Hints about the buyer, used for language, currency and relevance. They never replace a filter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Context {
    /// Where the buyer is.
    #[serde(flatten)]
    pub locality: Locality,
    /// Identifier of the store location that the buyer prefers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub location: Option<Value>,
    /// What the buyer wants, in words, such as a gift under 50 dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Language that texts should be in, as a BCP 47 tag such as pt-BR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Currency that prices should be in, as an ISO 4217 code such as BRL; also the currency of filters.price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Benefits that the buyer claims, in reverse-domain form; unknown ones are ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<ReverseDomainName>", extend("uniqueItems" = true))]
    pub eligibility: Vec<String>,
    /// Payment handlers that the buyer prefers, the most preferred first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<PaymentPreference>>")]
    pub payment: Option<Value>,
}

/// A payment handler that the buyer prefers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PaymentPreference {
    /// Name of the handler in reverse-domain form, as the business profile lists it.
    #[schemars(with = "ReverseDomainName")]
    pub handler: String,
    /// Kinds of instrument preferred with it, such as card, the most preferred first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
}
