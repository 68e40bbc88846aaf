//! Rules C1 to C5: which variants the filters of a request let through.

use crate::world::{self, Catalog, currency, facts, price, tag};
use catalog::Product;
use catalog::product::{Category, Rating};
use search::{Filter, PriceBounds, Query};
use serde_json::{Map, Value, json};

fn metadata(value: &Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}

fn category(value: &str, taxonomy: Option<&str>) -> Category {
    Category { value: value.to_owned(), taxonomy: taxonomy.map(str::to_owned) }
}

fn rating(value: f64) -> Option<Rating> {
    Some(Rating { value, scale_min: None, scale_max: 5.0, count: Some(3) })
}

/// Blue M at BRL 10.00 and USD 2.00, black M (sold out) at BRL 30.00.
fn shirt() -> Product {
    let mut facts = facts("camisa", "Camisa");
    world::options(&mut facts, &["Cor=Azul Tamanho=M", "-Cor=Preto Tamanho=M"]);
    let cor = facts.axes.axis_mut("Cor").unwrap();
    cor.name.translate(tag("en"), "Color".to_owned());
    for (value, english) in cor.values.iter_mut().zip(["Blue", "Black"]) {
        value.label.translate(tag("en"), english.to_owned());
    }
    facts.categories = vec![category("Roupas", None), category("1604", Some("google"))];
    facts.metadata = metadata(&json!({ "brand": "Vela", "condition": "new" }));
    facts.tags = vec!["algodão".to_owned()];
    facts.rating = rating(4.5);
    facts.variants[0].prices.push(price(200, "USD"));
    facts.variants[0].tags = vec!["verão".to_owned()];
    facts.variants[0].categories = vec![category("Azuis", None)];
    facts.variants[1].prices = vec![price(3000, "BRL")];
    facts.variants[1].metadata = metadata(&json!({ "brand": "Lume", "condition": 7 }));
    facts.variants[1].rating = rating(1.0);
    Product::new(facts).unwrap()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn options(pairs: &[(&str, &[&str])]) -> Filter {
    let options = pairs.iter().map(|&(name, labels)| (name.to_owned(), owned(labels)));
    Filter { options: options.collect(), ..Filter::default() }
}

fn bounds(min: Option<u64>, max: Option<u64>, code: &str) -> Filter {
    let price = Some(PriceBounds { min, max, currency: currency(code) });
    Filter { price, ..Filter::default() }
}

#[track_caller]
fn check(filter: &Filter, expected: [bool; 2]) {
    let catalog = Catalog::build(vec![shirt()]);
    let sieve = catalog.sieve(filter);
    let passed = [0, 1].map(|variant| sieve.passes(0, variant));
    assert_eq!(passed, expected, "{filter:?}");
    for text in [None, Some("camisa")] {
        let hits = catalog.search(&Query { text, limit: 5, ..Query::new(filter) });
        let mut shown = hits.hits.first().map(|hit| hit.variants.clone()).unwrap_or_default();
        shown.sort_unstable();
        let expected: Vec<usize> = (0..2).filter(|&variant| expected[variant]).collect();
        assert_eq!(shown, expected, "{filter:?}, {text:?}");
    }
}

#[test]
fn rule_c1_empty_members_are_no_filter() {
    let empty =
        [Filter::default(), options(&[("Cor", &[]), ("Nada", &[])]), bounds(None, None, "JPY")];
    for filter in empty {
        assert!(filter.is_empty());
        check(&filter, [true, true]);
    }
}

#[test]
fn rule_c2_categories_are_alternatives_of_any_taxonomy() {
    let of = |values: &[&str]| Filter { categories: owned(values), ..Filter::default() };
    check(&of(&["Roupas"]), [true, true]);
    check(&of(&["1604"]), [true, true]);
    check(&of(&["nada", "Azuis"]), [true, false]);
    check(&of(&["roupas"]), [false, false]);
}

#[test]
fn rule_c2_price_bounds_are_inclusive_and_of_one_currency() {
    check(&bounds(Some(1000), Some(3000), "BRL"), [true, true]);
    check(&bounds(Some(1001), None, "BRL"), [false, true]);
    check(&bounds(None, Some(1000), "BRL"), [true, false]);
    check(&bounds(Some(3000), Some(1000), "BRL"), [false, false]);
    check(&bounds(Some(0), None, "USD"), [true, false]);
    check(&bounds(Some(0), None, "JPY"), [false, false]);
}

#[test]
fn rule_c5_brand_condition_tags_and_rating() {
    let brand = |texts: &[&str]| Filter { brand: owned(texts), ..Filter::default() };
    check(&brand(&["Vela"]), [true, true]);
    check(&brand(&["Lume", "Outra"]), [false, true]);
    check(&brand(&["vela"]), [false, false]);
    let condition = |texts: &[&str]| Filter { condition: owned(texts), ..Filter::default() };
    check(&condition(&["new"]), [true, true]);
    check(&condition(&["7", "used"]), [false, false]);
    let tags = |texts: &[&str]| Filter { tags: owned(texts), ..Filter::default() };
    check(&tags(&["algodão"]), [true, true]);
    check(&tags(&["algodão", "verão"]), [true, false]);
    let rated = |min| Filter { rating_min: Some(min), ..Filter::default() };
    check(&rated(4.5), [true, true]);
    check(&rated(4.6), [false, false]);
    check(&rated(f64::NAN), [false, false]);
}

#[test]
fn rule_c5_a_variant_rating_counts_when_the_product_has_none() {
    let mut facts = (*shirt()).clone();
    facts.rating = None;
    let catalog = Catalog::build(vec![Product::new(facts).unwrap()]);
    let filter = Filter { rating_min: Some(1.0), ..Filter::default() };
    let sieve = catalog.sieve(&filter);
    assert!(!sieve.passes(0, 0), "unrated");
    assert!(sieve.passes(0, 1));
}

#[test]
fn rule_c5_options_in_any_language_of_the_feed() {
    check(&options(&[("Cor", &["Azul"])]), [true, false]);
    check(&options(&[("Color", &["Black"])]), [false, true]);
    check(&options(&[("Color", &["Preto", "Blue"])]), [true, true]);
    check(&options(&[("Cor", &["Azul"]), ("Tamanho", &["M"])]), [true, false]);
    check(&options(&[("Cor", &["Azul"]), ("Tamanho", &["G"])]), [false, false]);
    check(&options(&[("Tamanho", &["Azul"])]), [false, false]);
    check(&options(&[("Material", &["Lã"])]), [false, false]);
}

#[test]
fn availability_and_location_stock() {
    check(&Filter { available: true, ..Filter::default() }, [true, false]);
    let filter = Filter { providable: Some([1].into_iter().collect()), ..Filter::default() };
    check(&filter, [false, true]);
    check(&Filter { available: true, ..filter }, [false, false]);
}
