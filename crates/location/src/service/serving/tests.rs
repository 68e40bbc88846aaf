//! Rule L4, clause by clause.

use super::*;
use crate::place::{LocationFacts, LocationId};
use crate::service::{Polygon, PostalCodes, ServiceArea};
use catalog::{LanguageTag, Localized};
use serde_json::Map;

fn point(latitude: f64, longitude: f64) -> Point {
    Point::new(latitude, longitude).unwrap()
}

fn location(geo: Option<Point>, areas: Vec<Area>) -> Location {
    let method = || "delivery".to_owned();
    let service = |area| ServiceArea { method: method(), area };
    Location::new(LocationFacts {
        id: LocationId::new("x").unwrap(),
        aliases: vec![],
        private: false,
        name: Localized::new(LanguageTag::new("en").unwrap(), "X".to_owned()),
        address: None,
        geo,
        amenities: vec![],
        time_zone: None,
        schedule: None,
        service_areas: areas.into_iter().map(service).collect(),
        extensions: Map::new(),
    })
}

fn index(areas: Vec<Vec<Area>>) -> ServiceIndex {
    let mut index = ServiceIndex::default();
    for (ordinal, areas) in (0..).zip(areas) {
        index.add(&location(Some(point(-23.5, -46.6)), areas), ordinal);
    }
    index
}

fn country(code: &str) -> Area {
    Area::country(code).unwrap()
}

fn region(code: &str) -> Area {
    Area::region(code).unwrap()
}

fn postal(country: &str, code: &str) -> Area {
    let codes = vec![code.to_owned()];
    Area::PostalCodes(PostalCodes::new(country, codes, vec![], vec![]).unwrap())
}

/// `BR/SP/01310-100`, an absent part empty.
fn address(text: &str) -> Target {
    let mut parts = text.split('/').map(|part| Some(part.to_owned()));
    Target::Address {
        country: parts.next().flatten(),
        region: parts.next().flatten(),
        postal_code: parts.next().flatten(),
    }
}

fn assert_serving(index: &ServiceIndex, cases: &[(&str, &[u32])]) {
    for (text, expected) in cases {
        let found = index.serving(&address(text)).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        assert_eq!(found.iter().collect::<Vec<_>>(), *expected, "{text}");
    }
}

#[test]
fn rule_l4_a_country_serves_all_in_it() {
    let index = index(vec![vec![country("BR")], vec![country("US"), country("CA")]]);
    assert_serving(
        &index,
        &[
            ("BR//", &[0]),
            ("BRA//", &[0]),
            ("Brasil//", &[0]),
            ("BR/SP/", &[0]),
            ("BR//01310-100", &[0]),
            ("BR/São Paulo/01310-100", &[0]),
            ("US/NY/", &[1]),
            ("United States/New York/10001", &[1]),
            ("Canadá//K1A 0B1", &[1]),
        ],
    );
}

#[test]
fn rule_l4_a_region_serves_itself_with_or_without_a_code() {
    let index = index(vec![vec![region("BR-SP")], vec![country("BR")], vec![region("US-NY")]]);
    assert_serving(
        &index,
        &[
            ("BR/SP/", &[0, 1]),
            ("BR/BR-SP/", &[0, 1]),
            ("BR/SP/01310-100", &[0, 1]),
            ("BR/RJ/", &[1]),
            ("BR/RJ/20000-000", &[1]),
            // Not all of the country, nor certainly where the code lies.
            ("BR//", &[1]),
            ("BR//01310-100", &[1]),
            ("US//", &[]),
            ("US/NY/10001", &[2]),
            ("US/NJ/10001", &[]),
        ],
    );
}

#[test]
fn rule_l4_postal_codes_serve_any_address_with_such_a_code() {
    let index = index(vec![vec![postal("BR", "01310-100")], vec![postal("US", "10001")]]);
    assert_serving(
        &index,
        &[
            ("BR//01310100", &[0]),
            ("BR/SP/01310-100", &[0]),
            ("BR//01310-101", &[]),
            ("US//10001-0042", &[1]),
            ("US/NY/10001", &[1]),
            // An area of postal codes does not serve a bare country or region.
            ("BR//", &[]),
            ("BR/SP/", &[]),
        ],
    );
}

#[test]
fn rule_l4_without_a_country_each_area_is_read_in_its_own() {
    let index = index(vec![
        vec![postal("BR", "01310-100")],
        vec![postal("US", "10001")],
        vec![postal("DE", "10001")],
        vec![region("BR-SE")],
        vec![country("BR")],
        vec![country("US")],
    ]);
    assert_serving(
        &index,
        &[
            ("//01310-100", &[0]),
            ("//10001", &[1, 2]),
            ("/SE/", &[3]),
            ("/Sergipe/", &[3]),
            ("/NY/10001", &[1]),
            ("/NY/", &[]),
            // A whole code says its country.
            ("/BR-SE/", &[3, 4]),
            ("/BR-SP/01310-100", &[0, 4]),
            ("/US-NY/10001", &[1, 5]),
        ],
    );
}

