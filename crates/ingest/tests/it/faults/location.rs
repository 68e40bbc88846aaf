//! Every fault of a Location in a `ucp` feed.

use super::{check, location};
use serde_json::{Value, json};

#[test]
fn what_a_location_needs() {
    check(
        location,
        vec![
            ("/id", Value::Null, 0, &["refused missing | f:1: id: is missing"]),
            ("/name", json!(""), 0, &["refused missing | f:1: name: is blank"]),
            // Neither may be dropped: the Location could be a private one (rule L9).
            (
                "/shopkeeper",
                json!("x"),
                0,
                &["refused wrong_type | f:1: shopkeeper: must be an object, not a string"],
            ),
            (
                "/shopkeeper/private",
                json!("yes"),
                0,
                &[
                    "refused wrong_type | f:1: shopkeeper.private: must be true or false, not a string",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_location_may_have() {
    check(
        location,
        vec![
            (
                "/address",
                json!("Rua A"),
                1,
                &["warning wrong_type | f:1: address: must be an object, not a string"],
            ),
            (
                "/address/postal_code",
                json!(1_310_100),
                1,
                &["warning wrong_type | f:1: address.postal_code: must be a string, not a number"],
            ),
            (
                "/amenities/parking",
                json!({"description": "Sim"}),
                1,
                &[
                    "warning invalid_value | f:1: amenities.parking: is no reverse-domain name such as \
             com.example.amenity.parking",
                ],
            ),
            (
                "/amenities/dev.ucp.amenity.parking",
                json!({"description": ""}),
                1,
                &[
                    "warning missing | f:1: amenities[\"dev.ucp.amenity.parking\"].description: is blank",
                    "warning unknown_reference | \
             f:1: shopkeeper.translations.en.amenities[\"dev.ucp.amenity.parking\"]: the Location \
             has no amenity `dev.ucp.amenity.parking`",
                ],
            ),
            (
                "/shopkeeper/aliases/0",
                json!(1),
                1,
                &[
                    "warning wrong_type | f:1: shopkeeper.aliases[0]: must be a string, not a number",
                ],
            ),
            (
                "/shopkeeper/secret",
                json!(true),
                1,
                &[
                    "warning unknown_member | f:1: shopkeeper.secret: is no member that is known here; it \
             is dropped",
                ],
            ),
            (
                "/opened",
                json!(1999),
                1,
                &[
                    "warning unknown_member | f:1: opened: is no member that is known here; it is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn unusable_geo_costs_geo_and_what_hangs_on_it() {
    const RADIUS: &str = "warning invalid_value | f:1: shopkeeper.service_areas[0]: is a radius \
                          around a Location without usable geo";
    check(
        location,
        vec![
            (
                "/geo/latitude",
                json!(-90.1),
                1,
                &[
                    "warning invalid_value | f:1: geo.latitude: latitude -90.1 is not within -90 to 90",
                    RADIUS,
                ],
            ),
            (
                "/geo/longitude",
                json!("-46"),
                1,
                &[
                    "warning wrong_type | f:1: geo.longitude: must be a number, not a string",
                    RADIUS,
                ],
            ),
            (
                "/geo",
                json!({"latitude": 1}),
                1,
                &["warning missing | f:1: geo.longitude: is missing", RADIUS],
            ),
        ],
    );
}

/// One more service area than the good row has.
const AT: &str = "/shopkeeper/service_areas/9";

#[test]
fn a_bad_service_area_costs_that_area() {
    check(
        location,
        vec![
            (
                AT,
                json!({"radius_m": 1}),
                1,
                &["warning missing | f:1: shopkeeper.service_areas[6].method: is missing"],
            ),
            (
                AT,
                json!({"method": "delivery"}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6]: needs exactly one of \
             radius_m, polygon, countries, regions and postal_codes",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "radius_m": 1, "countries": ["BR"]}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6]: needs exactly one of \
             radius_m, polygon, countries, regions and postal_codes",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "radius_m": -1}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].radius_m: a radius of -1 m \
             is no distance",
                ],
            ),
        ],
    );
}

#[test]
fn an_area_of_places_that_do_not_exist_costs_that_area() {
    check(
        location,
        vec![
            (
                AT,
                json!({"method": "delivery", "countries": ["BR", "XX"]}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].countries: `XX` is no \
             country of ISO 3166-1",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "regions": []}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].regions: the area lists \
             nothing",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "postal_codes": {"codes": ["1"]}}),
                1,
                &[
                    "warning missing | f:1: shopkeeper.service_areas[6].postal_codes.country: is missing",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "postal_codes": {"country": "BR", "ranges": [["1"]]}}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].postal_codes.ranges[0]: is \
             no pair of a first and a last code",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "polygon": {"type": "Point", "coordinates": [1, 2]}}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].polygon.type: `Point` is \
             neither Polygon nor MultiPolygon",
                ],
            ),
            (
                AT,
                json!({"method": "delivery", "polygon": {"type": "Polygon", "coordinates": [[[0, 91]]]}}),
                1,
                &["warning invalid_value | f:1: \
             shopkeeper.service_areas[6].polygon.coordinates[0][0]: latitude 91 is not within -90 \
             to 90"],
            ),
            (
                AT,
                json!({"method": "delivery", "polygon": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [1, 0], [0, 1]]]}}),
                1,
                &[
                    "warning invalid_value | f:1: shopkeeper.service_areas[6].polygon.coordinates: a ring \
             is not closed: its last point must equal its first",
                ],
            ),
        ],
    );
}

