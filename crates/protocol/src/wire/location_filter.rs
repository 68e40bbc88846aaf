//! `location_filter.json`: what a Location must be (rules L5 to L8).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::amenity_type::AmenityType;

/// The end of an RFC 3339 date and time that names an instant: Z or an offset.
pub const OFFSET_PATTERN: &str = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$";

/// What a location must be; all that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LocationFilter {
    /// Open at an instant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<HoursFilter>,
    /// Amenities that the location has, all of them, by their names in reverse-domain form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<AmenityType>")]
    pub amenities: Vec<String>,
    /// Product or variant ids that the location can provide now, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "items")]
    pub items: Option<Vec<String>>,
    /// Filters that nobody here knows, by name; they are refused (rule L8).
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// Open at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HoursFilter {
    /// The instant, as an RFC 3339 date and time with Z or an offset, such as 2026-12-24T10:00:00-03:00.
    #[schemars(extend(
        "format" = "date-time",
        "pattern" = OFFSET_PATTERN
    ))]
    pub open_at: String,
    /// Members that nobody here knows, by name; they are refused (rule L8).
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

fn items(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "minItems": 1,
        "uniqueItems": true,
        "items": {"type": "string", "minLength": 1},
    })
}
