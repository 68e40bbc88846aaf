//! Units and measures: `unit_price` and `quantity_unit` of a variant (rule C15).

use super::price::amount_and_currency;
use crate::json::Value;
use crate::problem::Fault;
use crate::row::{Members, Path, Row, invalid};
use crate::values::{integer, text};
use catalog::Price;
use catalog::money::{MAX_SAFE_INTEGER, Measure, QuantityUnit, UnitPrice};

/// The largest scale at which one whole unit is still a safe integer of steps.
const MAX_SCALE: u64 = 15;
/// The UN/CEFACT code of a piece, which has no fractions.
const PIECE: &str = "C62";

/// A unit price of a variant whose own price is `price`.
pub(crate) fn unit_price(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
    price: Price,
) -> Result<UnitPrice, Fault> {
    let mut members = Members::of(at, value)?;
    let unit_price = amount_and_currency(row, &mut members)?;
    let measure = members.required(row, "measure", measure)?;
    let reference = members.required(row, "reference", self::measure)?;
    members.finish(row);
    if unit_price.currency != price.currency {
        let text = format!("is in {}, the price in {}", unit_price.currency, price.currency);
        return Err(invalid(&at.member("currency"), text));
    }
    if measure.unit != reference.unit {
        return Err(invalid(at, "measure and reference have different units"));
    }
    Ok(UnitPrice { price: unit_price, measure, reference })
}

pub(crate) fn quantity_unit(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<QuantityUnit, Fault> {
    let mut members = Members::of(at, value)?;
    let Unit { unit, scale, display_text } = unit(row, &mut members)?;
    let read =
        |_: &mut Row<'_>, at: &Path<'_>, value: Value| integer(at, value, 1..=MAX_SAFE_INTEGER);
    let increment = members.optional(row, "increment", read);
    members.finish(row);
    Ok(QuantityUnit { unit, scale, display_text, increment })
}

fn measure(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Measure, Fault> {
    let mut members = Members::of(at, value)?;
    let read =
        |_: &mut Row<'_>, at: &Path<'_>, value: Value| integer(at, value, 1..=MAX_SAFE_INTEGER);
    let value = members.required(row, "value", read)?;
    let Unit { unit, scale, display_text } = unit(row, &mut members)?;
    members.finish(row);
    Ok(Measure { value, unit, scale, display_text })
}

struct Unit {
    unit: String,
    scale: u8,
    display_text: String,
}

fn unit(row: &mut Row<'_>, members: &mut Members<'_, '_>) -> Result<Unit, Fault> {
    let unit = members.required(row, "unit", text)?;
    let display_text = members.required(row, "display_text", text)?;
    let largest = if unit == PIECE { 0 } else { MAX_SCALE };
    let scale = members.if_present(row, "scale", |_, at, value| integer(at, value, 0..=largest))?;
    let scale = u8::try_from(scale.unwrap_or(0)).unwrap_or(0);
    Ok(Unit { unit, scale, display_text })
}
