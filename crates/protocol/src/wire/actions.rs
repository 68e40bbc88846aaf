//! `actions.json`: what extensions still ask of the platform (2026-08-25 only).

use std::collections::BTreeMap;

use schemars::{JsonSchema, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::reverse_domain_name::ReverseDomainName;

/// Outstanding actions by the reverse-domain name of their type, at least one of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Actions<'a>(pub BTreeMap<&'a str, Vec<Action<'a>>>);

/// One outstanding action.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Action<'a> {
    /// Identifier of the action.
    #[schemars(extend("minLength" = 1))]
    pub id: &'a str,
    /// What the extension that defines the action says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<&'a Map<String, Value>>,
}

impl JsonSchema for Actions<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Actions".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        json_schema!({
            "type": "object",
            "propertyNames": generator.subschema_for::<ReverseDomainName>(),
            "additionalProperties": {
                "type": "array",
                "minItems": 1,
                "items": generator.subschema_for::<Action<'_>>(),
            },
            "description": "Outstanding actions by the reverse-domain name of their type.",
        })
    }
}
