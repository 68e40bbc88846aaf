//! A schema with all its definitions: deriving it from a type, bringing it into a
//! dialect's shape, merging it with another.

use std::collections::BTreeSet;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use super::edits;
use crate::dialect::Dialect;

/// Which way the documents go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    /// Read by us.
    Request,
    /// Written by us.
    Response,
}

/// Definitions by name, and which of them is the schema itself.
pub(super) struct Bundle {
    root: String,
    definitions: Map<String, Value>,
}

impl Bundle {
    /// The schema of `T` in the shape of `dialect`.
    pub(super) fn of<T: JsonSchema>(direction: Direction, dialect: &Dialect) -> Self {
        let settings = SchemaSettings::draft2020_12();
        let settings = match direction {
            Direction::Request => settings.for_deserialize(),
            Direction::Response => settings.for_serialize(),
        };
        let settings = settings.with_transform(RecursiveTransform(tidy));
        let mut generator = settings.into_generator();
        generator.subschema_for::<T>();
        let definitions = generator.take_definitions(true);
        let mut bundle = Self { root: T::schema_name().into_owned(), definitions };
        edits::apply(&mut bundle.definitions, dialect);
        bundle.drop_unused();
        bundle
    }

    /// The reference to the schema itself.
    pub(super) fn reference(&self) -> String {
        reference(&self.root)
    }

    /// What the schema says about itself.
    pub(super) fn description(&self) -> Option<&str> {
        self.definitions.get(&self.root)?.get("description")?.as_str()
    }

    /// The schema as a document of its own.
    pub(super) fn into_schema(mut self) -> Value {
        let root = self.definitions.shift_remove(&self.root).unwrap_or_default();
        self.with_root(root)
    }

    /// A document that refers to these definitions.
    pub(super) fn with_root(&mut self, mut root: Value) -> Value {
        if let Some(root) = root.as_object_mut()
            && !self.definitions.is_empty()
        {
            root.insert("$defs".to_owned(), Value::Object(std::mem::take(&mut self.definitions)));
        }
        root
    }

    /// Takes in the definitions of `other` and returns the reference to its root.
    ///
    /// Definitions that are the same, down to all that they refer to, are shared;
    /// the others of the same name get `tag` appended to it.
    pub(super) fn merge(&mut self, other: Self, tag: &str) -> String {
        let mut different: BTreeSet<String> = other
            .definitions
            .iter()
            .filter(|(name, schema)| self.definitions.get(*name).is_some_and(|own| own != *schema))
            .map(|(name, _)| name.clone())
            .collect();
        // A definition that refers to a different one is different too.
        loop {
            let reached: Vec<String> = other
                .definitions
                .iter()
                .filter(|(name, schema)| {
                    !different.contains(*name)
                        && references(schema).iter().any(|target| different.contains(*target))
                })
                .map(|(name, _)| name.clone())
                .collect();
            if reached.is_empty() {
                break;
            }
            different.extend(reached);
        }
        let rename = |name: &str| {
            if different.contains(name) { format!("{name}_{tag}") } else { name.to_owned() }
        };
        for (name, mut schema) in other.definitions {
            retarget(&mut schema, &rename);
            self.definitions.entry(rename(&name)).or_insert(schema);
        }
        reference(&rename(&other.root))
    }

    fn drop_unused(&mut self) {
        let mut used = BTreeSet::from([self.root.as_str()]);
        let mut pending = vec![self.root.as_str()];
        while let Some(name) = pending.pop() {
            let targets = self.definitions.get(name).map(references).unwrap_or_default();
            pending.extend(targets.into_iter().filter(|target| used.insert(target)));
        }
        let used: BTreeSet<String> = used.into_iter().map(str::to_owned).collect();
        self.definitions.retain(|name, _| used.contains(name));
    }
}

const DEFINITIONS: &str = "#/$defs/";

fn reference(name: &str) -> String {
    format!("{DEFINITIONS}{name}")
}

/// The names of the definitions that a schema refers to.
fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str);
            let own = own.and_then(|target| target.strip_prefix(DEFINITIONS));
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

fn retarget(schema: &mut Value, rename: &impl Fn(&str) -> String) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                let target = value.as_str().filter(|_| key == "$ref");
                match target.and_then(|target| target.strip_prefix(DEFINITIONS)) {
                    Some(name) => *value = Value::String(reference(&rename(name))),
                    None => retarget(value, rename),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| retarget(item, rename)),
        _ => {}
    }
}

/// Says what the wire means where the derivation says what Rust means: a member
/// may be absent but never null, and numbers have no width.
fn tidy(schema: &mut Schema) {
    let Some(members) = schema.as_object_mut() else { return };
    members.shift_remove("default");
    if members.get("format").and_then(Value::as_str).is_some_and(is_width) {
        members.shift_remove("format");
    }
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(branches)) = members.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = branches.as_mut_slice() {
            let only = std::mem::take(only);
            members.shift_remove("anyOf");
            for (key, value) in only {
                members.entry(key).or_insert(value);
            }
        }
    }
}

fn is_width(format: &str) -> bool {
    matches!(format, "double" | "float" | "int64" | "uint64" | "int32" | "uint32" | "uint8")
}
