//! The tools that a server offers, and the answer to `tools/list`.
//!
//! The list never changes while a server lives and is the same for everyone, so it
//! is written once (rule M8). Whether a called tool exists is the application's to
//! say, which has more to say about it.

use serde_json::{Value, json};

/// One tool as `tools/list` shows it (rule M8).
#[derive(Clone, Debug)]
pub struct Tool {
    /// The name by which it is called.
    pub name: String,
    /// A short name for people.
    pub title: String,
    /// What it does and when to use it, written for a language model.
    pub description: String,
    /// JSON Schema 2020-12 of its arguments; self-contained, root type object.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of `structuredContent`; self-contained, root type object.
    pub output_schema: Value,
}

/// The JSON text of the `tools` array, in the given order.
///
/// Every tool here reads and changes nothing, and works on the store's own data:
/// the annotations say so, for their defaults say the opposite (rule M8).
pub(crate) fn list(tools: Vec<Tool>) -> String {
    let entries = tools.into_iter().map(|tool| {
        json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": {
                "title": tool.title,
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        })
    });
    Value::Array(entries.collect()).to_string()
}
