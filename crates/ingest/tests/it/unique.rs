//! Ids over several feeds: the first row that is served wins.

use crate::{defaults, said};
use ingest::{Feed, Source};
use serde_json::{Value, json};

fn source<'a>(file: &str, text: &'a str) -> Source<&'a [u8]> {
    Source { file: file.to_owned(), reader: text.as_bytes(), format: None }
}

fn row(id: &str, variants: &[&str]) -> String {
    let price = json!({"amount": 1, "currency": "BRL"});
    let variants: Vec<Value> =
        variants.iter().map(|id| json!({"id": id, "title": "V", "price": price})).collect();
    let row = json!({"id": id, "title": "P", "description": {"plain": "D"}, "variants": variants});
    row.to_string() + "\n"
}

fn shown(feed: &Feed<catalog::Product>) -> Vec<String> {
    let shown = feed.values.iter().map(|product| {
        let variants: Vec<_> = product.variants.iter().map(|v| v.id.as_str()).collect();
        format!("{}: {}", product.id.as_str(), variants.join(" "))
    });
    shown.collect()
}

#[test]
fn products_and_variants_are_unique_over_all_feeds() {
    let first = [row("a", &["a", "a1"]), row("b", &["a1"]), row("b", &["b1"])].concat();
    let second = [row("a", &["x"]), row("c", &["b1", "c1"]), row("d", &["d1"])].concat();
    let feed = ingest::merge_products(
        [source("1.jsonl", &first), source("2.jsonl", &second)],
        &defaults(),
    );
    assert_eq!(shown(&feed), ["a: a a1", "b: b1", "c: c1", "d: d1"]);
    assert_eq!(
        said(&feed.problems),
        [
            "refused duplicate_id | 1.jsonl:2: variants: the variant id `a1` is already taken at \
             1.jsonl:1",
            "refused no_variant | 1.jsonl:2: variants: has no variant left that can be served",
            "refused duplicate_id | 2.jsonl:1: id: the product id `a` is already taken at \
             1.jsonl:1",
            "refused duplicate_id | 2.jsonl:2: variants: the variant id `b1` is already taken at \
             1.jsonl:3",
        ]
    );
    assert_eq!((feed.rows, feed.refused), (6, 2));
}

#[test]
fn a_variant_id_that_is_another_products_id_is_warned_of_rule_c9() {
    let text = [row("a", &["a"]), row("b", &["a2", "c"]), row("c", &["b"])].concat();
    let feed = ingest::merge_products([source("f", &text)], &defaults());
    assert_eq!(shown(&feed), ["a: a", "b: a2 c", "c: b"]);
    assert_eq!(
        said(&feed.problems),
        [
            "warning ambiguous_id | f:3: id: `c` is also the id of a variant at f:2; looked up, it \
             means the product",
            "warning ambiguous_id | f:3: variants: `b` is also the id of a product at f:2; looked \
             up, it means the product",
        ]
    );
}

#[test]
fn locations_and_aliases_are_unique_over_all_feeds() {
    let row = |id: &str, aliases: &[&str]| {
        let row = json!({"id": id, "name": "L", "shopkeeper": {"aliases": aliases}});
        row.to_string() + "\n"
    };
    let first = [row("1", &["one", "3"]), row("2", &["1", "one", "two"])].concat();
    let second = [row("1", &[]), row("3", &[])].concat();
    let feed = ingest::merge_locations([source("a", &first), source("b", &second)], &defaults());
    let shown: Vec<_> = feed.values.iter().map(|l| (l.id.as_str(), l.aliases.join(" "))).collect();
    assert_eq!(shown, [("1", "one 3".into()), ("2", "one two".into()), ("3", String::new())]);
    assert_eq!(
        said(&feed.problems),
        [
            "warning duplicate_id | a:2: shopkeeper.aliases: `1` is already taken at a:1",
            "refused duplicate_id | b:1: id: the Location id `1` is already taken at a:1",
            "warning ambiguous_id | b:2: id: `3` is also an alias at a:1; looked up, it means this \
             Location",
        ]
    );
    assert_eq!((feed.rows, feed.refused), (4, 1));
}

#[test]
fn rule_l9_a_private_location_takes_no_name_from_a_public_one() {
    let private = json!({"id": "dark", "name": "D",
        "shopkeeper": {"private": true, "aliases": ["shared"]}});
    let public = json!({"id": "shop", "name": "S", "shopkeeper": {"aliases": ["shared", "dark"]}});
    let feed =
        ingest::merge_locations([source("a", &format!("{private}\n{public}\n"))], &defaults());
    assert_eq!(feed.values[1].aliases, ["shared", "dark"]);
    assert_eq!(said(&feed.problems), [] as [&str; 0]);
}
