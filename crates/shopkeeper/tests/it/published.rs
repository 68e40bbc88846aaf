//! The published schemas, from the folder beside the workspace; where it is absent
//! the comparison is skipped, loudly.

use crate::app::workspace;
use jsonschema::{Registry, Validator};
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The schema files of one version.
pub(crate) struct Published {
    base: &'static str,
    registry: Registry<'static>,
    compiled: Mutex<BTreeMap<String, &'static Validator>>,
}

/// The folder of the published material.
pub(crate) fn spec() -> PathBuf {
    workspace().join("../shared/spec")
}

/// Says past the test harness that something was not compared.
pub(crate) fn skip(what: &str) {
    let line =
        format!("SKIPPED: {what} is not beside the workspace; nothing was compared with it\n");
    stderr().write_all(line.as_bytes()).unwrap();
}

/// The published schemas that describe `dialect`; none when they are absent.
///
/// BCP 2026-04-08 was never published apart: its schemas are those of 2026-07-28,
/// whatever version they name (rule P2).
pub(crate) fn of(dialect: &Dialect) -> Option<&'static Published> {
    static FOLDERS: OnceLock<[Option<Published>; 3]> = OnceLock::new();
    let [newest, older, bcp] =
        FOLDERS.get_or_init(|| ["ucp/2026-08-25", "ucp/2026-04-08", "bcp/2026-07-28"].map(load));
    match (dialect.protocol, dialect.version) {
        (Protocol::Bcp, _) => bcp.as_ref(),
        (Protocol::Ucp, "2026-04-08") => older.as_ref(),
        (Protocol::Ucp, _) => newest.as_ref(),
    }
}

impl Published {
    /// What in `document` breaks the schema at `pointer`, such as
    /// `schemas/ucp.json#/$defs/base`.
    pub(crate) fn faults(&self, pointer: &str, document: &Value) -> Vec<String> {
        let mut compiled = self.compiled.lock().unwrap();
        let validator = compiled.entry(pointer.to_owned()).or_insert_with(|| {
            let schema = json!({"$ref": format!("{}{pointer}", self.base)});
            let validator = jsonschema::options()
                .with_registry(&self.registry)
                .should_validate_formats(true)
                .build(&schema);
            Box::leak(Box::new(validator.unwrap()))
        });
        validator
            .iter_errors(document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }
}

/// Where the schema of a tool's answer is.
pub(crate) fn response(operation: Operation) -> &'static str {
    match operation {
        Operation::SearchCatalog => "schemas/shopping/catalog_search.json#/$defs/search_response",
        Operation::LookupCatalog => "schemas/shopping/catalog_lookup.json#/$defs/lookup_response",
        Operation::GetProduct => "schemas/shopping/catalog_lookup.json#/$defs/get_product_response",
        Operation::SearchLocations => "schemas/common/location_search.json#/$defs/search_response",
        Operation::LookupLocations => "schemas/common/location_lookup.json#/$defs/lookup_response",
    }
}

/// Where the schema of an answer that carries messages alone is.
pub(crate) fn error(dialect: &Dialect) -> &'static str {
    match (dialect.protocol, dialect.version) {
        (Protocol::Ucp, "2026-08-25") => "schemas/common/types/error_response.json#",
        _ => "schemas/shopping/types/error_response.json#",
    }
}

/// Where the schema of a business's profile is.
pub(crate) fn business_profile(dialect: &Dialect) -> &'static str {
    match (dialect.protocol, dialect.version) {
        (Protocol::Ucp, "2026-08-25") => "schemas/profile.json#/$defs/business_schema",
        _ => "discovery/profile.json#/$defs/business_profile",
    }
}

fn load(folder: &str) -> Option<Published> {
    let root = spec().join(folder);
    if !root.is_dir() {
        skip(folder);
        return None;
    }
    let base = if folder.starts_with("bcp") { "https://bcp.dev.br/" } else { "https://ucp.dev/" };
    let mut documents = Vec::new();
    for path in files(&root) {
        let mut document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let mut id = document["$id"].as_str().unwrap().to_owned();
        // Published with an `$id` from which its own references do not resolve.
        if id.ends_with("/schemas/discovery/profile.json") {
            id = format!("{base}discovery/profile.json");
        }
        // One of the renames of the fork was missed.
        id = id.replace("https://ucp.dev/", base);
        document["$id"] = json!(id);
        documents.push((id, document));
    }
    let registry = Registry::new().extend(documents).unwrap().prepare().unwrap();
    Some(Published { base, registry, compiled: Mutex::default() })
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
