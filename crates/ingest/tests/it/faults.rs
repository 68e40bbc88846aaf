//! Every fault of a row in a JSON feed, with its exact line in the report.
//!
//! A case sets one member (by JSON pointer) of a good row to a bad value.

use crate::locations::rich as rich_location;
use crate::products::rich as rich_product;
use crate::{defaults, said};
use serde_json::{Value, json};

/// Sets the member at `pointer`; a last step that is new is added.
fn set(row: &mut Value, pointer: &str, value: Value) {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match row.pointer_mut(parent).unwrap() {
        Value::Object(map) => {
            map.insert(name.replace("~1", "/"), value);
        }
        Value::Array(items) => match items.get_mut(name.parse::<usize>().unwrap()) {
            Some(item) => *item = value,
            None => items.push(value),
        },
        other => panic!("{parent} is {other}"),
    }
}

fn product(pointer: &str, value: Value) -> (usize, Vec<String>) {
    let mut row = rich_product();
    set(&mut row, pointer, value);
    let feed = ingest::products("f", row.to_string().as_bytes(), None, &defaults());
    assert_eq!(feed.refused, 1 - feed.values.len() as u64);
    (feed.values.iter().map(|product| product.variants.len()).sum(), said(&feed.problems))
}

fn location(pointer: &str, value: Value) -> (usize, Vec<String>) {
    let mut row = rich_location();
    set(&mut row, pointer, value);
    let feed = ingest::locations("f", row.to_string().as_bytes(), None, &defaults());
    assert_eq!(feed.refused, 1 - feed.values.len() as u64);
    (feed.values.len(), said(&feed.problems))
}

