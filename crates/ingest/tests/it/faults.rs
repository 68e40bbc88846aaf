//! Every fault of a row in a JSON feed, with its exact line in the report.
//!
//! A case sets one member (by JSON pointer) of a good row to a bad value.

mod location;
mod product;
mod variant;

use crate::locations::rich as rich_location;
use crate::products::rich as rich_product;
use crate::{defaults, said};
use serde_json::Value;

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
