//! `catalog_lookup.json`: requests and responses of lookup_catalog and get_product.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actions::Actions;
use super::attribution::Attribution;
use super::context::Context;
use super::detail_option_value::DetailOptionValue;
use super::input_correlation::InputCorrelation;
use super::policy::Policy;
use super::product::Product;
use super::product_option::ProductOption;
use super::search_filters::SearchFilters;
use super::selected_option::SelectedOption;
use super::signals::Signals;
use super::variant::Variant;
use crate::envelope::Ucp;
use crate::message::Message;

/// Which products and variants to look up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LookupCatalogRequest {
    /// Identifiers: product ids, variant ids, SKUs, barcodes, handles or product URLs, mixed as you like.
    #[schemars(extend("minItems" = 1))]
    pub ids: Vec<String>,
    /// What a product must be besides; the others are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<SearchFilters>,
    /// Hints about the buyer: language, currency, country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Facts that the platform observed about the buyer's environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
    /// Referral and campaign parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
}

/// A product of a lookup: its variants say which identifiers led to them.
pub type LookupProduct<'a> = Product<'a, LookupVariant<'a>>;

/// A variant, and the identifiers that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LookupVariant<'a> {
    /// The variant itself.
    #[serde(flatten)]
    pub variant: Variant<'a>,
    /// The identifiers of the request that led to this variant, at least one.
    #[schemars(extend("minItems" = 1))]
    pub inputs: Vec<InputCorrelation<'a>>,
}

/// The products that the identifiers led to.
///
/// `P` is a product, whether as a value or written already.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(
    rename = "LookupCatalogResponse",
    description = "The products that the identifiers led to."
)]
pub struct LookupCatalogResponse<'a, P = LookupProduct<'a>> {
    /// Version and capabilities that were used.
    pub ucp: Ucp<'a>,
    /// The products found; fewer than identifiers when some were not found or are the same.
    pub products: Vec<P>,
    /// What extensions still ask the platform to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Actions<'a>>,
    /// Errors, warnings and information, such as identifiers that were not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message<'a>>,
    /// Terms such as returns and warranty that apply to the products.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<Policy<'a>>,
}

/// Which product to return, and what of it was chosen so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GetProductRequest {
    /// Identifier of a product or of a variant.
    pub id: String,
    /// Option values chosen so far, each option at most once. Absent: the store chooses a variant. Ignored when `id` names a variant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<Vec<SelectedOption<'static>>>,
    /// Option names, the most important first. When no variant has all of `selected`, choices are dropped from the end of this list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preferences: Vec<String>,
    /// What a variant must be besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<SearchFilters>,
    /// Hints about the buyer: language, currency, country.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Facts that the platform observed about the buyer's environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
    /// Referral and campaign parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attribution: Option<Attribution>,
}

/// A product in full, with what the selection leaves of its options.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DetailProduct<'a> {
    /// The product itself.
    #[serde(flatten)]
    pub product: Product<'a, Variant<'a>, ProductOption<'a, DetailOptionValue<'a>>>,
    /// The option values in effect; all variants listed have them. May be fewer than were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<Vec<SelectedOption<'a>>>,
}

/// The product asked for.
///
/// `P` is the product, whether as a value or written already.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "GetProductResponse", description = "The product asked for.")]
pub struct GetProductResponse<'a, P = DetailProduct<'a>> {
    /// Version and capabilities that were used.
    pub ucp: Ucp<'a>,
    /// The product in full.
    pub product: P,
    /// What extensions still ask the platform to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Actions<'a>>,
    /// Errors, warnings and information about the product.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message<'a>>,
    /// Terms such as returns and warranty that apply to the product.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<Policy<'a>>,
}
