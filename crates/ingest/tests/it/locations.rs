//! Locations of the ucp format: every member, and what is left of broken ones.

use crate::{defaults, said};
use catalog::{LanguageTag, Localized};
use ingest::Feed;
use jiff::civil::{Weekday, date, time};
use location::place::{Amenity, PostalAddress};
use location::schedule::{DailyHour, ExceptionHour};
use location::service::{Area, Polygon, PostalCodes, ServiceArea};
use location::{Location, Point};
use serde_json::{Value, json};

fn read(row: &Value) -> Feed<Location> {
    ingest::locations("l.jsonl", row.to_string().as_bytes(), None, &defaults())
}

/// A Location with everything.
pub(crate) fn rich() -> Value {
    let ring = json!([[-46.7, -23.6], [-46.6, -23.6, 760.0], [-46.6, -23.5], [-46.7, -23.6]]);
    json!({
        "id": "loja-1",
        "name": "Loja Centro",
        "address": {
            "extended_address": "Loja 2", "street_address": "Rua Direita, 10",
            "address_locality": "São Paulo", "address_region": "SP", "address_country": "BR",
            "postal_code": "01002-000", "first_name": "Ana", "last_name": "Lima",
            "phone_number": "+55 11 5555-0100"
        },
        "geo": {"latitude": -23.55, "longitude": -46.635},
        "amenities": {
            "dev.ucp.amenity.wi_fi": {"description": "Wi-Fi"},
            "dev.ucp.amenity.parking": {"description": "Estacionamento"}
        },
        "timezone": "America/Sao_Paulo",
        "hours": [
            {"day": "monday", "opens": "09:00", "closes": "18:00"},
            {"day": "saturday", "opens": "22:00", "closes": "02:00"}
        ],
        "exception_hours": [
            {"title": "Natal", "valid_from": "2026-12-25", "valid_through": "2026-12-25"},
            {"valid_from": "2026-12-24", "valid_through": "2026-12-24", "opens": "09:00", "closes": "13:00"}
        ],
        "com.example.floor": 2,
        "shopkeeper": {
            "aliases": ["centro", "sp-1", "centro", "loja-1"],
            "private": true,
            "translations": {"en": {
                "name": "Downtown store", "amenities": {"dev.ucp.amenity.parking": "Parking"}
            }},
            "service_areas": [
                {"method": "delivery", "radius_m": 5000},
                {"method": "delivery", "polygon": {"type": "Polygon", "coordinates": [ring]}},
                {"method": "pickup", "polygon": {"type": "MultiPolygon", "coordinates": [[ring], [ring, ring]]}},
                {"method": "mail", "countries": ["BR", "Uruguai"]},
                {"method": "mail", "regions": ["BR-SP"]},
                {"method": "courier", "postal_codes": {
                    "country": "BR", "codes": ["01310-100"], "prefixes": ["013"],
                    "ranges": [["01000-000", "01999-999"]]
                }}
            ]
        }
    })
}

fn english() -> LanguageTag {
    LanguageTag::new("en").unwrap()
}

fn own(text: &str) -> Localized<String> {
    Localized::new(defaults().language, text.to_owned())
}

fn area(method: &str, area: Area) -> ServiceArea {
    ServiceArea { method: method.to_owned(), area }
}

#[test]
fn a_rich_location_keeps_everything() {
    let feed = read(&rich());
    assert_eq!(said(&feed.problems), [""; 0]);
    let [read] = &feed.values[..] else { panic!("{} Locations", feed.values.len()) };
    assert_eq!(read.id.as_str(), "loja-1");
    assert_eq!(read.aliases, ["centro", "sp-1"]);
    assert!(read.private);
    let mut name = own("Loja Centro");
    name.translate(english(), "Downtown store".into());
    assert_eq!(read.name, name);
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        read.address,
        Some(PostalAddress {
            extended_address: text("Loja 2"),
            street_address: text("Rua Direita, 10"),
            address_locality: text("São Paulo"),
            address_region: text("SP"),
            address_country: text("BR"),
            postal_code: text("01002-000"),
            first_name: text("Ana"),
            last_name: text("Lima"),
            phone_number: text("+55 11 5555-0100"),
        })
    );
    assert_eq!(read.geo, Point::new(-23.55, -46.635).ok());
    let mut parking = own("Estacionamento");
    parking.translate(english(), "Parking".into());
    assert_eq!(
        read.amenities,
        [
            Amenity { id: "dev.ucp.amenity.wi_fi".into(), description: own("Wi-Fi") },
            Amenity { id: "dev.ucp.amenity.parking".into(), description: parking },
        ]
    );
    assert_eq!(Value::Object(read.extensions.clone()), json!({"com.example.floor": 2}));
}

