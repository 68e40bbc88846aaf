//! The records of a CSV file, with their line numbers.
//!
//! A quoted field may hold line breaks, so a quote that is never closed would
//! swallow every row behind it. Here it costs its own line: a record of several
//! lines counts only when its quotes are in order and it has as many fields as
//! the header; else its first line is refused and reading goes on at its second.
//!
//! Between tabs a quote is often just a quote (`"Venice" poster`): there a record
//! whose quotes are not in order is taken as it stands.

use crate::lines::Lines;
use crate::problem::{Fault, ProblemCode};
use csv::{ReaderBuilder, StringRecord, Terminator};
use std::collections::VecDeque;

/// The longest record that is read, in lines (unless said otherwise) and in bytes.
const MAX_RECORD_LINES: usize = 100;
const MAX_RECORD_BYTES: usize = 1024 * 1024;

type Line = (u64, Result<String, Fault>);

pub(crate) struct Records<'r> {
    lines: Lines<'r>,
    /// Lines that were read ahead in search of a closing quote.
    ahead: VecDeque<Line>,
    delimiter: Option<u8>,
    fields: Option<usize>,
    most_lines: usize,
}

impl<'r> Records<'r> {
    pub(crate) fn new(lines: Lines<'r>) -> Self {
        Self {
            lines,
            ahead: VecDeque::new(),
            delimiter: None,
            fields: None,
            most_lines: MAX_RECORD_LINES,
        }
    }

    /// Lets a record span up to `lines` lines.
    pub(crate) const fn spanning(mut self, lines: usize) -> Self {
        self.most_lines = lines;
        self
    }

    /// How many fields a record of several lines must have.
    pub(crate) fn expect_fields(&mut self, count: usize) {
        self.fields = Some(count);
    }

    /// Reads the next record into `fields`, or says what is wrong with it.
    pub(crate) fn next(&mut self, fields: &mut StringRecord) -> Option<(u64, Result<(), Fault>)> {
        loop {
            let (number, line) = match self.ahead.pop_front() {
                Some(line) => line,
                None => {
                    let (number, line) = self.lines.next()?;
                    // Most lines have no quote and need not be kept.
                    match line {
                        Ok(line) if line.trim().is_empty() => continue,
                        Ok(line) if !line.contains('"') => {
                            let delimiter = *self.delimiter.get_or_insert_with(|| delimiter(line));
                            split(line, delimiter, fields);
                            return Some((number, Ok(())));
                        }
                        line => (number, line.map(str::to_owned)),
                    }
                }
            };
            match line {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => return Some((number, self.quoted(line, fields))),
                Err(fault) => return Some((number, Err(fault))),
            }
        }
    }

    /// Reads a record that has quotes and begins with `line`.
    fn quoted(&mut self, line: String, fields: &mut StringRecord) -> Result<(), Fault> {
        let delimiter = *self.delimiter.get_or_insert_with(|| delimiter(&line));
        let mut scan = Scan::default();
        scan.line(&line, delimiter);
        if !scan.in_quotes() {
            if delimiter == b'\t' && scan.stray {
                split(&line, delimiter, fields);
            } else {
                parse(&line, delimiter, fields);
            }
            return Ok(());
        }
        let first_ends = line.len();
        let mut taken: Vec<Line> = Vec::new();
        let mut record = line;
        while scan.in_quotes() && taken.len() < self.most_lines && record.len() < MAX_RECORD_BYTES {
            let next = self.ahead.pop_front().or_else(|| {
                self.lines.next().map(|(number, line)| (number, line.map(str::to_owned)))
            });
            let Some((number, line)) = next else { break };
            let broken = line.is_err();
            if let Ok(line) = &line {
                record.push('\n');
                record.push_str(line);
                scan.line(line, delimiter);
            }
            taken.push((number, line));
            if broken {
                break;
            }
        }
        if scan.is_closed_well() {
            parse(&record, delimiter, fields);
            if self.fields.is_none_or(|count| count == fields.len()) {
                return Ok(());
            }
        }
        for line in taken.into_iter().rev() {
            self.ahead.push_front(line);
        }
        if delimiter == b'\t' {
            record.truncate(first_ends);
            split(&record, delimiter, fields);
            return Ok(());
        }
        Err(Fault::new("", ProblemCode::InvalidCsv, "has a quote that is not closed"))
    }
}

