//! Search against a scan of every product, on random catalogs.
//!
//! The oracle knows nothing of folding, stems or scores: its words are whole and
//! unlike each other, so which products match is plain, and so is the order when
//! nothing is typed.

use crate::world::{
    Catalog, availability, brand, category, currency, facts, price, rating, tag, text, variant,
};
use catalog::{Product, Variant};
use proptest::prelude::*;
use search::{Filter, Hits, Position, PriceBounds, Query};
use std::collections::{BTreeSet, HashSet};

const WORDS: [&str; 5] = ["bola", "mesa", "livro", "garrafa", "copo"];
const COLOURS: [&str; 3] = ["azul", "preto", "verde"];

#[derive(Debug, Clone)]
struct VariantRow {
    colour: Option<usize>,
    available: bool,
    brl: Option<u64>,
    usd: Option<u64>,
    tag: Option<usize>,
}

#[derive(Debug, Clone)]
struct Row {
    id: u16,
    title: Vec<usize>,
    tags: Vec<usize>,
    brand: Option<usize>,
    ratings: Option<u64>,
    variants: Vec<VariantRow>,
}

fn variant_row() -> impl Strategy<Value = VariantRow> {
    let amount = || proptest::option::weighted(0.7, 0..6_u64);
    (
        proptest::option::of(0..3_usize),
        any::<bool>(),
        amount(),
        amount(),
        proptest::option::of(0..5_usize),
    )
        .prop_map(|(colour, available, brl, usd, tag)| VariantRow {
            colour,
            available,
            brl,
            usd,
            tag,
        })
}

fn row() -> impl Strategy<Value = Row> {
    (
        any::<u16>(),
        proptest::collection::vec(0..5_usize, 1..4),
        proptest::collection::vec(0..5_usize, 0..2),
        proptest::option::of(0..5_usize),
        proptest::option::of(0..4_u64),
        proptest::collection::vec(variant_row(), 1..4),
    )
        .prop_map(|(id, title, tags, brand, ratings, variants)| Row {
            id,
            title,
            tags,
            brand,
            ratings,
            variants,
        })
}

fn product(row: &Row) -> Product {
    let title: Vec<&str> = row.title.iter().map(|&word| WORDS[word]).collect();
    let mut facts = facts(&format!("p{:05}", row.id), &title.join(" "));
    facts.tags = row.tags.iter().map(|&word| WORDS[word].to_owned()).collect();
    facts.metadata = row.brand.and_then(|word| brand(WORDS[word]));
    facts.rating = row.ratings.and_then(|count| rating(3.0, count));
    facts.categories = vec![category(WORDS[row.title[0]])];
    facts.variants.clear();
    for (at, of) in row.variants.iter().enumerate() {
        let mut variant = variant(&format!("{}-{at}", facts.id.as_str()));
        variant.title = text("");
        variant.availability = availability(of.available);
        variant.prices = [(of.brl, "BRL"), (of.usd, "USD")]
            .into_iter()
            .filter_map(|(amount, code)| Some(price(amount?, code)))
            .collect();
        if variant.prices.is_empty() {
            variant.prices.push(price(3, "BRL"));
        }
        if let Some(colour) = of.colour {
            variant.choices.push(facts.axes.choice(&tag("pt"), "Cor", COLOURS[colour], None));
        }
        variant.tags = of.tag.map(|word| WORDS[word].to_owned()).into_iter().collect();
        facts.variants.push(variant);
    }
    Product::new(facts).unwrap()
}

fn catalog() -> impl Strategy<Value = Vec<Product>> {
    proptest::collection::vec(row(), 0..25).prop_map(|rows| {
        let mut ids = HashSet::new();
        rows.iter().filter(|row| ids.insert(row.id)).map(product).collect()
    })
}

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    let word = proptest::sample::select(words).prop_map(str::to_owned);
    prop_oneof![3 => Just(Vec::new()), 1 => proptest::collection::vec(word, 1..3)]
}

fn filter() -> impl Strategy<Value = Filter> {
    let bound = || proptest::option::of(0..6_u64);
    let bounds = (bound(), bound(), proptest::sample::select(&["BRL", "USD"][..]));
    let price =
        bounds.prop_map(|(min, max, code)| PriceBounds { min, max, currency: currency(code) });
    (
        one_of(&WORDS),
        proptest::option::weighted(0.4, price),
        proptest::bool::weighted(0.3),
        one_of(&WORDS),
        one_of(&WORDS),
        one_of(&COLOURS),
        proptest::option::weighted(0.2, proptest::collection::hash_set(0..60_u32, 0..30)),
    )
        .prop_map(|(categories, price, available, brand, tags, colours, providable)| Filter {
            categories,
            price,
            available,
            brand,
            tags,
            options: if colours.is_empty() {
                Vec::new()
            } else {
                vec![("Cor".to_owned(), colours)]
            },
            providable: providable.map(|numbers| numbers.into_iter().collect()),
            ..Filter::default()
        })
}

