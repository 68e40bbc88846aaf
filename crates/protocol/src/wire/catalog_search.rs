//! `catalog_search.json`: request and response of search_catalog.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Actions;
use super::attribution::Attribution;
use super::context::Context;
use super::pagination::{Pagination, PaginationRequest};
use super::policy::Policy;
use super::product::Product;
use super::search_filters::SearchFilters;
use super::signals::Signals;
use crate::envelope::Ucp;
use crate::message::Message;

/// What to search for: a query, filters, or both (rule C1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(description = "What to search for: a query, filters, or both.")]
pub struct SearchCatalogRequest {
    /// What to look for, in words; * finds everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Hints about the buyer: language, currency, country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Facts that the platform observed about the buyer's environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
    /// Referral and campaign parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
    /// What a product must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<SearchFilters>,
    /// Which page of the results to return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<PaginationRequest>,
}

/// One page of the products that match.
///
/// `P` is a product, whether as a value or written already.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SearchCatalogResponse", description = "One page of the products that match.")]
pub struct SearchCatalogResponse<'a, P = Product<'a>> {
    /// Version and capabilities that were used.
    pub ucp: Ucp<'a>,
    /// The products, best match first.
    pub products: Vec<P>,
    /// Where this page stands among the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination<'a>>,
    /// What extensions still ask the platform to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Actions<'a>>,
    /// Errors, warnings and information about the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message<'a>>,
    /// Terms such as returns and warranty that apply to the products.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<Policy<'a>>,
}
