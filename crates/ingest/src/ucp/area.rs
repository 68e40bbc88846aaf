//! Service areas of a Location, as the member `shopkeeper` gives them (rule L4).

use crate::json::Value;
use crate::problem::{Fault, excerpt};
use crate::row::{Members, Path, Row, array, invalid};
use crate::values::{number, text};
use location::Point;
use location::service::{Area, AreaFault, Polygon, PostalCodes, ServiceArea};

/// The members of which an area has exactly one.
const SHAPES: &str = "radius_m, polygon, countries, regions and postal_codes";

/// An area with its method. What is wrong in any part of it refuses all of it:
/// half an area would serve the wrong buyers.
pub(crate) fn service_area(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<ServiceArea, Fault> {
    let mut members = Members::of(at, value)?;
    let method = members.required(row, "method", text)?;
    let shapes = [
        members.if_present(row, "radius_m", radius)?,
        members.if_present(row, "polygon", polygons)?,
        members.if_present(row, "countries", countries)?,
        members.if_present(row, "regions", regions)?,
        members.if_present(row, "postal_codes", postal_codes)?,
    ];
    members.finish(row);
    let mut shapes = shapes.into_iter().flatten();
    match (shapes.next(), shapes.next()) {
        (Some(area), None) => Ok(ServiceArea { method, area }),
        _ => Err(invalid(at, format!("needs exactly one of {SHAPES}"))),
    }
}

fn radius(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Area, Fault> {
    let radius_m = number(row, at, value)?;
    Area::radius(radius_m).map_err(|fault| refused(at, &fault))
}

fn countries(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Area, Fault> {
    let countries = texts(row, at, value)?;
    Area::countries(&countries).map_err(|fault| refused(at, &fault))
}

fn regions(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Area, Fault> {
    let regions = texts(row, at, value)?;
    Area::regions(&regions).map_err(|fault| refused(at, &fault))
}

fn postal_codes(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Area, Fault> {
    let mut members = Members::of(at, value)?;
    let country = members.required(row, "country", text)?;
    let codes = members.if_present(row, "codes", texts)?.unwrap_or_default();
    let prefixes = members.if_present(row, "prefixes", texts)?.unwrap_or_default();
    let ranges = members.if_present(row, "ranges", ranges)?.unwrap_or_default();
    members.finish(row);
    PostalCodes::new(&country, codes, prefixes, ranges)
        .map(Area::PostalCodes)
        .map_err(|fault| refused(at, &fault))
}

fn ranges(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Vec<(String, String)>, Fault> {
    items(row, at, value, |row, at, value| {
        let pair = texts(row, at, value)?;
        <[String; 2]>::try_from(pair)
            .map(|[first, last]| (first, last))
            .map_err(|_| invalid(at, "is no pair of a first and a last code"))
    })
}

/// A GeoJSON Polygon or MultiPolygon (RFC 7946).
fn polygons(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Area, Fault> {
    let mut members = Members::of(at, value)?;
    let many = members.required(row, "type", |row, at, value| match &*text(row, at, value)? {
        "Polygon" => Ok(false),
        "MultiPolygon" => Ok(true),
        other => {
            Err(invalid(at, format!("`{}` is neither Polygon nor MultiPolygon", excerpt(other))))
        }
    })?;
    members.ignore("bbox");
    let polygons = members.required(row, "coordinates", |row, at, value| {
        if many { items(row, at, value, polygon) } else { Ok(vec![polygon(row, at, value)?]) }
    })?;
    members.finish(row);
    Area::polygons(polygons).map_err(|fault| refused(at, &fault))
}

fn polygon(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Polygon, Fault> {
    let mut rings = items(row, at, value, ring)?.into_iter();
    let outer = rings.next().ok_or_else(|| invalid(at, "has no outer ring"))?;
    Polygon::new(outer, rings.collect()).map_err(|fault| refused(at, &fault))
}

fn ring(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Vec<Point>, Fault> {
    items(row, at, value, position)
}

/// Longitude, latitude, and perhaps an altitude, which is not used.
fn position(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Point, Fault> {
    let position = array(at, value)?;
    let numbers: Option<Vec<f64>> = position.iter().map(Value::as_f64).collect();
    match numbers.as_deref() {
        Some(&[longitude, latitude] | &[longitude, latitude, _]) => {
            Point::new(latitude, longitude).map_err(|fault| invalid(at, fault.to_string()))
        }
        _ => Err(invalid(at, "is no position: longitude, latitude and perhaps altitude")),
    }
}

fn refused(at: &Path<'_>, fault: &AreaFault) -> Fault {
    invalid(at, fault.to_string())
}

fn texts(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Vec<String>, Fault> {
    items(row, at, value, text)
}

/// The items of an array that are all good; the first fault is the array's.
fn items<T>(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
    read: impl Fn(&mut Row<'_>, &Path<'_>, Value<'_>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let values = array(at, value)?.into_iter().enumerate();
    values.map(|(index, value)| read(row, &at.item(index), value)).collect()
}
