//! Unit prices from `unit_pricing_measure` and `unit_pricing_base_measure`:
//! "750 ml" at 30.00, per "1 l", is 40.00 (rule C15).
//!
//! Decimal digits are kept as integers with a power of ten; the result is
//! rounded half up to the minor unit.

use crate::problem::excerpt;
use catalog::money::{MAX_SAFE_INTEGER, Measure, UnitPrice};
use catalog::{Amount, Price};

/// Names of a unit, its UN/CEFACT Rec 20 code, what people read, and its kind
/// with the power of ten of the kind's basic unit.
struct Unit {
    names: &'static [&'static str],
    code: &'static str,
    shown: &'static str,
    kind: (char, i32),
}

const fn unit(
    names: &'static [&'static str],
    code: &'static str,
    shown: &'static str,
    kind: (char, i32),
) -> Unit {
    Unit { names, code, shown, kind }
}

const UNITS: [Unit; 22] = [
    unit(&["mg"], "MGM", "mg", ('m', -6)),
    unit(&["g"], "GRM", "g", ('m', -3)),
    unit(&["kg"], "KGM", "kg", ('m', 0)),
    unit(&["ml"], "MLT", "ml", ('v', -3)),
    unit(&["cl"], "CLT", "cl", ('v', -2)),
    unit(&["l"], "LTR", "l", ('v', 0)),
    unit(&["cbm"], "MTQ", "m³", ('v', 3)),
    unit(&["cm"], "CMT", "cm", ('d', -2)),
    unit(&["m"], "MTR", "m", ('d', 0)),
    unit(&["sqm"], "MTK", "m²", ('a', 0)),
    unit(&["oz"], "ONZ", "oz", ('1', 0)),
    unit(&["lb"], "LBR", "lb", ('2', 0)),
    unit(&["floz", "fl oz"], "OZA", "fl oz", ('3', 0)),
    unit(&["pt"], "PTL", "pt", ('4', 0)),
    unit(&["qt"], "QTL", "qt", ('5', 0)),
    unit(&["gal"], "GLL", "gal", ('6', 0)),
    unit(&["in"], "INH", "in", ('7', 0)),
    unit(&["ft"], "FOT", "ft", ('8', 0)),
    unit(&["yd"], "YRD", "yd", ('9', 0)),
    unit(&["sqft"], "FTK", "ft²", ('f', 0)),
    unit(&["ct", "un", "unit"], "C62", "un", ('c', 0)),
    unit(&["t"], "TNE", "t", ('m', 3)),
];

/// No measure has more decimals than this, so that whole units stay exact.
const MAX_SCALE: u32 = 9;

/// The price of `base` (one unit of the measure's own when absent), when
/// `measure` costs `price`.
///
/// # Errors
///
/// Why there is none, in words.
pub(crate) fn unit_price(
    price: Price,
    measure: &str,
    base: Option<&str>,
) -> Result<UnitPrice, String> {
    let content = Quantity::read(measure)?;
    let reference = match base {
        Some(base) => Quantity::read(base)?,
        None => Quantity { value: 1, scale: 0, unit: content.unit },
    };
    if content.unit.kind.0 != reference.unit.kind.0 {
        let (content, reference) = (content.unit.shown, reference.unit.shown);
        return Err(format!("{content} cannot be told in {reference}"));
    }
    let content = content.told_in(reference.unit).ok_or("is too large or too small")?;
    let power = |scale: u32| 10_u128.checked_pow(scale);
    let per_base = || {
        let above = u128::from(price.amount.minor_units())
            .checked_mul(u128::from(reference.value))?
            .checked_mul(power(content.scale)?)?;
        let below = u128::from(content.value).checked_mul(power(reference.scale)?)?;
        let rounded = above.checked_mul(2)?.checked_add(below)? / below.checked_mul(2)?;
        Amount::new(u64::try_from(rounded).ok()?)
    };
    let amount = per_base().ok_or("makes a unit price that is too large")?;
    if reference.unit.code == "C62" && (content.scale, reference.scale) != (0, 0) {
        return Err("counts pieces, which have no fractions".to_owned());
    }
    Ok(UnitPrice {
        price: Price { amount, currency: price.currency },
        measure: content.into_measure(),
        reference: reference.into_measure(),
    })
}

/// `value` times 10^-`scale` of `unit`; more than nothing.
#[derive(Clone, Copy)]
struct Quantity {
    value: u64,
    scale: u32,
    unit: &'static Unit,
}

