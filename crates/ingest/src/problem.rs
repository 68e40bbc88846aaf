//! What is wrong with a feed, said so that a merchant finds and mends it.
//!
//! A fault costs as little as it can: a member, else a variant, else a row,
//! never the feed. Each one is reported as a [`Problem`]; how problems are
//! printed, counted or logged is the application's choice.

use std::fmt;

/// One fault in one row of a feed.
///
/// Shown as `file:line: field: text`, without `field: ` when the whole row is
/// meant; always on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The feed as the configuration names it.
    pub file: String,
    /// Line of the file, after decompression, from 1; of a row of several lines
    /// the first.
    pub line: u64,
    /// Where in the row: a path such as `variants[2].price.amount`, a column
    /// name, or nothing for the whole row.
    pub field: String,
    /// What kind of fault.
    pub code: ProblemCode,
    /// What it costs.
    pub severity: Severity,
    /// The fault in words.
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.text)
    }
}

/// What a fault costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something in the row was dropped or changed; the rest is served.
    Warning,
    /// The row is not served; or the variant, when `field` names one.
    Refused,
}

macro_rules! problem_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)+) => {
        /// The kinds of faults.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode {
            $($(#[$doc])* $name,)+
        }

        impl ProblemCode {
            /// The name for machines, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

problem_codes! {
    /// The feed is in no format that is read for its kind.
    UnsupportedFormat = "unsupported_format",
    /// The file cannot be read any further.
    Unreadable = "unreadable",
    /// The file is another one after the reading than before it, so what was read is
    /// perhaps a mix of both; said by whoever opens the files.
    ChangedWhileRead = "changed_while_read",
    /// The compressed file ends too early; what came before is served.
    Truncated = "truncated",
    /// The line is longer than [`MAX_LINE_BYTES`](crate::MAX_LINE_BYTES).
    LineTooLong = "line_too_long",
    /// The line is not UTF-8.
    InvalidEncoding = "invalid_encoding",
    /// The line is no JSON, or nested too deep.
    InvalidJson = "invalid_json",
    /// The item is no well-formed XML.
    InvalidXml = "invalid_xml",
    /// The row is no CSV.
    InvalidCsv = "invalid_csv",
    /// An object names a member twice.
    DuplicateKey = "duplicate_key",
    /// A required member or column is absent, null or blank.
    Missing = "missing",
    /// A member is of the wrong JSON type.
    WrongType = "wrong_type",
    /// A value is outside its range or not in its form.
    InvalidValue = "invalid_value",
    /// Hours that may not be published (rule H6).
    InvalidSchedule = "invalid_schedule",
    /// A member that the format does not have (rule C15).
    UnknownMember = "unknown_member",
    /// A column that the format does not have.
    UnknownColumn = "unknown_column",
    /// A currency that ISO 4217 does not have.
    UnknownCurrency = "unknown_currency",
    /// A translation of something that the row does not have.
    UnknownReference = "unknown_reference",
    /// An id that an earlier row or variant has.
    DuplicateId = "duplicate_id",
    /// An id that names two things of different kinds.
    AmbiguousId = "ambiguous_id",
    /// Something said twice, the first of which stands.
    Repeated = "repeated",
    /// A value that was mended.
    Changed = "changed",
    /// Something that the merchant does not publish, which is therefore not served.
    NotPublished = "not_published",
    /// More than one product or file may have.
    TooMany = "too_many",
    /// A product of which no variant can be served.
    NoVariant = "no_variant",
    /// A variant without any price (rule C18).
    NoPrice = "no_price",
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A fault before anybody has decided what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) field: String,
    pub(crate) code: ProblemCode,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(
        field: impl fmt::Display,
        code: ProblemCode,
        text: impl Into<String>,
    ) -> Self {
        let mut text = text.into();
        if text.contains(char::is_control) {
            text = text.chars().flat_map(escape_control).collect();
        }
        Self { field: field.to_string(), code, text }
    }

    /// Whether nothing can be read after it; it is then no row of its own.
    pub(crate) const fn ends_feed(&self) -> bool {
        matches!(self.code, ProblemCode::Truncated | ProblemCode::Unreadable)
    }

    pub(crate) fn at(self, file: &str, line: u64, severity: Severity) -> Problem {
        let Self { field, code, text } = self;
        Problem { file: file.to_owned(), line, field, code, severity, text }
    }
}

/// A report has one line a problem, whatever a feed says.
fn escape_control(character: char) -> impl Iterator<Item = char> {
    let escaped = character.is_control().then(|| character.escape_debug());
    let itself = (!character.is_control()).then_some(character);
    escaped.into_iter().flatten().chain(itself)
}

/// The beginning of a text from a feed, fit for one line of a report.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_one_line() {
        let fault = Fault::new("price", ProblemCode::Missing, "is missing");
        let mut problem = fault.at("products.jsonl", 7, Severity::Refused);
        assert_eq!(problem.to_string(), "products.jsonl:7: price: is missing");
        problem.field.clear();
        assert_eq!(problem.to_string(), "products.jsonl:7: is missing");
        assert_eq!(problem.code.to_string(), "missing");
    }

    #[test]
    fn an_excerpt_is_short_and_on_one_line() {
        assert_eq!(excerpt("Tênis\nazul"), "Tênis\\nazul");
        assert_eq!(excerpt(&"é".repeat(1000)).chars().count(), 61);
    }
}
