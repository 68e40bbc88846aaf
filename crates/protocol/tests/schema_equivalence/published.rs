//! The published schemas of one version, loaded from the shared folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use jsonschema::{Registry, Validator};
use serde_json::{Value, json};

/// All schema files of one version, by `$id`.
pub(crate) struct Published {
    base: String,
    documents: BTreeMap<String, Value>,
    registry: Registry<'static>,
}

impl Published {
    /// The schemas in `spec/<folder>` beside the workspace; none when it is absent.
    pub(crate) fn load(folder: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/spec").join(folder);
        if !root.is_dir() {
            return None;
        }
        let base = match folder.split('/').next() {
            Some("bcp") => "https://bcp.dev.br/",
            _ => "https://ucp.dev/",
        };
        let mut documents = BTreeMap::new();
        for path in files(&root) {
            let mut document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let mut id = document["$id"].as_str().unwrap().to_owned();
            // Published with an `$id` from which its own references do not resolve.
            if id.ends_with("/schemas/discovery/profile.json") {
                id = format!("{base}discovery/profile.json");
            }
            // One of the renames of the fork was missed.
            if base != "https://ucp.dev/" {
                id = id.replace("https://ucp.dev/", base);
            }
            document["$id"] = json!(id);
            documents.insert(id, document);
        }
        let resources: Vec<(&str, Value)> =
            documents.iter().map(|(id, document)| (id.as_str(), document.clone())).collect();
        let registry = Registry::new().extend(resources).unwrap().prepare().unwrap();
        Some(Self { base: base.to_owned(), documents, registry })
    }

    /// A validator of the schema at `pointer`, such as `schemas/ucp.json#/$defs/base`.
    pub(crate) fn validator(&self, pointer: &str) -> Validator {
        jsonschema::options()
            .with_registry(&self.registry)
            .should_validate_formats(true)
            .build(&json!({"$ref": format!("{}{pointer}", self.base)}))
            .unwrap()
    }

    /// Whether there is a schema at `pointer`.
    pub(crate) fn has(&self, pointer: &str) -> bool {
        let (file, fragment) = pointer.split_once('#').unwrap();
        let document = self.documents.get(&format!("{}{file}", self.base));
        document.is_some_and(|document| document.pointer(fragment).is_some())
    }

    /// The schema that `reference` leads to from the file `base`, and its file.
    pub(crate) fn resolve(&self, base: &str, reference: &str) -> (&str, &Value) {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let id = if path.is_empty() { base.to_owned() } else { join(base, path) };
        let (id, document) = self.documents.get_key_value(&id).unwrap();
        (id, document.pointer(fragment).unwrap())
    }

    /// The schema at `pointer`, and its file.
    pub(crate) fn at(&self, pointer: &str) -> (&str, &Value) {
        self.resolve("", &format!("{}{pointer}", self.base))
    }
}

/// Compiles a schema of ours, as JSON Schema 2020-12 with formats asserted.
pub(crate) fn compile(schema: &Value) -> Validator {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(true)
        .build(schema)
        .unwrap()
}

/// Says that something was not compared, past the test harness, which would keep
/// the output of a test that passes to itself.
pub(crate) fn skip(what: &str) {
    let line = format!("SKIPPED: no published schemas of {what} beside the workspace\n");
    stderr().write_all(line.as_bytes()).unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn join(base: &str, path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = base.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}
