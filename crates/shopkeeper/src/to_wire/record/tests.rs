//! What is written from a record is what the wire's own types write of the product.

use super::tree::Tree;
use super::{Languages, Record, Wanted, encode};
use crate::to_wire::product::{Stored, View};
use crate::to_wire::{parts, written};
use catalog::money::{Measure, QuantityUnit, UnitPrice};
use catalog::product::{Availability, Barcode, Category, Description, Link, Media, Rating, Seller};
use catalog::select::{self, DetailRequest, Range};
use catalog::{Amount, Axes, Currency, LanguageTag, Localized, Price, Product, ProductFacts};
use catalog::{ProductId, Variant, VariantId, market};
use proptest::prelude::*;
use protocol::dialect::Shape;
use protocol::wire;
use search::{Builder, Index};
use serde::Serialize;
use serde_json::{Map, json};
use std::fs::File;
use std::path::Path;

const SHAPES: [Shape; 2] = [Shape::V2026_08_25, Shape::V2026_04_08];

/// A small generator (splitmix64), so that a seed is a product.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = self.below(most + 1);
        (0..count).map(|_| make(self)).collect()
    }

    fn text(&mut self) -> String {
        const WORDS: [&str; 9] =
            ["Tênis", "\"azul\"", "\\", "\u{7}\n", "</b>", "日本", "🥿", "", "plain"];
        let words = self.some(3, |dice| WORDS[dice.below(WORDS.len())]);
        words.join(" ")
    }

    fn tag(&mut self) -> LanguageTag {
        const TAGS: [&str; 7] = ["pt-BR", "pt", "en", "EN-gb", "en-US", "es", "zh-Hant-HK"];
        LanguageTag::new(TAGS[self.below(TAGS.len())]).unwrap()
    }

    fn localized<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Localized<T> {
        let mut text = Localized::new(self.tag(), make(self));
        for _ in 0..self.below(3) {
            let tag = self.tag();
            text.translate(tag, make(self));
        }
        text
    }

    fn currency(&mut self) -> Currency {
        ["BRL", "USD", "JPY"][self.below(3)].parse().unwrap()
    }

    fn price(&mut self) -> Price {
        Price {
            amount: Amount::new(self.below(100_000) as u64).unwrap(),
            currency: self.currency(),
        }
    }

    fn description(&mut self) -> Description {
        let [plain, html, markdown] = [(); 3].map(|()| self.maybe(Self::text));
        Description { plain, html, markdown }
    }

    fn category(&mut self) -> Category {
        Category { value: self.text(), taxonomy: self.maybe(Self::text) }
    }

    fn media(&mut self) -> Media {
        Media {
            kind: "image".to_owned(),
            url: format!("https://example.com/{}", self.below(4)),
            alt_text: self.maybe(Self::text),
            width: self.maybe(|dice| dice.below(9) as u64 + 1),
            height: None,
        }
    }

    fn rating(&mut self) -> Rating {
        Rating {
            value: self.below(50) as f64 / 10.0,
            scale_min: self.maybe(|_| 0.5),
            scale_max: 5.0,
            count: self.maybe(|dice| dice.below(1000) as u64),
        }
    }

    fn measure(&mut self, unit: &str) -> Measure {
        let scale = u8::try_from(self.below(4)).unwrap();
        let value = self.below(5000) as u64 + 1;
        Measure { value, unit: unit.to_owned(), scale, display_text: "kg".to_owned() }
    }

    fn object(&mut self) -> Map<String, serde_json::Value> {
        let value = json!([null, {"x": self.text()}, 1.5, self.below(9)]);
        [(format!("com.example.{}", self.below(9)), value)].into_iter().collect()
    }

    fn variant(&mut self, at: usize, axes: &mut Axes, like: &ProductFacts) -> Variant {
        let mut prices = vec![self.price()];
        for price in self.some(3, Self::price) {
            if prices.iter().all(|known| known.currency != price.currency) {
                prices.push(price);
            }
        }
        let mut choices = Vec::new();
        for name in ["Cor \"x\"", "Tam"].into_iter().take(self.below(3)) {
            let label = format!("{}\\", self.below(3));
            let id = self.maybe(|_| format!("id \"{label}"));
            let language = LanguageTag::new("pt-BR").unwrap();
            choices.push(axes.choice(&language, name, &label, id.as_deref()));
        }
        Variant {
            id: VariantId::new(&format!("v{at}")).unwrap(),
            sku: self.maybe(Self::text),
            barcodes: self.some(2, |dice| Barcode { kind: "EAN".to_owned(), value: dice.text() }),
            handle: self.maybe(Self::text),
            title: self.maybe(|_| like.title.clone()).unwrap_or_else(|| self.localized(Self::text)),
            description: self
                .maybe(|_| like.description.clone())
                .unwrap_or_else(|| self.localized(Self::description)),
            url: self.maybe(Self::text),
            categories: self.some(2, Self::category),
            prices,
            list_price: self.maybe(Self::price),
            unit_price: self.maybe(|dice| UnitPrice {
                price: dice.price(),
                measure: dice.measure("KGM"),
                reference: dice.measure("KGM"),
            }),
            quantity_unit: self.maybe(|dice| QuantityUnit {
                unit: dice.text(),
                scale: u8::try_from(dice.below(3)).unwrap(),
                display_text: dice.text(),
                increment: dice.maybe(|_| 5),
            }),
            availability: self.maybe(|dice| Availability {
                available: dice.maybe(|dice| dice.below(2) == 0),
                status: dice.maybe(Self::text),
            }),
            choices,
            media: self.some(3, Self::media),
            rating: self.maybe(Self::rating),
            tags: self.some(2, Self::text),
            metadata: self.maybe(Self::object),
            seller: self.maybe(|dice| Seller {
                name: dice.maybe(Self::text),
                links: dice.some(2, |dice| Link {
                    kind: dice.text(),
                    url: dice.text(),
                    title: dice.maybe(Self::text),
                }),
            }),
            extensions: self.maybe(Self::object).unwrap_or_default(),
        }
    }

    fn product(&mut self) -> Product {
        let mut facts = ProductFacts {
            id: ProductId::new(&format!("p\"{}", self.below(1000))).unwrap(),
            handle: self.maybe(Self::text),
            title: self.localized(Self::text),
            description: self.localized(Self::description),
            url: self.maybe(Self::text),
            categories: self.some(2, Self::category),
            list_price_range: self.maybe(|dice| (dice.price(), dice.price())),
            media: self.some(4, Self::media),
            axes: Axes::default(),
            variants: Vec::new(),
            rating: self.maybe(Self::rating),
            tags: self.some(2, Self::text),
            metadata: self.maybe(Self::object),
            extensions: self.maybe(Self::object).unwrap_or_default(),
        };
        let mut axes = Axes::default();
        for at in 0..=self.below(4) {
            let variant = self.variant(at, &mut axes, &facts);
            facts.variants.push(variant);
        }
        if let Some(axis) = axes.axis_mut("Tam") {
            axis.name.translate(self.tag(), self.text());
            for value in &mut axis.values {
                value.label.translate(self.tag(), self.text());
            }
        }
        facts.axes = axes;
        Product::new(facts).unwrap()
    }
}

