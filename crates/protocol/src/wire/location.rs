//! `location.json`, with `location_summary.json`: a place of the store (rule L12).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::amenity_type::AmenityType;
use super::daily_hour::DailyHour;
use super::exception_hour::ExceptionHour;
use super::geo::Geo;
use super::postal_address::PostalAddress;

/// A place of the store.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(extend("if" = has_a_schedule(), "then" = {"required": ["timezone"]}))]
pub struct Location<'a> {
    /// Identifier of the location.
    pub id: &'a str,
    /// Name of the location.
    pub name: &'a str,
    /// Where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress<'a>>,
    /// Where it is on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geo: Option<Geo>,
    /// What it offers, by amenity name in reverse-domain form.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "amenities")]
    pub amenities: BTreeMap<&'a str, Amenity<'a>>,
    /// Regular opening hours; unknown when absent. A day without an entry has none of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<Vec<DailyHour<'a>>>,
    /// Dates on which other hours hold, holidays for example.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exception_hours: Vec<ExceptionHour<'a>>,
    /// Time zone of all hours and dates here, as an IANA name such as America/Sao_Paulo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<&'a str>,
    /// Members of other namespaces, passed through.
    #[serde(flatten)]
    pub extensions: Option<&'a Map<String, Value>>,
}

/// What an amenity is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Amenity<'a> {
    /// The amenity as shown to buyers, such as Parking.
    #[schemars(extend("minLength" = 1))]
    pub description: &'a str,
}

/// Holds for a Location that publishes hours of either kind.
pub(super) fn has_a_schedule() -> Value {
    json!({"anyOf": [{"required": ["hours"]}, {"required": ["exception_hours"]}]})
}

fn amenities(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "object",
        "propertyNames": generator.subschema_for::<AmenityType>(),
        "additionalProperties": generator.subschema_for::<Amenity<'_>>(),
    })
}
