//! Prices as UCP writes them: integers of minor units and a currency (rule C6).

use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, expected, invalid};
use crate::values::integer;
use catalog::money::MAX_SAFE_INTEGER;
use catalog::{Amount, Currency, Price};

pub(crate) fn price(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Price, Fault> {
    let mut members = Members::of(at, value)?;
    let price = amount_and_currency(row, &mut members)?;
    members.finish(row);
    Ok(price)
}

/// The members `amount` and `currency` of an object that may have more.
pub(crate) fn amount_and_currency(
    row: &mut Row<'_>,
    members: &mut Members<'_, '_>,
) -> Result<Price, Fault> {
    let amount = members.required(row, "amount", amount)?;
    let currency = members.required(row, "currency", currency)?;
    Ok(Price { amount, currency })
}

/// The lowest and highest price of a range, in one currency.
pub(crate) fn price_range(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<(Price, Price), Fault> {
    let mut members = Members::of(at, value)?;
    let min = members.required(row, "min", price)?;
    let max = members.required(row, "max", price)?;
    members.finish(row);
    if min.currency != max.currency {
        let text = format!("min is in {} and max in {}", min.currency, max.currency);
        return Err(invalid(at, text));
    }
    if min.amount > max.amount {
        return Err(invalid(at, "min is above max"));
    }
    Ok((min, max))
}

/// A price with the place that it was read at, added unless its currency is
/// there already: the first price in a currency stands.
pub(crate) fn add_price(row: &mut Row<'_>, at: &Path<'_>, prices: &mut Vec<Price>, price: Price) {
    if prices.iter().any(|known| known.currency == price.currency) {
        let text = format!("is a second price in {}; the first one stands", price.currency);
        row.warn(Fault::new(at, ProblemCode::Repeated, text));
    } else {
        prices.push(price);
    }
}

fn amount(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Amount, Fault> {
    let minor_units = integer(at, value, 0..=MAX_SAFE_INTEGER).map_err(|mut fault| {
        fault.text.push_str(": an amount is an integer of minor units, 1999 for 19.99");
        fault
    })?;
    Amount::new(minor_units).ok_or_else(|| invalid(at, format!("{minor_units} is too large")))
}

fn currency(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Currency, Fault> {
    let Value::String(code) = value else {
        return Err(expected(at, "a string", &value));
    };
    let currency: Currency = code.parse().map_err(|_| {
        let text = format!("`{}` is no currency code of three capital letters", excerpt(&code));
        invalid(at, text)
    })?;
    if currency.minor_digits().is_none() {
        let fault = || {
            let text = format!("ISO 4217 has no currency `{code}` with minor units");
            Fault::new(at, ProblemCode::UnknownCurrency, text)
        };
        row.warn_once(&code, fault, ProblemCode::UnknownCurrency);
    }
    Ok(currency)
}
