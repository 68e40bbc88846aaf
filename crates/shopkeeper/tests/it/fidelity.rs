//! What is served is what the merchant's feeds say: nothing lost on the way, nothing
//! added (rules C6, C15, L9, L12).

use crate::app::{mercado, workspace};
use crate::clients::ask;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The rows of a feed of the demo store, by their ids.
fn feed(file: &str) -> BTreeMap<String, Map<String, Value>> {
    let text = std::fs::read_to_string(workspace().join("examples/mercado").join(file)).unwrap();
    text.lines()
        .map(|line| whole(serde_json::from_str(line).unwrap()))
        .map(|row| row.as_object().unwrap().clone())
        .map(|row| (row["id"].as_str().unwrap().to_owned(), row))
        .collect()
}

/// `value` with 4.0 written as 4.
fn whole(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            members.into_iter().map(|(name, member)| (name, whole(member))).collect()
        }
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => json!(float as i64),
            _ => number.into(),
        },
        other => other,
    }
}

/// Variants by their ids, without what is private; `known` are those of the feed,
/// whose availability may come from the stock (rule C14).
fn variants(list: &Value, known: Option<&Value>) -> BTreeMap<String, Map<String, Value>> {
    let silent: Vec<&Value> = known
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|variant| variant.get("availability").is_none())
        .map(|variant| &variant["id"])
        .collect();
    let mut found = BTreeMap::new();
    for variant in list.as_array().unwrap() {
        let mut members = variant.as_object().unwrap().clone();
        members.remove("shopkeeper");
        if silent.contains(&&variant["id"]) {
            members.remove("availability");
        }
        found.insert(variant["id"].as_str().unwrap().to_owned(), members);
    }
    found
}

/// The media of a product in a search: those of the variant that fits best, then
/// the product's own, the same URL not twice; the own alone where it has none.
fn media(of_variant: Option<&Value>, own: Option<&Value>) -> Vec<Value> {
    let items = |list: Option<&Value>| list.and_then(Value::as_array).cloned().unwrap_or_default();
    let (mut all, own) = (items(of_variant), items(own));
    if all.is_empty() {
        return own;
    }
    for item in own {
        if all.iter().all(|known| known["url"] != item["url"]) {
            all.push(item);
        }
    }
    all
}

#[test]
fn every_product_is_served_as_its_feed_has_it() {
    let mut rows = feed("products.jsonl");
    let request = json!({"query": "*", "pagination": {"limit": 100}});
    let answer = whole(ask(mercado(), "search_catalog", &request));
    for product in answer["products"].as_array().unwrap() {
        let id = product["id"].as_str().unwrap();
        let mut row = rows.remove(id).unwrap_or_else(|| panic!("{id} is in no feed"));
        let mut served = product.as_object().unwrap().clone();
        row.remove("shopkeeper");
        let own = row.remove("variants").unwrap();
        let shown = served.remove("variants").unwrap();
        let expected = media(shown.pointer("/0/media"), row.remove("media").as_ref());
        let found = served.remove("media");
        assert_eq!(
            found.as_ref().and_then(Value::as_array).unwrap_or(&Vec::new()),
            &expected,
            "{id}"
        );
        let (own, shown) = (variants(&own, None), variants(&shown, Some(&own)));
        assert_eq!(shown.keys().collect::<Vec<_>>(), own.keys().collect::<Vec<_>>(), "{id}");
        for (id, variant) in &own {
            assert_eq!(shown[id], *variant, "{id}");
        }
        assert_eq!(served, row, "{id}");
    }
    assert!(rows.is_empty(), "not served: {:?}", rows.keys());
}

#[test]
fn every_place_is_served_as_its_feed_has_it() {
    let mut rows = feed("stores.jsonl");
    let request = json!({"pagination": {"limit": 100}});
    let answer = whole(ask(mercado(), "search_locations", &request));
    for location in answer["locations"].as_array().unwrap() {
        let id = location["id"].as_str().unwrap();
        let mut row = rows.remove(id).unwrap();
        let mut served = location.as_object().unwrap().clone();
        row.remove("shopkeeper");
        // Rule L12: what is past may be left out, and nothing else.
        let exceptions = |members: &mut Map<String, Value>| {
            let list = members.remove("exception_hours");
            list.and_then(|list| list.as_array().cloned()).unwrap_or_default()
        };
        let (own, shown) = (exceptions(&mut row), exceptions(&mut served));
        assert_eq!(own[own.len() - shown.len()..], shown, "{id}");
        assert_eq!(served, row, "{id}");
    }
    let hidden: Vec<&str> = rows.keys().map(String::as_str).collect();
    assert_eq!(hidden, ["loc_hub_cajamar"], "rule L9");
}
