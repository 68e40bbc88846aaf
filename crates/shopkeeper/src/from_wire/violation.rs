//! Violations of a request schema, in words and in request order (rule E2).

use crate::failure::Violation;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// Every violation of `validator` in `arguments`, in the order of the request; a
/// missing member comes after its siblings that are there.
pub(super) fn all(validator: &Validator, arguments: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    for error in validator.iter_errors(arguments) {
        describe(&error, &mut found);
    }
    found.sort_by_cached_key(|(path, _)| position(path, arguments));
    let mut violations: Vec<Violation> = Vec::with_capacity(found.len());
    for (path, message) in found {
        let violation = Violation { path: json_path(&path), message };
        if !violations.contains(&violation) {
            violations.push(violation);
        }
    }
    violations
}

/// One step of a path into the arguments.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Member(String),
    Item(usize),
}

fn describe(error: &ValidationError<'_>, found: &mut Vec<(Vec<Step>, String)>) {
    let mut path: Vec<Step> = error
        .instance_path()
        .segments()
        .map(|segment| match segment {
            LocationSegment::Property(name) => Step::Member(name.into_owned()),
            LocationSegment::Index(index) => Step::Item(index),
        })
        .collect();
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            path.push(Step::Member(plain(property)));
            found.push((path, "is required".to_owned()));
        }
        ValidationErrorKind::PropertyNames { error } => {
            path.push(Step::Member(plain(error.instance())));
            found.push((path, format!("the name of this member {}", sentence(error))));
        }
        _ => found.push((path, sentence(error))),
    }
}

/// What is wrong, to be read after the path.
fn sentence(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let instance = error.instance();
    match error.kind() {
        Kind::Type { kind } => {
            let wanted = match kind {
                TypeKind::Single(kind) => with_article(&kind.to_string()),
                TypeKind::Multiple(kinds) => {
                    kinds.iter().map(|kind| with_article(&kind.to_string())).collect::<Vec<_>>().join(" or ")
                }
            };
            format!("must be {wanted}, not {}", kind_of(instance))
        }
        Kind::Required { property } => format!("needs {}", plain(property)),
        Kind::Minimum { limit } => format!("must be at least {limit}, not {instance}"),
        Kind::Maximum { limit } => format!("must be at most {limit}, not {instance}"),
        Kind::ExclusiveMinimum { limit } => format!("must be above {limit}, not {instance}"),
        Kind::ExclusiveMaximum { limit } => format!("must be below {limit}, not {instance}"),
        Kind::MinLength { limit: 1 } => "must not be empty".to_owned(),
        Kind::MinLength { limit } => format!("must have at least {limit} characters"),
        Kind::MaxLength { limit } => format!("must have at most {limit} characters"),
        Kind::MinItems { limit } => format!("must have at least {limit} item(s)"),
        Kind::MaxItems { limit } => format!("must have at most {limit} item(s)"),
        Kind::MinProperties { limit } => format!("must have at least {limit} member(s)"),
        Kind::MaxProperties { limit } => format!("must have at most {limit} member(s)"),
        Kind::UniqueItems => "must not name anything twice".to_owned(),
        Kind::Pattern { pattern } => format!("must match the pattern {pattern}"),
        Kind::Constant { expected_value } => format!("must be {expected_value}"),
        Kind::Enum { options } => format!("must be one of {options}"),
        Kind::AdditionalProperties { unexpected } => {
            format!("must not have the member(s) {}", unexpected.join(", "))
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => alternatives(context),
        Kind::OneOfMultipleValid { .. } => "fits more than one of its forms".to_owned(),
        _ => "does not have the form that the tool's inputSchema asks for".to_owned(),
    }
}

/// The ways out of an alternative, each once.
fn alternatives(branches: &[Vec<ValidationError<'static>>]) -> String {
    let mut ways: Vec<String> = Vec::new();
    for branch in branches {
        let mut way = Vec::new();
        for error in branch {
            let place = error.instance_path().as_str().trim_start_matches('/');
            let sentence = sentence(error);
            way.push(if place.is_empty() { sentence } else { format!("{place} {sentence}") });
        }
        let way = way.join(" and ");
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways.join(", or ")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn with_article(kind: &str) -> String {
    match kind {
        "null" => "null".to_owned(),
        "array" | "integer" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

fn kind_of(value: &Value) -> String {
    with_article(match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    })
}

/// Where `path` stands in `root`, for sorting: the index of each step among its
/// siblings, with what is missing last.
fn position(path: &[Step], root: &Value) -> Vec<usize> {
    let mut at = Some(root);
    let mut position = Vec::with_capacity(path.len());
    for step in path {
        let (index, next) = match (step, at) {
            (Step::Item(index), Some(Value::Array(items))) => (*index, items.get(*index)),
            (Step::Member(name), Some(Value::Object(members))) => {
                let index = members.keys().position(|key| key == name);
                (index.unwrap_or(usize::MAX), members.get(name))
            }
            _ => (usize::MAX, None),
        };
        position.push(index);
        at = next;
    }
    position
}

/// `path` as a normalised RFC 9535 path, with names that are identifiers after a dot.
fn json_path(path: &[Step]) -> String {
    let mut text = "$".to_owned();
    for step in path {
        match step {
            Step::Item(index) => text.push_str(&format!("[{index}]")),
            Step::Member(name) => text.push_str(&member(name)),
        }
    }
    text
}

/// A member's step in a JSONPath: `.name`, or `['any name']`.
pub(crate) fn member(name: &str) -> String {
    let identifier = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if identifier {
        return format!(".{name}");
    }
    format!("['{}']", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

#[cfg(test)]
mod tests {
    use super::all;
    use serde_json::{Value, json};

    fn violations(schema: &Value, arguments: &Value) -> Vec<String> {
        let validator = jsonschema::validator_for(schema).unwrap();
        all(&validator, arguments).into_iter().map(|v| format!("{} {}", v.path, v.message)).collect()
    }

    #[test]
    fn rule_e2_every_violation_is_listed_in_request_order() {
        let schema = json!({
            "type": "object",
            "required": ["meta", "catalog"],
            "properties": {
                "catalog": {
                    "required": ["ids"],
                    "properties": {
                        "limit": {"type": "integer", "minimum": 1},
                        "query": {"type": "string"},
                        "odd name": {"enum": ["a", "b"]},
                        "brand": {"anyOf": [{"type": "string"}, {"type": "array"}]},
                        "list": {"items": {"type": "string"}, "minItems": 1},
                    },
                },
            },
        });
        let arguments = json!({"catalog": {
            "query": 1, "odd name": "c", "list": ["a", 2, 3], "limit": 0, "brand": true,
        }});
        assert_eq!(
            violations(&schema, &arguments),
            [
                "$.catalog.query must be a string, not a number",
                "$.catalog['odd name'] must be one of [\"a\",\"b\"]",
                "$.catalog.list[1] must be a string, not a number",
                "$.catalog.list[2] must be a string, not a number",
                "$.catalog.limit must be at least 1, not 0",
                "$.catalog.brand must be a string, not a boolean, or must be an array, not a boolean",
                "$.catalog.ids is required",
                "$.meta is required",
            ]
        );
    }
}
