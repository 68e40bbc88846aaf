//! One Location of the ucp format.

use super::area::service_area;
use super::hours::{Hours, hours};
use crate::Defaults;
use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, array, invalid, is_reverse_domain_name, object};
use crate::values::{boolean, each_language, number, text};
use catalog::{LanguageTag, Localized};
use location::geo::PointFault;
use location::place::{Amenity, PostalAddress};
use location::service::{Area, ServiceArea};
use location::{Location, LocationFacts, LocationId, Point};
use std::collections::HashSet;

/// Reads a row; `None` when it is refused, which is then reported.
pub(crate) fn location(
    row: &mut Row<'_>,
    value: Value<'_>,
    defaults: &Defaults,
) -> Option<Location> {
    let at = Path::Row;
    let members = Members::of(&at, value);
    let mut members = row.or_refuse(members)?;
    let id = members.demanded(row, "id", text);
    let name = members.demanded(row, "name", text);
    // Dropping a broken `shopkeeper` could show a Location that is private (rule L9).
    let private = members.if_present(row, "shopkeeper", private);
    let private = row.or_refuse(private);
    let (Some(id), Some(name), Some(private)) =
        (id.as_deref().and_then(LocationId::new), name, private)
    else {
        return None;
    };
    let mut private = private.unwrap_or_default();
    private.aliases.retain(|alias| alias != id.as_str());

    let address = members.optional(row, "address", address).flatten();
    let geo = members.optional(row, "geo", point);
    let mut amenities = amenities(row, &mut members, &defaults.language);
    let Hours { schedule, time_zone } = hours(row, &mut members);
    let mut name = Localized::new(defaults.language.clone(), name);
    if let Some(value) = private.translations {
        translate(row, value, &defaults.language, &mut name, &mut amenities);
    }
    let service_areas = service_areas(row, private.service_areas, geo);
    Some(Location::new(LocationFacts {
        id,
        aliases: private.aliases,
        private: private.private,
        name,
        address,
        geo,
        amenities,
        time_zone,
        schedule,
        service_areas,
        extensions: members.extensions(row),
    }))
}

/// What `shopkeeper` says; translations and areas wait for the rest of the row.
#[derive(Default)]
struct Private<'v> {
    aliases: Vec<String>,
    private: bool,
    translations: Option<Value<'v>>,
    service_areas: Option<Value<'v>>,
}

fn private<'v>(row: &mut Row<'_>, at: &Path<'_>, value: Value<'v>) -> Result<Private<'v>, Fault> {
    let mut members = Members::of(at, value)?;
    let private = members.if_present(row, "private", boolean)?.unwrap_or(false);
    let mut seen = HashSet::new();
    let mut aliases = members.list(row, "aliases", text);
    aliases.retain(|alias| seen.insert(alias.clone()));
    let translations = members.take("translations");
    let service_areas = members.take("service_areas");
    members.finish(row);
    Ok(Private { aliases, private, translations, service_areas })
}

/// The areas that the Location can serve; a bad one is reported and left out.
fn service_areas(
    row: &mut Row<'_>,
    value: Option<Value<'_>>,
    geo: Option<Point>,
) -> Vec<ServiceArea> {
    let at = Path::Row;
    let at = at.member("shopkeeper");
    let at = at.member("service_areas");
    let items = value.map(|value| array(&at, value)).transpose();
    let items = row.or_warn(items).flatten().unwrap_or_default();
    let read = items.into_iter().enumerate().filter_map(|(index, item)| {
        let at = at.item(index);
        let area = service_area(row, &at, item).and_then(|area| match area.area {
            Area::Radius { .. } if geo.is_none() => {
                Err(invalid(&at, "is a radius around a Location without usable geo"))
            }
            _ => Ok(area),
        });
        row.or_warn(area)
    });
    read.collect()
}

fn address(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<Option<PostalAddress>, Fault> {
    let mut members = Members::of(at, value)?;
    let address = PostalAddress {
        extended_address: members.text(row, "extended_address"),
        street_address: members.text(row, "street_address"),
        address_locality: members.text(row, "address_locality"),
        address_region: members.text(row, "address_region"),
        address_country: members.text(row, "address_country"),
        postal_code: members.text(row, "postal_code"),
        first_name: members.text(row, "first_name"),
        last_name: members.text(row, "last_name"),
        phone_number: members.text(row, "phone_number"),
    };
    members.finish(row);
    Ok(Some(address).filter(|address| *address != PostalAddress::default()))
}

fn point(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Point, Fault> {
    let mut members = Members::of(at, value)?;
    let latitude = members.required(row, "latitude", number)?;
    let longitude = members.required(row, "longitude", number)?;
    members.finish(row);
    Point::new(latitude, longitude).map_err(|fault| {
        let name = match fault {
            PointFault::Latitude(_) => "latitude",
            PointFault::Longitude(_) => "longitude",
        };
        invalid(&at.member(name), fault.to_string())
    })
}

fn amenities(
    row: &mut Row<'_>,
    members: &mut Members<'_, '_>,
    language: &LanguageTag,
) -> Vec<Amenity> {
    let listed = members.optional(row, "amenities", |_, at, value| object(at, value));
    let at = Path::Row;
    let at = at.member("amenities");
    let mut amenities = Vec::new();
    for (id, value) in listed.into_iter().flatten() {
        let at = at.member(&id);
        if !is_reverse_domain_name(&id) {
            let text = "is no reverse-domain name such as com.example.amenity.parking";
            row.warn(invalid(&at, text));
            continue;
        }
        let read = Members::of(&at, value).and_then(|mut members| {
            let description = members.required(row, "description", text)?;
            members.finish(row);
            Ok(description)
        });
        if let Some(description) = row.or_warn(read) {
            let description = Localized::new(language.clone(), description);
            amenities.push(Amenity { id: id.into_owned(), description });
        }
    }
    amenities
}

fn translate(
    row: &mut Row<'_>,
    value: Value<'_>,
    own: &LanguageTag,
    name: &mut Localized<String>,
    amenities: &mut [Amenity],
) {
    let at = Path::Row;
    let at = at.member("shopkeeper");
    let at = at.member("translations");
    let read = each_language(row, &at, value, own, |row, language, mut members| {
        if let Some(text) = members.text(row, "name") {
            name.translate(language.clone(), text);
        }
        members.optional(row, "amenities", |row, at, value| {
            for (id, value) in object(at, value)? {
                let at = at.member(&id);
                let Some(known) = amenities.iter_mut().find(|known| known.id == id) else {
                    let text = format!("the Location has no amenity `{}`", excerpt(&id));
                    row.warn(Fault::new(at, ProblemCode::UnknownReference, text));
                    continue;
                };
                let read = text(row, &at, value);
                if let Some(text) = row.or_warn(read) {
                    known.description.translate(language.clone(), text);
                }
            }
            Ok(())
        });
        members.finish(row);
    });
    row.or_warn(read);
}
