//! Google Merchant product feeds: TSV, CSV, RSS 2.0 and Atom, by Google's
//! product data specification.
//!
//! A row is one variant; rows that share an `item_group_id` are one product
//! with that id. A row without a group is a product and its only variant, both
//! by its `id`: in stock and in filters the two mean the same.

mod attribute;
mod group;
pub(crate) mod item;
mod sale;

use crate::lines::Lines;
use crate::problem::{Fault, Problem, ProblemCode, Severity, excerpt};
use crate::row::Row;
use crate::table::{Table, lacking, unknown_columns};
use crate::xml;
use crate::{Reading, Record, Tally};
pub(crate) use attribute::plain_name;
use attribute::{Attribute, Values, is_known_and_not_read};
use catalog::Product;
use group::{Groups, MAX_HELD_BYTES, product};
use std::collections::{HashMap, HashSet};

/// The columns without which nothing can be served.
const NEEDED: [Attribute; 3] = [Attribute::Id, Attribute::Title, Attribute::Price];

/// Reads a table of items.
pub(crate) fn read_table(
    file: &str,
    lines: Lines<'_>,
    reading: Reading<'_>,
    on: &mut dyn FnMut(Record<Product>),
) -> Tally {
    let mut feed = Items::new(file, reading, MAX_HELD_BYTES);
    let Some((mut table, line, header)) = Table::open(lines) else {
        return feed.tally;
    };
    let mut report = |severity, fault: Fault| on(Record::Problem(fault.at(file, line, severity)));
    let columns = match header.and_then(|names| columns(&names)) {
        Ok((columns, warnings)) => {
            warnings.into_iter().for_each(|fault| report(Severity::Warning, fault));
            columns
        }
        Err(fault) => {
            report(Severity::Refused, fault);
            return feed.tally;
        }
    };
    while let Some((line, record)) = table.next() {
        let mut values = Values::new();
        let record = record.map(|fields| {
            for (field, column) in fields.iter().zip(&columns) {
                if let Some(attribute) = column {
                    values.add(*attribute, field);
                }
            }
        });
        feed.row(line, record.map(|()| values), on);
    }
    feed.finish(on)
}

/// Reads an RSS 2.0 or Atom feed.
pub(crate) fn read_xml(
    file: &str,
    lines: Lines<'_>,
    reading: Reading<'_>,
    on: &mut dyn FnMut(Record<Product>),
) -> Tally {
    let mut feed = Items::new(file, reading, MAX_HELD_BYTES);
    let mut items = xml::Items::new(lines);
    let mut unknown = Unknown::default();
    while let Some((line, read)) = items.next() {
        let elements = match read {
            Ok(elements) => elements,
            Err(fault) => {
                feed.row(line, Err(fault), on);
                continue;
            }
        };
        let mut warn = |fault: Fault| on(Record::Problem(fault.at(file, line, Severity::Warning)));
        let mut values = Values::new();
        // Where an Atom entry has both `id` and `g:id`, Google's own counts.
        for prefixed in [true, false] {
            for (name, text) in elements.iter().filter(|(name, _)| name.contains(':') == prefixed) {
                match xml_attribute(name) {
                    Some(attribute) if !values.add(attribute, text) && prefixed => {
                        let text = "is there twice; the first one stands";
                        warn(Fault::new(attribute.name(), ProblemCode::Repeated, text));
                    }
                    Some(_) => {}
                    None if prefixed => unknown.name(name).into_iter().for_each(&mut warn),
                    None => {}
                }
            }
        }
        feed.row(line, Ok(values), on);
    }
    feed.finish(on)
}

/// The attribute that an element gives, whatever its prefix.
fn xml_attribute(name: &str) -> Option<Attribute> {
    let local = name.rsplit(':').next().unwrap_or(name);
    // Atom has a summary where RSS has a description.
    if name == "summary" { Some(Attribute::Description) } else { Attribute::of(local) }
}

/// Elements that are not read, each of which is reported once a feed.
#[derive(Default)]
struct Unknown(HashSet<String>);

impl Unknown {
    fn name(&mut self, name: &str) -> Option<Fault> {
        const MOST: usize = 100;
        let local = name.rsplit(':').next().unwrap_or(name);
        let is_new =
            !is_known_and_not_read(local) && self.0.len() < MOST && self.0.insert(name.to_owned());
        let text = "is no element that is known here; it is passed over";
        is_new.then(|| Fault::new(excerpt(name), ProblemCode::UnknownMember, text))
    }
}

/// Whether a header is one of this format.
pub(crate) fn is_header(names: &[&str]) -> bool {
    let found: Vec<Attribute> = names.iter().filter_map(|name| Attribute::of(name)).collect();
    let others = [Attribute::Price, Attribute::Link, Attribute::ImageLink, Attribute::Availability];
    found.contains(&Attribute::Id)
        && found.contains(&Attribute::Title)
        && others.iter().any(|other| found.contains(other))
}

