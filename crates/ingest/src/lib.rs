//! Feeds to domain values: one module per format, bytes in, values and problems out.
//!
//! A fault costs the smallest thing that it can (a member, a variant, a row),
//! never the feed, and is reported as a [`Problem`]. The streaming functions
//! [`read_products`], [`read_locations`] and [`read_stock`] need memory for one row
//! (in `shopify` one product) at a time, and for the ids where a format has to make
//! them unique; `google` also holds the rows of groups, at most 512 MiB of them.
//! [`each_product`] and [`each_location`] read several feeds as one stream with
//! every id once, by [`UniqueProducts`] and [`UniqueLocations`]; [`products`],
//! [`locations`], [`stock`] and the `merge_` functions collect. [`synonyms`] reads
//! what words mean the same.
//! Opening files, choosing feeds and printing problems are the application's work.

mod format;
mod geojson;
mod google;
mod gtin;
mod html;
mod json;
mod lines;
mod merge;
mod money;
mod problem;
mod row;
mod shopify;
mod stock;
mod stores;
mod synonyms;
mod table;
mod texts;
mod ucp;
mod unique;
mod unit_price;
mod values;
mod xml;
mod zoned;
mod zones;

pub use format::{FeedKind, Format, UnsupportedFormat};
pub use lines::MAX_LINE_BYTES;
pub use merge::{
    each_location, each_product, locations, merge_locations, merge_products, products,
};
pub use problem::{Problem, ProblemCode, Severity};
pub use synonyms::{Synonyms, synonyms};
pub use unique::{UniqueLocations, UniqueProducts};

use catalog::{Currency, LanguageTag, Product};
use jiff::Timestamp;
use lines::Lines;
use location::Location;
use location::inventory::StockLine;
use problem::Fault;
use std::cell::Cell;
use std::io::Read;

/// What a feed leaves unsaid.
#[derive(Debug, Clone)]
pub struct Defaults {
    /// Language of texts without a language tag.
    pub language: LanguageTag,
    /// Currency of prices in formats that may leave it out; `ucp` may not.
    pub currency: Currency,
}

/// What a reader knows besides the feed: what the feed leaves unsaid, and the time.
///
/// Made from [`Defaults`] alone it takes the system's clock; [`Reading::at`] takes
/// another.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// What the feed leaves unsaid.
    pub defaults: &'a Defaults,
    /// When the feed is read: a sale price counts where this lies in its dates.
    pub now: Timestamp,
    /// Where it is noted when the same feed will say something else.
    pub turn: Option<&'a Turn>,
}

/// The first moment after the reading at which the same feed says something else:
/// when a sale begins, or has ended.
#[derive(Debug, Default)]
pub struct Turn(Cell<Option<Timestamp>>);

impl Turn {
    /// The moment; `None` when the feed says the same for ever.
    pub const fn at(&self) -> Option<Timestamp> {
        self.0.get()
    }

    pub(crate) fn note(&self, at: Timestamp) {
        self.0.set(Some(self.0.get().map_or(at, |first| first.min(at))));
    }
}

impl<'a> Reading<'a> {
    /// Reads as of `now`.
    pub const fn at(defaults: &'a Defaults, now: Timestamp) -> Self {
        Self { defaults, now, turn: None }
    }

    /// The same, and notes in `turn` when the feed will say something else.
    #[must_use]
    pub const fn noting(self, turn: &'a Turn) -> Self {
        Self { turn: Some(turn), ..self }
    }
}

impl<'a> From<&'a Defaults> for Reading<'a> {
    fn from(defaults: &'a Defaults) -> Self {
        Self::at(defaults, Timestamp::now())
    }
}

/// What reading a feed brings, one after the other in the order of the rows; a
/// product of several rows comes when all of them have been read.
#[derive(Debug, Clone, PartialEq)]
pub enum Record<T> {
    /// A row that is served.
    Value {
        /// Where it begins in its file, from 1.
        line: u64,
        /// What it says.
        value: T,
    },
    /// A fault. Those of a row come before its value.
    Problem(Problem),
}

/// How many rows were read. What a row is, the format says: a line, a record, an
/// item, a feature; in `shopify` a product.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows of the feed; blank lines and headers are none.
    pub rows: u64,
    /// Rows that are not served.
    pub refused: u64,
    /// Locations whose time zone the feed does not say, derived from coordinates.
    pub zones_derived: u64,
}

/// A whole feed, or several as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Feed<T> {
    /// What is served, in feed order.
    pub values: Vec<T>,
    /// All faults, in feed order.
    pub problems: Vec<Problem>,
    /// Rows read; blank lines and headers are none.
    pub rows: u64,
    /// Rows that are not served, duplicates included.
    pub refused: u64,
    /// Locations whose time zone the feed does not say, derived from coordinates.
    pub zones_derived: u64,
}