#[test]
fn rule_l4_a_known_country_that_no_area_touches_is_empty() {
    let index = index(vec![vec![country("BR")]]);
    assert_serving(&index, &[("FR//", &[]), ("DE/BY/", &[]), ("/Bayern/", &[])]);
}

#[test]
fn rule_l4_refuses_a_postal_system_that_nobody_models() {
    let refused = |index: &ServiceIndex, text: &str| {
        assert!(
            matches!(index.serving(&address(text)), Err(TargetFault::PostalSystem { .. })),
            "{text}"
        );
    };
    let brazil = index(vec![vec![postal("BR", "01310-100"), region("US-NY")]]);
    refused(&brazil, "FR//75001");
    refused(&brazil, "FR/IDF/75001");
    refused(&brazil, "US//10001");
    refused(&brazil, "//SW1A 1AA");
    refused(&brazil, "/Bayern/80331");
    assert_serving(&brazil, &[("US/NY/10001", &[0]), ("US/NJ/07030", &[]), ("/NY/10001", &[0])]);
    let points = index(vec![vec![Area::radius(1e9).unwrap()]]);
    refused(&points, "BR//01310-100");
    refused(&points, "//01310-100");
    assert_serving(&points, &[("BR//", &[]), ("BR/SP/", &[])]);
}

#[test]
fn rule_l4_refuses_what_iso_3166_does_not_have() {
    let index = index(vec![vec![country("BR"), region("BR-SP"), postal("BR", "01310-100")]]);
    let fault = |text: &str| index.serving(&address(text)).unwrap_err();
    for text in ["Atlantis//", "XX/SP/", "XX//01310-100"] {
        assert!(matches!(fault(text), TargetFault::UnknownCountry(_)), "{text}");
    }
    for text in ["BR/NY/", "BR/US-NY/", "/ZZZ/", "BR/Nowhere/01310-100", "HK/Kowloon/"] {
        assert!(matches!(fault(text), TargetFault::UnknownRegion { .. }), "{text}");
    }
    for text in ["BR//-", "BR/SP/ - "] {
        assert!(matches!(fault(text), TargetFault::PostalSystem { .. }), "{text}");
    }
    for text in ["//", " / / ", "//-"] {
        assert_eq!(fault(text), TargetFault::EmptyAddress, "{text}");
    }
}

#[test]
fn rule_l4_points_are_served_by_radius_and_polygon() {
    let corner = |latitude, longitude| point(latitude, longitude);
    let ring = vec![corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0), corner(0.0, 0.0)];
    let triangle = Area::polygons(vec![Polygon::new(ring, vec![]).unwrap()]).unwrap();
    let index = index(vec![
        vec![Area::radius(5_000.0).unwrap()],
        vec![triangle, country("BR")],
        vec![country("BR")],
    ]);
    let serving = |latitude, longitude| {
        let found = index.serving(&Target::Point(point(latitude, longitude))).unwrap();
        found.iter().collect::<Vec<_>>()
    };
    assert_eq!(serving(-23.51, -46.61), [0]);
    assert_eq!(serving(0.5, 0.75), [1]);
    assert_eq!(serving(0.5, 0.5), [1]);
    assert_eq!(serving(0.75, 0.25), [] as [u32; 0]);
    assert_eq!(serving(-23.6, -46.6), [] as [u32; 0]);
}

#[test]
fn rule_l4_a_radius_is_inclusive_and_needs_a_geo() {
    let (here, there) = (point(-23.5, -46.6), point(-23.501, -46.6));
    let metres = crate::geo::distance_m(here, there);
    for (radius_m, served) in [(metres, true), (metres.next_down(), false), (0.0, false)] {
        let index = index(vec![vec![Area::radius(radius_m).unwrap()]]);
        assert_eq!(index.serving(&Target::Point(there)).unwrap().contains(0), served);
        assert!(index.serving(&Target::Point(here)).unwrap().contains(0));
    }
    let mut nowhere = ServiceIndex::default();
    nowhere.add(&location(None, vec![Area::radius(1e9).unwrap()]), 0);
    assert_eq!(nowhere.serving(&Target::Point(here)), Err(TargetFault::NoPointAreas));
}

#[test]
fn rule_l4_refuses_a_point_when_no_area_holds_points() {
    let index = index(vec![vec![country("BR")], vec![postal("BR", "01310-100")]]);
    let fault = index.serving(&Target::Point(point(0.0, 0.0))).unwrap_err();
    assert_eq!(fault, TargetFault::NoPointAreas);
}

#[test]
fn spanish_communities_serve_their_provinces() {
    let index = index(vec![vec![region("ES-AN")], vec![region("ES-MA")], vec![region("ES-M")]]);
    assert_serving(
        &index,
        &[("ES/Málaga/", &[0, 1]), ("ES/Andalucía/", &[0]), ("ES/Madrid/", &[2]), ("ES/MD/", &[2])],
    );
}
