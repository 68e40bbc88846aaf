//! `variant.json`: what can be bought of a product (rule C6).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::availability::Availability;
use super::category::Category;
use super::description::Description;
use super::link::Link;
use super::media::Media;
use super::price::Price;
use super::quantity_unit::QuantityUnit;
use super::rating::Rating;
use super::selected_option::SelectedOption;
use super::unit_price::UnitPrice;

/// One purchasable form of a product, with one value for each option.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Variant<'a> {
    /// Identifier of the variant; what a checkout takes as item id.
    pub id: &'a str,
    /// The store's own stock number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sku: Option<&'a str>,
    /// Industry identifiers such as EAN, UPC or ISBN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub barcodes: Vec<Barcode<'a>>,
    /// Name of the variant in URLs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<&'a str>,
    /// Title, such as Blue / Large.
    pub title: &'a str,
    /// What it is.
    pub description: Description<'a>,
    /// Page of the variant in the store.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub url: Option<&'a str>,
    /// Its categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Category<'a>>,
    /// Selling price of one whole unit; the unit is one piece unless the variant names another.
    pub price: Price<'a>,
    /// What a quantity of this variant counts; pieces when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantity_unit: Option<QuantityUnit<'a>>,
    /// Price before a discount, to show struck through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_price: Option<Price<'a>>,
    /// Price of a standard quantity, to compare packages of different sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_price: Option<UnitPrice<'a>>,
    /// Whether it can be bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub availability: Option<Availability<'a>>,
    /// The option values that make this variant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<SelectedOption<'a>>,
    /// Pictures and films of it, the leading one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub media: Vec<Media<'a>>,
    /// What buyers think of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Words that the store files it under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<&'a str>,
    /// The store's own data about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<&'a Map<String, Value>>,
    /// Who sells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seller: Option<Seller<'a>>,
    /// Members of other namespaces, passed through.
    #[serde(flatten)]
    pub extensions: Option<&'a Map<String, Value>>,
}

/// An industry identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Barcode<'a> {
    /// The standard: EAN, UPC, ISBN, GTIN, JAN or another.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// The code.
    pub value: &'a str,
}

/// Who sells a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Seller<'a> {
    /// The seller's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// Pages about the seller's terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link<'a>>,
}
