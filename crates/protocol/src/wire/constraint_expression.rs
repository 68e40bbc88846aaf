//! `constraint_expression.json`: what a payment instrument must be.
//!
//! Only the schema: it is reachable from the envelope, which this project never
//! fills in so far.

use schemars::json_schema;

super::definition! {
    /// Conditions on an object, as a small part of JSON Schema.
    ConstraintExpression(generator) {
        let this = generator.subschema_for::<Self>();
        let value = generator.subschema_for::<ValueConstraint>();
        let mut branch = this.clone();
        branch.insert("minProperties".to_owned(), 1.into());
        json_schema!({
            "type": "object",
            "properties": {
                "required": {
                    "type": "array",
                    "minItems": 1,
                    "uniqueItems": true,
                    "items": {"type": "string"},
                    "description": "Members that must be present.",
                },
                "properties": {
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"oneOf": [this, value]},
                    "description": "Conditions on members, by name.",
                },
                "anyOf": {
                    "type": "array",
                    "minItems": 1,
                    "items": branch,
                    "description": "Alternatives, at least one of which must hold.",
                },
            },
            "additionalProperties": false,
        })
    }
}

super::definition! {
    /// Conditions on one value.
    ValueConstraint(_) {
        json_schema!({
            "type": "object",
            "anyOf": [{"required": ["enum"]}, {"required": ["const"]}],
            "properties": {
                "enum": {
                    "type": "array",
                    "minItems": 1,
                    "uniqueItems": true,
                    "description": "The values allowed.",
                },
                "const": {"description": "The one value allowed."},
            },
            "additionalProperties": false,
        })
    }
}
