//! Money as integer minor units with a currency; never a float.
//!
//! The wire format (rule C6) wants a non-negative integer of ISO 4217 minor
//! units within the integers that JSON can carry exactly, and three capitals.
//! Both are guaranteed here by construction.

use std::fmt;
use std::str::FromStr;

/// The largest integer that every JSON reader keeps exactly: 2^53 - 1 (rule C6).
pub const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

/// A non-negative amount in ISO 4217 minor units, at most [`MAX_SAFE_INTEGER`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u64);

impl Amount {
    /// The amount of `minor_units`, or `None` above [`MAX_SAFE_INTEGER`].
    pub const fn new(minor_units: u64) -> Option<Self> {
        if minor_units <= MAX_SAFE_INTEGER { Some(Self(minor_units)) } else { None }
    }

    /// The number of minor units.
    pub const fn minor_units(self) -> u64 {
        self.0
    }
}

/// A currency by its ISO 4217 alphabetic code: three ASCII capitals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

/// The text is no currency code of three capital letters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no currency code: three capital letters such as BRL are expected")]
pub struct InvalidCurrency(String);

impl Currency {
    /// The Brazilian real.
    pub const BRL: Self = Self(*b"BRL");

    /// The code, for example `BRL`.
    pub fn code(&self) -> &str {
        // Invariant: the three bytes are ASCII capitals, so they are UTF-8.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// How many decimal digits a minor unit has: 2 for BRL, 0 for JPY, 3 for
    /// KWD. `None` when ISO 4217 has no such currency or gives it no minor unit.
    pub fn minor_digits(&self) -> Option<u16> {
        iso_currency::Currency::from_code(self.code())?.exponent()
    }
}

impl FromStr for Currency {
    type Err = InvalidCurrency;

    fn from_str(code: &str) -> Result<Self, InvalidCurrency> {
        match code.as_bytes() {
            &[a, b, c] if [a, b, c].iter().all(u8::is_ascii_uppercase) => Ok(Self([a, b, c])),
            _ => Err(InvalidCurrency(code.to_owned())),
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// An amount of a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Price {
    /// How much, in minor units of `currency`.
    pub amount: Amount,
    /// Of which currency.
    pub currency: Currency,
}

/// A quantity with its unit: `value` times 10^-`scale` of `unit`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// Count of steps of 10^-`scale` units; at least 1.
    pub value: u64,
    /// Machine identifier of the unit, by preference a UN/CEFACT Rec 20 code.
    pub unit: String,
    /// Decimal digits of a step, 0 to 15.
    pub scale: u8,
    /// What a person reads, such as `kg`.
    pub display_text: String,
}

/// A price per standard unit, for comparison on a shelf label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitPrice {
    /// The price of `reference`, as the merchant computed it.
    pub price: Price,
    /// What the package holds.
    pub measure: Measure,
    /// The quantity that `price` is for; the same unit as `measure`.
    pub reference: Measure,
}

/// What one unit of quantity means for a variant that is not sold by the piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantityUnit {
    /// Machine identifier of the unit, by preference a UN/CEFACT Rec 20 code.
    pub unit: String,
    /// Decimal digits of a step, 0 to 15; 0 for `C62`.
    pub scale: u8,
    /// What a person reads, such as `kg`.
    pub display_text: String,
    /// The variant is sold in multiples of so many steps; 1 when absent.
    pub increment: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_c6_amounts_end_at_the_largest_safe_integer() {
        assert_eq!(MAX_SAFE_INTEGER, (1 << 53) - 1);
        assert_eq!(Amount::new(0).map(Amount::minor_units), Some(0));
        let largest = Amount::new(MAX_SAFE_INTEGER);
        assert_eq!(largest.map(Amount::minor_units), Some(MAX_SAFE_INTEGER));
        assert_eq!(Amount::new(MAX_SAFE_INTEGER + 1), None);
        assert_eq!(Amount::new(u64::MAX), None);
    }

    #[test]
    fn rule_c6_currencies_are_three_capitals() {
        for good in ["BRL", "USD", "XXX", "ZZZ"] {
            assert_eq!(good.parse::<Currency>().unwrap().code(), good);
        }
        for bad in ["", "BR", "brl", "Brl", "BRLX", "BR1", "R$ ", "ÉUR", " BRL"] {
            let fault = bad.parse::<Currency>().unwrap_err();
            assert!(fault.to_string().contains(bad), "{fault}");
        }
        assert_eq!(Currency::BRL.to_string(), "BRL");
    }

    #[test]
    fn minor_digits_are_those_of_iso_4217() {
        for (code, digits) in [
            ("BRL", Some(2)),
            ("USD", Some(2)),
            ("JPY", Some(0)),
            ("CLP", Some(0)),
            ("KWD", Some(3)),
            ("XAU", None),
            ("ZZZ", None),
        ] {
            assert_eq!(code.parse::<Currency>().unwrap().minor_digits(), digits, "{code}");
        }
    }
}
