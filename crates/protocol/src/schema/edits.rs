//! What tells the shapes of the versions apart, as data (rules C15, P2).
//!
//! The types of [`crate::wire`] describe the newest shape; each list here turns
//! the definitions derived from them into the shape of one version.

use serde_json::{Map, Value, json};

use crate::dialect::{Dialect, Protocol, Shape};
use crate::wire::reverse_domain_name::OLDER_PATTERN;

/// One difference of a shape; the first name is always that of a definition.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// The version does not define this property.
    Drop(&'static str, &'static str),
    /// The version does not have this keyword.
    Unset(&'static str, &'static str),
    /// The version has another text for this keyword.
    Set(&'static str, &'static str, &'static str),
    /// The version has the second definition where others have the first.
    Become(&'static str, &'static str),
    /// The version asks for any object that is not empty.
    Open(&'static str),
}

use Edit::{Become, Drop, Open, Set, Unset};

const V2026_08_25: &[Edit] = &[Become("UnitPrice", "ScaledUnitPrice")];

const V2026_04_08: &[Edit] = &[
    Become("UnitPrice", "PlainUnitPrice"),
    Drop("Variant", "quantity_unit"),
    Drop("LookupVariant", "quantity_unit"),
    Drop("Context", "location"),
    Drop("Context", "payment"),
    Drop("SearchCatalogResponse", "actions"),
    Drop("SearchCatalogResponse", "policies"),
    Drop("LookupCatalogResponse", "actions"),
    Drop("LookupCatalogResponse", "policies"),
    Drop("GetProductResponse", "actions"),
    Drop("GetProductResponse", "policies"),
    Drop("Ucp", "map_order"),
    Drop("UcpError", "map_order"),
    Unset("Amount", "maximum"),
    Set("ReverseDomainName", "pattern", OLDER_PATTERN),
    Open("ConstraintExpression"),
];

/// Brings `definitions` into the shape of `dialect`.
pub(super) fn apply(definitions: &mut Map<String, Value>, dialect: &Dialect) {
    let edits = match dialect.shape {
        Shape::V2026_08_25 => V2026_08_25,
        Shape::V2026_04_08 => V2026_04_08,
    };
    for edit in edits {
        edit.apply(definitions);
    }
    rename_signals(definitions, dialect.protocol);
}

impl Edit {
    /// Makes the edit if the definition is there, and says whether it was.
    fn apply(self, definitions: &mut Map<String, Value>) -> bool {
        match self {
            Drop(name, property) => drop_property(definitions, name, property).is_some(),
            Unset(name, keyword) => {
                let members = definitions.get_mut(name).and_then(Value::as_object_mut);
                members.and_then(|members| members.shift_remove(keyword)).is_some()
            }
            Set(name, keyword, text) => {
                let place = definitions.get_mut(name).and_then(|schema| schema.get_mut(keyword));
                place.map(|place| *place = json!(text)).is_some()
            }
            Become(name, other) => {
                let replacement = definitions.get(other).cloned();
                let place = definitions.get_mut(name);
                place.zip(replacement).map(|(place, schema)| *place = schema).is_some()
            }
            Open(name) => {
                let schema = json!({"type": "object", "minProperties": 1});
                definitions.get_mut(name).map(|place| *place = schema).is_some()
            }
        }
    }
}

fn drop_property(
    definitions: &mut Map<String, Value>,
    name: &str,
    property: &str,
) -> Option<Value> {
    let schema = definitions.get_mut(name)?;
    schema.get_mut("properties")?.as_object_mut()?.shift_remove(property)
}

/// The well-known signals carry the namespace of the protocol (rule P2).
fn rename_signals(definitions: &mut Map<String, Value>, protocol: Protocol) {
    let signals = definitions.get_mut("Signals").and_then(|schema| schema.get_mut("properties"));
    if let Some(Value::Object(properties)) = signals {
        let renamed = std::mem::take(properties).into_iter().map(|(name, schema)| {
            let own = name.strip_prefix(Protocol::Ucp.namespace());
            let name = own.map(|rest| format!("{}{rest}", protocol.namespace())).unwrap_or(name);
            (name, schema)
        });
        *properties = renamed.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;
    use crate::schema::{error_schema, request_schema, response_schema};

    /// An edit of a definition that no schema has would silently do nothing.
    #[test]
    fn rule_c15_every_edit_finds_its_definition() {
        let newest = &Dialect::UCP_2026_08_25;
        let mut all = Map::new();
        let schemas = Operation::ALL.into_iter().flat_map(|operation| {
            [
                ("Request", request_schema(operation, newest)),
                ("Response", response_schema(operation, newest)),
            ]
            .map(|(suffix, mut schema)| {
                let definitions = schema["$defs"].take();
                let title: String = operation
                    .tool()
                    .split('_')
                    .map(|word| word[..1].to_uppercase() + &word[1..])
                    .collect();
                (format!("{title}{suffix}"), schema, definitions)
            })
        });
        let mut error = error_schema(newest);
        let definitions = error["$defs"].take();
        for (name, schema, definitions) in
            schemas.chain([("ErrorResponse".to_owned(), error, definitions)])
        {
            all.insert(name, schema);
            if let Value::Object(definitions) = definitions {
                all.extend(definitions);
            }
        }
        for edit in V2026_04_08 {
            // Both forms of a unit price are gone from a finished schema but one.
            if !matches!(edit, Become(..)) {
                assert!(edit.apply(&mut all.clone()), "{edit:?}");
            }
        }
    }
}
