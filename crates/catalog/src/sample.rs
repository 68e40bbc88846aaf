//! Small products for the tests of this crate.

use crate::language::{LanguageTag, Localized};
use crate::money::{Amount, Currency, Price};
use crate::product::{
    Availability, Axes, Description, Product, ProductFacts, ProductId, Variant, VariantId,
};
use serde_json::Map;

pub(crate) fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

pub(crate) fn price(amount: u64, code: &str) -> Price {
    Price { amount: Amount::new(amount).unwrap(), currency: currency(code) }
}

pub(crate) fn tag(tag: &str) -> LanguageTag {
    LanguageTag::new(tag).unwrap()
}

pub(crate) fn text(text: &str) -> Localized<String> {
    Localized::new(tag("pt-BR"), text.to_owned())
}

fn description() -> Localized<Description> {
    let plain = Some("Descrição".to_owned());
    Localized::new(tag("pt-BR"), Description { plain, html: None, markdown: None })
}

/// A product without variants yet.
pub(crate) fn facts(id: &str) -> ProductFacts {
    ProductFacts {
        id: ProductId::new(id).unwrap(),
        handle: None,
        title: text("Produto"),
        description: description(),
        url: None,
        categories: Vec::new(),
        list_price_range: None,
        media: Vec::new(),
        axes: Axes::default(),
        variants: Vec::new(),
        rating: None,
        tags: Vec::new(),
        metadata: None,
        extensions: Map::new(),
    }
}

/// A variant at BRL 10.00, available, without options.
pub(crate) fn variant(id: &str) -> Variant {
    Variant {
        id: VariantId::new(id).unwrap(),
        sku: None,
        barcodes: Vec::new(),
        handle: None,
        title: text("Variante"),
        description: description(),
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

/// A product with one variant a row: `Cor=Azul Tamanho=M`, a leading `-` when it
/// cannot be bought. `Cor` is `Color` in English, with `Azul` as `Blue` and
/// `Preto` as `Black`; every value has the id `<axis>/<label>` in lower case.
pub(crate) fn with_options(rows: &[&str]) -> Product {
    let mut facts = facts("p");
    for (at, row) in rows.iter().enumerate() {
        let mut variant = variant(&format!("v{at}"));
        let stripped = row.strip_prefix('-');
        let available = Some(stripped.is_none());
        variant.availability = Some(Availability { available, status: None });
        for option in stripped.unwrap_or(row).split_whitespace() {
            let (name, label) = option.split_once('=').unwrap();
            let id = format!("{name}/{label}").to_lowercase();
            variant.choices.push(facts.axes.choice(&tag("pt-BR"), name, label, Some(&id)));
        }
        variant.choices.sort_by_key(|choice| choice.axis);
        facts.variants.push(variant);
    }
    if let Some(axis) = facts.axes.axis_mut("Cor") {
        axis.name.translate(tag("en"), "Color".to_owned());
        for value in &mut axis.values {
            let english = match value.label.own().as_str() {
                "Azul" => "Blue",
                "Preto" => "Black",
                _ => continue,
            };
            value.label.translate(tag("en"), english.to_owned());
        }
    }
    Product::new(facts).unwrap()
}