#[test]
fn a_rich_location_keeps_its_hours() {
    let read = read(&rich()).values.remove(0);
    let schedule = read.schedule.as_ref().unwrap();
    assert_eq!((schedule.zone_name(), &read.time_zone), ("America/Sao_Paulo", &None));
    let (nine, night) = (time(9, 0, 0, 0), time(22, 0, 0, 0));
    assert_eq!(
        schedule.weekly(),
        Some(
            &[
                DailyHour { day: Weekday::Monday, opens: nine, closes: time(18, 0, 0, 0) },
                DailyHour { day: Weekday::Saturday, opens: night, closes: time(2, 0, 0, 0) },
            ][..]
        )
    );
    let day = |day: i8, title: Option<&str>, interval| ExceptionHour {
        title: title.map(str::to_owned),
        valid_from: date(2026, 12, day),
        valid_through: date(2026, 12, day),
        interval,
    };
    assert_eq!(
        schedule.exceptions(),
        [day(25, Some("Natal"), None), day(24, None, Some((nine, time(13, 0, 0, 0))))]
    );
}

#[test]
fn a_rich_location_keeps_its_service_areas() {
    let read = read(&rich()).values.remove(0);
    let ring: Vec<Point> = [(-46.7, -23.6), (-46.6, -23.6), (-46.6, -23.5), (-46.7, -23.6)]
        .map(|(longitude, latitude)| Point::new(latitude, longitude).unwrap())
        .to_vec();
    let polygon = |holes| Polygon::new(ring.clone(), holes).unwrap();
    let postal_codes = PostalCodes::new(
        "BR",
        vec!["01310-100".into()],
        vec!["013".into()],
        vec![("01000-000".into(), "01999-999".into())],
    );
    assert_eq!(
        read.service_areas,
        [
            area("delivery", Area::Radius { radius_m: 5000.0 }),
            area("delivery", Area::Polygons(vec![polygon(vec![])])),
            area("pickup", Area::Polygons(vec![polygon(vec![]), polygon(vec![ring.clone()])])),
            area("mail", Area::Countries(vec!["BR".into(), "UY".into()])),
            area("mail", Area::Regions(vec!["BR-SP".into()])),
            area("courier", Area::PostalCodes(postal_codes.unwrap())),
        ]
    );
}

#[test]
fn a_good_time_zone_outlives_bad_hours_rule_h6() {
    let mut row = rich();
    row["hours"][0]["closes"] = json!("25:00");
    row["exception_hours"][0]["valid_from"] = json!("Natal");
    let feed = read(&row);
    let text = "the Location is served without hours";
    assert_eq!(
        said(&feed.problems),
        [
            format!(
                "warning invalid_schedule | l.jsonl:1: hours[0].closes: `25:00` is no time from \
                 00:00 to 23:59; {text}"
            ),
            format!(
                "warning invalid_schedule | l.jsonl:1: exception_hours[0].valid_from: `Natal` is \
                 no date such as 2026-12-25; {text}"
            ),
        ]
    );
    assert!(feed.values[0].schedule.is_none());
    assert_eq!(feed.values[0].time_zone.as_deref(), Some("America/Sao_Paulo"));
}

#[test]
fn a_time_zone_alone_is_kept_when_it_is_one() {
    let mut row = json!({"id": "1", "name": "Loja", "timezone": "America/Bahia"});
    let feed = read(&row);
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!(feed.values[0].time_zone.as_deref(), Some("America/Bahia"));
    assert!(feed.values[0].schedule.is_none());

    row["timezone"] = json!("Bahia");
    let feed = read(&row);
    assert_eq!(
        said(&feed.problems),
        ["warning invalid_value | l.jsonl:1: timezone: `Bahia` is no IANA time zone"]
    );
    assert_eq!(feed.values[0].time_zone, None);
}

#[test]
fn no_hours_at_all_is_not_the_same_as_never_open_rule_h2() {
    let with = |hours: Value| {
        let row = json!({"id": "1", "name": "Loja", "timezone": "America/Bahia", "hours": hours});
        read(&row).values.remove(0)
    };
    assert!(with(Value::Null).schedule.is_none());
    let never = with(json!([]));
    assert_eq!(never.schedule.as_ref().unwrap().weekly(), Some(&[][..]));
}
