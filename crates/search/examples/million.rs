//! A million products with three variants each: how long indexing takes, how much
//! memory and disk, how fast it opens and answers.
//!
//!     cargo run --release -p search --example million -- [PRODUCTS]
//!
//! The catalog is made up, the same for each run: titles of a type, two qualities,
//! a brand and a model, descriptions of 25 to 75 words by Zipf's law over 60,000,
//! 5,000 brands, 600 categories. The index is written to a temporary folder, which
//! is removed at the end. Linux alone, since memory is read from /proc.

use catalog::product::{Availability, Barcode, Category, Description, Rating};
use catalog::{
    Amount, Axes, Currency, LanguageTag, Localized, Price, Product, ProductFacts, ProductId,
    Variant, VariantId,
};
use search::{Builder, Filter, Index, PriceBounds, Query};
use serde_json::{Map, Value};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn Error>>;

const TYPES: [&str; 12] = [
    "Tênis",
    "Camisa",
    "Garrafa",
    "Sofá",
    "Liquidificador",
    "Livro",
    "Mochila",
    "Relógio",
    "Mesa",
    "Cadeira",
    "Vestido",
    "Fone",
];
const QUALITIES: [&str; 16] = [
    "corrida",
    "infantil",
    "algodão",
    "premium",
    "leve",
    "clássico",
    "azul",
    "preto",
    "moderno",
    "dobrável",
    "portátil",
    "resistente",
    "couro",
    "esportivo",
    "macio",
    "térmico",
];
const COLOURS: [&str; 6] = ["Azul", "Amarelo", "Preto", "Branco", "Verde", "Cinza"];
const VOCABULARY: f64 = 60_000.0;
const ROUNDS: u32 = 200;

fn main() -> Outcome<()> {
    let products: u32 = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => 1_000_000,
    };
    let folder = std::env::temp_dir().join(format!("search-million-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let outcome = measure(products, &folder);
    std::fs::remove_dir_all(&folder)?;
    outcome
}

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn measure(products: u32, folder: &Path) -> Outcome<()> {
    let mut making = Duration::ZERO;
    let start = Instant::now();
    let mut builder = Builder::in_folder(folder)?;
    for at in 0..products {
        let began = Instant::now();
        let product = product(at)?;
        making += began.elapsed();
        builder.add(&product, product.title.own().as_bytes())?;
    }
    let index = builder.seal()?.finish(|_| None)?;
    let built = start.elapsed() - making;
    println!("products: {}, variants: {}", index.len(), index.variants());
    println!("indexing: {built:.1?}; making the products took another {making:.1?}");
    println!("most memory while indexing: {}", status("VmHWM")?);
    println!("on disk: {} MB", size(folder)? / 1_000_000);
    drop(index);

    let start = Instant::now();
    let index = Index::open(folder)?;
    println!("opening: {:.1?}", start.elapsed());
    questions(&index)
}

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn questions(index: &Index) -> Outcome<()> {
    let everything = Filter::default();
    let narrow = Filter {
        price: Some(PriceBounds { min: Some(5_000), max: Some(50_000), currency: Currency::BRL }),
        categories: vec!["Tênis > 7".to_owned()],
        available: true,
        ..Filter::default()
    };
    let classes = [
        ("one word", Some("tênis"), &everything),
        ("two words", Some("tênis corrida"), &everything),
        ("three words", Some("tênis corrida azul"), &everything),
        ("two words, price, category, available", Some("tênis corrida"), &narrow),
        ("a typo", Some("liquidifcador premuim"), &everything),
        ("a beginning", Some("liquidif"), &everything),
        ("nothing has all", Some("tênis sofá livro"), &everything),
        ("no words", None, &everything),
        ("no words, price, category, available", None, &narrow),
        ("an identifier", Some("p000077-1"), &everything),
    ];
    println!("\n| query | found | p50 | p99 |\n|---|---|---|---|");
    for (name, text, filter) in classes {
        let query = Query { text, language: None, filter, after: None, limit: 10 };
        let found = index.search(&query).total;
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                std::hint::black_box(index.search(&query));
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        println!("| {name} | {found} | {:.2?} | {:.2?} |", at(50), at(99));
    }
    let start = Instant::now();
    for at in 0..10_000_u32 {
        std::hint::black_box(index.resolve(&format!("p{:06}-1", mix(at) % 100_000)));
    }
    println!("\na lookup of one id: {:.2?}", start.elapsed() / 10_000);
    Ok(())
}

/// A number that looks random, from `seed`.
fn mix(seed: u32) -> u32 {
    let mixed = (seed ^ 0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    mixed ^ (mixed >> 16)
}

fn pick<'a>(from: &[&'a str], seed: u32) -> &'a str {
    from[mix(seed) as usize % from.len()]
}

