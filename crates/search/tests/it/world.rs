//! Small catalogs, written in one line a product or drawn at random.

use catalog::product::{Availability, Barcode, Category, Description, Rating};
use catalog::{
    Amount, Axes, Currency, LanguageTag, Localized, Price, Product, ProductFacts, ProductId,
    Variant, VariantId,
};
use search::Index;
use serde_json::{Map, Value};
use std::ops::Deref;

/// An index together with the products that it was built from.
pub(crate) struct Catalog {
    /// By id, which is by ordinal.
    products: Vec<Product>,
    index: Index,
}

impl Catalog {
    pub(crate) fn build(mut products: Vec<Product>) -> Self {
        let index = Index::build(&products).unwrap();
        products.sort_by(|a, b| a.id.cmp(&b.id));
        Self { products, index }
    }

    pub(crate) fn product(&self, ordinal: u32) -> &Product {
        &self.products[ordinal as usize]
    }

    pub(crate) fn products(&self) -> impl ExactSizeIterator<Item = &Product> {
        self.products.iter()
    }
}

impl Deref for Catalog {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

pub(crate) fn tag(tag: &str) -> LanguageTag {
    LanguageTag::new(tag).unwrap()
}

pub(crate) fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

pub(crate) fn price(amount: u64, code: &str) -> Price {
    Price { amount: Amount::new(amount).unwrap(), currency: currency(code) }
}

pub(crate) fn text(text: &str) -> Localized<String> {
    Localized::new(tag("pt-BR"), text.to_owned())
}

pub(crate) fn description(plain: &str) -> Localized<Description> {
    let plain = Some(plain.to_owned());
    Localized::new(tag("pt-BR"), Description { plain, html: None, markdown: None })
}

/// A product with one variant, `<id>-v0`, at BRL 10.00.
pub(crate) fn facts(id: &str, title: &str) -> ProductFacts {
    ProductFacts {
        id: ProductId::new(id).unwrap(),
        handle: None,
        title: text(title),
        description: description(""),
        url: None,
        categories: Vec::new(),
        list_price_range: None,
        media: Vec::new(),
        axes: Axes::default(),
        variants: vec![variant(&format!("{id}-v0"))],
        rating: None,
        tags: Vec::new(),
        metadata: None,
        extensions: Map::new(),
    }
}

pub(crate) fn variant(id: &str) -> Variant {
    Variant {
        id: VariantId::new(id).unwrap(),
        sku: None,
        barcodes: Vec::new(),
        handle: None,
        title: text(""),
        description: description(""),
        url: None,
        categories: Vec::new(),
        prices: vec![price(1000, "BRL")],
        list_price: None,
        unit_price: None,
        quantity_unit: None,
        availability: None,
        choices: Vec::new(),
        media: Vec::new(),
        rating: None,
        tags: Vec::new(),
        metadata: None,
        seller: None,
        extensions: Map::new(),
    }
}

/// Whether it can be bought, said outright.
pub(crate) fn availability(available: bool) -> Option<Availability> {
    Some(Availability { available: Some(available), status: None })
}

pub(crate) fn brand(brand: &str) -> Option<Map<String, Value>> {
    Some([("brand".to_owned(), Value::from(brand))].into_iter().collect())
}

pub(crate) fn category(value: &str) -> Category {
    Category { value: value.to_owned(), taxonomy: None }
}

pub(crate) fn rating(value: f64, count: u64) -> Option<Rating> {
    Some(Rating { value, scale_min: None, scale_max: 5.0, count: Some(count) })
}

pub(crate) fn barcode(value: &str) -> Barcode {
    Barcode { kind: "EAN".to_owned(), value: value.to_owned() }
}

/// Gives `facts` one variant for each of `rows`, such as `Cor=Azul Tamanho=42`; a
/// leading `-` when it cannot be bought.
pub(crate) fn options(facts: &mut ProductFacts, rows: &[&str]) {
    facts.variants.clear();
    for (at, row) in rows.iter().enumerate() {
        let mut variant = variant(&format!("{}-v{at}", facts.id.as_str()));
        let stripped = row.strip_prefix('-');
        variant.availability = availability(stripped.is_none());
        for option in stripped.unwrap_or(row).split_whitespace() {
            let (name, label) = option.split_once('=').unwrap();
            variant.choices.push(facts.axes.choice(&tag("pt-BR"), name, label, None));
        }
        variant.choices.sort_by_key(|choice| choice.axis);
        facts.variants.push(variant);
    }
}

/// The products made of `facts`.
pub(crate) fn products(facts: impl IntoIterator<Item = ProductFacts>) -> Vec<Product> {
    facts.into_iter().map(|facts| Product::new(facts).unwrap()).collect()
}
