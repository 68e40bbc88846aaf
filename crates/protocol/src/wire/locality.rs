//! `locality.json`: a place as coarse as its sender likes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A country, a region or a postal code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Locality {
    /// Country, best as two letters of ISO 3166-1 such as BR; three letters or a name will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_country: Option<String>,
    /// State, province or other first-level region, such as SP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_region: Option<String>,
    /// Postal code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
}
