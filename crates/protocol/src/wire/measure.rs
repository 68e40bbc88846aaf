//! `unit.json` and `measure.json`: a count of steps of a unit (rule C15).

use schemars::JsonSchema;
use serde::Serialize;

use super::amount::MAX_SAFE_INTEGER;

/// How much of something, as a count of decimal fractions of a unit: value 75
/// with scale 2 is 0.75 of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("if" = unit_is_each(), "then" = scale_is_zero()))]
pub struct Measure<'a> {
    /// Count of steps of 10^-scale of the unit.
    #[schemars(extend("minimum" = 1, "maximum" = MAX_SAFE_INTEGER))]
    pub value: u64,
    /// The unit: a code of UN/CEFACT Recommendation 20 such as KGM or LTR, or a word of this store.
    pub unit: &'a str,
    /// How many decimal places `value` has; none when absent. Always 0 for the unit C62 (one piece).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("maximum" = MAX_SCALE))]
    pub scale: Option<u8>,
    /// The unit as shown to buyers.
    pub display_text: &'a str,
}

/// The most decimal places that a value may have.
pub(super) const MAX_SCALE: u8 = 15;

/// Holds for a unit of whole pieces.
pub(super) fn unit_is_each() -> serde_json::Value {
    serde_json::json!({
        "properties": {"unit": {"const": "C62", "description": "One piece."}},
        "required": ["unit"],
    })
}

/// What holds for whole pieces: they have no fractions.
pub(super) fn scale_is_zero() -> serde_json::Value {
    serde_json::json!({
        "properties": {"scale": {"const": 0, "description": "Pieces have no fractions."}},
    })
}
