//! Places as GeoJSON, as All the Places and other projects publish them: tags of
//! OpenStreetMap in `properties`, a Point as `geometry`.
//!
//! Properties that a Location has no place for are passed over. There is no
//! time zone; it is derived from the coordinates.

mod features;
mod osm;

use crate::json;
use crate::json::Value;
use crate::lines::Lines;
use crate::problem::{Fault, Problem, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, array, expected, invalid};
use crate::texts::title;
use crate::zoned::{Hours, located};
use crate::{Reading, Record, Tally};
use catalog::Localized;
use features::Features;
use jiff::civil::Date;
use jiff::tz::Offset;
use location::place::PostalAddress;
use location::{Location, LocationFacts, LocationId, Point};
use serde_json::Map;

/// Reads a text of features.
pub(crate) fn read(
    file: &str,
    lines: Lines<'_>,
    reading: Reading<'_>,
    on: &mut dyn FnMut(Record<Location>),
) -> Tally {
    let mut tally = Tally::default();
    let mut features = Features::new(lines);
    while let Some((line, text)) = features.next() {
        let is_row = !text.as_ref().is_err_and(Fault::ends_feed);
        tally.rows += u64::from(is_row);
        let parsed = text.as_deref().map_err(Clone::clone).and_then(json::parse);
        let mut on_problem = |problem: Problem| on(Record::Problem(problem));
        let mut row = Row::new(file, line, &mut on_problem);
        let read = row
            .or_refuse(parsed)
            .and_then(|value| feature(&mut row, value, reading, &mut tally.zones_derived));
        match read {
            Some(value) => on(Record::Value { line, value }),
            None => tally.refused += u64::from(is_row),
        }
    }
    tally
}

/// Reads a feature; `None` when it is refused, which is then reported.
fn feature(
    row: &mut Row<'_>,
    value: Value<'_>,
    reading: Reading<'_>,
    zones_derived: &mut u64,
) -> Option<Location> {
    let at = Path::Row;
    let members = Members::of(&at, value);
    let mut members = row.or_refuse(members)?;
    if members.take("type") != Some(Value::from("Feature")) {
        row.refuse(invalid(&at.member("type"), "is not Feature"));
        return None;
    }
    let own_id = members.take("id");
    let geometry = members.optional(row, "geometry", point).flatten();
    let at_properties = at.member("properties");
    let properties = members.take("properties").unwrap_or_default();
    let properties = Members::of(&at_properties, properties);
    let mut properties = row.or_refuse(properties)?;

    let id = properties.take("ref").or(own_id).and_then(id);
    if id.is_none() {
        let text = "is missing, and the feature has no id either";
        row.refuse(Fault::new(at_properties.member("ref"), ProblemCode::Missing, text));
    }
    let name = name(row, &mut properties);
    if name.is_none() {
        let text = "is missing, and so is brand";
        row.refuse(Fault::new(at_properties.member("name"), ProblemCode::Missing, text));
    }
    let (id, name) = (id?, name?);
    let name = title(row, "properties.name", &name);
    let today = Offset::UTC.to_datetime(reading.now).date();
    let hours = hours(row, &mut properties, today);
    let zone = properties.text(row, "timezone");
    let (schedule, time_zone) = located(row, zone.as_deref(), geometry, hours, zones_derived);
    Some(Location::new(LocationFacts {
        id,
        aliases: Vec::new(),
        private: false,
        name: Localized::new(reading.defaults.language.clone(), name),
        address: address(row, &mut properties),
        geo: geometry,
        amenities: Vec::new(),
        time_zone,
        schedule,
        service_areas: Vec::new(),
        extensions: Map::new(),
    }))
}

fn id(value: Value<'_>) -> Option<LocationId> {
    match value {
        Value::String(id) => LocationId::new(id.trim()),
        Value::Number(id) => LocationId::new(&id.to_string()),
        _ => None,
    }
}

/// `name` or `brand`, with the name of the branch where that says more.
fn name(row: &mut Row<'_>, properties: &mut Members<'_, '_>) -> Option<String> {
    let name = properties.text(row, "name");
    let brand = properties.text(row, "brand");
    let branch = properties.text(row, "branch");
    let name = name.or(brand)?;
    Some(match branch {
        Some(branch) if !name.contains(branch.trim()) => format!("{name} {branch}"),
        _ => name,
    })
}

fn address(row: &mut Row<'_>, properties: &mut Members<'_, '_>) -> Option<PostalAddress> {
    let mut said = |name| properties.text(row, name).map(|text| text.trim().to_owned());
    let (number, street) = (said("addr:housenumber"), said("addr:street"));
    let street = street.map(|street| match number {
        Some(number) => format!("{number} {street}"),
        None => street,
    });
    let whole = said("addr:full");
    let address = PostalAddress {
        street_address: said("addr:street_address").or(street).or(whole),
        extended_address: said("addr:unit"),
        address_locality: said("addr:city"),
        address_region: said("addr:state"),
        address_country: said("addr:country"),
        postal_code: said("addr:postcode"),
        phone_number: said("phone").or_else(|| said("contact:phone")),
        ..PostalAddress::default()
    };
    Some(address).filter(|address| *address != PostalAddress::default())
}

/// The point of a geometry; other shapes are none.
fn point(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Option<Point>, Fault> {
    let mut members = Members::of(at, value)?;
    let kind = members.take("type");
    if kind != Some(Value::from("Point")) {
        return Err(invalid(&at.member("type"), "is not Point; the Location has no coordinates"));
    }
    let at = at.member("coordinates");
    let items = array(&at, members.take("coordinates").unwrap_or_default())?;
    let degrees = |index: usize| match items.get(index) {
        Some(Value::Number(number)) => {
            number.as_f64().ok_or_else(|| invalid(&at.item(index), "is too large"))
        }
        Some(other) => Err(expected(&at.item(index), "a number", other)),
        None => Err(Fault::new(at, ProblemCode::Missing, "are no longitude and latitude")),
    };
    let (longitude, latitude) = (degrees(0)?, degrees(1)?);
    Point::new(latitude, longitude).map(Some).map_err(|why| invalid(&at, why.to_string()))
}

fn hours(row: &mut Row<'_>, properties: &mut Members<'_, '_>, today: Date) -> Option<Hours> {
    const FIELD: &str = "properties.opening_hours";
    let text = properties.text(row, "opening_hours")?;
    let read = osm::translate(&text, today).map_err(|why| {
        let text = format!("{why}; the Location is served without hours");
        Fault::new(FIELD, ProblemCode::InvalidSchedule, text)
    });
    let translated = row.or_warn(read)?;
    for what in translated.passed_over {
        let text = format!("`{}`: {what} need a calendar; they are passed over", excerpt(&text));
        row.warn(Fault::new(FIELD, ProblemCode::Changed, text));
    }
    translated.hours
}
