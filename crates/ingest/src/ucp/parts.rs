//! The parts that products and variants share: descriptions, categories, media,
//! ratings, barcodes, availability, sellers.

use crate::json::{self, Value};
use crate::problem::{Fault, ProblemCode};
use crate::row::{Members, Path, Row, expected, invalid, object};
use crate::values::{boolean, integer, number, text, web_url};
use catalog::money::MAX_SAFE_INTEGER;
use catalog::product::{Availability, Barcode, Category, Description, Link, Media, Rating, Seller};
use serde_json::Map;

/// A description with at least one form that says something.
pub(crate) fn description(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Description, Fault> {
    let mut members = Members::of(at, value)?;
    let plain = members.text(row, "plain");
    let html = members.text(row, "html");
    let markdown = members.text(row, "markdown");
    members.finish(row);
    if plain.is_none() && html.is_none() && markdown.is_none() {
        let text = "has no text in plain, html or markdown";
        return Err(Fault::new(at, ProblemCode::Missing, text));
    }
    Ok(Description { plain, html, markdown })
}

/// A description as translations give it: an object, or plain text alone.
pub(crate) fn translated_description(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Description, Fault> {
    match value {
        value @ Value::String(_) => {
            let plain = Some(text(row, at, value)?);
            Ok(Description { plain, html: None, markdown: None })
        }
        value @ Value::Object(_) => description(row, at, value),
        other => Err(expected(at, "a string or an object", &other)),
    }
}

pub(crate) fn category(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Category, Fault> {
    let mut members = Members::of(at, value)?;
    let value = members.required(row, "value", text)?;
    let taxonomy = members.text(row, "taxonomy");
    members.finish(row);
    Ok(Category { value, taxonomy })
}

pub(crate) fn media(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Media, Fault> {
    let mut members = Members::of(at, value)?;
    let kind = members.required(row, "type", text)?;
    let url = members.required(row, "url", web_url)?;
    let alt_text = members.text(row, "alt_text");
    let width = members.optional(row, "width", count_from::<1>);
    let height = members.optional(row, "height", count_from::<1>);
    members.finish(row);
    Ok(Media { kind, url, alt_text, width, height })
}

pub(crate) fn rating(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Rating, Fault> {
    let mut members = Members::of(at, value)?;
    let value = members.required(row, "value", number_from::<0>)?;
    let scale_max = members.required(row, "scale_max", number_from::<1>)?;
    let scale_min = members.optional(row, "scale_min", number_from::<0>);
    let count = members.optional(row, "count", count_from::<0>);
    members.finish(row);
    if value > scale_max {
        return Err(invalid(at, format!("{value} is above its own scale_max, {scale_max}")));
    }
    if let Some(scale_min) = scale_min.filter(|scale_min| *scale_min > scale_max) {
        return Err(invalid(at, format!("scale_min {scale_min} is above scale_max {scale_max}")));
    }
    if let Some(scale_min) = scale_min.filter(|scale_min| *scale_min > value) {
        return Err(invalid(at, format!("{value} is below its own scale_min, {scale_min}")));
    }
    Ok(Rating { value, scale_min, scale_max, count })
}

pub(crate) fn barcode(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Barcode, Fault> {
    let mut members = Members::of(at, value)?;
    let kind = members.required(row, "type", text)?;
    let value = members.required(row, "value", text)?;
    members.finish(row);
    Ok(Barcode { kind, value })
}

/// An availability, or `None` when it says nothing.
pub(crate) fn availability(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Option<Availability>, Fault> {
    let mut members = Members::of(at, value)?;
    let available = members.optional(row, "available", boolean);
    let status = members.text(row, "status");
    members.finish(row);
    let says_something = available.is_some() || status.is_some();
    Ok(says_something.then_some(Availability { available, status }))
}

/// A seller, or `None` when nothing is said of it.
pub(crate) fn seller(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Option<Seller>, Fault> {
    let mut members = Members::of(at, value)?;
    let name = members.text(row, "name");
    let links = members.list(row, "links", link);
    members.finish(row);
    Ok((name.is_some() || !links.is_empty()).then_some(Seller { name, links }))
}

/// The merchant's own data: an object of anything.
pub(crate) fn metadata(
    _: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Map<String, serde_json::Value>, Fault> {
    object(at, value).map(json::owned)
}

fn link(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Link, Fault> {
    let mut members = Members::of(at, value)?;
    let kind = members.required(row, "type", text)?;
    let url = members.required(row, "url", web_url)?;
    let title = members.text(row, "title");
    members.finish(row);
    Ok(Link { kind, url, title })
}

fn count_from<const LEAST: u64>(
    _: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<u64, Fault> {
    integer(at, value, LEAST..=MAX_SAFE_INTEGER)
}

fn number_from<const LEAST: u8>(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<f64, Fault> {
    let number = number(row, at, value)?;
    if number < f64::from(LEAST) {
        return Err(invalid(at, format!("{number} is less than {LEAST}")));
    }
    Ok(number)
}
