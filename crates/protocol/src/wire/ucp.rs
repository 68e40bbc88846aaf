//! `ucp.json`, with `service.json`, `capability.json` and `payment_handler.json`:
//! the schema of the envelope.
//!
//! What we send of it is [`crate::envelope::Ucp`]; this is all that another
//! business may send.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::constraint_expression::ConstraintExpression;
use super::reverse_domain_name::ReverseDomainName;
use crate::envelope::Ucp;

impl JsonSchema for Ucp<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ucp".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let status = json!({
            "type": "string",
            "enum": ["success", "error"],
            "description": "Whether the operation succeeded; it did when absent.",
        });
        envelope(generator, &status, &["version"])
    }
}

super::definition! {
    /// The envelope of a result that carries messages alone.
    UcpError(generator) {
        let status = json!({
            "type": "string",
            "const": "error",
            "description": "The operation failed.",
        });
        envelope(generator, &status, &["version", "status"])
    }
}

fn envelope(generator: &mut SchemaGenerator, status: &Value, required: &[&str]) -> Schema {
    let name = generator.subschema_for::<ReverseDomainName>();
    let registry = |entry: Schema, description: &str| {
        json!({
            "type": "object",
            "propertyNames": name,
            "additionalProperties": {"type": "array", "items": entry},
            "description": description,
        })
    };
    json_schema!({
        "type": "object",
        "properties": {
            "version": version("The version that was used, a date."),
            "map_order": {
                "type": "object",
                "additionalProperties": {"type": "array", "items": {"type": "string"}},
                "description": "Preferred order of the keys of the maps here, by member.",
            },
            "status": status,
            "services": registry(generator.subschema_for::<ServiceEntry>(), "Services by name."),
            "capabilities": registry(
                generator.subschema_for::<CapabilityEntry>(),
                "Negotiated capabilities that bear on the operation, by name.",
            ),
            "payment_handlers": registry(
                generator.subschema_for::<PaymentHandler>(),
                "Payment handlers by name.",
            ),
        },
        "required": required,
    })
}

super::definition! {
    /// A service at one version over one transport.
    ServiceEntry(_) {
        entity(&["transport"], json!({
            "transport": {
                "type": "string",
                "enum": ["rest", "mcp", "a2a", "embedded"],
                "description": "The transport.",
            },
            "endpoint": {"type": "string", "format": "uri", "description": "Where it answers."},
        }))
    }
}

super::definition! {
    /// A capability at one version.
    CapabilityEntry(generator) {
        let name = generator.subschema_for::<ReverseDomainName>();
        entity(&[], json!({
            "extends": {
                "oneOf": [name, {"type": "array", "items": name, "minItems": 1}],
                "description": "The capability, or the capabilities, that this one extends.",
            },
        }))
    }
}

super::definition! {
    /// A payment handler at one version.
    PaymentHandler(generator) {
        let instrument = generator.subschema_for::<AvailablePaymentInstrument>();
        entity(&["id"], json!({
            "available_instruments": {
                "type": "array",
                "minItems": 1,
                "items": instrument,
                "description": "The kinds of instrument that it takes; all when absent.",
            },
        }))
    }
}

super::definition! {
    /// A kind of payment instrument that a handler takes.
    AvailablePaymentInstrument(generator) {
        let mut constraints = generator.subschema_for::<ConstraintExpression>();
        constraints.insert(
            "description".to_owned(),
            "What the instrument must be.".into(),
        );
        json_schema!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": "The kind, such as card."},
                "constraints": constraints,
            },
            "required": ["type"],
        })
    }
}

/// What services, capabilities and payment handlers have in common.
fn entity(required: &[&str], own: Value) -> Schema {
    let mut properties = json!({
        "version": version("Version, a date."),
        "spec": {"type": "string", "format": "uri", "description": "Its specification."},
        "schema": {"type": "string", "format": "uri", "description": "Its JSON Schema."},
        "id": {"type": "string", "description": "Identifier of this entry."},
        "config": {"type": "object", "description": "Its configuration."},
    });
    if let (Some(properties), Value::Object(own)) = (properties.as_object_mut(), own) {
        properties.extend(own);
    }
    let required: Vec<&str> = ["version"].iter().chain(required).copied().collect();
    json_schema!({"type": "object", "properties": properties, "required": required})
}

fn version(description: &str) -> Value {
    json!({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$", "description": description})
}
