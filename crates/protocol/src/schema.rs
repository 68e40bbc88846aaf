//! The JSON Schemas of requests and responses, self-contained, one for each
//! dialect (rules C15, M8).
//!
//! They are derived from the types of [`crate::wire`], which have the newest
//! shape, and then edited into the shape of the dialect; the edits are data, in
//! [`edits`]. The tests show that they accept and refuse what the published
//! schemas do. Checking documents against them belongs to the application.

mod bundle;
mod edits;

use serde_json::{Map, Value, json};

use crate::dialect::Dialect;
use crate::operation::{AGENT, IDEMPOTENCY_KEY, META, Operation, PROFILE};
use crate::wire;
use bundle::{Bundle, Direction};

/// The schema of an operation's request in a dialect: of the value under
/// [`Operation::argument`].
pub fn request_schema(operation: Operation, dialect: &Dialect) -> Value {
    request(operation, dialect).into_schema()
}

/// The schema of an operation's successful result in a dialect.
pub fn response_schema(operation: Operation, dialect: &Dialect) -> Value {
    response(operation, dialect).into_schema()
}

/// The schema of a result that carries messages alone, in a dialect.
pub fn error_schema(dialect: &Dialect) -> Value {
    error(dialect).into_schema()
}

/// The `inputSchema` of an operation's tool at an endpoint that serves `dialects`:
/// protocol metadata, and the request in the shape of the newest of them that has
/// the operation (rule M8).
///
/// An object with nothing required when none has it.
pub fn input_schema(operation: Operation, dialects: &[&Dialect]) -> Value {
    let Some(dialect) = serving(operation, dialects).next() else {
        return json!({"type": "object"});
    };
    let mut bundle = request(operation, dialect);
    let description = bundle.description().unwrap_or_default().to_owned();
    let argument = operation.argument();
    let root = json!({
        "type": "object",
        "properties": {
            META: meta(),
            argument: {"$ref": bundle.reference(), "description": description},
        },
        "required": [META, argument],
    });
    bundle.with_root(root)
}

/// The `outputSchema` of an operation's tool at an endpoint that serves
/// `dialects`: the success shape of each that has the operation, or the error
/// response of the newest, whose envelope holds what any version sends (rule M8).
///
/// Just an object when none has it.
pub fn output_schema(operation: Operation, dialects: &[&Dialect]) -> Value {
    let mut serving = serving(operation, dialects);
    let Some(newest) = serving.next() else {
        return json!({"type": "object"});
    };
    let mut bundle = response(operation, newest);
    let mut branches = vec![bundle.reference()];
    for older in serving {
        let branch = bundle.merge(response(operation, older), older.version);
        if !branches.contains(&branch) {
            branches.push(branch);
        }
    }
    branches.push(bundle.merge(error(newest), newest.version));
    let branches: Vec<Value> = branches.into_iter().map(|branch| json!({"$ref": branch})).collect();
    bundle.with_root(json!({"type": "object", "anyOf": branches}))
}

/// The dialects that define the operation, newest first.
fn serving<'a>(
    operation: Operation,
    dialects: &[&'a Dialect],
) -> impl Iterator<Item = &'a Dialect> + use<'a> {
    let mut serving: Vec<&Dialect> = dialects.to_vec();
    serving.retain(|dialect| dialect.operations().contains(&operation));
    serving.sort_by_key(|dialect| std::cmp::Reverse(dialect.version));
    serving.into_iter()
}

fn request(operation: Operation, dialect: &Dialect) -> Bundle {
    let from = Direction::Request;
    match operation {
        Operation::SearchCatalog => Bundle::of::<wire::SearchCatalogRequest>(from, dialect),
        Operation::LookupCatalog => Bundle::of::<wire::LookupCatalogRequest>(from, dialect),
        Operation::GetProduct => Bundle::of::<wire::GetProductRequest>(from, dialect),
        Operation::SearchLocations => Bundle::of::<wire::SearchLocationsRequest>(from, dialect),
        Operation::LookupLocations => Bundle::of::<wire::LookupLocationsRequest>(from, dialect),
    }
}

fn response(operation: Operation, dialect: &Dialect) -> Bundle {
    let from = Direction::Response;
    match operation {
        Operation::SearchCatalog => Bundle::of::<wire::SearchCatalogResponse<'_>>(from, dialect),
        Operation::LookupCatalog => Bundle::of::<wire::LookupCatalogResponse<'_>>(from, dialect),
        Operation::GetProduct => Bundle::of::<wire::GetProductResponse<'_>>(from, dialect),
        Operation::SearchLocations => {
            Bundle::of::<wire::SearchLocationsResponse<'_>>(from, dialect)
        }
        Operation::LookupLocations => {
            Bundle::of::<wire::LookupLocationsResponse<'_>>(from, dialect)
        }
    }
}

fn error(dialect: &Dialect) -> Bundle {
    Bundle::of::<wire::ErrorResponse<'_>>(Direction::Response, dialect)
}

/// The schema of the protocol metadata of a call (rule N1).
fn meta() -> Value {
    let mut members = Map::new();
    members.insert(
        AGENT.to_owned(),
        json!({
            "type": "object",
            "properties": {
                PROFILE: {
                    "type": "string",
                    "format": "uri",
                    "description": "URL of the calling platform's public profile, from which \
                                    version and capabilities are negotiated.",
                },
            },
            "required": [PROFILE],
            "description": "Who is calling.",
        }),
    );
    members.insert(
        IDEMPOTENCY_KEY.to_owned(),
        json!({
            "type": "string",
            "description": "Accepted and ignored: reading twice changes nothing.",
        }),
    );
    json!({
        "type": "object",
        "properties": members,
        "required": [AGENT],
        "description": "Protocol metadata of the call.",
    })
}
