//! Google's local inventory feed: `store_code,id,quantity,availability,price`.
//!
//! Where a store sells at a price of its own, the feed says so; a stock line
//! has no price, so that column is known and not read.

use super::quantity;
use crate::lines::Lines;
use crate::problem::{Fault, ProblemCode, Severity, excerpt};
use crate::table::{Table, lacking, unknown_columns};
use crate::xml;
use crate::{Record, Tally};
use location::LocationId;
use location::inventory::{StockLine, StockStatus};

const STORE_CODE: &str = "store_code";
const ITEM_ID: &str = "id";
const QUANTITY: &str = "quantity";
const AVAILABILITY: &str = "availability";
/// Known, and nothing that a stock line has.
const NOT_READ: [&str; 6] = [
    "price",
    "sale_price",
    "sale_price_effective_date",
    "pickup_method",
    "pickup_sla",
    "weeks_of_supply",
];

/// What a column or an element gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    StoreCode,
    ItemId,
    Quantity,
    Availability,
}

impl Part {
    /// By its name in any case, with or without `g:`, with spaces or underscores.
    fn of(name: &str) -> Option<Self> {
        match crate::google::plain_name(name).as_str() {
            STORE_CODE => Some(Self::StoreCode),
            ITEM_ID | "itemid" | "item_id" | "offer_id" => Some(Self::ItemId),
            QUANTITY => Some(Self::Quantity),
            AVAILABILITY => Some(Self::Availability),
            _ => None,
        }
    }
}

/// Reads a table of stock lines.
pub(crate) fn read_table(
    file: &str,
    lines: Lines<'_>,
    on: &mut dyn FnMut(Record<StockLine>),
) -> Tally {
    let mut tally = Tally::default();
    let Some((mut table, line, header)) = Table::open(lines) else {
        return tally;
    };
    let mut report = |severity, fault: Fault| on(Record::Problem(fault.at(file, line, severity)));
    let columns = match header.and_then(|names| columns(&names)) {
        Ok((columns, warning)) => {
            warning.into_iter().for_each(|fault| report(Severity::Warning, fault));
            columns
        }
        Err(fault) => {
            report(Severity::Refused, fault);
            return tally;
        }
    };
    while let Some((line, record)) = table.next() {
        let read = record.and_then(|fields| {
            let mut said = Said::default();
            for (field, part) in fields.iter().zip(&columns) {
                if let Some(part) = part {
                    said.add(*part, field);
                }
            }
            said.stock_line()
        });
        count(&mut tally, file, line, read, on);
    }
    tally
}

/// Reads an RSS 2.0 or Atom feed of stock lines.
pub(crate) fn read_xml(
    file: &str,
    lines: Lines<'_>,
    on: &mut dyn FnMut(Record<StockLine>),
) -> Tally {
    let mut tally = Tally::default();
    let mut items = xml::Items::new(lines);
    while let Some((line, read)) = items.next() {
        let read = read.and_then(|elements| {
            let mut said = Said::default();
            // Google's own elements before those of RSS and Atom.
            for prefixed in [true, false] {
                for (name, text) in elements.iter().filter(|(n, _)| n.contains(':') == prefixed) {
                    if let Some(part) = Part::of(name.rsplit(':').next().unwrap_or(name)) {
                        said.add(part, text);
                    }
                }
            }
            said.stock_line()
        });
        count(&mut tally, file, line, read, on);
    }
    tally
}

/// Whether a header is one of this format.
pub(crate) fn is_header(names: &[&str]) -> bool {
    let found: Vec<Part> = names.iter().filter_map(|name| Part::of(name)).collect();
    found.contains(&Part::StoreCode) && found.contains(&Part::ItemId)
}

/// Hands over one line, or what refuses it.
fn count(
    tally: &mut Tally,
    file: &str,
    line: u64,
    read: Result<StockLine, Fault>,
    on: &mut dyn FnMut(Record<StockLine>),
) {
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

/// What one row says, the first value of each.
#[derive(Default)]
struct Said<'a>([Option<&'a str>; 4]);

impl<'a> Said<'a> {
    fn add(&mut self, part: Part, text: &'a str) {
        let text = text.trim();
        if !text.is_empty() {
            self.0[part as usize].get_or_insert(text);
        }
    }

    fn stock_line(&self) -> Result<StockLine, Fault> {
        let blank = |name: &str| Fault::new(name, ProblemCode::Missing, "is blank");
        let said = |part: Part| self.0[part as usize];
        let location = said(Part::StoreCode).and_then(LocationId::new);
        let (count, status) = (said(Part::Quantity), said(Part::Availability));
        let line = StockLine {
            location: location.ok_or_else(|| blank(STORE_CODE))?,
            item: said(Part::ItemId).ok_or_else(|| blank(ITEM_ID))?.to_owned(),
            quantity: quantity(count.unwrap_or_default())?,
            status: availability(status.unwrap_or_default())?,
        };
        if count.is_none() && status.is_none() {
            return Err(Fault::new(
                QUANTITY,
                ProblemCode::Missing,
                "is blank, and so is availability",
            ));
        }
        Ok(line)
    }
}

fn columns(names: &[String]) -> Result<(Vec<Option<Part>>, Option<Fault>), Fault> {
    let columns: Vec<Option<Part>> = names.iter().map(|name| Part::of(name)).collect();
    let has = |part: Part| columns.contains(&Some(part));
    let mut missing: Vec<&str> = Vec::new();
    missing.extend((!has(Part::StoreCode)).then_some(STORE_CODE));
    missing.extend((!has(Part::ItemId)).then_some(ITEM_ID));
    missing.extend((!has(Part::Quantity) && !has(Part::Availability)).then_some(QUANTITY));
    if !missing.is_empty() {
        let needed = "store_code, id and quantity or availability are needed";
        return Err(lacking(&missing, needed));
    }
    let unknown = names.iter().filter(|name| {
        Part::of(name).is_none() && !NOT_READ.contains(&&*crate::google::plain_name(name))
    });
    Ok((columns, unknown_columns(unknown.map(String::as_str))))
}

fn availability(text: &str) -> Result<StockStatus, Fault> {
    match text.to_ascii_lowercase().replace([' ', '-'], "_").as_str() {
        "" | "in_stock" | "limited_availability" => Ok(StockStatus::InStock),
        "out_of_stock" => Ok(StockStatus::OutOfStock),
        // The store orders what it shows, so it comes later.
        "backorder" | "on_display_to_order" => Ok(StockStatus::Backorder),
        "preorder" | "pre_order" => Ok(StockStatus::Preorder),
        _ => {
            let text = format!(
                "`{}` is none of in_stock, limited_availability, on_display_to_order, \
                 out_of_stock, backorder, preorder",
                excerpt(text)
            );
            Err(Fault::new(AVAILABILITY, ProblemCode::InvalidValue, text))
        }
    }
}