impl<T> Default for Feed<T> {
    fn default() -> Self {
        let (values, problems) = (Vec::new(), Vec::new());
        Self { values, problems, rows: 0, refused: 0, zones_derived: 0 }
    }
}

/// One of several feeds to be read as one.
#[derive(Debug)]
pub struct Source<R> {
    /// The feed as the configuration names it.
    pub file: String,
    /// Its bytes, compressed or not.
    pub reader: R,
    /// Its format, where the configuration says so.
    pub format: Option<Format>,
}

/// Reads a product feed row by row. `file` names it in problems and helps to
/// find out the format where none is given. Ids are unique within a product
/// only; [`UniqueProducts`] looks further.
pub fn read_products<'d>(
    file: &str,
    reader: impl Read,
    format: Option<Format>,
    reading: impl Into<Reading<'d>>,
    on: &mut dyn FnMut(Record<Product>),
) -> Tally {
    let mut lines = Lines::new(reader);
    let reading = reading.into();
    or_empty(file, on, |on| match known_format(FeedKind::Products, file, &mut lines, format) {
        Ok(Format::Google) if lines.is_xml() => google::read_xml(file, lines, reading, on),
        Ok(Format::Google) => google::read_table(file, lines, reading, on),
        Ok(Format::Shopify) => shopify::read(file, lines, reading, on),
        Ok(_) => ucp::read(file, &mut lines, reading.defaults, ucp::product, on),
        Err(problem) => refuse_feed(problem, on),
    })
}

/// Reads a store list row by row, as [`read_products`] does products.
pub fn read_locations<'d>(
    file: &str,
    reader: impl Read,
    format: Option<Format>,
    reading: impl Into<Reading<'d>>,
    on: &mut dyn FnMut(Record<Location>),
) -> Tally {
    let mut lines = Lines::new(reader);
    let reading = reading.into();
    or_empty(file, on, |on| match known_format(FeedKind::Locations, file, &mut lines, format) {
        Ok(Format::GeoJson) => geojson::read(file, lines, reading, on),
        Ok(Format::CsvStores) => stores::read(file, lines, reading.defaults, on),
        Ok(_) => ucp::read(file, &mut lines, reading.defaults, ucp::location, on),
        Err(problem) => refuse_feed(problem, on),
    })
}

/// Reads a stock feed row by row, as [`read_products`] does products. Whether the
/// Locations and items exist, and which of two lines for one pair counts, is for
/// whoever builds the inventory.
pub fn read_stock(
    file: &str,
    reader: impl Read,
    format: Option<Format>,
    on: &mut dyn FnMut(Record<StockLine>),
) -> Tally {
    let mut lines = Lines::new(reader);
    or_empty(file, on, |on| match known_format(FeedKind::Stock, file, &mut lines, format) {
        Ok(Format::GoogleLocal) if lines.is_xml() => stock::local::read_xml(file, lines, on),
        Ok(Format::GoogleLocal) => stock::local::read_table(file, lines, on),
        Ok(_) => stock::read(file, lines, on),
        Err(problem) => refuse_feed(problem, on),
    })
}

/// A stock feed as a whole, each line with its number.
pub fn stock(file: &str, reader: impl Read, format: Option<Format>) -> Feed<(u64, StockLine)> {
    let mut feed = Feed::default();
    let tally = read_stock(file, reader, format, &mut |record| match record {
        Record::Value { line, value } => feed.values.push((line, value)),
        Record::Problem(problem) => feed.problems.push(problem),
    });
    Feed { rows: tally.rows, refused: tally.refused, ..feed }
}

/// Reads, and says so when there was nothing to read: a feed that was cut to
/// nothing on its way must not pass in silence.
fn or_empty<T>(
    file: &str,
    on: &mut dyn FnMut(Record<T>),
    read: impl FnOnce(&mut dyn FnMut(Record<T>)) -> Tally,
) -> Tally {
    let mut silent = true;
    let tally = read(&mut |record| {
        silent = false;
        on(record);
    });
    if silent && tally.rows == 0 {
        let fault = Fault::new("", ProblemCode::Missing, "the feed has no rows");
        on(Record::Problem(fault.at(file, 1, Severity::Warning)));
    }
    tally
}

fn known_format(
    kind: FeedKind,
    file: &str,
    lines: &mut Lines<'_>,
    format: Option<Format>,
) -> Result<Format, Problem> {
    let format = match format {
        Some(format) => Format::from_name(kind, format.name()),
        None => Format::detect(kind, file, &lines.head()),
    };
    format.map_err(|fault| {
        let fault = Fault::new("", ProblemCode::UnsupportedFormat, fault.to_string());
        fault.at(file, 1, Severity::Refused)
    })
}

fn refuse_feed<T>(problem: Problem, on: &mut dyn FnMut(Record<T>)) -> Tally {
    on(Record::Problem(problem));
    Tally::default()
}
