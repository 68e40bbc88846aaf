//! `location_serves.json`: able to serve a target (rule L4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::geo::Geo;
use super::reverse_domain_name::PATTERN;

/// A target that the location must be able to serve, as exactly one of a point and an address.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("minProperties" = 1, "maxProperties" = 1, "propertyNames" = forms()))]
pub struct LocationServes {
    /// The target as a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<Geo>,
    /// The target as an address: a country, a region, a postal code, or several of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<ServedAddress>,
    /// A target of another form, under its reverse-domain name; served only when negotiated.
    #[serde(flatten)]
    pub extensions: Map<String, Value>,
}

/// An address to serve; at least one member, and that not empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("anyOf" = at_least_one()))]
pub struct ServedAddress {
    /// Country, best as two letters of ISO 3166-1 such as BR; three letters or a name will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_country: Option<String>,
    /// State, province or other first-level region, such as SP or BR-SP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_region: Option<String>,
    /// Postal code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
}

/// The names that a target may have.
fn forms() -> Value {
    json!({"anyOf": [
        {"const": "point"},
        {"const": "address"},
        {"type": "string", "pattern": PATTERN},
    ]})
}

fn at_least_one() -> Value {
    let member = |name: &str| {
        json!({
            "required": [name],
            "properties": {name: {"minLength": 1, "description": "Not empty."}},
        })
    };
    json!([member("address_country"), member("address_region"), member("postal_code")])
}
