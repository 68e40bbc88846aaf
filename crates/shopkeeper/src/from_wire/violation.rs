//! Violations of a request schema, in words and in request order (rule E2).

use crate::failure::{MOST_VIOLATIONS, Violation};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator};
use protocol::wire::location_filter::OFFSET_PATTERN;
use protocol::wire::reverse_domain_name::{OLDER_PATTERN, PATTERN};
use serde_json::Value;

/// Of a list, no more items than these are read for violations: the rest of a long
/// wrong list is wrong in the same way, and a request may hold half a million.
const ITEMS_READ: usize = 1000;

/// How many errors of one way out of an alternative are told.
const ERRORS_TOLD: usize = 3;

/// The violations of `validator` in `arguments`, in the order of the request; a
/// missing member comes after its siblings that are there.
///
/// All of them, as long as they are not more than any repair takes.
pub(super) fn all(validator: &Validator, arguments: &Value) -> Vec<Violation> {
    let shortened = has_long_list(arguments).then(|| shortened(arguments));
    let mut found = errors(validator, shortened.as_ref().unwrap_or(arguments));
    if found.is_empty() {
        // What is wrong stands beyond the part that was read.
        found = errors(validator, arguments);
    }
    found.sort_by_cached_key(|found| position(&found.path, arguments));
    let mut violations: Vec<Violation> = Vec::with_capacity(found.len());
    let mut mistyped: Option<Vec<Step>> = None;
    for Found { path, message, is_type } in found {
        // A value of the wrong type breaks every other rule about it as well.
        if mistyped.as_ref().is_some_and(|known| *known == path) {
            continue;
        }
        let violation = Violation { path: json_path(&path), message };
        if violations.last() != Some(&violation) {
            violations.push(violation);
        }
        if is_type {
            mistyped = Some(path);
        }
    }
    violations
}

/// A violation before it is put into order.
struct Found {
    path: Vec<Step>,
    message: String,
    is_type: bool,
}

/// The first errors in the order of the schema.
fn errors(validator: &Validator, arguments: &Value) -> Vec<Found> {
    let mut found = Vec::new();
    for error in validator.iter_errors(arguments) {
        describe(&error, &mut found);
        if found.len() > MOST_VIOLATIONS {
            break;
        }
    }
    // Stable: of several about one value that of its type comes first.
    found.sort_by_key(|found| !found.is_type);
    found
}

fn has_long_list(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.len() > ITEMS_READ || items.iter().any(has_long_list),
        Value::Object(members) => members.values().any(has_long_list),
        _ => false,
    }
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().take(ITEMS_READ).map(shortened).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), shortened(member))).collect()
        }
        other => other.clone(),
    }
}

/// One step of a path into the arguments.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Member(String),
    Item(usize),
}

fn describe(error: &ValidationError<'_>, found: &mut Vec<Found>) {
    if let ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } =
        error.kind()
        && let Some(branch) = meant(context, error)
    {
        return branch.iter().take(MOST_VIOLATIONS).for_each(|error| describe(error, found));
    }
    let mut path: Vec<Step> = error
        .instance_path()
        .segments()
        .map(|segment| match segment {
            LocationSegment::Property(name) => Step::Member(name.into_owned()),
            LocationSegment::Index(index) => Step::Item(index),
        })
        .collect();
    let is_type = matches!(error.kind(), ValidationErrorKind::Type { .. });
    let message = match error.kind() {
        ValidationErrorKind::Required { property } => {
            path.push(Step::Member(plain(property)));
            "is required".to_owned()
        }
        ValidationErrorKind::PropertyNames { error } => {
            path.push(Step::Member(plain(error.instance())));
            format!("has a name that {}", sentence(error))
        }
        _ => sentence(error),
    };
    found.push(Found { path, message, is_type });
}

/// The branch of an alternative that the value was meant for, by its type, when
/// there is just one such.
fn meant<'b>(
    branches: &'b [Vec<ValidationError<'static>>],
    whole: &ValidationError<'_>,
) -> Option<&'b Vec<ValidationError<'static>>> {
    let mistyped = |branch: &&Vec<ValidationError<'static>>| {
        branch.iter().any(|error| {
            matches!(error.kind(), ValidationErrorKind::Type { .. })
                && error.instance_path() == whole.instance_path()
        })
    };
    let mut typed = branches.iter().filter(|branch| !mistyped(branch));
    typed.next().filter(|_| typed.next().is_none())
}

