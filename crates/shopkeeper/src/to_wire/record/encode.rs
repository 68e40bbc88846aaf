//! From a product to its record.

use super::{AxisRecord, Bytes, FORMAT, Languages, Record, ValueRecord, VariantRecord};
use crate::to_wire::parts;
use catalog::product::{Description, Media};
use catalog::{Axis, Currency, LanguageTag, Localized, Price, Product, Variant, market};
use protocol::dialect::Shape;
use serde::Serialize;
use std::collections::HashSet;

/// The record of `product`, for the index to keep.
///
/// The product is as its feed has it: availability that comes from the stock is
/// no part of a record. New languages are added to `languages`.
pub(crate) fn encode(product: &Product, languages: &mut Languages) -> Vec<u8> {
    let currencies = presentable(product);
    let encoded: Vec<Vec<u8>> = product
        .variants
        .iter()
        .map(|variant| encode_variant(product, variant, &currencies, languages))
        .collect();
    let mut head = Members(Vec::new());
    head.add("id", product.id.as_str());
    head.add_some("handle", product.handle.as_ref());
    // The first member of the object has no comma before it.
    head.0.remove(0);
    let mut middle = Members(Vec::new());
    middle.add_some("url", product.url.as_ref());
    middle.add_all("categories", product.categories.iter().map(parts::category));
    let presentations = currencies.iter().map(|&currency| {
        let mut members = Members(Vec::new());
        let first: Price = product.variants[0].prices[0];
        let range = market::price_range(product, currency).unwrap_or((first, first));
        members.add("price_range", &parts::price_range(&range));
        let list = market::list_price_range(product, currency);
        members.add_some("list_price_range", list.as_ref().map(parts::price_range));
        value(&(Bytes(currency.code().as_bytes()), Bytes(&members.0)))
    });
    let presentations = list(presentations);
    let mut tail = Members(Vec::new());
    tail.add_some("rating", product.rating.as_ref().map(parts::rating));
    tail.add_all("tags", product.tags.iter());
    tail.add_some("metadata", product.metadata.as_ref());
    tail.add_extensions(&product.extensions);
    let title = texts(&product.title, languages);
    let description = descriptions(&product.description, languages);
    let media = list(product.media.iter().map(|item| value(&Bytes(&json(&parts::media(item))))));
    let axes: Vec<AxisTexts> =
        product.axes.iter().map(|axis| AxisTexts::new(axis, languages)).collect();
    let record = Record {
        head: Bytes(&head.0),
        title: Bytes(&title),
        description: Bytes(&description),
        middle: Bytes(&middle.0),
        presentations: Bytes(&presentations),
        media: Bytes(&media),
        axes: axes.iter().map(AxisTexts::record).collect(),
        variants: encoded.iter().map(|variant| Bytes(variant)).collect(),
        tail: Bytes(&tail.0),
    };
    joined(&[FORMAT], &value(&record))
}

/// The currencies that the product may be presented in (rule C18): those that all
/// its variants have a price in, in feed order, or else that of its first price.
fn presentable(product: &Product) -> Vec<Currency> {
    let Some((first, rest)) = product.variants.split_first() else { return Vec::new() };
    let offered = first.prices.iter().map(|price| price.currency);
    let mut currencies: Vec<Currency> = Vec::new();
    for currency in offered.clone() {
        let everywhere = rest.iter().all(|variant| variant.price_in(currency).is_some());
        if everywhere && !currencies.contains(&currency) {
            currencies.push(currency);
        }
    }
    if currencies.is_empty() {
        currencies.extend(offered.take(1));
    }
    currencies
}

fn encode_variant(
    product: &Product,
    variant: &Variant,
    currencies: &[Currency],
    languages: &mut Languages,
) -> Vec<u8> {
    let mut head = Members(Vec::new());
    head.add("id", variant.id.as_str());
    head.add_some("sku", variant.sku.as_ref());
    head.add_all("barcodes", variant.barcodes.iter().map(parts::barcode));
    head.add_some("handle", variant.handle.as_ref());
    head.0.remove(0);
    let mut middle = Members(Vec::new());
    middle.add_some("url", variant.url.as_ref());
    middle.add_all("categories", variant.categories.iter().map(parts::category));
    let money = list(currencies.iter().map(|&currency| {
        let newest = money(variant, currency, Shape::V2026_08_25);
        let older = money(variant, currency, Shape::V2026_04_08);
        let older: &[u8] = if older == newest { &[] } else { &older };
        value(&(Bytes(&newest), Bytes(older)))
    }));
    let mut availability = Members(Vec::new());
    availability.add_some("availability", variant.availability.as_ref().map(parts::availability));
    let mut tail = Members(Vec::new());
    tail.add_some("rating", variant.rating.as_ref().map(parts::rating));
    tail.add_all("tags", variant.tags.iter());
    tail.add_some("metadata", variant.metadata.as_ref());
    tail.add_some("seller", variant.seller.as_ref().map(parts::seller));
    tail.add_extensions(&variant.extensions);
    let title = match variant.title == product.title {
        true => Vec::new(),
        false => texts(&variant.title, languages),
    };
    let description = match variant.description == product.description {
        true => Vec::new(),
        false => descriptions(&variant.description, languages),
    };
    let mut seen = HashSet::new();
    let mut once: Vec<&Media> = variant.media.iter().collect();
    once.retain(|item| seen.insert(item.url.as_str()));
    let repeated = (0..).zip(&product.media).filter(|(_, item)| !seen.insert(item.url.as_str()));
    let repeated = repeated.map(|(at, _)| at).collect();
    let media_once =
        if once.len() == variant.media.len() { Vec::new() } else { media(once.into_iter()) };
    let record = VariantRecord {
        head: Bytes(&head.0),
        title: Bytes(&title),
        description: Bytes(&description),
        middle: Bytes(&middle.0),
        money: Bytes(&money),
        availability: Bytes(&availability.0),
        media: Bytes(&media(variant.media.iter())),
        media_once: Bytes(&media_once),
        repeated,
        tail: Bytes(&tail.0),
    };
    let places: Vec<(usize, usize)> =
        variant.choices.iter().map(|choice| (choice.axis, choice.value)).collect();
    joined(&value(&places), &value(&record))
}