#[test]
fn any_fault_in_hours_drops_all_hours_rule_h6() {
    const END: &str = "; the Location is served without hours";
    for (pointer, value, text) in [
        ("/timezone", Value::Null, "timezone: is missing, and hours mean nothing without it"),
        (
            "/timezone",
            json!("America/Atlantida"),
            "timezone: `America/Atlantida` is no IANA time zone",
        ),
        ("/hours", json!("9-18"), "hours: must be an array, not a string"),
        ("/hours/0/day", json!("Monday"), "hours[0].day: `Monday` is no day from monday to sunday"),
        ("/hours/0/opens", json!("9:00"), "hours[0].opens: `9:00` is no time from 00:00 to 23:59"),
        (
            "/hours/0/opens",
            json!("24:00"),
            "hours[0].opens: `24:00` is no time from 00:00 to 23:59",
        ),
        (
            "/hours/0/opens",
            json!("09:60"),
            "hours[0].opens: `09:60` is no time from 00:00 to 23:59",
        ),
        ("/hours/0/closes", Value::Null, "hours[0].closes: is missing"),
        (
            "/hours/0/closes",
            json!("09:00"),
            "hours: the hours of Monday open and close at the same time, 09:00:00",
        ),
        (
            "/exception_hours/0/valid_from",
            json!("2026-2-30"),
            "exception_hours[0].valid_from: `2026-2-30` is no date such as 2026-12-25",
        ),
        (
            "/exception_hours/0/valid_from",
            json!("2026-02-30"),
            "exception_hours[0].valid_from: `2026-02-30` is no date such as 2026-12-25",
        ),
        ("/exception_hours/1/closes", Value::Null, "exception_hours[1]: opens and does not close"),
        ("/exception_hours/1/opens", Value::Null, "exception_hours[1]: closes and does not open"),
        (
            "/exception_hours/0/valid_through",
            json!("2026-12-24"),
            "exception_hours: the exception from 2026-12-25 ends before it begins, on 2026-12-24",
        ),
    ] {
        let (left, lines) = location(pointer, value);
        assert_eq!(lines, [format!("warning invalid_schedule | f:1: {text}{END}")]);
        assert_eq!(left, 1);
    }
}
