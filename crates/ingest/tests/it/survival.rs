//! Whatever comes in, reading ends, and a good row between bad ones is served.

use crate::defaults;
use crate::locations::rich as rich_location;
use crate::products::{least, rich as rich_product};
use ingest::{FeedKind, Format};
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,8}".prop_map(Value::from),
        prop_oneof![
            Just("BRL"),
            Just("09:00"),
            Just("2026-12-25"),
            Just("https://a/b"),
            Just("v1")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-z.]{0,6}", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Every place in a value, itself included.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(name, value)| pointers(value, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| pointers(value, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

fn mutated(row: Value, changes: Vec<(prop::sample::Index, Value)>) -> Value {
    changes.into_iter().fold(row, |mut row, (which, value)| {
        let mut places = Vec::new();
        pointers(&row, "", &mut places);
        if let Some(place) = row.pointer_mut(which.get(&places[..]).as_str()) {
            *place = value;
        }
        row
    })
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Value)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any_json()), 1..4)
}

/// A line that is no comment on the lines around it.
fn any_line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        r#"[{}\[\]",:a-z0-9\\ ]{0,40}"#.prop_map(String::into_bytes),
    ]
    .prop_map(|mut line| {
        line.retain(|byte| *byte != b'\n');
        line
    })
}

fn survivor() -> Value {
    let mut row = least();
    row["id"] = json!("survivor");
    row["variants"][0]["id"] = json!("survivor-v");
    row
}

fn join(lines: &[Vec<u8>]) -> Vec<u8> {
    // A blank first line, so that no noise is taken for a mark of the file.
    let mut bytes = b"\n".to_vec();
    lines.iter().for_each(|line| bytes.extend([line, &b"\n"[..]].concat()));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_bytes_come_to_an_end(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        gzip in any::<bool>(),
    ) {
        let bytes = if gzip { [&[0x1F, 0x8B, 8, 0][..], &bytes].concat() } else { bytes };
        for kind in [FeedKind::Products, FeedKind::Locations, FeedKind::Stock] {
            let formats = Format::supported(kind).iter().copied().map(Some);
            for format in formats.chain([None]) {
                ingest::products("f.jsonl", &bytes[..], format, &defaults());
                ingest::locations("f.jsonl", &bytes[..], format, &defaults());
                ingest::stock("f.csv", &bytes[..], format);
            }
        }
    }

    #[test]
    fn a_good_product_between_bad_lines_is_served(before in any_line(), after in any_line()) {
        let bytes = join(&[before, survivor().to_string().into_bytes(), after]);
        let feed = ingest::products("f.jsonl", &bytes[..], None, &defaults());
        prop_assert!(feed.values.iter().any(|product| product.id.as_str() == "survivor"));
    }

    #[test]
    fn a_good_stock_row_between_bad_lines_is_served(before in any_line(), after in any_line()) {
        // Closed quotes around the good row would make it a part of another one.
        let after = after.into_iter().filter(|byte| *byte != b'"').collect();
        let header = b"location_id,item_id,quantity".to_vec();
        let bytes = join(&[header, before, b"l1,survivor,1".to_vec(), after]);
        let feed = ingest::stock("f.csv", &bytes[..], None);
        let survives = feed.values.iter().any(|(line, stock)| {
            *line == 4 && stock.item == "survivor" && stock.quantity == Some(1)
        });
        prop_assert!(survives);
        prop_assert!(feed.rows >= feed.refused);
    }

    #[test]
    fn a_good_item_between_bad_lines_is_served(before in any_line(), after in any_line()) {
        let header = b"id\ttitle\tdescription\tprice".to_vec();
        let survivor = b"survivor\tT\tD\t1 BRL".to_vec();
        let bytes = join(&[header, before, survivor, after]);
        let feed = ingest::products("f.tsv", &bytes[..], None, &defaults());
        prop_assert!(feed.values.iter().any(|product| product.id.as_str() == "survivor"));
        prop_assert!(feed.rows >= feed.refused);
    }

    #[test]
    fn a_good_feature_between_bad_lines_is_served(before in any_line(), after in any_line()) {
        let feature = json!({"type": "Feature", "id": "survivor", "properties": {"name": "Loja"}});
        let head = b"{\"type\":\"FeatureCollection\",\"features\":[".to_vec();
        let line = feature.to_string().into_bytes();
        let bytes = join(&[head, before, line, after, b"]}".to_vec()]);
        let feed = ingest::locations("f.geojson", &bytes[..], None, &defaults());
        // A line of brackets alone may close the collection, or be half a feature.
        let survives = feed.values.iter().any(|place| place.id.as_str() == "survivor");
        prop_assert!(survives || !feed.problems.is_empty());
    }

    #[test]
    fn a_mutated_product_costs_no_other(changes in changes()) {
        let row = mutated(rich_product(), changes);
        let text = format!("{row}\n{}\n", survivor());
        let feed = ingest::products("f.jsonl", text.as_bytes(), None, &defaults());
        prop_assert!(feed.values.iter().any(|product| product.id.as_str() == "survivor"));
        prop_assert!(feed.problems.iter().all(|problem| !problem.to_string().contains('\n')));
        prop_assert_eq!(feed.rows, feed.values.len() as u64 + feed.refused);
    }

    #[test]
    fn a_mutated_location_costs_no_other(changes in changes()) {
        let row = mutated(rich_location(), changes);
        let text = format!("{row}\n{}\n", json!({"id": "survivor", "name": "Loja"}));
        let feed = ingest::locations("f.jsonl", text.as_bytes(), None, &defaults());
        prop_assert!(feed.values.iter().any(|location| location.id.as_str() == "survivor"));
        prop_assert!(feed.problems.iter().all(|problem| !problem.to_string().contains('\n')));
        for location in &feed.values {
            prop_assert!(location.schedule.is_none() || location.time_zone.is_none());
        }
    }
}

/// Found by the property above: a bracket closed the features too early, and the
/// rest was passed over in silence.
#[test]
fn what_follows_the_features_and_is_no_json_is_said() {
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\n]\n[\n{\"type\":\"Feature\"}\n]}\n";
    let feed = ingest::locations("f.geojson", text.as_bytes(), None, &defaults());
    assert_eq!(feed.values.len(), 0);
    assert_eq!(feed.problems.len(), 1, "{:?}", feed.problems);
}