/// A variant's members from the price to the unit price, in the currency of its
/// product where it has a price in it, else in that of its own first price.
fn money(variant: &Variant, currency: Currency, shape: Shape) -> Vec<u8> {
    let price = variant.price_in(currency).unwrap_or(variant.prices[0]);
    let list = variant.list_price.filter(|list| list.currency == price.currency);
    let unit = variant.quantity_unit.as_ref();
    let mut members = Members(Vec::new());
    members.add("price", &parts::price(&price));
    members.add_some("quantity_unit", unit.and_then(|unit| parts::quantity_unit(unit, shape)));
    members.add_some("list_price", list.as_ref().map(parts::price));
    members.add_some("unit_price", parts::unit_price(variant, &price.currency, shape));
    members.0
}

/// Media as JSON objects with commas between them.
fn media<'p>(items: impl Iterator<Item = &'p Media>) -> Vec<u8> {
    items.map(|item| json(&parts::media(item))).collect::<Vec<_>>().join(&b',')
}

struct AxisTexts {
    name: Vec<u8>,
    /// Id and label of each value.
    values: Vec<(Vec<u8>, Vec<u8>)>,
}

impl AxisTexts {
    fn new(axis: &Axis, languages: &mut Languages) -> Self {
        let values = axis.values.iter().map(|value| {
            let id = value.id.as_ref().map(json).unwrap_or_default();
            (id, texts(&value.label, languages))
        });
        let values = values.collect();
        Self { name: texts(&axis.name, languages), values }
    }

    fn record(&self) -> AxisRecord<'_> {
        let values = self.values.iter();
        let values = values.map(|(id, label)| ValueRecord { id: Bytes(id), label: Bytes(label) });
        AxisRecord { name: Bytes(&self.name), values: values.collect() }
    }
}

fn texts(text: &Localized<String>, languages: &mut Languages) -> Vec<u8> {
    localized(text, languages, json)
}

fn descriptions(text: &Localized<Description>, languages: &mut Languages) -> Vec<u8> {
    localized(text, languages, |text| json(&parts::description(text)))
}

fn localized<T>(
    text: &Localized<T>,
    languages: &mut Languages,
    write: impl Fn(&T) -> Vec<u8>,
) -> Vec<u8> {
    let one =
        |(tag, text): (&LanguageTag, &T)| value(&(languages.number(tag), Bytes(&write(text))));
    list(text.iter().map(one))
}

/// Values one after the other.
fn list(values: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    values.collect::<Vec<_>>().concat()
}

fn joined(first: &[u8], second: &[u8]) -> Vec<u8> {
    [first, second].concat()
}

/// Members of a JSON object, a comma before each.
struct Members(Vec<u8>);

impl Members {
    fn add(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        self.0.push(b',');
        append(&mut self.0, name);
        self.0.push(b':');
        append(&mut self.0, value);
    }

    fn add_some(&mut self, name: &str, value: Option<impl Serialize>) {
        if let Some(value) = value {
            self.add(name, &value);
        }
    }

    fn add_all<T: Serialize>(&mut self, name: &str, values: impl Iterator<Item = T>) {
        let values: Vec<T> = values.collect();
        if !values.is_empty() {
            self.add(name, &values);
        }
    }

    /// The members of other namespaces, passed through (rule C15).
    fn add_extensions(&mut self, extensions: &serde_json::Map<String, serde_json::Value>) {
        for (name, value) in extensions {
            self.add(name, value);
        }
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> Vec<u8> {
    let mut text = Vec::new();
    append(&mut text, value);
    text
}

#[expect(clippy::expect_used, reason = "see the invariant")]
fn append(text: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Invariant: texts, numbers, lists and maps of texts are JSON, and memory
    // does not refuse a write.
    serde_json::to_writer(text, value).expect("values of a product are JSON");
}

#[expect(clippy::expect_used, reason = "see the invariant")]
fn value(value: &impl Serialize) -> Vec<u8> {
    // Invariant: every sequence in a record knows its length, which is all that
    // this encoding asks.
    postcard::to_allocvec(value).expect("a record can be encoded")
}
