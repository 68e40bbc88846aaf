//! Shopify product exports: rows with one Handle, one after the other, are one
//! product; each is a variant, a picture, or both.
//!
//! An export has no ids. A product's id is its Handle; a variant's is its SKU
//! when no variant before has it, else the Handle with the option values. So ids
//! stay the same from export to export. Products that are drafts, archived or
//! not published are no rows; one warning at the end counts them. An export has
//! dozens of columns that say nothing to buyers: those are passed over.

mod column;
mod draft;

use crate::lines::Lines;
use crate::problem::{Fault, Problem, ProblemCode, Severity};
use crate::row::Row;
use crate::table::{Table, lacking};
use crate::{Reading, Record, Tally};
use catalog::Product;
use column::{Column, Columns};
use draft::{Draft, Unpublished};
use std::collections::HashSet;

/// The columns without which nothing can be served.
const NEEDED: [Column; 3] = [Column::Handle, Column::Title, Column::Price];

/// Reads an export; a row of the tally is a product.
pub(crate) fn read(
    file: &str,
    lines: Lines<'_>,
    reading: Reading<'_>,
    on: &mut dyn FnMut(Record<Product>),
) -> Tally {
    let Some((mut table, line, header)) = Table::open(lines) else {
        return Tally::default();
    };
    let columns = match header.and_then(|names| columns(&names)) {
        Ok(columns) => columns,
        Err(fault) => {
            on(Record::Problem(fault.at(file, line, Severity::Refused)));
            return Tally::default();
        }
    };
    let mut export = Export::new(file, reading);
    while let Some((line, record)) = table.next() {
        let fields = match record {
            Ok(fields) => fields,
            Err(fault) => {
                // Which product the row was of cannot be known.
                let is_row = u64::from(!fault.ends_feed());
                export.tally.rows += is_row;
                export.tally.refused += is_row;
                on(Record::Problem(fault.at(file, line, Severity::Refused)));
                continue;
            }
        };
        let Some(handle) = columns.cell(fields, Column::Handle) else {
            export.tally.rows += 1;
            export.tally.refused += 1;
            let fault = Fault::new(Column::Handle.name(), ProblemCode::Missing, "is blank");
            on(Record::Problem(fault.at(file, line, Severity::Refused)));
            continue;
        };
        if export.draft.as_ref().is_some_and(|draft| draft.handle != handle) {
            export.finish_product(on);
        }
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(file, line, &mut on_problem);
        if export.draft.is_none() {
            export.draft = Some(Draft::begin(&mut row, line, handle, &columns, fields));
        }
        if let Some(draft) = &mut export.draft {
            draft.row(&mut row, &columns, fields, reading, &mut export.taken);
        }
    }
    export.finish(on)
}

/// Whether a header is one of this format.
pub(crate) fn is_header(names: &[&str]) -> bool {
    let found: Vec<Column> = names.iter().filter_map(|name| Column::of(name)).collect();
    NEEDED.iter().all(|needed| found.contains(needed))
}

fn columns(names: &[String]) -> Result<Columns, Fault> {
    let columns = Columns::of(names);
    let missing: Vec<&str> =
        NEEDED.into_iter().filter(|needed| !columns.has(*needed)).map(Column::name).collect();
    if missing.is_empty() {
        return Ok(columns);
    }
    Err(lacking(&missing, "Handle, Title and Variant Price are needed"))
}

/// One export on its way to products.
struct Export<'a> {
    file: &'a str,
    reading: Reading<'a>,
    draft: Option<Draft>,
    /// The ids of all variants so far.
    taken: HashSet<Box<str>>,
    tally: Tally,
    /// How many are drafts or archived, how many hidden, and the first one's line.
    unserved: (u64, u64, u64),
}

impl<'a> Export<'a> {
    fn new(file: &'a str, reading: Reading<'a>) -> Self {
        let (taken, tally) = (HashSet::new(), Tally::default());
        Self { file, reading, draft: None, taken, tally, unserved: (0, 0, 0) }
    }

    fn finish_product(&mut self, on: &mut dyn FnMut(Record<Product>)) {
        let Some(draft) = self.draft.take() else { return };
        let line = draft.line;
        if let Some(why) = draft.unpublished {
            let (drafts, hidden, first) = &mut self.unserved;
            if *drafts + *hidden == 0 {
                *first = line;
            }
            match why {
                Unpublished::Status => *drafts += 1,
                Unpublished::Hidden => *hidden += 1,
            }
            return;
        }
        self.tally.rows += 1;
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(self.file, line, &mut on_problem);
        match draft.finish(&mut row, &self.reading.defaults.language) {
            Some(value) => on(Record::Value { line, value }),
            None => self.tally.refused += 1,
        }
    }

    fn finish(mut self, on: &mut dyn FnMut(Record<Product>)) -> Tally {
        self.finish_product(on);
        let (drafts, hidden, first) = self.unserved;
        if drafts + hidden > 0 {
            let text = format!(
                "from here on, products that are draft or archived: {drafts}, not published: \
                 {hidden}; they are not served"
            );
            let fault = Fault::new("", ProblemCode::NotPublished, text);
            on(Record::Problem(fault.at(self.file, first, Severity::Warning)));
        }
        self.tally
    }
}