impl Quantity {
    fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{}` is no measure such as 750 ml", excerpt(text));
        let text = text.trim();
        let ends = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let (number, unit) = text.split_at(ends.ok_or_else(wrong)?);
        let name = unit.trim().to_ascii_lowercase();
        let unit = UNITS.iter().find(|unit| unit.names.contains(&&*name)).ok_or_else(wrong)?;
        let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, ""));
        let decimals = decimals.trim_end_matches('0');
        let digits = format!("{whole}{decimals}");
        let scale = u32::try_from(decimals.len()).ok().filter(|scale| *scale <= MAX_SCALE);
        let value = digits.parse().ok().filter(|value| (1..=MAX_SAFE_INTEGER).contains(value));
        let (Some(value), Some(scale)) = (value, scale) else { return Err(wrong()) };
        Ok(Self { value, scale, unit })
    }

    /// The same quantity in a unit of the same kind.
    fn told_in(mut self, unit: &'static Unit) -> Option<Self> {
        let scale = i64::from(self.scale) + i64::from(unit.kind.1 - self.unit.kind.1);
        let mut value = self.value;
        for _ in scale..0 {
            value = value.checked_mul(10).filter(|value| *value <= MAX_SAFE_INTEGER)?;
        }
        let mut scale = scale.max(0);
        while scale > 0 && value.is_multiple_of(10) {
            (value, scale) = (value / 10, scale - 1);
        }
        self.scale = u32::try_from(scale).ok().filter(|scale| *scale <= 15)?;
        (self.value, self.unit) = (value, unit);
        Some(self)
    }

    fn into_measure(self) -> Measure {
        let scale = u8::try_from(self.scale).unwrap_or(0);
        let unit = self.unit.code.to_owned();
        Measure { value: self.value, unit, scale, display_text: self.unit.shown.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Currency;

    fn read(minor: u64, measure: &str, base: Option<&str>) -> Result<String, String> {
        let price = Price { amount: Amount::new(minor).unwrap(), currency: Currency::BRL };
        let read = unit_price(price, measure, base)?;
        let shown = |m: &Measure| format!("{}e-{} {}", m.value, m.scale, m.unit);
        let (measure, reference) = (shown(&read.measure), shown(&read.reference));
        Ok(format!("{} = {measure} / {reference}", read.price.amount.minor_units()))
    }

    #[test]
    fn unit_prices_are_exact() {
        let table = [
            (3000, "750 ml", Some("1 l"), "4000 = 75e-2 LTR / 1e-0 LTR"),
            (3000, "750ml", Some("100 ml"), "400 = 750e-0 MLT / 100e-0 MLT"),
            (999, "1.5kg", Some("1 kg"), "666 = 15e-1 KGM / 1e-0 KGM"),
            (999, "1,50 kg", None, "666 = 15e-1 KGM / 1e-0 KGM"),
            (1000, "2 kg", Some("100g"), "50 = 2000e-0 GRM / 100e-0 GRM"),
            (100, "3 ct", Some("1 ct"), "33 = 3e-0 C62 / 1e-0 C62"),
            (250, "12 fl oz", Some("1 floz"), "21 = 12e-0 OZA / 1e-0 OZA"),
            (1, "2 g", Some("1 g"), "1 = 2e-0 GRM / 1e-0 GRM"),
        ];
        for (minor, measure, base, expected) in table {
            assert_eq!(read(minor, measure, base).as_deref(), Ok(expected), "{measure} {base:?}");
        }
    }

    #[test]
    fn what_makes_none_says_why() {
        for (measure, base, expected) in [
            ("", None, "is no measure"),
            ("kg", None, "is no measure"),
            ("0 kg", None, "is no measure"),
            ("1 stone", None, "is no measure"),
            ("1.2.3 kg", None, "is no measure"),
            ("99999999999999999999 kg", None, "is no measure"),
            ("1 kg", Some("1 l"), "kg cannot be told in l"),
            ("1 lb", Some("1 kg"), "lb cannot be told in kg"),
            ("1.5 ct", None, "pieces"),
            ("9007199254740991 cbm", Some("1 ml"), "too large"),
            ("0.000000001 mg", Some("1000000 t"), "too large"),
        ] {
            let said = read(1000, measure, base).unwrap_err();
            assert!(said.contains(expected), "{measure} {base:?}: {said}");
        }
    }
}