/// What each column gives, and what is odd about the header.
fn columns(names: &[String]) -> Result<(Vec<Option<Attribute>>, Vec<Fault>), Fault> {
    let mut columns: Vec<Option<Attribute>> =
        names.iter().map(|name| Attribute::of(name)).collect();
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|needed| !columns.contains(&Some(**needed)))
        .map(|needed| needed.name())
        .collect();
    if !missing.is_empty() {
        return Err(lacking(&missing, "id, title and price are needed"));
    }
    let mut warnings = Vec::new();
    for index in 0..columns.len() {
        let Some(attribute) = columns[index] else { continue };
        if !attribute.repeats() && columns[..index].contains(&Some(attribute)) {
            columns[index] = None;
            let text = "is a column twice; the first one stands";
            warnings.push(Fault::new(attribute.name(), ProblemCode::Repeated, text));
        }
    }
    let unknown =
        names.iter().filter(|name| Attribute::of(name).is_none() && !is_known_and_not_read(name));
    warnings.extend(unknown_columns(unknown.map(String::as_str)));
    Ok((columns, warnings))
}

/// The rows of one feed on their way to products.
struct Items<'a> {
    file: &'a str,
    reading: Reading<'a>,
    groups: Groups,
    /// Ids of all rows so far, with their lines.
    seen: HashMap<Box<str>, u64>,
    tally: Tally,
}

impl<'a> Items<'a> {
    fn new(file: &'a str, reading: Reading<'a>, most: usize) -> Self {
        let (groups, seen) = (Groups::new(most), HashMap::new());
        Self { file, reading, groups, seen, tally: Tally::default() }
    }

    /// Reads one row, and serves what it completes.
    fn row(
        &mut self,
        line: u64,
        values: Result<Values<'_>, Fault>,
        on: &mut dyn FnMut(Record<Product>),
    ) {
        let is_row = !values.as_ref().is_err_and(Fault::ends_feed);
        self.tally.rows += u64::from(is_row);
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(self.file, line, &mut on_problem);
        let read = row.or_refuse(values).and_then(|values| {
            let item = item::item(&mut row, line, &values, self.reading)?;
            let id = item.id.as_str();
            if let Some(first) = self.seen.get(id) {
                let text = format!("`{}` is already the id of line {first}", excerpt(id));
                row.refuse(Fault::new("id", ProblemCode::DuplicateId, text));
                return None;
            }
            self.seen.insert(id.into(), line);
            let Some(group) = values.one(Attribute::ItemGroupId) else {
                return Some(Some(item));
            };
            let added = self.groups.add(group, item);
            row.or_refuse(added).map(|()| None)
        });
        match read {
            None => self.tally.refused += u64::from(is_row),
            Some(Some(item)) => {
                let id = item.id.as_str().to_owned();
                self.serve(&id, vec![item], on);
            }
            Some(None) => {}
        }
        while let Some((group, items)) = self.groups.overflow() {
            self.serve(&group, items, on);
        }
    }

    /// Serves the groups that were waiting for more rows.
    fn finish(mut self, on: &mut dyn FnMut(Record<Product>)) -> Tally {
        while let Some((group, items)) = self.groups.next() {
            self.serve(&group, items, on);
        }
        self.tally
    }

    fn serve(&mut self, id: &str, items: Vec<item::Item>, on: &mut dyn FnMut(Record<Product>)) {
        let (rows, line) = (items.len() as u64, items.first().map_or(0, |item| item.line));
        match product(id, items, &self.reading.defaults.language) {
            Ok(value) => on(Record::Value { line, value }),
            Err(fault) => {
                self.tally.refused += rows;
                on(Record::Problem(fault.at(self.file, line, Severity::Refused)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Defaults;
    use catalog::{Currency, LanguageTag};

    #[test]
    fn held_rows_are_bounded_and_groups_that_stay_together_lose_nothing() {
        let defaults =
            Defaults { language: LanguageTag::new("pt").unwrap(), currency: Currency::BRL };
        let reading = Reading::at(&defaults, jiff::Timestamp::UNIX_EPOCH);
        let rows = ["a", "a", "b", "c", "c", "d", "a"];
        let (mut served, mut said) = (Vec::new(), Vec::new());
        let mut on = |record| match record {
            Record::Value { value, .. } => {
                let value: Product = value;
                served.push((value.id.as_str().to_owned(), value.variants.len()));
            }
            Record::Problem(problem) => said.push(problem.to_string()),
        };
        let mut feed = Items::new("f", reading, 6_000);
        for (line, group) in (2..).zip(rows) {
            let id = format!("v{line}");
            let mut values = Values::new();
            for (attribute, value) in [
                (Attribute::Id, id.as_str()),
                (Attribute::Title, "T"),
                (Attribute::Description, "D"),
                (Attribute::Price, "1 BRL"),
                (Attribute::ItemGroupId, group),
            ] {
                values.add(attribute, value);
            }
            feed.row(line, Ok(values), &mut on);
        }
        let tally = feed.finish(&mut on);
        let expected = [("a", 2), ("b", 1), ("c", 2), ("d", 1)];
        assert_eq!(served, expected.map(|(id, count)| (id.to_owned(), count)));
        let text = "the rows of `a` are too far apart: put the rows of a group together";
        assert_eq!(said, [format!("f:8: item_group_id: {text}")]);
        assert_eq!((tally.rows, tally.refused), (7, 1));
    }
}
