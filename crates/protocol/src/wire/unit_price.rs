//! `unit_price.json`: the price of a standard quantity, for comparison (rule C15).
//!
//! 2026-08-25 writes quantities as scaled integers with a unit descriptor; the
//! older shape writes a plain number and a whole reference. A quantity that the
//! older shape cannot hold is for the application to leave out.

use schemars::JsonSchema;
use serde::Serialize;

use super::amount::Amount;
use super::measure::Measure;
use super::number::shortest;

/// Price of a standard quantity, to compare packages of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum UnitPrice<'a> {
    /// As 2026-08-25 writes it.
    Scaled(ScaledUnitPrice<'a>),
    /// As the 2026-04-08 shape writes it.
    Plain(PlainUnitPrice<'a>),
}

/// Price of a standard quantity, to compare packages of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScaledUnitPrice<'a> {
    /// Price of the reference quantity, as an integer in the minor unit of the currency.
    #[schemars(with = "Amount")]
    pub amount: u64,
    /// The currency as three capital letters of ISO 4217; that of the price.
    #[schemars(extend("pattern" = "^[A-Z]{3}$"))]
    pub currency: &'a str,
    /// How much one package holds.
    pub measure: Measure<'a>,
    /// The quantity that `amount` is the price of, in the same unit.
    pub reference: Measure<'a>,
}

/// Price of a standard quantity, to compare packages of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlainUnitPrice<'a> {
    /// Price of the reference quantity, as an integer in the minor unit of the currency.
    #[schemars(with = "Amount")]
    pub amount: u64,
    /// The currency as three capital letters of ISO 4217; that of the price.
    #[schemars(extend("pattern" = "^[A-Z]{3}$"))]
    pub currency: &'a str,
    /// How much one package holds.
    pub measure: PlainMeasure<'a>,
    /// The quantity that `amount` is the price of, in the same unit.
    pub reference: PlainReference<'a>,
}

/// How much one package holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlainMeasure<'a> {
    /// The quantity, counted in `unit`.
    #[serde(serialize_with = "shortest")]
    #[schemars(with = "f64")]
    pub value: f64,
    /// The unit, such as ml.
    pub unit: &'a str,
}

/// The quantity that a unit price is the price of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlainReference<'a> {
    /// The quantity, counted in `unit`; whole.
    pub value: i64,
    /// The unit, such as ml.
    pub unit: &'a str,
}
