//! A catalog that is asked: its products, what judgments say of, and its plain text.
//!
//! Why the products go through `ingest`: what is measured is what a merchant's feed
//! becomes, not what a test writes into the index. Their order is that of their ids.

use crate::relevance::RelevanceError;
use crate::relevance::judged::{self, Judged};
use crate::relevance::predicate::{Subject, words};
use catalog::{LanguageTag, Product};
use ingest::{Defaults, Format};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A catalog, by the order of its product ids.
pub struct Corpus {
    /// How reports call it.
    pub name: &'static str,
    /// The language of its texts and queries.
    pub language: LanguageTag,
    /// The products.
    pub products: Vec<Product>,
    /// What judgments can say of each.
    pub subjects: Vec<Subject>,
    /// All text of each, for engines that have one field.
    pub bodies: Vec<String>,
    /// The queries that are asked.
    pub queries: Vec<Judged>,
}

/// A product of the shared data, as far as it is used here.
#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    category: String,
    style: String,
    description: String,
    price: f64,
    image: String,
    current_stock: u32,
    gender_affinity: Option<String>,
}

/// Where the shared retail catalog is, beside the repository.
pub fn retail_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/retail-products.yaml")
}

/// The demo store's products, in the repository.
pub fn mercado_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/mercado/products.jsonl")
}

/// The shared retail catalog, in English.
///
/// # Errors
///
/// The file cannot be read, or is not what it was.
pub fn retail(path: &Path) -> Result<Corpus, RelevanceError> {
    let wrong = |why: String| RelevanceError::Products { path: path.to_owned(), why };
    let yaml = read(path)?;
    let rows: Vec<Row> = serde_norway::from_str(&yaml).map_err(|e| wrong(e.to_string()))?;
    let mut subjects: BTreeMap<String, Subject> =
        rows.iter().map(|row| (row.id.clone(), row.subject())).collect();
    let defaults = defaults(path, "en", "USD")?;
    let feed = tab_separated(&rows);
    let products = products(path, feed.as_bytes(), Format::Google, &defaults)?;
    let known = |product: &Product| subjects.remove(product.id.as_str());
    let subjects: Option<Vec<Subject>> = products.iter().map(known).collect();
    let subjects = subjects.ok_or_else(|| wrong("a product has another id".to_owned()))?;
    let queries = judged::parse(judged::RETAIL)?;
    Ok(Corpus::new("retail", defaults.language, products, subjects, queries))
}

/// The demo store, in Portuguese.
///
/// # Errors
///
/// The file cannot be read, or has a product that is refused.
pub fn mercado(path: &Path) -> Result<Corpus, RelevanceError> {
    let defaults = defaults(path, "pt-BR", "BRL")?;
    let products = products(path, read(path)?.as_bytes(), Format::Ucp, &defaults)?;
    let subjects = products.iter().map(subject).collect();
    let queries = judged::parse(judged::MERCADO)?;
    Ok(Corpus::new("mercado", defaults.language, products, subjects, queries))
}

impl Corpus {
    fn new(
        name: &'static str,
        language: LanguageTag,
        products: Vec<Product>,
        subjects: Vec<Subject>,
        queries: Vec<Judged>,
    ) -> Self {
        let bodies = products.iter().map(body).collect();
        Self { name, language, products, subjects, bodies, queries }
    }
}

impl Row {
    fn subject(&self) -> Subject {
        Subject {
            id: self.id.clone(),
            title: self.name.clone(),
            name: words(&self.name),
            text: words(&format!("{} {}", self.name, self.description)),
            category: words(&self.category),
            style: words(&self.style),
            gender: self.gender_affinity.clone().unwrap_or_default(),
        }
    }
}

/// The rows as a merchant would give them to Google, tab-separated.
fn tab_separated(rows: &[Row]) -> String {
    let mut feed = "id\ttitle\tdescription\timage_link\tprice\tavailability\tproduct_type\t\
                    gender\n"
        .to_owned();
    for row in rows {
        let stock = if row.current_stock > 0 { "in_stock" } else { "out_of_stock" };
        let gender = match row.gender_affinity.as_deref() {
            Some("F") => "female",
            Some(_) => "male",
            None => "unisex",
        };
        let Row { id, name, description, image, price, category, style, .. } = row;
        // Writing to a String does not fail.
        let _ = writeln!(
            feed,
            "{id}\t{name}\t{description}\thttps://retail.example/{image}\t{price:.2} USD\t{stock}\t\
             {category} > {style}\t{gender}"
        );
    }
    feed
}

fn subject(product: &Product) -> Subject {
    // The merchant's own path, such as "Moda > Meias", is the longest.
    let path = product.categories.iter().map(|category| category.value.as_str());
    let path = path.max_by_key(|value| (value.contains(" > "), value.len())).unwrap_or_default();
    let (category, style) = path.split_once(" > ").unwrap_or((path, ""));
    Subject {
        id: product.id.as_str().to_owned(),
        title: product.title.own().clone(),
        name: words(product.title.own()),
        text: words(&body(product)),
        category: words(category),
        style: words(style),
        gender: String::new(),
    }
}

/// Title, description, categories, tags and option labels: what our own index reads
/// of a product too, identifiers apart.
fn body(product: &Product) -> String {
    let description = product.description.own().plain.as_deref().unwrap_or_default();
    let mut parts = vec![product.title.own().as_str(), description];
    parts.extend(product.categories.iter().map(|category| category.value.as_str()));
    parts.extend(product.tags.iter().map(String::as_str));
    let values = product.axes.iter().flat_map(|axis| &axis.values);
    parts.extend(values.map(|value| value.label.own().as_str()));
    parts.join("\n")
}

fn defaults(path: &Path, language: &str, currency: &str) -> Result<Defaults, RelevanceError> {
    let wrong = |said: &str| RelevanceError::Products {
        path: path.to_owned(),
        why: format!("{said:?} is unknown"),
    };
    let tag = LanguageTag::new(language).ok_or_else(|| wrong(language))?;
    let currency = currency.parse().map_err(|_| wrong(currency))?;
    Ok(Defaults { language: tag, currency })
}

fn read(path: &Path) -> Result<String, RelevanceError> {
    let failed = |error| RelevanceError::Read { path: path.to_owned(), error };
    std::fs::read_to_string(path).map_err(failed)
}

fn products(
    path: &Path,
    feed: &[u8],
    format: Format,
    defaults: &Defaults,
) -> Result<Vec<Product>, RelevanceError> {
    let feed = ingest::products(&path.to_string_lossy(), feed, Some(format), defaults);
    if feed.refused > 0 || feed.values.is_empty() {
        let why = format!("{} of {} products are refused", feed.refused, feed.rows);
        return Err(RelevanceError::Products { path: path.to_owned(), why });
    }
    let mut products = feed.values;
    products.sort_by(|a, b| a.id.as_str().cmp(b.id.as_str()));
    Ok(products)
}