/// Follows the quotes of a record.
#[derive(Default)]
struct Scan {
    state: Place,
    stray: bool,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Place {
    #[default]
    FieldStart,
    Bare,
    Quoted,
    /// After a quote in a quoted field: the field's end, or half an escape.
    QuoteInQuoted,
}

impl Scan {
    fn line(&mut self, line: &str, delimiter: u8) {
        if self.state != Place::Quoted {
            self.state = Place::FieldStart;
        }
        for byte in line.bytes() {
            self.state = match (self.state, byte) {
                (Place::FieldStart, b'"') | (Place::QuoteInQuoted, b'"') => Place::Quoted,
                (Place::Quoted, b'"') => Place::QuoteInQuoted,
                (Place::Quoted, _) => Place::Quoted,
                (_, byte) if byte == delimiter => Place::FieldStart,
                (Place::QuoteInQuoted, _) => {
                    self.stray = true;
                    Place::Bare
                }
                (Place::FieldStart | Place::Bare, _) => Place::Bare,
            };
        }
    }

    const fn in_quotes(&self) -> bool {
        matches!(self.state, Place::Quoted)
    }

    const fn is_closed_well(&self) -> bool {
        !self.in_quotes() && !self.stray
    }
}

fn split(line: &str, delimiter: u8, fields: &mut StringRecord) {
    fields.clear();
    line.split(char::from(delimiter)).for_each(|field| fields.push_field(field));
}

fn parse(record: &str, delimiter: u8, fields: &mut StringRecord) {
    fields.clear();
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .terminator(Terminator::Any(b'\n'))
        .buffer_capacity(record.len().max(1))
        .from_reader(record.as_bytes());
    // Reading text from memory cannot fail; no fields is what a fault would leave.
    if reader.read_record(fields).is_err() {
        fields.clear();
    }
}

/// The delimiter of a header: a tab where there is one, else the first of the others.
fn delimiter(header: &str) -> u8 {
    if header.contains('\t') {
        return b'\t';
    }
    header.bytes().find(|byte| matches!(byte, b',' | b';')).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, expected: usize) -> Vec<(u64, Option<Vec<String>>)> {
        let mut records = Records::new(Lines::new(text.as_bytes()));
        records.expect_fields(expected);
        let (mut fields, mut seen) = (StringRecord::new(), Vec::new());
        while let Some((line, read)) = records.next(&mut fields) {
            seen.push((line, read.ok().map(|()| fields.iter().map(str::to_owned).collect())));
        }
        seen
    }

    fn some(fields: &[&str]) -> Option<Vec<String>> {
        Some(fields.iter().map(|field| (*field).to_owned()).collect())
    }

    #[test]
    fn quoted_fields_may_hold_line_breaks() {
        let text = "a,\"one\n\ntwo \"\"2\"\"\",c\r\n\n\"x\",y,z\n";
        let expected =
            vec![(1, some(&["a", "one\n\ntwo \"2\"", "c"])), (5, some(&["x", "y", "z"]))];
        assert_eq!(all(text, 3), expected);
    }

    #[test]
    fn a_quote_that_is_not_closed_costs_its_line() {
        let text = "a,\"b\nc,d\n\"e\",f\n\"g,h\ni,j\n";
        let expected = vec![
            (1, None),
            (2, some(&["c", "d"])),
            (3, some(&["e", "f"])),
            (4, None),
            (5, some(&["i", "j"])),
        ];
        assert_eq!(all(text, 2), expected);
    }

    #[test]
    fn between_tabs_a_quote_may_be_just_a_quote() {
        let text = "h\ti\n\"Venice\" poster\ta \"b\"\n\"open\tx\n\"c\td\"\t\"e \"\"f\"\"\"\n";
        let expected = vec![
            (1, some(&["h", "i"])),
            (2, some(&["\"Venice\" poster", "a \"b\""])),
            (3, some(&["\"open", "x"])),
            (4, some(&["c\td", "e \"f\""])),
        ];
        assert_eq!(all(text, 2), expected);
    }

    #[test]
    fn an_inch_mark_inside_a_field_is_no_quote() {
        assert_eq!(all("27\" screen;\"a\"b\n", 2), [(1, some(&["27\" screen", "ab"]))]);
    }
}
