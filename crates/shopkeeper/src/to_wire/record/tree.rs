//! Products as trees of the wire's own types, built from the catalog's: what the
//! text written from a record must be, byte by byte.

use crate::to_wire::parts;
use catalog::product::AxisValue;
use catalog::{Axis, Choice, Currency, LanguageTag, Product, market};
use protocol::dialect::Shape;
use protocol::wire;

/// For whom, and what is known of the stock.
pub(super) struct Tree<'a> {
    pub(super) language: Option<&'a LanguageTag>,
    pub(super) shape: Shape,
    pub(super) currency: &'a Currency,
    pub(super) provided: &'a dyn Fn(usize) -> Option<bool>,
}

impl Tree<'_> {
    pub(super) fn variant<'p>(&'p self, product: &'p Product, at: usize) -> wire::Variant<'p> {
        let variant = &product.variants[at];
        let currency = *self.currency;
        let shown = variant.prices.iter().find(|price| price.currency == currency);
        let shown = shown.unwrap_or(&variant.prices[0]);
        let list = variant.list_price.as_ref();
        wire::Variant {
            id: variant.id.as_str(),
            sku: variant.sku.as_deref(),
            barcodes: variant.barcodes.iter().map(parts::barcode).collect(),
            handle: variant.handle.as_deref(),
            title: variant.title.pick(self.language),
            description: parts::description(variant.description.pick(self.language)),
            url: variant.url.as_deref(),
            categories: variant.categories.iter().map(parts::category).collect(),
            price: parts::price(shown),
            quantity_unit: variant
                .quantity_unit
                .as_ref()
                .and_then(|unit| parts::quantity_unit(unit, self.shape)),
            list_price: list.filter(|list| list.currency == shown.currency).map(parts::price),
            unit_price: parts::unit_price(variant, &shown.currency, self.shape),
            availability: match &variant.availability {
                Some(said) => Some(parts::availability(said)),
                None => (self.provided)(at).map(|available| wire::Availability {
                    available: Some(available),
                    status: Some(if available { "in_stock" } else { "out_of_stock" }),
                }),
            },
            options: variant.choices.iter().map(|&c| self.selected(product, c)).collect(),
            media: variant.media.iter().map(parts::media).collect(),
            rating: variant.rating.as_ref().map(parts::rating),
            tags: variant.tags.iter().map(String::as_str).collect(),
            metadata: variant.metadata.as_ref(),
            seller: variant.seller.as_ref().map(parts::seller),
            extensions: parts::passed_through(&variant.extensions),
        }
    }

    pub(super) fn product<'p, V, O>(
        &self,
        product: &'p Product,
        options: Vec<O>,
        variants: Vec<V>,
        ranges: &'p Ranges,
    ) -> wire::Product<'p, V, O> {
        wire::Product {
            id: product.id.as_str(),
            handle: product.handle.as_deref(),
            title: product.title.pick(self.language),
            description: parts::description(product.description.pick(self.language)),
            url: product.url.as_deref(),
            categories: product.categories.iter().map(parts::category).collect(),
            price_range: parts::price_range(&ranges.0),
            list_price_range: ranges.1.as_ref().map(parts::price_range),
            media: product.media.iter().map(parts::media).collect(),
            options,
            variants,
            rating: product.rating.as_ref().map(parts::rating),
            tags: product.tags.iter().map(String::as_str).collect(),
            metadata: product.metadata.as_ref(),
            extensions: parts::passed_through(&product.extensions),
        }
    }

    pub(super) fn ranges(&self, product: &Product) -> Ranges {
        let range = market::price_range(product, *self.currency).unwrap();
        Ranges(range, market::list_price_range(product, *self.currency))
    }

    pub(super) fn option<'p, V>(
        &self,
        axis: &'p Axis,
        finish: impl Fn(usize, wire::OptionValue<'p>) -> V,
    ) -> wire::ProductOption<'p, V> {
        let value = |(at, value): (usize, &'p AxisValue)| {
            let label = value.label.pick(self.language);
            finish(at, wire::OptionValue { id: value.id.as_deref(), label })
        };
        wire::ProductOption {
            name: axis.name.pick(self.language),
            values: axis.values.iter().enumerate().map(value).collect(),
        }
    }

    pub(super) fn selected<'p>(
        &self,
        product: &'p Product,
        choice: Choice,
    ) -> wire::SelectedOption<'p> {
        let axis = &product.axes[choice.axis];
        let value = &axis.values[choice.value];
        wire::SelectedOption {
            name: axis.name.pick(self.language).into(),
            id: value.id.as_deref().map(Into::into),
            label: value.label.pick(self.language).into(),
        }
    }
}

/// The price range, and that before discounts.
pub(super) struct Ranges(
    (catalog::Price, catalog::Price),
    Option<(catalog::Price, catalog::Price)>,
);
