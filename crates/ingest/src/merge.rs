//! Several feeds of a kind as one, every id once: as a stream, or collected.
//!
//! What is unique, and which of two rows wins, [`UniqueProducts`] and
//! [`UniqueLocations`] decide.

use crate::{Feed, Format, Reading, Record, Source, Tally, UniqueLocations, UniqueProducts};
use crate::{read_locations, read_products};
use catalog::Product;
use location::Location;
use std::io::Read;

/// Reads several product feeds as one, row by row: each product and variant id
/// once, the first row wins. Duplicates count as refused. Memory is needed for the
/// ids, about 130 MB for a million products of three variants, and for what
/// [`read_products`] needs; nothing is collected.
pub fn each_product<'d, R: Read>(
    sources: impl IntoIterator<Item = Source<R>>,
    reading: impl Into<Reading<'d>>,
    on: &mut dyn FnMut(Record<Product>),
) -> Tally {
    let reading = reading.into();
    let mut unique = UniqueProducts::default();
    each(
        sources,
        |file, reader, format, on| read_products(file, reader, format, reading, on),
        |file, line, value, on| {
            unique.admit(file, line, value, &mut |problem| on(Record::Problem(problem)))
        },
        on,
    )
}

/// Reads several store lists as one, row by row: each Location id once, the first
/// row wins. Duplicates count as refused.
pub fn each_location<'d, R: Read>(
    sources: impl IntoIterator<Item = Source<R>>,
    reading: impl Into<Reading<'d>>,
    on: &mut dyn FnMut(Record<Location>),
) -> Tally {
    let reading = reading.into();
    let mut unique = UniqueLocations::default();
    each(
        sources,
        |file, reader, format, on| read_locations(file, reader, format, reading, on),
        |file, line, value, on| {
            unique.admit(file, line, value, &mut |problem| on(Record::Problem(problem)))
        },
        on,
    )
}

/// Several product feeds as one, as [`each_product`] reads them.
pub fn merge_products<'d, R: Read>(
    sources: impl IntoIterator<Item = Source<R>>,
    reading: impl Into<Reading<'d>>,
) -> Feed<Product> {
    collect(|on| each_product(sources, reading, on))
}

/// Several store lists as one, as [`each_location`] reads them.
pub fn merge_locations<'d, R: Read>(
    sources: impl IntoIterator<Item = Source<R>>,
    reading: impl Into<Reading<'d>>,
) -> Feed<Location> {
    collect(|on| each_location(sources, reading, on))
}

/// A product feed as a whole, each id once.
pub fn products<'d>(
    file: &str,
    reader: impl Read,
    format: Option<Format>,
    reading: impl Into<Reading<'d>>,
) -> Feed<Product> {
    merge_products([Source { file: file.to_owned(), reader, format }], reading)
}

/// A store list as a whole, each id once.
pub fn locations<'d>(
    file: &str,
    reader: impl Read,
    format: Option<Format>,
    reading: impl Into<Reading<'d>>,
) -> Feed<Location> {
    merge_locations([Source { file: file.to_owned(), reader, format }], reading)
}

type On<'a, T> = &'a mut dyn FnMut(Record<T>);

/// Reads each source and hands on what is admitted of it.
fn each<T, R: Read>(
    sources: impl IntoIterator<Item = Source<R>>,
    mut read: impl FnMut(&str, R, Option<Format>, On<'_, T>) -> Tally,
    mut admit: impl FnMut(&str, u64, T, On<'_, T>) -> Option<T>,
    on: On<'_, T>,
) -> Tally {
    let mut all = Tally::default();
    for Source { file, reader, format } in sources {
        let mut duplicates = 0;
        let tally = read(&file, reader, format, &mut |record| match record {
            Record::Problem(problem) => on(Record::Problem(problem)),
            Record::Value { line, value } => match admit(&file, line, value, on) {
                Some(value) => on(Record::Value { line, value }),
                None => duplicates += 1,
            },
        });
        all.rows += tally.rows;
        all.refused += tally.refused + duplicates;
        all.zones_derived += tally.zones_derived;
    }
    all
}

fn collect<T>(read: impl FnOnce(On<'_, T>) -> Tally) -> Feed<T> {
    let mut feed = Feed::default();
    let tally = read(&mut |record| match record {
        Record::Problem(problem) => feed.problems.push(problem),
        Record::Value { value, .. } => feed.values.push(value),
    });
    let Tally { rows, refused, zones_derived } = tally;
    Feed { rows, refused, zones_derived, ..feed }
}
