//! The predicates of a location request, as the location engine understands them
//! (rules L3 to L8).

use super::buyer::Buyer;
use super::violation::member;
use crate::failure::{Failure, Violation};
use crate::store::Snapshot;
use location::geo::Point;
use location::instant::parse_open_at;
use location::service::TargetFault;
use location::{Distance, Hint, Refusal, Request, Target};
use protocol::codes::Code;
use protocol::operation::Operation;
use protocol::wire;

/// The structured part of a location request: `distance`, `serves`, `filters`.
pub(crate) type Predicates<'a> = (
    &'a Option<wire::LocationDistance>,
    &'a Option<wire::LocationServes>,
    &'a Option<wire::LocationFilter>,
);

/// The request for the location engine, without words.
///
/// # Errors
///
/// A filter or target that this store cannot evaluate, or a value that the schema
/// lets through and the rules do not.
pub(crate) fn places_request(
    operation: Operation,
    (distance, serves, filters): Predicates<'_>,
    buyer: &Buyer,
    snapshot: &Snapshot,
) -> Result<Request, Failure> {
    let path = |rest: String| super::arguments::path(operation, &rest);
    let mut request = Request {
        language: buyer.language.clone(),
        hint: Hint {
            country: buyer.country.clone(),
            region: buyer.region.clone(),
            postal_code: buyer.postal_code.clone(),
        },
        ..Request::default()
    };
    if let Some(distance) = distance {
        let center = point(&distance.center).map_err(|text| {
            Failure::argument(Code::InvalidArguments, path("distance.center".to_owned()), text)
        })?;
        request.distance = Some(Distance { center, max_m: distance.max });
    }
    if let Some(serves) = serves {
        request.serves = Some(target(serves, path)?);
    }
    if let Some(filters) = filters {
        refuse_unknown(filters, path)?;
        if let Some(hours) = &filters.hours {
            let open_at = parse_open_at(&hours.open_at).map_err(|fault| {
                let path = path("filters.hours.open_at".to_owned());
                Failure::argument(Code::InvalidArguments, path, fault.to_string())
            })?;
            request.open_at = Some(open_at);
        }
        request.amenities = filters.amenities.clone();
        let items = filters.items.as_ref();
        request.items = items.map(|ids| ids.iter().map(|id| snapshot.meant(id)).collect());
    }
    Ok(request)
}

/// What the location engine refuses, as a failure of the request (rules L4, L8).
pub(crate) fn refusal(operation: Operation, refusal: &Refusal) -> Failure {
    let (code, member) = match refusal {
        Refusal::UnsupportedTarget(fault) => match fault {
            TargetFault::EmptyAddress => (Code::InvalidArguments, "serves.address"),
            TargetFault::UnknownCountry(..) => {
                (Code::UnsupportedTarget, "serves.address.address_country")
            }
            TargetFault::UnknownRegion { .. } => {
                (Code::UnsupportedTarget, "serves.address.address_region")
            }
            TargetFault::PostalSystem { .. } => {
                (Code::UnsupportedTarget, "serves.address.postal_code")
            }
            TargetFault::NoPointAreas => (Code::UnsupportedTarget, "serves.point"),
        },
        Refusal::UnsupportedFilter(_) => (Code::UnsupportedFilter, "filters.items"),
    };
    Failure::argument(code, super::arguments::path(operation, member), refusal.to_string())
}

fn point(geo: &wire::Geo) -> Result<Point, String> {
    Point::new(geo.latitude, geo.longitude).map_err(|fault| fault.to_string())
}

/// The schema has made sure of exactly one member.
fn target(
    serves: &wire::LocationServes,
    path: impl Fn(String) -> String,
) -> Result<Target, Failure> {
    if let Some(geo) = &serves.point {
        let point = point(geo).map_err(|text| {
            Failure::argument(Code::InvalidArguments, path("serves.point".to_owned()), text)
        })?;
        return Ok(Target::Point(point));
    }
    if let Some(address) = &serves.address {
        return Ok(Target::Address {
            country: address.address_country.clone(),
            region: address.address_region.clone(),
            postal_code: address.postal_code.clone(),
        });
    }
    let name = serves.extensions.keys().next().map(String::as_str).unwrap_or_default();
    Err(Failure::argument(
        Code::UnsupportedTarget,
        path(format!("serves{}", member(name))),
        "is a target form that was not negotiated with this store; use point or address",
    ))
}

/// A filter that is not evaluated must not be ignored (rule L8).
fn refuse_unknown(
    filters: &wire::LocationFilter,
    path: impl Fn(String) -> String,
) -> Result<(), Failure> {
    let within_hours = filters.hours.iter().flat_map(|hours| hours.unknown.keys());
    let violations: Vec<_> = within_hours
        .map(|name| format!("filters.hours{}", member(name)))
        .chain(filters.unknown.keys().map(|name| format!("filters{}", member(name))))
        .map(|place| Violation {
            path: path(place),
            message: "is a filter that this store does not have; leave it out".to_owned(),
        })
        .collect();
    if violations.is_empty() {
        return Ok(());
    }
    Err(Failure::arguments(Code::UnsupportedFilter, violations))
}
