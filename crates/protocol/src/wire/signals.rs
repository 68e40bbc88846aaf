//! `signals.json`: what a platform observed about the buyer's environment.

use schemars::json_schema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reverse_domain_name::ReverseDomainName;

/// Environment data by reverse-domain name; accepted, never used and never
/// logged (rules N10, L2, L13).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Signals(pub Map<String, Value>);

super::schema_by_hand!(Signals(generator) {
    json_schema!({
        "type": "object",
        "propertyNames": generator.subschema_for::<ReverseDomainName>(),
        "properties": {
            "dev.ucp.buyer_ip": {
                "type": "string",
                "description": "The buyer's IP address.",
            },
            "dev.ucp.user_agent": {
                "type": "string",
                "description": "The buyer's user agent.",
            },
        },
        "additionalProperties": true,
        "description": "Facts that the platform itself observed about the buyer's environment, \
                        by reverse-domain name. They never change which results match.",
    })
});
