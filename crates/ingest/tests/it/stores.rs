//! Store lists: the bulk file of Google Business Profile, and 1,565 real stores
//! in every format that has hours.

use crate::retail::shared;
use crate::{defaults, said};
use ingest::Feed;
use jiff::civil::{Date, Time, Weekday, date};
use location::schedule::{DailyHour, ExceptionHour};
use location::{Location, Schedule};
use serde_json::{Value, json};

/// One store with a good code and name in São Paulo, and the columns given.
fn store(columns: &[(&str, &str)]) -> Feed<Location> {
    let good = [
        ("Store code", "s1"),
        ("Business name", "Loja Centro"),
        ("Latitude", "-23.55"),
        ("Longitude", "-46.63"),
    ];
    let good = good.iter().filter(|(name, _)| columns.iter().all(|(other, _)| other != name));
    let (names, cells): (Vec<&str>, Vec<&str>) = good.chain(columns).copied().unzip();
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(names).unwrap();
    table.write_record(cells).unwrap();
    ingest::locations("s.csv", &table.into_inner().unwrap()[..], None, &defaults())
}

pub(crate) fn time(hour: i8, minute: i8) -> Time {
    Time::new(hour, minute, 0, 0).unwrap()
}

pub(crate) fn daily(day: Weekday, opens: (i8, i8), closes: (i8, i8)) -> DailyHour {
    DailyHour { day, opens: time(opens.0, opens.1), closes: time(closes.0, closes.1) }
}

#[test]
fn a_store_with_everything() {
    let feed = store(&[
        ("address line 1", "Rua A, 10"),
        ("Address line 2", "Loja 3"),
        ("Address line 3", "Centro"),
        ("Locality", "São Paulo"),
        ("Administrative area", "SP"),
        ("Country / Region", "BR"),
        ("Postal code", "01310-100"),
        ("Primary phone", "+55 11 5555-0000"),
        ("Sunday hours", "x"),
        ("Monday hours", "9:00 AM - 5:00 PM"),
        ("Tuesday hours", "09:00-12:00, 13:00-18:00"),
        ("Saturday hours", "18:00-02:00"),
        ("Special hours", "2026-12-25: x, 2026-12-24: 09:00-13:00"),
        ("Labels", "centro"),
    ]);
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!((feed.rows, feed.refused, feed.zones_derived), (1, 0, 1));
    let store = &feed.values[0];
    assert_eq!((store.id.as_str(), store.name.own().as_str()), ("s1", "Loja Centro"));
    let address = store.address.clone().unwrap();
    assert_eq!(address.street_address.as_deref(), Some("Rua A, 10"));
    assert_eq!(address.extended_address.as_deref(), Some("Loja 3, Centro"));
    assert_eq!(address.postal_code.as_deref(), Some("01310-100"));
    assert_eq!(store.geo.unwrap().latitude(), -23.55);
    let schedule = store.schedule.as_ref().unwrap();
    assert_eq!(schedule.zone_name(), "America/Sao_Paulo");
    assert_eq!(
        schedule.weekly().unwrap(),
        [
            daily(Weekday::Monday, (9, 0), (17, 0)),
            daily(Weekday::Tuesday, (9, 0), (12, 0)),
            daily(Weekday::Tuesday, (13, 0), (18, 0)),
            daily(Weekday::Saturday, (18, 0), (2, 0)),
        ]
    );
    let exception = |date: Date, interval| ExceptionHour {
        title: None,
        valid_from: date,
        valid_through: date,
        interval,
    };
    assert_eq!(
        schedule.exceptions(),
        [
            exception(date(2026, 12, 25), None),
            exception(date(2026, 12, 24), Some((time(9, 0), time(13, 0)))),
        ]
    );
}

#[test]
fn what_a_store_may_lack() {
    let feed = store(&[("Monday hours", "")]);
    assert_eq!(said(&feed.problems), [""; 0]);
    let bare = &feed.values[0];
    assert!(bare.schedule.is_none() && bare.address.is_none(), "hours are unknown");
    assert_eq!(bare.time_zone.as_deref(), Some("America/Sao_Paulo"));

    let feed = store(&[("Special hours", "2026-12-25: x")]);
    let schedule = feed.values[0].schedule.as_ref().unwrap();
    assert_eq!((schedule.weekly(), schedule.exceptions().len()), (None, 1));

    let all = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        .map(|day| (format!("{day} hours"), "Closed"));
    let all: Vec<_> = all.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let feed = store(&all);
    assert_eq!(feed.values[0].schedule.as_ref().unwrap().weekly(), Some(&[][..]), "never open");

    let feed = store(&[
        ("Latitude", ""),
        ("Longitude", ""),
        ("Time zone", "America/Manaus"),
        ("Monday hours", "09:00-10:00"),
    ]);
    assert_eq!((said(&feed.problems).len(), feed.zones_derived), (0, 0));
    assert_eq!(feed.values[0].schedule.as_ref().unwrap().zone_name(), "America/Manaus");
}

