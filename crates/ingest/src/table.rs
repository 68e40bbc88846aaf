//! A table of text: a header, then one record a row; CSV and TSV alike.
//!
//! What the columns mean is the formats' business. A record may be shorter than
//! the header, since many programs leave blank cells at the end away; a longer
//! one is refused, for nobody can know which column its cells are of.

pub(crate) mod records;

use crate::lines::Lines;
use crate::problem::{Fault, ProblemCode, excerpt};
use csv::StringRecord;
use records::Records;

/// How many lines a record may span; a description of HTML has many.
const MAX_RECORD_LINES: usize = 1_000;

/// The records of one table after its header.
pub(crate) struct Table<'r> {
    records: Records<'r>,
    fields: StringRecord,
    width: usize,
}

impl<'r> Table<'r> {
    /// Reads the header: its line and its names as they stand; `None` when the
    /// file is empty.
    pub(crate) fn open(lines: Lines<'r>) -> Option<(Self, u64, Result<Vec<String>, Fault>)> {
        let mut records = Records::new(lines).spanning(MAX_RECORD_LINES);
        let mut fields = StringRecord::new();
        let (line, header) = records.next(&mut fields)?;
        let header = header.map(|()| fields.iter().map(|name| name.trim().to_owned()).collect());
        let width = fields.len();
        records.expect_fields(width);
        Some((Self { records, fields, width }, line, header))
    }

    /// The next record, or what is wrong with it.
    pub(crate) fn next(&mut self) -> Option<(u64, Result<&StringRecord, Fault>)> {
        let (line, read) = self.records.next(&mut self.fields)?;
        let read = read.and_then(|()| {
            if self.fields.iter().skip(self.width).any(|field| !field.trim().is_empty()) {
                let text = format!("has {} fields, the header {}", self.fields.len(), self.width);
                return Err(Fault::new("", ProblemCode::InvalidCsv, text));
            }
            Ok(&self.fields)
        });
        Some((line, read))
    }
}

/// The warning about columns that a format does not have; `None` without any.
pub(crate) fn unknown_columns<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<Fault> {
    let names: Vec<String> = names
        .into_iter()
        .filter(|name| !name.is_empty())
        .map(|name| format!("`{}`", excerpt(name)))
        .collect();
    let text = format!("columns that are not read: {}", names.join(", "));
    (!names.is_empty()).then(|| Fault::new("", ProblemCode::UnknownColumn, text))
}

/// The fault of a header that lacks columns, `needed` in words.
pub(crate) fn lacking(missing: &[&str], needed: &str) -> Fault {
    let text = format!("the header lacks {}: {needed}", missing.join(", "));
    let field = if let [alone] = missing { alone } else { "" };
    Fault::new(field, ProblemCode::Missing, text)
}
