//! `detail_option_value.json`: one value of an option, seen from a selection (rule C14).

use schemars::JsonSchema;
use serde::Serialize;

/// One value of an option, with what the current selection leaves of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DetailOptionValue<'a> {
    /// Identifier of the value; when present, prefer it over the label in `selected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The value as shown, such as Small or Blue.
    pub label: &'a str,
    /// Whether a variant with this value and the rest of the selection can be bought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available: Option<bool>,
    /// Whether there is a variant with this value and the rest of the selection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exists: Option<bool>,
}