/// Rules C2 to C5 spelt out for the members that these catalogs use.
fn passes(index: &Catalog, filter: &Filter, product: &Product, variant: &Variant) -> bool {
    let brand_of = |product: &Product| {
        let metadata = product.metadata.as_ref()?;
        metadata.get("brand")?.as_str().map(str::to_owned)
    };
    let label = variant
        .choices
        .first()
        .map(|choice| product.axes[choice.axis].values[choice.value].label.own().clone());
    let tags: Vec<&String> = product.tags.iter().chain(&variant.tags).collect();
    let in_bounds = |bounds: PriceBounds| {
        if bounds.min.is_none() && bounds.max.is_none() {
            return true;
        }
        let price = variant.prices.iter().find(|price| price.currency == bounds.currency);
        price.is_some_and(|price| {
            let amount = price.amount.minor_units();
            amount >= bounds.min.unwrap_or(0) && amount <= bounds.max.unwrap_or(u64::MAX)
        })
    };
    (filter.categories.is_empty() || filter.categories.contains(&product.categories[0].value))
        && filter.price.is_none_or(in_bounds)
        && (!filter.available || variant.is_available())
        && (filter.brand.is_empty()
            || brand_of(product).is_some_and(|brand| filter.brand.contains(&brand)))
        && filter.tags.iter().all(|tag| tags.contains(&tag))
        && filter
            .options
            .iter()
            .all(|(_, labels)| label.as_ref().is_some_and(|l| labels.contains(l)))
        && filter.providable.as_ref().is_none_or(|set| {
            index.items().variant(variant.id.as_str()).is_some_and(|number| set.contains(number))
        })
}

fn passing(index: &Catalog, filter: &Filter, product: &Product) -> BTreeSet<usize> {
    let all = product.variants.iter().enumerate();
    all.filter(|(_, variant)| passes(index, filter, product, variant)).map(|(at, _)| at).collect()
}

/// Whether a product's words, wherever they stand, include `word`.
fn has_word(product: &Product, word: &str) -> bool {
    let labels = product.axes.iter().flat_map(|axis| axis.values.iter().map(|v| v.label.own()));
    let variant_tags = product.variants.iter().flat_map(|variant| &variant.tags);
    let brand = product.metadata.as_ref().and_then(|metadata| metadata["brand"].as_str());
    product.title.own().split(' ').any(|of_title| of_title == word)
        || product.tags.iter().chain(labels).chain(variant_tags).any(|other| other == word)
        || brand == Some(word)
        || (word == "cor" && !product.axes.is_empty())
}

/// All pages, cut by `limits` in turn, after checking what each page says.
fn walk(index: &Catalog, query: Query<'_>, limits: &[usize]) -> Result<Hits, TestCaseError> {
    let mut whole =
        Hits { total: 0, hits: Vec::new(), next: None, relaxed: Vec::new(), whole: false };
    let mut after = query.after;
    for &limit in limits.iter().cycle() {
        let page = index.search(&Query { after, limit, ..query });
        prop_assert!(page.hits.len() <= limit);
        whole.total = page.total;
        whole.hits.extend(page.hits);
        whole.relaxed = page.relaxed;
        whole.whole = page.whole;
        prop_assert_eq!(page.next.is_some(), (whole.hits.len() as u64) < page.total);
        let Some(next) = page.next else { break };
        after = Some(Position::from_bytes(next.to_bytes()));
    }
    Ok(whole)
}

