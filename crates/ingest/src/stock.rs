//! Stock as CSV: `location_id,item_id,quantity[,status]`, columns in any order.
//!
//! The delimiter is the one that the header uses: a comma, a semicolon (as
//! spreadsheets write where the comma is the decimal mark) or a tab.

pub(crate) mod local;

use crate::lines::Lines;
use crate::problem::{Fault, ProblemCode, Severity, excerpt};
use crate::table::records::Records;
use crate::{Record, Tally};
use csv::StringRecord;
use location::LocationId;
use location::inventory::{StockLine, StockStatus};

const LOCATION_ID: &str = "location_id";
const ITEM_ID: &str = "item_id";
const QUANTITY: &str = "quantity";
const STATUS: &str = "status";

/// Reads a file with a header and one stock line a record.
pub(crate) fn read(file: &str, lines: Lines<'_>, on: &mut dyn FnMut(Record<StockLine>)) -> Tally {
    let mut tally = Tally::default();
    let mut records = Records::new(lines);
    let mut fields = StringRecord::new();
    let Some((line, header)) = records.next(&mut fields) else {
        return tally;
    };
    let mut report = |line, severity, fault: Fault| {
        on(Record::Problem(fault.at(file, line, severity)));
    };
    let columns = match header.and_then(|()| Columns::of(&fields)) {
        Ok((columns, warnings)) => {
            warnings.into_iter().for_each(|fault| report(line, Severity::Warning, fault));
            columns
        }
        Err(fault) => {
            report(line, Severity::Refused, fault);
            return tally;
        }
    };
    records.expect_fields(fields.len());
    while let Some((line, record)) = records.next(&mut fields) {
        let read = record.and_then(|()| columns.stock_line(&fields));
        let is_row = !read.as_ref().is_err_and(Fault::ends_feed);
        tally.rows += u64::from(is_row);
        match read {
            Ok(value) => on(Record::Value { line, value }),
            Err(fault) => {
                tally.refused += u64::from(is_row);
                on(Record::Problem(fault.at(file, line, Severity::Refused)));
            }
        }
    }
    tally
}

/// Where the columns are.
struct Columns {
    count: usize,
    location_id: usize,
    item_id: usize,
    quantity: usize,
    status: Option<usize>,
}

impl Columns {
    /// Finds the columns in a header, and says which ones are not read.
    fn of(header: &StringRecord) -> Result<(Self, Vec<Fault>), Fault> {
        let names: Vec<String> =
            header.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let required = [LOCATION_ID, ITEM_ID, QUANTITY].map(|name| (name, place(name)));
        let [(_, Some(location_id)), (_, Some(item_id)), (_, Some(quantity))] = required else {
            let missing: Vec<&str> = required
                .iter()
                .filter(|(_, place)| place.is_none())
                .map(|(name, _)| *name)
                .collect();
            let text = format!(
                "the header lacks {}: {LOCATION_ID}, {ITEM_ID} and {QUANTITY} are needed, \
                 {STATUS} is optional",
                missing.join(", ")
            );
            let field = if let [alone] = missing[..] { alone } else { "" };
            return Err(Fault::new(field, ProblemCode::Missing, text));
        };
        let columns =
            Self { count: names.len(), location_id, item_id, quantity, status: place(STATUS) };
        let read = [Some(location_id), Some(item_id), Some(quantity), columns.status];
        let extra: Vec<String> = names
            .iter()
            .enumerate()
            .filter(|(index, name)| !read.contains(&Some(*index)) && !name.is_empty())
            .map(|(_, name)| format!("`{}`", excerpt(name)))
            .collect();
        let mut warnings = Vec::new();
        if !extra.is_empty() {
            let text = format!("columns that are not read: {}", extra.join(", "));
            warnings.push(Fault::new("", ProblemCode::UnknownColumn, text));
        }
        Ok((columns, warnings))
    }

    fn stock_line(&self, fields: &StringRecord) -> Result<StockLine, Fault> {
        let spare = fields.iter().skip(self.count).any(|field| !field.trim().is_empty());
        let needed = self.location_id.max(self.item_id).max(self.quantity);
        if spare || fields.len() <= needed {
            let text = format!("has {} fields, the header {}", fields.len(), self.count);
            return Err(Fault::new("", ProblemCode::InvalidCsv, text));
        }
        let field = |index: usize| fields.get(index).unwrap_or_default().trim();
        let id = |index: usize, name: &str| match field(index) {
            "" => Err(Fault::new(name, ProblemCode::Missing, "is blank")),
            id => Ok(id),
        };
        let blank = || Fault::new(LOCATION_ID, ProblemCode::Missing, "is blank");
        let location = id(self.location_id, LOCATION_ID)?;
        Ok(StockLine {
            location: LocationId::new(location).ok_or_else(blank)?,
            item: id(self.item_id, ITEM_ID)?.to_owned(),
            quantity: quantity(field(self.quantity))?,
            status: status(self.status.map_or("", field))?,
        })
    }
}

/// A count, or `None` when blank. Spreadsheets and data frames write a whole
/// number as `5.0` where a column has blanks.
fn quantity(text: &str) -> Result<Option<u64>, Fault> {
    if text.is_empty() {
        return Ok(None);
    }
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|b| b == b'0') => whole,
        _ => text,
    };
    let digits = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| whole.parse().ok()).flatten().map(Some).ok_or_else(|| {
        let text = format!("`{}` is no whole number from 0", excerpt(text));
        Fault::new(QUANTITY, ProblemCode::InvalidValue, text)
    })
}

fn status(text: &str) -> Result<StockStatus, Fault> {
    match text.to_ascii_lowercase().as_str() {
        "" | "in_stock" => Ok(StockStatus::InStock),
        "out_of_stock" => Ok(StockStatus::OutOfStock),
        "backorder" => Ok(StockStatus::Backorder),
        "preorder" => Ok(StockStatus::Preorder),
        _ => {
            let text = format!(
                "`{}` is none of in_stock, out_of_stock, backorder, preorder",
                excerpt(text)
            );
            Err(Fault::new(STATUS, ProblemCode::InvalidValue, text))
        }
    }
}
