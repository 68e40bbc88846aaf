//! `attribution.json`: where a platform says that the call came from.

use schemars::json_schema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Referral parameters; accepted, never used and never logged (rules N10, L13).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attribution(pub Map<String, Value>);

super::schema_by_hand!(Attribution(_) {
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": "Referral and campaign parameters by name, each value a string.",
    })
});
