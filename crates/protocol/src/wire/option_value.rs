//! `option_value.json`: one value of a product option.

use schemars::JsonSchema;
use serde::Serialize;

/// One value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OptionValue<'a> {
    /// Identifier of the value; when present, prefer it over the label in `selected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The value as shown, such as Small or Blue.
    pub label: &'a str,
}
