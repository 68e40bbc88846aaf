//! Generated catalogs: one seed is one catalog, and the store's own reader takes
//! every row of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bench::generated::{BIG_VARIANTS, Generated, Plan};
use bench::queries;
use catalog::{Currency, LanguageTag};
use ingest::{Defaults, Feed, Format};
use std::collections::{HashMap, HashSet};

fn written(plan: Plan) -> Vec<u8> {
    let mut out = Vec::new();
    Generated::new(plan).write(&mut out).unwrap();
    out
}

fn read(feed: &[u8]) -> Feed<catalog::Product> {
    let defaults =
        Defaults { language: LanguageTag::new("pt-BR").unwrap(), currency: Currency::BRL };
    ingest::products("products.jsonl", feed, Some(Format::Ucp), &defaults)
}

#[test]
fn one_seed_is_one_catalog() {
    let plan = Plan { products: 50, variants: 3, seed: 5 };
    assert_eq!(written(plan), written(plan));
    assert_ne!(written(plan), written(Plan { seed: 6, ..plan }));
    let more = written(Plan { products: 60, ..plan });
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.lines().take(50).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&written(plan)), lines(&more), "a larger catalog begins with the smaller");
}

#[test]
fn the_store_takes_every_row() {
    for variants in [1, 2, 3, 7, BIG_VARIANTS] {
        let products = if variants == 3 { 1_500 } else { 12 };
        let feed = read(&written(Plan { products, variants, seed: 11 }));
        assert_eq!(feed.problems.first(), None);
        assert_eq!((feed.rows, feed.refused), (products as u64 + 1, 0));
        assert_eq!(feed.values.len(), products + 1);
        let (big, rest) = feed.values.split_last().unwrap();
        assert_eq!(big.variants.len(), BIG_VARIANTS);
        assert!(rest.iter().all(|product| product.variants.len() == variants));
    }
}

#[test]
fn the_catalog_is_as_it_should_be() {
    let catalog = Generated::new(Plan { products: 2_000, variants: 3, seed: 1 });
    let mut feed = Vec::new();
    catalog.write(&mut feed).unwrap();
    let products: Vec<serde_json::Value> = std::str::from_utf8(&feed)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let words = |value: &serde_json::Value| value.as_str().unwrap().split_whitespace().count();
    let mut codes = HashSet::new();
    let mut brands: HashMap<&str, usize> = HashMap::new();
    let (mut variants, mut available) = (0, 0);
    for product in &products {
        assert!((5..=9).contains(&words(&product["title"])), "{}", product["title"]);
        assert!((25..=75).contains(&words(&product["description"]["plain"])));
        *brands.entry(product["metadata"]["brand"].as_str().unwrap()).or_default() += 1;
        let combinations: HashSet<String> = product["variants"]
            .as_array()
            .unwrap()
            .iter()
            .map(|variant| variant["options"].to_string())
            .collect();
        assert_eq!(combinations.len(), product["variants"].as_array().unwrap().len());
        for variant in product["variants"].as_array().unwrap() {
            let code = variant["barcodes"][0]["value"].as_str().unwrap();
            let sum: u32 = code
                .bytes()
                .zip([1, 3].into_iter().cycle())
                .map(|(digit, weight)| u32::from(digit - b'0') * weight)
                .sum();
            assert_eq!((code.len(), sum % 10), (13, 0), "{code}");
            assert!(codes.insert(code), "{code} twice");
            variants += 1;
            available += usize::from(variant["availability"]["available"] == true);
        }
    }
    let share = 100 * available / variants;
    assert!((82..=88).contains(&share), "{share} % are available");
    let biggest = brands.values().max().unwrap();
    // The first of 5,000 by Zipf's law has one product in nine.
    assert!((160..=290).contains(biggest), "{biggest}");
    assert!(brands.len() > 600, "{} brands", brands.len());
}

#[test]
fn queries_are_true_of_a_product() {
    let catalog = Generated::new(Plan { products: 3_000, variants: 3, seed: 2 });
    let classes = queries::classes(&catalog, 25);
    assert_eq!(classes, queries::classes(&catalog, 25));
    assert_eq!(classes.len(), 8);
    assert!(classes.iter().all(|class| class.requests.len() == 25));
    let mut feed = Vec::new();
    catalog.write(&mut feed).unwrap();
    let titles: Vec<String> =
        read(&feed).values.iter().map(|product| product.title.own().to_lowercase()).collect();
    for class in classes.iter().filter(|class| class.name.contains("word")) {
        for request in &class.requests {
            let query = request["query"].as_str().unwrap();
            assert!(titles.iter().any(|title| title.starts_with(query)), "{query}");
        }
    }
    let typing_errors = classes.iter().find(|class| class.name == "typing error").unwrap();
    for request in &typing_errors.requests {
        let wrong = request["query"].as_str().unwrap();
        assert!(!catalog.words.knows(wrong));
        let one_off = |kind: &String| {
            kind.len() == wrong.len()
                && kind.bytes().zip(wrong.bytes()).filter(|(a, b)| a != b).count() == 1
        };
        assert!(catalog.words.types.iter().any(one_off), "{wrong}");
    }
    let big = &classes.last().unwrap().requests[0]["id"];
    assert_eq!(big, "p0003000");
}

#[test]
fn the_smallest_catalog_has_queries_too() {
    for seed in 0..5 {
        let catalog = Generated::new(Plan { products: 1, variants: 1, seed });
        assert!(queries::classes(&catalog, 3).len() >= 7);
    }
}