fn check_hits(index: &Catalog, filter: &Filter, hits: &Hits) -> Result<(), TestCaseError> {
    prop_assert_eq!(hits.total, hits.hits.len() as u64);
    let ordinals: HashSet<u32> = hits.hits.iter().map(|hit| hit.ordinal).collect();
    prop_assert_eq!(ordinals.len(), hits.hits.len(), "no match twice");
    for hit in &hits.hits {
        let variants: BTreeSet<usize> = hit.variants.iter().copied().collect();
        prop_assert_eq!(variants.len(), hit.variants.len());
        prop_assert_eq!(variants, passing(index, filter, index.product(hit.ordinal)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rules_c2_to_c7_without_words(
        products in catalog(), filter in filter(), limits in proptest::collection::vec(1..6_usize, 1..4),
    ) {
        let index = Catalog::build(products);
        let query = Query::new(&filter);
        let hits = walk(&index, query, &limits)?;
        check_hits(&index, &filter, &hits)?;
        let mut expected: Vec<(bool, std::cmp::Reverse<u64>, &str)> = index
            .products()
            .filter(|product| !passing(&index, &filter, product).is_empty())
            .map(|product| {
                let available = product.variants.iter().any(Variant::is_available);
                let ratings = product.rating.as_ref().and_then(|rating| rating.count).unwrap_or(0);
                (!available, std::cmp::Reverse(ratings), product.id.as_str())
            })
            .collect();
        expected.sort_unstable();
        let expected: Vec<&str> = expected.into_iter().map(|(.., id)| id).collect();
        let found: Vec<&str> =
            hits.hits.iter().map(|hit| index.product(hit.ordinal).id.as_str()).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn rules_c2_to_c7_with_words(
        products in catalog(), filter in filter(),
        words in proptest::sample::subsequence(
            vec!["bola", "mesa", "livro", "garrafa", "copo", "azul", "preto", "cor", "xyzzyq"], 1..5,
        ).prop_shuffle(),
        language in proptest::option::of(proptest::sample::select(&["pt-BR", "en"][..])),
        intent in proptest::collection::vec(
            proptest::sample::select(&["bola", "mesa", "azul", "verde", "de", "xyzzyq"][..]), 0..4,
        ),
        limits in proptest::collection::vec(1..6_usize, 1..4),
    ) {
        let index = Catalog::build(products);
        let intent = intent.join(" ");
        let text = words.join(" ");
        let language = language.map(tag);
        let query = Query {
            text: Some(&text), language: language.as_ref(), intent: Some(&intent),
            ..Query::new(&filter)
        };
        let hits = walk(&index, query, &limits)?;
        check_hits(&index, &filter, &hits)?;
        let again = index.search(&Query { limit: 1000, ..query });
        prop_assert_eq!(&again.hits, &hits.hits, "one page or many, the order is the same");

        // Who has all the words comes first; where they are few, all follow that have
        // words enough, and only these.
        let known: Vec<&str> =
            words.iter().copied().filter(|word| index.products().any(|p| has_word(p, word))).collect();
        let all = index.len() as f64;
        let telling = |word: &str| {
            let having = index.products().filter(|product| has_word(product, word)).count() as f64;
            16.0 + 64.0 * ((2.0 * all + 2.0) / (2.0 * having + 1.0)).log2()
        };
        let held = |product: &Product| -> f64 {
            known.iter().copied().filter(|word| has_word(product, word)).map(telling).sum()
        };
        let has_all = |product: &Product| words.iter().all(|word| has_word(product, word));
        let whole = index.products().filter(|product| has_all(product)).count();
        prop_assert_eq!(hits.whole, whole > 0);
        let most = index.products().map(held).fold(0.0, f64::max);
        let least = match whole {
            0 => (known.iter().copied().map(telling).sum::<f64>() / 4.0).min(most),
            1..10 => known.iter().copied().map(telling).sum::<f64>() / 4.0,
            _ => f64::INFINITY,
        };
        let found: BTreeSet<&str> =
            hits.hits.iter().map(|hit| index.product(hit.ordinal).id.as_str()).collect();
        for product in index.products() {
            let due = !passing(&index, &filter, product).is_empty();
            let is_found = found.contains(product.id.as_str());
            let held = held(product);
            // Ours are integers: at the very edge either is right.
            if held == 0.0 || !due || (held < least - 10.0 && !has_all(product)) {
                prop_assert!(!is_found, "{} holds {} of {}", product.id.as_str(), held, least);
            } else if held > least + 10.0 || has_all(product) || held == most && whole == 0 {
                prop_assert!(is_found, "{} holds {} of {}", product.id.as_str(), held, least);
            }
        }
        let first = hits.hits.iter().take_while(|hit| has_all(index.product(hit.ordinal))).count();
        let rest = &hits.hits[first..];
        prop_assert!(rest.iter().all(|hit| !has_all(index.product(hit.ordinal))));
        let lacking: Vec<&str> = words
            .iter()
            .copied()
            .filter(|word| hits.hits.iter().any(|hit| !has_word(index.product(hit.ordinal), word)))
            .collect();
        prop_assert_eq!(&hits.relaxed, &lacking);
    }
}
