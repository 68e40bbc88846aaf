//! `postal_address.json`: where a Location stands.

use schemars::JsonSchema;
use serde::Serialize;

/// A postal address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PostalAddress<'a> {
    /// What the street address does not say, such as a unit or a floor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extended_address: Option<&'a str>,
    /// Street and number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street_address: Option<&'a str>,
    /// City or town.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_locality: Option<&'a str>,
    /// State, province or other first-level region.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_region: Option<&'a str>,
    /// Country, usually as two letters of ISO 3166-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_country: Option<&'a str>,
    /// Postal code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<&'a str>,
    /// Given name of whom to ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<&'a str>,
    /// Family name of whom to ask for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<&'a str>,
    /// Telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone_number: Option<&'a str>,
}
