//! `price.json`: an amount and its currency (rule C6).

use schemars::JsonSchema;
use serde::Serialize;

use super::amount::Amount;

/// An amount of money in a currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Price<'a> {
    /// The amount as an integer in the minor unit of the currency; 0 is free.
    #[schemars(with = "Amount")]
    pub amount: u64,
    /// The currency as three capital letters of ISO 4217.
    #[schemars(extend("pattern" = "^[A-Z]{3}$"))]
    pub currency: &'a str,
}
