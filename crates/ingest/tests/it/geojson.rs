//! Places as GeoJSON.

use crate::stores::daily;
use crate::{defaults, said};
use ingest::{Feed, Reading};
use jiff::civil::Weekday;
use location::Location;
use serde_json::{Value, json};

fn feature() -> Value {
    json!({
        "type": "Feature",
        "id": "x1",
        "properties": {
            "ref": "12",
            "@spider": "vela",
            "name": "Vela",
            "branch": "Centro",
            "brand:wikidata": "Q1",
            "addr:street_address": "Rua A, 10",
            "addr:city": "São Paulo",
            "addr:state": "SP",
            "addr:postcode": "01310-100",
            "addr:country": "BR",
            "phone": "+55 11 5555-0000",
            "opening_hours": "Mo-Tu 09:00-17:00; 2026 Dec 25 off"
        },
        "geometry": {"type": "Point", "coordinates": [-46.63, -23.55]}
    })
}

fn read(features: &[Value]) -> Feed<Location> {
    let collection = json!({"type": "FeatureCollection", "features": features});
    let defaults = defaults();
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    let reading = Reading::at(&defaults, now);
    ingest::locations("p.geojson", collection.to_string().as_bytes(), None, reading)
}

/// The feature with one property or member set.
fn with(pointer: &str, value: Value) -> (Option<Location>, Vec<String>) {
    let mut feature = feature();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    feature.pointer_mut(parent).unwrap()[name] = value;
    let mut feed = read(&[feature]);
    assert_eq!((feed.rows, feed.refused), (1, 1 - feed.values.len() as u64));
    (feed.values.pop(), said(&feed.problems))
}

#[test]
fn a_place_with_everything() {
    let feed = read(&[feature()]);
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!((feed.rows, feed.refused, feed.zones_derived), (1, 0, 1));
    let place = &feed.values[0];
    assert_eq!((place.id.as_str(), place.name.own().as_str()), ("12", "Vela Centro"));
    let address = place.address.clone().unwrap();
    assert_eq!(address.street_address.as_deref(), Some("Rua A, 10"));
    assert_eq!(address.address_region.as_deref(), Some("SP"));
    assert_eq!(address.phone_number.as_deref(), Some("+55 11 5555-0000"));
    assert_eq!(place.geo.unwrap().longitude(), -46.63);
    let schedule = place.schedule.as_ref().unwrap();
    assert_eq!(schedule.zone_name(), "America/Sao_Paulo");
    let week = [Weekday::Monday, Weekday::Tuesday].map(|day| daily(day, (9, 0), (17, 0)));
    assert_eq!(schedule.weekly().unwrap(), week);
    assert_eq!(schedule.exceptions().len(), 1);
}

#[test]
fn what_a_place_may_lack() {
    let (place, said) = with("/properties/ref", Value::Null);
    assert_eq!((place.unwrap().id.as_str(), said.len()), ("x1", 0));
    let (place, said) = with("/properties/ref", json!(7));
    assert_eq!((place.unwrap().id.as_str(), said.len()), ("7", 0));
    let (place, said) = with("/geometry", Value::Null);
    let place = place.unwrap();
    assert!(place.geo.is_none() && place.schedule.is_none());
    assert!(said[0].contains("neither a time zone nor coordinates"), "{said:?}");
    let (place, said) = with("/properties/opening_hours", Value::Null);
    let place = place.unwrap();
    assert_eq!((place.time_zone.as_deref(), said.len()), (Some("America/Sao_Paulo"), 0));
}

#[test]
fn hours_that_no_week_can_say_are_unknown() {
    let (place, said) = with("/properties/opening_hours", json!("Mo 09:00-sunset"));
    assert!(place.unwrap().schedule.is_none());
    let text = "`Mo 09:00-sunset` uses sunset, which weekly hours cannot say; the Location is \
                served without hours";
    assert_eq!(
        said,
        [format!("warning invalid_schedule | p.geojson:1: properties.opening_hours: {text}")]
    );
    let (place, said) = with("/properties/opening_hours", json!("Mo 09:00-17:00; PH off"));
    assert!(place.unwrap().schedule.is_some());
    let text =
        "`Mo 09:00-17:00; PH off`: public holidays (PH) need a calendar; they are passed over";
    assert_eq!(said, [format!("warning changed | p.geojson:1: properties.opening_hours: {text}")]);
    let (place, said) = with("/properties/opening_hours", json!("nine to five"));
    assert!(place.unwrap().schedule.is_none());
    assert!(said[0].contains("`nine to five` is not in the form of opening_hours"), "{said:?}");
}

#[test]
fn what_is_wrong_with_a_place() {
    let geometry = |coordinates: Value| json!({"type": "Point", "coordinates": coordinates});
    for (pointer, value, expected) in [
        ("/geometry", geometry(json!([0, 91])), "latitude 91 is not within -90 to 90"),
        ("/geometry", geometry(json!([180.000_000_1, 0])), "longitude 180.0000001 is not within"),
        ("/geometry", geometry(json!(["0", 0])), "coordinates[0]: must be a number, not a string"),
        ("/geometry", geometry(json!([0])), "coordinates: are no longitude and latitude"),
        ("/geometry", json!({"type": "Polygon"}), "geometry.type: is not Point"),
        ("/geometry", json!(1), "geometry: must be an object, not a number"),
    ] {
        let (place, said) = with(pointer, value);
        assert_eq!(place.unwrap().geo, None);
        assert!(said[0].starts_with("warning") && said[0].contains(expected), "{said:?}");
    }
    for (pointer, value, expected) in [
        ("/type", json!("Topology"), "type: is not Feature"),
        ("/properties", json!([]), "properties: must be an object, not an array"),
        ("/properties/ref", json!(""), "properties.ref: is missing, and the feature has no id"),
        ("/properties/name", json!(" "), "properties.name: is missing, and so is brand"),
    ] {
        let (place, said) = with(pointer, value);
        assert!(place.is_none());
        assert!(said[0].starts_with("refused") && said[0].contains(expected), "{said:?}");
    }
}

#[test]
fn bad_features_between_good_ones() {
    let (a, mut b) = (feature(), feature());
    b["properties"]["ref"] = json!("13");
    let mut bytes = format!(
        "{{\"type\":\"FeatureCollection\",\"features\":[\n{a},\n{{\"type\":\"Feature\",\"id\":1,\"id\":2}},\n"
    )
    .into_bytes();
    bytes.extend(b"{\"type\":\"Feature\",\"id\":\"\xFF\"},\n{\"type\":\"Feature\",\"id\":\"1},\n");
    bytes.extend(format!("{a},\n{b}\n]}}").into_bytes());
    let feed = ingest::locations("p", &bytes[..], None, &defaults());
    let ids: Vec<_> = feed.values.iter().map(|place| place.id.as_str()).collect();
    assert_eq!(ids, ["12", "13"]);
    assert_eq!((feed.rows, feed.refused), (6, 4));
    assert_eq!(
        said(&feed.problems),
        [
            "refused duplicate_key | p:3: id: is there twice in one object",
            "refused invalid_encoding | p:4: the feature is not UTF-8",
            "refused invalid_json | p:5: is no valid JSON; reading goes on at the next line that begins a feature",
            "refused duplicate_id | p:6: id: the Location id `12` is already taken at p:2",
        ]
    );
    let zipped = crate::gzip(&bytes);
    let feed = ingest::locations("p", &zipped[..zipped.len() - 12], None, &defaults());
    assert!(said(&feed.problems).last().unwrap().contains("refused truncated"));
}