/// What is wrong, to be read after the path.
fn sentence(error: &ValidationError<'_>) -> String {
    use ValidationErrorKind as Kind;
    let instance = error.instance();
    match error.kind() {
        Kind::Type { kind } => {
            let wanted = match kind {
                TypeKind::Single(kind) => with_article(&kind.to_string()),
                TypeKind::Multiple(kinds) => kinds
                    .iter()
                    .map(|kind| with_article(&kind.to_string()))
                    .collect::<Vec<_>>()
                    .join(" or "),
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
        Kind::MaxProperties { limit: 1 } => "must have one member alone".to_owned(),
        Kind::MaxProperties { limit } => format!("must have at most {limit} member(s)"),
        Kind::UniqueItems => "must not name anything twice".to_owned(),
        Kind::Pattern { pattern } => match pattern.as_str() {
            PATTERN | OLDER_PATTERN => {
                "must be a reverse-domain name such as com.example.loyalty".to_owned()
            }
            OFFSET_PATTERN => "must be an RFC 3339 date and time with Z or an offset, such as \
                 2026-12-24T10:00:00-03:00"
                .to_owned(),
            _ => format!("must match the pattern {pattern}"),
        },
        Kind::Constant { expected_value } => format!("must be {expected_value}"),
        Kind::Enum { options } => format!("must be one of {options}"),
        Kind::AdditionalProperties { unexpected } => {
            format!("must not have the member(s) {}", unexpected.join(", "))
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => alternatives(context, error),
        Kind::OneOfMultipleValid { .. } => "fits more than one of its forms".to_owned(),
        _ => "does not have the form that the tool's inputSchema asks for".to_owned(),
    }
}

/// The ways out of an alternative, each once; `whole` is the error of all of them.
fn alternatives(branches: &[Vec<ValidationError<'static>>], whole: &ValidationError<'_>) -> String {
    let root = whole.instance_path().as_str();
    let mut ways: Vec<String> = Vec::new();
    for branch in branches {
        let mut way = Vec::new();
        for error in branch.iter().take(ERRORS_TOLD) {
            let place = error.instance_path().as_str();
            let place = place.strip_prefix(root).unwrap_or(place).trim_start_matches('/');
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
        all(&validator, arguments)
            .into_iter()
            .map(|v| format!("{} {}", v.path, v.message))
            .collect()
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
                        "brand": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
                        "available": {"type": "boolean", "const": true},
                        "list": {"items": {"type": "string"}, "minItems": 1},
                    },
                },
            },
        });
        let arguments = json!({"catalog": {
            "query": 1, "odd name": "c", "list": ["a", 2, 3], "limit": 0, "brand": [1], "available": "yes",
        }});
        assert_eq!(
            violations(&schema, &arguments),
            [
                "$.catalog.query must be a string, not a number",
                "$.catalog['odd name'] must be one of [\"a\",\"b\"]",
                "$.catalog.list[1] must be a string, not a number",
                "$.catalog.list[2] must be a string, not a number",
                "$.catalog.limit must be at least 1, not 0",
                "$.catalog.brand[0] must be a string, not a number",
                "$.catalog.available must be a boolean, not a string",
                "$.catalog.ids is required",
                "$.meta is required",
            ]
        );
    }

    #[test]
    fn a_long_wrong_list_is_told_in_bounded_time() {
        let schema = json!({"properties": {"ids": {"items": {"type": "string"}}}});
        let wrong = json!({"ids": vec![1; 500_000]});
        let started = std::time::Instant::now();
        let told = violations(&schema, &wrong);
        assert_eq!(told.len(), super::MOST_VIOLATIONS + 1);
        assert_eq!(told[0], "$.ids[0] must be a string, not a number");
        // Quadratic work would take hours, linear work a moment.
        assert!(started.elapsed().as_secs() < 60);
        let mut late = vec![json!("a"); 5000];
        late.push(json!(1));
        assert_eq!(
            violations(&schema, &json!({"ids": late})),
            ["$.ids[5000] must be a string, not a number"]
        );
    }
}
