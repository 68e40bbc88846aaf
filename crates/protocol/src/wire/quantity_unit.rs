//! `quantity_unit.json`: what a quantity of a variant counts (rule C15; 2026-08-25 only).

use schemars::JsonSchema;
use serde::Serialize;

use super::measure::{MAX_SCALE, scale_is_zero, unit_is_each};

/// What a quantity of this variant counts, and in which steps it is sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("if" = unit_is_each(), "then" = scale_is_zero()))]
pub struct QuantityUnit<'a> {
    /// The unit: a code of UN/CEFACT Recommendation 20 such as KGM or HUR, or a word of this store.
    pub unit: &'a str,
    /// How many decimal places a quantity has; none when absent. Always 0 for the unit C62 (one piece).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = MAX_SCALE))]
    pub scale: Option<u8>,
    /// The unit as shown to buyers.
    pub display_text: &'a str,
    /// Sold in multiples of this many steps of 10^-scale; 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 1))]
    pub increment: Option<u64>,
}
