//! `product_option.json`: an axis along which variants differ.

use schemars::JsonSchema;
use serde::Serialize;

use super::option_value::OptionValue;

/// An axis along which the variants differ, such as size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProductOption<'a, V = OptionValue<'a>> {
    /// Name of the option, such as Size.
    pub name: &'a str,
    /// Its values.
    #[schemars(extend("minItems" = 1))]
    pub values: Vec<V>,
}
