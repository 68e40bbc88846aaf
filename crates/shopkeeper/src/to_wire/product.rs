//! Products as an agent reads them: in its language, its currency and its version.

use super::variant;
use crate::from_wire::buyer::Buyer;
use crate::ops::Context;
use catalog::market;
use catalog::product::AxisValue;
use catalog::product::{Category, Description, Media, Rating};
use catalog::select::{self, Detail};
use catalog::{Axis, Choice, Currency, LanguageTag, Price, Product, Variant};
use protocol::dialect::Shape;
use protocol::wire;
use serde_json::{Map, Value};

/// For whom products are written.
pub(crate) struct View<'a> {
    pub(super) language: Option<&'a LanguageTag>,
    pub(super) shape: Shape,
    currencies: Vec<Currency>,
}

impl<'a> View<'a> {
    pub(crate) fn new(context: &Context<'_>, buyer: &'a Buyer) -> Self {
        Self {
            language: buyer.language.as_ref(),
            shape: context.dialect.shape,
            currencies: buyer.currencies(context.dialect, context.config.store.currency),
        }
    }

    /// A product of a search, with the variants that match, the best first.
    pub(crate) fn product<'p>(
        &self,
        product: &'p Product,
        variants: &[usize],
    ) -> wire::Product<'p> {
        let shown = Shown::of(product, &self.currencies);
        let variants = variants.iter().map(|&at| variant::variant(&shown, at, self)).collect();
        let options = product.axes.iter().map(|axis| self.option(axis, |_, value| value)).collect();
        self.frame(&shown, options, variants)
    }

    /// A product of a lookup, with the variants that identifiers resolved to.
    pub(crate) fn looked_up<'p>(
        &self,
        product: &'p Product,
        variants: Vec<(usize, Vec<wire::InputCorrelation<'p>>)>,
    ) -> wire::LookupProduct<'p> {
        let shown = Shown::of(product, &self.currencies);
        let variants = variants
            .into_iter()
            .map(|(at, inputs)| wire::LookupVariant {
                variant: variant::variant(&shown, at, self),
                inputs,
            })
            .collect();
        let options = product.axes.iter().map(|axis| self.option(axis, |_, value| value)).collect();
        self.frame(&shown, options, variants)
    }

    /// A product in full, with the signals of rule C14.
    pub(crate) fn detail<'p>(
        &self,
        product: &'p Product,
        detail: &Detail,
    ) -> wire::DetailProduct<'p> {
        let shown = Shown::of(product, &self.currencies);
        let variants =
            detail.variants.iter().map(|&at| variant::variant(&shown, at, self)).collect();
        let signals = select::signals(product, &detail.effective);
        let options = product
            .axes
            .iter()
            .zip(signals)
            .map(|(axis, signals)| {
                self.option(axis, |at, wire::OptionValue { id, label }| wire::DetailOptionValue {
                    id,
                    label,
                    available: Some(signals[at].available),
                    exists: Some(signals[at].exists),
                })
            })
            .collect();
        let selected: Vec<_> =
            detail.effective.iter().map(|&choice| self.selected(product, choice)).collect();
        wire::DetailProduct {
            product: self.frame(&shown, options, variants),
            // A product without axes has nothing to select.
            selected: (!product.axes.is_empty()).then_some(selected),
        }
    }

    /// A place on an axis, in words.
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

    fn frame<'p, V, O>(
        &self,
        shown: &Shown<'p>,
        options: Vec<O>,
        variants: Vec<V>,
    ) -> wire::Product<'p, V, O> {
        let product = shown.product;
        wire::Product {
            id: product.id.as_str(),
            handle: product.handle.as_deref(),
            title: product.title.pick(self.language),
            description: description(product.description.pick(self.language)),
            url: product.url.as_deref(),
            categories: categories(&product.categories),
            price_range: shown.price_range(),
            list_price_range: market::list_price_range(product, shown.currency)
                .map(|range| shown.range(range)),
            media: media(&product.media),
            options,
            variants,
            rating: product.rating.as_ref().map(rating),
            tags: product.tags.iter().map(String::as_str).collect(),
            metadata: product.metadata.as_ref(),
            extensions: passed_through(&product.extensions),
        }
    }

    fn option<'p, V>(
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
}

/// A product in the currency that it is presented in (rule C18).
pub(super) struct Shown<'p> {
    pub(super) product: &'p Product,
    pub(super) currency: Currency,
    code: &'p str,
}

impl<'p> Shown<'p> {
    fn of(product: &'p Product, wanted: &[Currency]) -> Self {
        let currency = market::presentment(product, wanted);
        // Invariant: the presentment currency is that of some variant's price.
        let of_variant =
            |variant: &'p Variant| variant.prices.iter().find(|price| price.currency == currency);
        let code = product.variants.iter().find_map(of_variant);
        Self {
            product,
            currency,
            code: code.map(|price| price.currency.code()).unwrap_or_default(),
        }
    }

    /// An amount of the presentment currency.
    pub(super) fn price(&self, price: Price) -> wire::Price<'p> {
        wire::Price { amount: price.amount.minor_units(), currency: self.code }
    }

    /// The range over all variants of the product, not only those shown (rule C6).
    fn price_range(&self) -> wire::PriceRange<'p> {
        let first = self.product.variants[0].prices[0];
        self.range(market::price_range(self.product, self.currency).unwrap_or((first, first)))
    }

    fn range(&self, (min, max): (Price, Price)) -> wire::PriceRange<'p> {
        wire::PriceRange { min: self.price(min), max: self.price(max) }
    }
}

/// Members with reverse-domain names, when there are any (rule C15).
pub(crate) fn passed_through(extensions: &Map<String, Value>) -> Option<&Map<String, Value>> {
    (!extensions.is_empty()).then_some(extensions)
}

pub(super) fn description(text: &Description) -> wire::Description<'_> {
    wire::Description {
        plain: text.plain.as_deref(),
        html: text.html.as_deref(),
        markdown: text.markdown.as_deref(),
    }
}

pub(super) fn categories(categories: &[Category]) -> Vec<wire::Category<'_>> {
    categories
        .iter()
        .map(|category| wire::Category {
            value: category.value.as_str(),
            taxonomy: category.taxonomy.as_deref(),
        })
        .collect()
}

pub(super) fn media(media: &[Media]) -> Vec<wire::Media<'_>> {
    media
        .iter()
        .map(|item| wire::Media {
            kind: item.kind.as_str(),
            url: item.url.as_str(),
            alt_text: item.alt_text.as_deref(),
            width: item.width,
            height: item.height,
        })
        .collect()
}

pub(super) fn rating(rating: &Rating) -> wire::Rating {
    wire::Rating {
        value: rating.value,
        scale_min: rating.scale_min,
        scale_max: rating.scale_max,
        count: rating.count,
    }
}
