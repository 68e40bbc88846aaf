//! Our own richest format: one UCP object of the 2026-08-25 shape a line, with
//! the private member `shopkeeper` (DESIGN 5).
//!
//! The schemas are those of the specification; what they require and a row gets
//! wrong refuses the row (or the variant), what they leave optional is dropped
//! with a warning, and the rest is served.

mod area;
mod hours;
mod location;
mod measure;
mod parts;
mod price;
mod product;
mod variant;

use crate::json;
use crate::json::Value;
use crate::problem::{Fault, Problem};
use crate::row::Row;
use crate::{Defaults, Record, Tally, lines::Lines};

/// What a row of a kind is read by; `None` when its faults have been reported
/// and it is not served.
pub(crate) type Reader<T> = fn(&mut Row<'_>, Value<'_>, &Defaults) -> Option<T>;

pub(crate) use location::location;
pub(crate) use product::product;

/// Reads a file of one JSON object a line.
pub(crate) fn read<T>(
    file: &str,
    lines: &mut Lines<'_>,
    defaults: &Defaults,
    reader: Reader<T>,
    on: &mut dyn FnMut(Record<T>),
) -> Tally {
    let mut tally = Tally::default();
    while let Some((line, text)) = lines.next() {
        if text.as_ref().is_ok_and(|text| text.trim().is_empty()) {
            continue;
        }
        let is_row = !text.as_ref().is_err_and(Fault::ends_feed);
        let parsed = text.and_then(json::parse);
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(file, line, &mut on_problem);
        let read = row.or_refuse(parsed).and_then(|value| reader(&mut row, value, defaults));
        tally.rows += u64::from(is_row);
        match read {
            Some(value) => on(Record::Value { line, value }),
            None => tally.refused += u64::from(is_row),
        }
    }
    tally
}
