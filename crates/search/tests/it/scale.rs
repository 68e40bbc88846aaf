//! A hundred thousand products, for a look at the clock.
//!
//!     cargo test -p search --release --test it -- --ignored --nocapture scale

use crate::world::{
    Catalog, availability, brand, category, currency, facts, options, price, products, rating,
};
use catalog::ProductFacts;
use search::{Filter, PriceBounds, Query};
use std::time::{Duration, Instant};

const PRODUCTS: u32 = 100_000;
const KINDS: [&str; 8] =
    ["Tênis", "Camisa", "Garrafa", "Sofá", "Liquidificador", "Livro", "Mochila", "Relógio"];
const LIKE: [&str; 6] = ["de corrida", "infantil", "de algodão", "premium", "leve", "clássico"];

/// A number that looks random, from `seed`.
fn mix(seed: u32) -> u32 {
    let mixed = (seed ^ 0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35) ^ (mixed >> 16)
}

fn pick<'a>(from: &[&'a str], seed: u32) -> &'a str {
    from[mix(seed) as usize % from.len()]
}

fn row(at: u32) -> ProductFacts {
    let kind = pick(&KINDS, at);
    let model = format!("m{:x}", mix(at) % 20_000);
    let title = format!("{kind} {} {model}", pick(&LIKE, at + 1));
    let mut facts = facts(&format!("p{at:06}"), &title);
    let words: Vec<String> =
        (0..40).map(|word| format!("palavra{}", mix(at * 40 + word) % 5000)).collect();
    facts.description = crate::world::description(&words.join(" "));
    facts.metadata = brand(pick(&["Vela", "Lume", "Norte", "Aurora"], at + 2));
    facts.categories = vec![category(&format!("Loja > {kind}"))];
    facts.rating = rating(4.0, u64::from(mix(at) % 1000));
    options(
        &mut facts,
        &["Cor=Azul Tamanho=41", "-Cor=Amarelo Tamanho=42", "Cor=Preto Tamanho=42"],
    );
    for variant in &mut facts.variants {
        variant.prices = vec![price(u64::from(mix(at) % 100_000), "BRL")];
        variant.availability = availability(!mix(at).is_multiple_of(10));
        variant.description = facts.description.clone();
    }
    facts
}

#[test]
#[ignore = "a measurement, for release builds"]
fn a_hundred_thousand_products() {
    let catalog = products((0..PRODUCTS).map(row));
    let start = Instant::now();
    let index = Catalog::build(catalog);
    println!("build: {:?}", start.elapsed());
    let everything = Filter::default();
    let narrow = Filter {
        price: Some(PriceBounds { min: Some(1000), max: Some(50_000), currency: currency("BRL") }),
        categories: vec!["Loja > Tênis".to_owned()],
        available: true,
        ..Filter::default()
    };
    let queries = [
        ("browse", None, &everything),
        ("browse, filters", None, &narrow),
        ("one word", Some("tênis"), &everything),
        ("two words", Some("tênis corrida"), &everything),
        ("two words, filters", Some("tênis corrida"), &narrow),
        ("all words of a label", Some("camisa amarela 42"), &everything),
        ("description", Some("palavra17 palavra4000"), &everything),
        ("typo", Some("liquidifcador premuim"), &everything),
        ("beginning", Some("tênis p"), &everything),
        ("nothing together", Some("tênis sofá livro"), &everything),
    ];
    let mut slowest = Duration::ZERO;
    for (name, text, filter) in queries {
        let query = Query { text, language: None, filter, after: None, limit: 10 };
        let mut best = Duration::MAX;
        let mut total = 0;
        for _ in 0..5 {
            let start = Instant::now();
            total = index.search(&query).total;
            best = best.min(start.elapsed());
        }
        println!("{name}: {best:?}, {total} found");
        slowest = slowest.max(best);
    }
    assert!(slowest < Duration::from_millis(50), "{slowest:?}");
}
