//! `selected_option.json`: one value chosen for one option.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One value chosen for one option.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SelectedOption<'a> {
    /// Name of the option, such as Size.
    pub name: Cow<'a, str>,
    /// Identifier of the value, when the option value has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Cow<'a, str>>,
    /// Label of the value, such as Large.
    pub label: Cow<'a, str>,
}
