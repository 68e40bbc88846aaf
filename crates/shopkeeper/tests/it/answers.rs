//! What must hold of every answer, whoever asked for what.

use crate::app::TestApp;
use crate::clients::{Answer, Channel};
use crate::published;
use jsonschema::Validator;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

/// Checks `answer`, a tool's result, against its tool's outputSchema and the
/// published schemas, and gives its structured content (rules M8, M9).
pub(crate) fn checked<'a>(
    answer: &'a Answer,
    operation: Operation,
    dialect: &Dialect,
    store: &TestApp,
) -> &'a Value {
    let structured = answer.structured();
    let result = &answer.message["result"];
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "rule M9");
    assert_eq!(content[0]["type"], "text", "rule M9");
    let text: Value = serde_json::from_str(content[0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, *structured, "rule M9: the text is the same JSON");
    let failed = structured["ucp"]["status"] == "error";
    assert_eq!(result["isError"].as_bool().unwrap_or(false), failed, "rule M9");
    assert_eq!(structured["ucp"]["version"], dialect.version, "rule N6");

    let validator = output_schema(store, dialect.protocol, operation);
    let faults: Vec<String> = validator
        .iter_errors(structured)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(faults.is_empty(), "outputSchema: {}\n{structured:#}", faults.join("\n"));

    if let Some(published) = published::of(dialect) {
        let pointer =
            if failed { published::error(dialect) } else { published::response(operation) };
        let faults = published.faults(pointer, structured);
        assert!(faults.is_empty(), "{pointer}: {}\n{structured:#}", faults.join("\n"));
    }
    assert_members(structured, dialect);
    structured
}

/// Rule C15: no member that the version's schemas lack; rule L9: nothing private.
fn assert_members(structured: &Value, dialect: &Dialect) {
    let text = structured.to_string();
    if (dialect.protocol, dialect.version) != (Protocol::Ucp, "2026-08-25") {
        for newer in ["quantity_unit", "policies", "actions", "scale\":", "display_text"] {
            assert!(!text.contains(&format!("\"{newer}")), "rule C15: {newer}");
        }
    }
    assert!(!text.contains("\"shopkeeper\""), "the private member of a feed is sent");
    for location in structured["locations"].as_array().into_iter().flatten() {
        assert_ne!(location["id"], "loc_hub_cajamar", "rule L9");
    }
}

/// The outputSchema of a tool, as the endpoint lists it.
fn output_schema(store: &TestApp, protocol: Protocol, operation: Operation) -> &'static Validator {
    type Key = (std::net::SocketAddr, Protocol, Operation);
    static COMPILED: OnceLock<Mutex<HashMap<Key, &'static Validator>>> = OnceLock::new();
    let mut compiled = COMPILED.get_or_init(Mutex::default).lock().unwrap();
    compiled.entry((store.address, protocol, operation)).or_insert_with(|| {
        let listed = Channel::Bare.send(store, protocol, "tools/list", json!({}));
        let tools = listed.message["result"]["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == operation.tool()).unwrap();
        let validator = jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .build(&tool["outputSchema"]);
        Box::leak(Box::new(validator.unwrap()))
    })
}