/// What the stock says of the variants of tests.
fn in_stock(variant: &VariantId) -> Option<bool> {
    match variant.as_str().len() + usize::from(variant.as_str().as_bytes()[1]) {
        sum if sum % 3 == 0 => None,
        sum => Some(sum % 3 == 1),
    }
}

fn index(products: &[Product]) -> (Index, Languages) {
    let mut languages = Languages::default();
    let mut builder = Builder::in_memory().unwrap();
    for product in products {
        builder.add(product, &encode(product, &mut languages)).unwrap();
    }
    let variants: Vec<&VariantId> =
        products.iter().flat_map(|product| &product.variants).map(|variant| &variant.id).collect();
    let provided = |number: u32| in_stock(variants[number as usize]);
    (builder.seal().unwrap().finish(provided).unwrap(), languages)
}

fn same(written: &impl Serialize, tree: &impl Serialize) {
    let written = written::to_string(written).unwrap();
    assert_eq!(written, serde_json::to_string(tree).unwrap());
}

/// Writes `product`, as `feed` has it, in all three ways and compares.
fn check(product: &Product, stored: &Stored<'_>, languages: &Languages, dice: &mut Dice) {
    let language = dice.maybe(Dice::tag);
    let currencies = dice.some(3, Dice::currency);
    let mut applied = product.clone();
    applied.apply_stock(in_stock);
    let range = stored.range().unwrap();
    assert_eq!(range, Range::from(&applied));
    let currency = market::presentment(product, &currencies);
    for shape in SHAPES {
        let wanted = Wanted::new(languages, language.as_ref());
        let view = View { wanted, shape, currencies: currencies.clone() };
        let provided = |at: usize| in_stock(&product.variants[at].id);
        let tree =
            Tree { language: language.as_ref(), shape, currency: &currency, provided: &provided };
        let ranges = tree.ranges(product);
        let options = || -> Vec<_> {
            product.axes.iter().map(|axis| tree.option(axis, |_, value| value)).collect()
        };

        let shown: Vec<usize> = (0..product.variants.len()).rev().collect();
        let variants: Vec<_> = shown.iter().map(|&at| tree.variant(product, at)).collect();
        let mut searched = tree.product(product, options(), variants, &ranges);
        let first = &product.variants[shown[0]].media;
        if !first.is_empty() {
            searched.media.clear();
            for item in first.iter().chain(&product.media).map(parts::media) {
                if searched.media.iter().all(|known| known.url != item.url) {
                    searched.media.push(item);
                }
            }
        }
        same(&view.product(stored, &shown).unwrap(), &searched);

        let id = "asked \"so\"";
        let inputs = vec![wire::InputCorrelation { id, kind: Some(wire::Match::Exact) }];
        let text = serde_json::to_string(&inputs).unwrap();
        let variants = vec![wire::LookupVariant { variant: tree.variant(product, 0), inputs }];
        let looked_up = tree.product(product, options(), variants, &ranges);
        same(&view.looked_up(stored, &[(0, text)]).unwrap(), &looked_up);

        let request =
            DetailRequest { variant: None, selected: None, preferences: &[], passes: &|_| true };
        let detail = select::detail(&range, &request).unwrap();
        let signals = select::signals(&range, &detail.effective);
        let options = product.axes.iter().zip(signals).map(|(axis, signals)| {
            tree.option(axis, |at, wire::OptionValue { id, label }| wire::DetailOptionValue {
                id,
                label,
                available: Some(signals[at].available),
                exists: Some(signals[at].exists),
            })
        });
        let variants = detail.variants.iter().map(|&at| tree.variant(product, at)).collect();
        let selected = detail.effective.iter().map(|&c| tree.selected(product, c)).collect();
        let full = wire::DetailProduct {
            product: tree.product(product, options.collect(), variants, &ranges),
            selected: (!product.axes.is_empty()).then_some(selected),
        };
        same(&view.detail(stored, &range, &detail).unwrap(), &full);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn random_products_are_written_as_the_wire_types_write_them(seed: u64) {
        let mut dice = Dice(seed);
        let product = dice.product();
        let (index, languages) = index(std::slice::from_ref(&product));
        let stored = Stored::read(&index, 0).unwrap();
        check(&product, &stored, &languages, &mut dice);
    }

    /// No panic: an error, or an answer that is wrong where the bytes are.
    #[test]
    fn damaged_records_are_survived(seed: u64, at: usize, byte: u8, cut: bool) {
        let mut dice = Dice(seed);
        let product = dice.product();
        let mut languages = Languages::default();
        let mut record = encode(&product, &mut languages);
        let at = at % record.len();
        if cut {
            record.truncate(at);
        } else {
            record[at] = byte;
        }
        prop_assert!(!cut || Record::decode(&record).is_err());
        let mut builder = Builder::in_memory().unwrap();
        builder.add(&product, &record).unwrap();
        let index = builder.seal().unwrap().finish(|_| None).unwrap();
        let Ok(stored) = Stored::read(&index, 0) else { return Ok(()) };
        let wanted = Wanted::new(&languages, None);
        let view = View { wanted, shape: Shape::V2026_04_08, currencies: Vec::new() };
        if let Ok(range) = stored.range() {
            let asked = DetailRequest {
                variant: Some(0), selected: None, preferences: &[], passes: &|_| true,
            };
            if let Ok(detail) = select::detail(&range, &asked) {
                let _ = view.detail(&stored, &range, &detail);
            }
        }
        let shown: Vec<usize> = (0..stored.record.variants()).collect();
        let _ = view.product(&stored, &shown);
    }
}

#[test]
fn every_product_of_the_demo_store_is_written_as_the_wire_types_write_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/mercado/products.jsonl");
    let language = LanguageTag::new("pt-BR").unwrap();
    let defaults = ingest::Defaults { language, currency: Currency::BRL };
    let feed = ingest::products("products.jsonl", File::open(path).unwrap(), None, &defaults);
    let mut products = feed.values;
    assert!(products.len() > 10);
    products.sort_by(|a, b| a.id.cmp(&b.id));
    let (index, languages) = index(&products);
    let mut dice = Dice(7);
    for (ordinal, product) in (0..).zip(&products) {
        let stored = Stored::read(&index, ordinal).unwrap();
        for _ in 0..8 {
            check(product, &stored, &languages, &mut dice);
        }
    }
}