/// How many variants or Locations are left, and what is said.
type Case = (&'static str, Value, usize, &'static [&'static str]);

fn check(read: fn(&str, Value) -> (usize, Vec<String>), cases: Vec<Case>) {
    for (pointer, value, left, expected) in cases {
        let shown = value.to_string();
        let (kept, lines) = read(pointer, value);
        assert_eq!(lines, expected, "{pointer} = {shown}");
        assert_eq!(kept, left, "{pointer} = {shown}");
    }
}

#[test]
fn what_a_product_needs() {
    check(
        product,
        vec![
            ("/id", json!(7), 0, &["refused wrong_type | f:1: id: must be a string, not a number"]),
            ("/id", json!(""), 0, &["refused missing | f:1: id: is blank"]),
            ("/title", json!(" \n"), 0, &["refused missing | f:1: title: is blank"]),
            ("/title", Value::Null, 0, &["refused missing | f:1: title: is missing"]),
            (
                "/description",
                json!("Text"),
                0,
                &["refused wrong_type | f:1: description: must be an object, not a string"],
            ),
            (
                "/description",
                json!({"plain": ""}),
                0,
                &["refused missing | f:1: description: has no text in plain, html or markdown"],
            ),
            (
                "/description/html",
                json!(1),
                2,
                &["warning wrong_type | f:1: description.html: must be a string, not a number"],
            ),
            (
                "/variants",
                json!({}),
                0,
                &["refused wrong_type | f:1: variants: must be an array, not an object"],
            ),
            (
                "/variants",
                json!([]),
                0,
                &["refused no_variant | f:1: variants: has no variant that can be served"],
            ),
            (
                "/variants",
                json!([1, {}]),
                0,
                &[
                    "refused wrong_type | f:1: variants[0]: must be an object, not a number",
                    "refused missing | f:1: variants[1].id: is missing",
                    "refused missing | f:1: variants[1].title: is missing",
                    "refused no_price | f:1: variants[1].price: is missing, and a variant without any \
             price is not published",
                    "refused no_variant | f:1: variants: has no variant that can be served",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_variant_needs_rules_c6_c18() {
    const AMOUNT: &str = "an amount is an integer of minor units, 1999 for 19.99";
    let amount = |value: Value, text: &str| {
        let (left, lines) = product("/variants/0/price/amount", value);
        assert_eq!((left, lines.len()), (1, 1));
        assert!(lines[0].starts_with("refused "));
        assert!(lines[0].ends_with(&format!(" | f:1: variants[0].price.amount: {text}: {AMOUNT}")));
    };
    amount(json!("1999"), "must be an integer, not a string");
    amount(json!(19.99), "19.99 is no integer");
    amount(json!(-1), "-1 is not within 0 to 9007199254740991");
    amount(
        json!(9_007_199_254_740_992_u64),
        "9007199254740992 is not within 0 to 9007199254740991",
    );
    check(
        product,
        vec![
            (
                "/variants/1/id",
                json!("v1"),
                1,
                &[
                    "refused duplicate_id | f:1: variants[1].id: `v1` is already the id of variants[0]",
                ],
            ),
            (
                "/variants/1/title",
                json!([]),
                1,
                &["refused wrong_type | f:1: variants[1].title: must be a string, not an array"],
            ),
            (
                "/variants/1/price",
                Value::Null,
                1,
                &[
                    "refused no_price | f:1: variants[1].price: is missing, and a variant without any \
             price is not published",
                ],
            ),
            (
                "/variants/0/price/currency",
                json!("brl"),
                1,
                &[
                    "refused invalid_value | f:1: variants[0].price.currency: `brl` is no currency code of \
             three capital letters",
                ],
            ),
            (
                "/variants/1/price/currency",
                json!("ABC"),
                2,
                &[
                    "warning unknown_currency | f:1: variants[1].price.currency: ISO 4217 has no currency \
             `ABC` with minor units",
                ],
            ),
            (
                "/variants/1/price/vat",
                json!(1),
                2,
                &[
                    "warning unknown_member | f:1: variants[1].price.vat: is no member that is known here; \
             it is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_variant_may_have() {
    check(
        product,
        vec![
            (
                "/variants/0/description",
                json!("Azul"),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].description: must be an object, not a string",
                ],
            ),
            (
                "/variants/0/list_price/amount",
                json!(-1),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].list_price.amount: -1 is not within 0 to \
             9007199254740991: an amount is an integer of minor units, 1999 for 19.99",
                ],
            ),
            (
                "/variants/0/list_price/currency",
                json!("EUR"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].list_price.currency: is in EUR, in which the \
             variant has no price",
                ],
            ),
            (
                "/variants/0/options/1/name",
                json!("Cor"),
                2,
                &[
                    "warning repeated | f:1: variants[0].options: names `Cor` twice; the first one stands",
                ],
            ),
            (
                "/variants/0/options/1/label",
                json!(""),
                2,
                &["warning missing | f:1: variants[0].options[1].label: is blank"],
            ),
            (
                "/variants/0/barcodes/0/type",
                Value::Null,
                2,
                &["warning missing | f:1: variants[0].barcodes[0].type: is missing"],
            ),
        ],
    );
}

#[test]
fn what_a_variant_may_have_besides() {
    check(
        product,
        vec![
            (
                "/variants/0/availability/available",
                json!("no"),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].availability.available: must be true or false, \
             not a string",
                ],
            ),
            (
                "/variants/0/tags/0",
                json!(1),
                2,
                &["warning wrong_type | f:1: variants[0].tags[0]: must be a string, not a number"],
            ),
            (
                "/variants/0/seller/links/0/url",
                json!("faq"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].seller.links[0].url: `faq` is no absolute \
             http or https URL",
                ],
            ),
            (
                "/variants/0/shopkeeper/prices",
                json!(1),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].shopkeeper.prices: must be an array, not a \
             number",
                ],
            ),
            (
                "/variants/0/shopkeeper/translations/en/title",
                json!(1),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].shopkeeper.translations.en.title: must be a \
             string, not a number",
                ],
            ),
            (
                "/variants/0/inputs",
                json!([]),
                2,
                &[
                    "warning unknown_member | f:1: variants[0].inputs: is no member that is known here; it \
             is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn units_rule_c15() {
    check(
        product,
        vec![
            (
                "/variants/0/unit_price/currency",
                json!("USD"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.currency: is in USD, the price in \
             BRL",
                ],
            ),
            (
                "/variants/0/unit_price/reference/unit",
                json!("KGM"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price: measure and reference have \
             different units",
                ],
            ),
            (
                "/variants/0/unit_price/measure/value",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.measure.value: 0 is not within 1 \
             to 9007199254740991",
                ],
            ),
            (
                "/variants/0/unit_price/measure/scale",
                json!(16),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.measure.scale: 16 is not within 0 \
             to 15",
                ],
            ),
            (
                "/variants/0/quantity_unit/unit",
                json!("C62"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].quantity_unit.scale: 3 is not within 0 to 0",
                ],
            ),
            (
                "/variants/0/quantity_unit/display_text",
                Value::Null,
                2,
                &["warning missing | f:1: variants[0].quantity_unit.display_text: is missing"],
            ),
            (
                "/variants/0/quantity_unit/increment",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].quantity_unit.increment: 0 is not within 1 \
             to 9007199254740991",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have() {
    check(
        product,
        vec![
            (
                "/url",
                json!("camiseta"),
                2,
                &["warning invalid_value | f:1: url: `camiseta` is no absolute http or https URL"],
            ),
            (
                "/url",
                json!("https://loja.example/tênis"),
                2,
                &[
                    "warning changed | f:1: url: `https://loja.example/tênis` has letters outside ASCII; \
             they are encoded",
                ],
            ),
            (
                "/media/0",
                json!("c.jpg"),
                2,
                &["warning wrong_type | f:1: media[0]: must be an object, not a string"],
            ),
            (
                "/media/0/url",
                json!("javascript:alert(1)"),
                2,
                &[
                    "warning invalid_value | f:1: media[0].url: `javascript:alert(1)` is no absolute http \
             or https URL",
                ],
            ),
            (
                "/media/0/width",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: media[0].width: 0 is not within 1 to 9007199254740991",
                ],
            ),
            (
                "/rating/value",
                json!(-1),
                2,
                &["warning invalid_value | f:1: rating.value: -1 is less than 0"],
            ),
            (
                "/rating/value",
                json!(6),
                2,
                &["warning invalid_value | f:1: rating: 6 is above its own scale_max, 5"],
            ),
            (
                "/rating/scale_min",
                json!(6),
                2,
                &["warning invalid_value | f:1: rating: scale_min 6 is above scale_max 5"],
            ),
            (
                "/categories",
                json!("Roupas"),
                2,
                &["warning wrong_type | f:1: categories: must be an array, not a string"],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have_besides() {
    check(
        product,
        vec![
            (
                "/list_price_range/min/currency",
                json!("USD"),
                2,
                &["warning invalid_value | f:1: list_price_range: min is in USD and max in BRL"],
            ),
            (
                "/list_price_range/min/amount",
                json!(4000),
                2,
                &["warning invalid_value | f:1: list_price_range: min is above max"],
            ),
            (
                "/options/0/values",
                json!([]),
                2,
                &["warning missing | f:1: options[0]: has no values"],
            ),
            (
                "/metadata",
                json!([]),
                2,
                &["warning wrong_type | f:1: metadata: must be an object, not an array"],
            ),
            (
                "/ucp",
                json!({}),
                2,
                &[
                    "warning unknown_member | f:1: ucp: is no member that is known here; it is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have_in_shopkeeper() {
    check(
        product,
        vec![
            (
                "/shopkeeper",
                json!(1),
                2,
                &["warning wrong_type | f:1: shopkeeper: must be an object, not a number"],
            ),
            (
                "/shopkeeper/translations/portuguese!",
                json!({}),
                2,
                &[
                    "warning invalid_value | f:1: shopkeeper.translations[\"portuguese!\"]: is no language \
             tag such as pt-BR",
                ],
            ),
            (
                "/shopkeeper/translations/PT-br",
                json!({"title": "Outra"}),
                2,
                &[
                    "warning repeated | f:1: shopkeeper.translations.PT-br: is the feed's own language, \
             not a translation; it is dropped",
                ],
            ),
            (
                "/shopkeeper/translations/en/description",
                json!([]),
                2,
                &[
                    "warning wrong_type | f:1: shopkeeper.translations.en.description: must be a string or \
             an object, not an array",
                ],
            ),
            (
                "/shopkeeper/translations/en/options/Peso",
                json!({}),
                2,
                &[
                    "warning unknown_reference | f:1: shopkeeper.translations.en.options.Peso: the product \
             has no option `Peso`",
                ],
            ),
            (
                "/shopkeeper/translations/en/options/Cor/values/Roxo",
                json!("Purple"),
                2,
                &[
                    "warning unknown_reference | f:1: shopkeeper.translations.en.options.Cor.values.Roxo: \
             the product has no value `Roxo`",
                ],
            ),
        ],
    );
}

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