/// The rank of a word by Zipf's law: the logarithm of ranks is uniform.
fn zipf(seed: u32, ranks: f64) -> u32 {
    let uniform = f64::from(mix(seed)) / f64::from(u32::MAX);
    ranks.powf(uniform) as u32
}

fn words(seed: u32) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "co", "di", "fe", "gu", "la", "mi", "no", "pe", "ra", "si", "to", "va", "xo", "ze",
        "lu",
    ];
    let mut text = String::new();
    for at in 0..25 + mix(seed) % 51 {
        let mut rank = zipf(seed.wrapping_mul(97).wrapping_add(at), VOCABULARY) + 16;
        while rank > 0 {
            text.push_str(SYLLABLES[rank as usize % 16]);
            rank /= 16;
        }
        text.push(' ');
    }
    text
}

fn product(at: u32) -> Outcome<Product> {
    let tag = LanguageTag::new("pt-BR").ok_or("a tag")?;
    let text = |text: String| Localized::new(tag.clone(), text);
    let seed = at.wrapping_mul(31);
    let kind = pick(&TYPES, seed);
    let title = format!(
        "{kind} {} {} marca{} m{:x}",
        pick(&QUALITIES, seed + 1),
        pick(&QUALITIES, seed + 2),
        zipf(seed + 3, 5_000.0),
        mix(seed) % 200_000
    );
    let plain = Some(words(at));
    let description =
        Localized::new(tag.clone(), Description { plain, html: None, markdown: None });
    let brand = format!("marca{}", zipf(seed + 3, 5_000.0));
    let metadata: Map<String, Value> = [("brand".to_owned(), brand.into())].into_iter().collect();
    let mut axes = Axes::default();
    let mut variants = Vec::with_capacity(3);
    for which in 0..3 {
        let seed = seed + 7 + which;
        let size = (38 + mix(seed + 1) % 8).to_string();
        let mut choices = vec![
            axes.choice(&tag, "Cor", pick(&COLOURS, seed), None),
            axes.choice(&tag, "Tamanho", &size, None),
        ];
        choices.sort_by_key(|choice| choice.axis);
        let amount = (1_000.0 * 500_f64.powf(f64::from(mix(seed)) / f64::from(u32::MAX))) as u64;
        variants.push(Variant {
            id: VariantId::new(&format!("p{at:06}-{which}")).ok_or("an id")?,
            sku: Some(format!("SKU{at:06}{which}")),
            barcodes: vec![Barcode {
                kind: "EAN".to_owned(),
                value: format!("789{:010}", at * 3 + which),
            }],
            handle: None,
            title: text(format!("{kind} {size}")),
            description: description.clone(),
            url: None,
            categories: Vec::new(),
            prices: vec![Price {
                amount: Amount::new(amount).ok_or("an amount")?,
                currency: Currency::BRL,
            }],
            list_price: None,
            unit_price: None,
            quantity_unit: None,
            availability: Some(Availability {
                available: Some(mix(seed + 2) % 100 < 85),
                status: None,
            }),
            choices,
            media: Vec::new(),
            rating: None,
            tags: Vec::new(),
            metadata: None,
            seller: None,
            extensions: Map::new(),
        });
    }
    let category = |value| Category { value, taxonomy: None };
    Ok(Product::new(ProductFacts {
        id: ProductId::new(&format!("p{at:06}")).ok_or("an id")?,
        handle: None,
        title: text(title),
        description,
        url: None,
        categories: vec![
            category(kind.to_owned()),
            category(format!("{kind} > {}", mix(seed + 4) % 50)),
        ],
        list_price_range: None,
        media: Vec::new(),
        axes,
        variants,
        rating: Some(Rating {
            value: 4.0,
            scale_min: None,
            scale_max: 5.0,
            count: Some(u64::from(zipf(seed + 5, 10_000.0))),
        }),
        tags: Vec::new(),
        metadata: Some(metadata),
        extensions: Map::new(),
    })?)
}

/// A line of the process's own status.
fn status(name: &str) -> Outcome<String> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with(name)).ok_or("no such line")?;
    Ok(line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
}

fn size(folder: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        bytes += if meta.is_dir() { size(&entry.path())? } else { meta.len() };
    }
    Ok(bytes)
}