#[test]
fn what_is_wrong_with_a_store() {
    let warned = |columns: &[(&str, &str)]| {
        let feed = store(columns);
        assert_eq!((feed.values.len(), feed.refused), (1, 0));
        (feed.values[0].clone(), said(&feed.problems).join("\n"))
    };
    let (store1, said1) = warned(&[("Latitude", "91")]);
    assert_eq!(store1.geo, None);
    assert_eq!(
        said1,
        "warning invalid_value | s.csv:2: Latitude: latitude 91 is not within -90 to 90"
    );
    assert!(
        warned(&[("Longitude", "180.0000001")]).1.contains("longitude 180.0000001 is not within")
    );
    assert!(warned(&[("Longitude", "NaN")]).1.contains("longitude NaN is not within -180 to 180"));
    assert!(warned(&[("Latitude", "1e400")]).1.contains("latitude inf is not within"));
    assert!(warned(&[("Latitude", "")]).1.contains("missing | s.csv:2: Latitude: is blank"));
    assert_eq!(warned(&[("Latitude", "-23,55")]).1, "");

    let lost = "the Location is served without hours";
    let (store, said) = warned(&[("Monday hours", "9-5"), ("Tuesday hours", "09:00-17:00")]);
    assert!(store.schedule.is_none());
    let text = "`9-5` is no hours such as 9:00 AM - 5:00 PM, 09:00-17:00 or x";
    assert_eq!(said, format!("warning invalid_schedule | s.csv:2: Monday hours: {text}; {lost}"));
    for (column, hours, expected) in [
        ("Monday hours", "09:00-09:00", "open and close at the same time"),
        ("Special hours", "2026-12-25: x, 2026-12-25: 09:00-10:00", "mix a closure"),
        ("Special hours", "Natal", "`Natal` is no hours"),
    ] {
        let (store, said) = warned(&[(column, hours)]);
        assert!(store.schedule.is_none());
        assert!(said.contains(expected) && said.ends_with(lost), "{said}");
    }
    let (store, said) =
        warned(&[("Latitude", ""), ("Longitude", ""), ("Monday hours", "09:00-17:00")]);
    assert!(store.schedule.is_none() && store.time_zone.is_none());
    assert!(said.contains("neither a time zone nor coordinates"), "{said}");
    let (store, said) = warned(&[("Time zone", "Mars/Base"), ("Monday hours", "09:00-17:00")]);
    assert_eq!(store.schedule.as_ref().unwrap().zone_name(), "America/Sao_Paulo");
    assert!(said.contains("`Mars/Base` is no IANA time zone"), "{said}");
    let (store, said) = warned(&[("Business name", &"x".repeat(1_000_000))]);
    assert_eq!(store.name.own().len(), 1_000);
    assert!(said.contains("Business name: is cut after 1000 characters"), "{said}");
}

#[test]
fn rows_and_headers_that_are_refused() {
    let text = "Store code,Business name\n,Loja\ns1,\ns2,A,x\ns3,B\ns3,C\n\"s4";
    let feed = ingest::locations("s.csv", text.as_bytes(), None, &defaults());
    assert_eq!(feed.values.len(), 1);
    assert_eq!((feed.rows, feed.refused), (6, 5));
    assert_eq!(
        said(&feed.problems),
        [
            "refused missing | s.csv:2: Store code: is blank",
            "refused missing | s.csv:3: Business name: is blank",
            "refused invalid_csv | s.csv:4: has 3 fields, the header 2",
            "refused duplicate_id | s.csv:6: id: the Location id `s3` is already taken at s.csv:5",
            "refused invalid_csv | s.csv:7: has a quote that is not closed",
        ]
    );
    let feed = ingest::locations("s.csv", &b"code,name\n1,2\n"[..], None, &defaults());
    let text =
        "the header lacks Store code, Business name: Store code and Business name are needed";
    assert_eq!(said(&feed.problems), [format!("refused missing | s.csv:1: {text}")]);
}

const DAYS: [(&str, &str, &str, Weekday); 7] = [
    ("Mon", "Monday hours", "Mo", Weekday::Monday),
    ("Tue", "Tuesday hours", "Tu", Weekday::Tuesday),
    ("Wed", "Wednesday hours", "We", Weekday::Wednesday),
    ("Thurs", "Thursday hours", "Th", Weekday::Thursday),
    ("Fri", "Friday hours", "Fr", Weekday::Friday),
    ("Sat", "Saturday hours", "Sa", Weekday::Saturday),
    ("Sun", "Sunday hours", "Su", Weekday::Sunday),
];

/// Hour and minute.
type Clock = (i8, i8);

/// Opens and closes of each day, from texts such as "Mon: 10-9:30": mornings to
/// evenings.
fn hours(store: &Value) -> Vec<(usize, Clock, Clock)> {
    let clock = |text: &str, half: i8| {
        let (hour, minute) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
        let (hour, minute): (i8, i8) = (hour.parse().unwrap(), minute.parse().unwrap());
        (hour % 12 + half, minute)
    };
    let days = store["hours"].as_str().unwrap().split(';').map(|part| {
        let (day, hours) = part.trim().split_once(": ").unwrap();
        let (opens, closes) = hours.split_once('-').unwrap();
        let place = DAYS.iter().position(|(name, ..)| *name == day).unwrap();
        // 12 as an opening time is noon.
        let opens = if opens == "12" { (12, 0) } else { clock(opens, 0) };
        (place, opens, clock(closes, 12))
    });
    days.collect()
}

fn bestbuy() -> Option<Vec<Value>> {
    let stores: Vec<Value> = serde_json::from_str(&shared("bestbuy-stores.json")?).unwrap();
    assert_eq!(stores.len(), 1565);
    Some(stores)
}

fn business_profile(stores: &[Value]) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut header = vec![
        "Store code",
        "Business name",
        "Address line 1",
        "Address line 2",
        "Locality",
        "Administrative area",
        "Country / Region",
        "Postal code",
        "Latitude",
        "Longitude",
    ];
    header.extend(DAYS.map(|(_, column, ..)| column));
    table.write_record(&header).unwrap();
    for store in stores {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let mut row: Vec<String> = ["id", "name", "address", "address2", "city", "state"]
            .map(|name| text(&store[name]))
            .to_vec();
        row.extend(["US".to_owned(), text(&store["zip"])]);
        row.extend(["lat", "lon"].map(|name| text(&store["location"][name])));
        let mut cells = vec![String::new(); 7];
        for (day, opens, closes) in hours(store) {
            let half = |(hour, minute): (i8, i8)| {
                let (shown, half) = ((hour + 11) % 12 + 1, if hour < 12 { "AM" } else { "PM" });
                format!("{shown}:{minute:02} {half}")
            };
            cells[day] = format!("{} - {}", half(opens), half(closes));
        }
        row.extend(cells);
        table.write_record(&row).unwrap();
    }
    table.into_inner().unwrap()
}

fn geojson(stores: &[Value], lines: bool) -> Vec<u8> {
    let features = stores.iter().map(|store| {
        let days = hours(store).into_iter().map(|(day, opens, closes)| {
            let clock = |(hour, minute): (i8, i8)| format!("{hour:02}:{minute:02}");
            format!("{} {}-{}", DAYS[day].2, clock(opens), clock(closes))
        });
        let feature = json!({
            "type": "Feature",
            "properties": {
                "ref": store["id"],
                "name": store["name"],
                "addr:street_address": store["address"],
                "addr:city": store["city"],
                "addr:state": store["state"],
                "addr:postcode": store["zip"],
                "addr:country": "US",
                "opening_hours": days.collect::<Vec<_>>().join("; "),
            },
            "geometry": {
                "type": "Point",
                "coordinates": [store["location"]["lon"], store["location"]["lat"]],
            },
        });
        feature.to_string()
    });
    let features: Vec<String> = features.collect();
    if lines {
        return features.join("\n").into_bytes();
    }
    let features = features.join(",\n");
    format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{features}\n]}}\n").into_bytes()
}

/// Every store is there with its hours, in a zone of the United States.
fn check(file: &str, bytes: &[u8], stores: &[Value]) {
    let feed = ingest::locations(file, bytes, None, &defaults());
    assert_eq!(said(&feed.problems), [""; 0], "{file}");
    assert_eq!((feed.rows, feed.refused, feed.zones_derived), (1565, 0, 1565), "{file}");
    for (read, store) in feed.values.iter().zip(stores) {
        assert_eq!(read.id.as_str(), store["id"].to_string(), "{file}");
        assert_eq!(read.name.own(), store["name"].as_str().unwrap().trim(), "{file}");
        let schedule: &Schedule = read.schedule.as_ref().unwrap();
        let mut found = schedule.weekly().unwrap().to_vec();
        found.sort_by_key(|hour| hour.day.to_monday_zero_offset());
        let expected = hours(store);
        let mut expected: Vec<DailyHour> = expected
            .iter()
            .map(|(day, opens, closes)| daily(DAYS[*day].3, *opens, *closes))
            .collect();
        expected.sort_by_key(|hour| hour.day.to_monday_zero_offset());
        assert_eq!(found, expected, "{file}: {store}");
        let zone = schedule.zone_name();
        assert!(zone.starts_with("America/") || zone == "Pacific/Honolulu", "{zone}");
        let state = read.address.as_ref().unwrap().address_region.as_deref();
        let expected = match state.unwrap() {
            "AZ" => "America/Phoenix",
            "HI" => "Pacific/Honolulu",
            "PR" => "America/Puerto_Rico",
            "CA" | "WA" => "America/Los_Angeles",
            "NY" | "NJ" | "MA" => "America/New_York",
            _ => continue,
        };
        assert_eq!(zone, expected, "{store}");
    }
}

#[test]
fn real_stores_load_whole() {
    let Some(stores) = bestbuy() else { return };
    let bytes = business_profile(&stores);
    check("stores.csv", &bytes, &stores);
    check("stores", &crate::gzip(&bytes), &stores);
    let bytes = geojson(&stores, false);
    check("stores.geojson", &bytes, &stores);
    check("stores", &crate::gzip(&bytes), &stores);
    check("stores.ndgeojson", &geojson(&stores, true), &stores);
}
