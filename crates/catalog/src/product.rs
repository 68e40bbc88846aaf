//! A product and its variants, valid once built.
//!
//! `ProductFacts` is what a feed reader fills in; `Product::new` checks it once
//! and from then on it can only be read. Option names and labels are kept once,
//! in the product's axes; a variant holds indices into them.

use crate::language::Localized;
use crate::money::{Price, QuantityUnit, UnitPrice};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::ops::Deref;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// The id, or `None` when the text is empty.
            pub fn new(id: &str) -> Option<Self> {
                (!id.is_empty()).then(|| Self(id.into()))
            }

            /// The id exactly as the feed has it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}

text_id! {
    /// The id of a product; unique in a catalog.
    ProductId
}
text_id! {
    /// The id of a variant; unique in a catalog.
    VariantId
}

/// A description in one form or more; at least one of them is present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// Plain text.
    pub plain: Option<String>,
    /// HTML, as the feed has it; platforms must sanitise it.
    pub html: Option<String>,
    /// Markdown.
    pub markdown: Option<String>,
}

/// A category, perhaps of a named taxonomy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Value or path, compared exactly (rule C2).
    pub value: String,
    /// Which taxonomy `value` is of, such as `google_product_category`.
    pub taxonomy: Option<String>,
}

/// A picture, film or model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// `image`, `video`, `model_3d` or another kind.
    pub kind: String,
    /// Where it is.
    pub url: String,
    /// What it shows, for those who cannot see it.
    pub alt_text: Option<String>,
    /// Width in pixels, at least 1.
    pub width: Option<u64>,
    /// Height in pixels, at least 1.
    pub height: Option<u64>,
}

/// What buyers think of a product.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The average, at least 0.
    pub value: f64,
    /// Bottom of the scale; 1 when absent.
    pub scale_min: Option<f64>,
    /// Top of the scale, at least 1.
    pub scale_max: f64,
    /// How many opinions.
    pub count: Option<u64>,
}

/// A barcode with its standard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barcode {
    /// `GTIN`, `EAN`, `UPC`, `ISBN`, `JAN` or another.
    pub kind: String,
    /// The digits as the feed has them.
    pub value: String,
}

/// Whether a variant can be had, as the feed or the inventory says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Availability {
    /// Said outright.
    pub available: Option<bool>,
    /// `in_stock`, `backorder`, `preorder`, `out_of_stock`, `discontinued` or another.
    pub status: Option<String>,
}

/// Who sells a variant, when it is not the store itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seller {
    /// Display name.
    pub name: Option<String>,
    /// Policies and information.
    pub links: Vec<Link>,
}

/// A typed link with an optional title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Such as `refund_policy`.
    pub kind: String,
    /// Where it leads.
    pub url: String,
    /// What to show instead of the kind.
    pub title: Option<String>,
}

/// One label of an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxisValue {
    /// The merchant's id of the value.
    pub id: Option<String>,
    /// What buyers read.
    pub label: Localized<String>,
}

/// One axis of choice, such as colour, with its values in display order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What buyers read.
    pub name: Localized<String>,
    /// At least one.
    pub values: Vec<AxisValue>,
}

/// The axes of a product in display order; grows while a feed row is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Axes(Vec<Axis>);

/// A variant's place on one axis: indices into the product's [`Axes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// Which axis.
    pub axis: usize,
    /// Which of its values.
    pub value: usize,
}

impl Axes {
    /// The place of `label` on the axis `name`, both in the feed's own language
    /// `language`; an axis or a value that is new is added at the end.
    pub fn choice(
        &mut self,
        language: &crate::LanguageTag,
        name: &str,
        label: &str,
        id: Option<&str>,
    ) -> Choice {
        let axis = self.0.iter().position(|a| a.name.own() == name).unwrap_or_else(|| {
            let name = Localized::new(language.clone(), name.to_owned());
            self.0.push(Axis { name, values: Vec::new() });
            self.0.len() - 1
        });
        let values = &mut self.0[axis].values;
        let value = values.iter().position(|v| v.label.own() == label).unwrap_or_else(|| {
            let label = Localized::new(language.clone(), label.to_owned());
            values.push(AxisValue { id: None, label });
            values.len() - 1
        });
        if let (None, Some(id)) = (&values[value].id, id) {
            values[value].id = Some(id.to_owned());
        }
        Choice { axis, value }
    }

    /// The axis whose own-language name is `name`, to hang translations on it.
    pub fn axis_mut(&mut self, name: &str) -> Option<&mut Axis> {
        self.0.iter_mut().find(|axis| axis.name.own() == name)
    }
}

impl Deref for Axes {
    type Target = [Axis];

    fn deref(&self) -> &[Axis] {
        &self.0
    }
}

/// Something that can be put in a basket.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// Its id.
    pub id: VariantId,
    /// The merchant's stock-keeping unit.
    pub sku: Option<String>,
    /// Standard product numbers.
    pub barcodes: Vec<Barcode>,
    /// URL slug.
    pub handle: Option<String>,
    /// Display title.
    pub title: Localized<String>,
    /// Description; the product's where the feed gives none.
    pub description: Localized<Description>,
    /// Its page.
    pub url: Option<String>,
    /// Its own categories, besides the product's.
    pub categories: Vec<Category>,
    /// One price a currency, the feed's own first; never empty.
    pub prices: Vec<Price>,
    /// Price before a discount.
    pub list_price: Option<Price>,
    /// Price per standard unit.
    pub unit_price: Option<UnitPrice>,
    /// What quantity 1 means; a piece when absent.
    pub quantity_unit: Option<QuantityUnit>,
    /// As the feed says, or as [`Product::apply_stock`] found.
    pub availability: Option<Availability>,
    /// Its place on the product's axes, at most one an axis, in axis order.
    pub choices: Vec<Choice>,
    /// Pictures of this variant.
    pub media: Vec<Media>,
    /// Rating of this variant.
    pub rating: Option<Rating>,
    /// Words for search.
    pub tags: Vec<String>,
    /// The merchant's own data; `brand` and `condition` in it are filters (rule C5).
    pub metadata: Option<Map<String, Value>>,
    /// Who sells it.
    pub seller: Option<Seller>,
    /// Members with reverse-domain names, passed through (rule C15).
    pub extensions: Map<String, Value>,
}

impl Variant {
    /// Whether it can be bought (rule C14): what the availability says, else what
    /// its status implies, else yes.
    pub fn is_available(&self) -> bool {
        match &self.availability {
            None => true,
            Some(Availability { available: Some(said), .. }) => *said,
            Some(Availability { status, .. }) => {
                !matches!(status.as_deref(), Some("out_of_stock" | "discontinued"))
            }
        }
    }

    /// Its price in `currency`, when it has one.
    pub fn price_in(&self, currency: crate::Currency) -> Option<Price> {
        self.prices.iter().copied().find(|price| price.currency == currency)
    }

    /// The value that it has on `axis`.
    pub fn value_on(&self, axis: usize) -> Option<usize> {
        self.choices.iter().find(|choice| choice.axis == axis).map(|choice| choice.value)
    }
}

/// What a feed says of a product, before it is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductFacts {
    /// Its id.
    pub id: ProductId,
    /// URL slug.
    pub handle: Option<String>,
    /// Display title.
    pub title: Localized<String>,
    /// Description.
    pub description: Localized<Description>,
    /// Its page.
    pub url: Option<String>,
    /// Categories of every taxonomy.
    pub categories: Vec<Category>,
    /// List prices as the feed gives them for the whole product: min, max.
    pub list_price_range: Option<(Price, Price)>,
    /// Pictures; the first is the featured one.
    pub media: Vec<Media>,
    /// Axes of choice.
    pub axes: Axes,
    /// In feed order; never empty.
    pub variants: Vec<Variant>,
    /// Rating.
    pub rating: Option<Rating>,
    /// Words for search.
    pub tags: Vec<String>,
    /// The merchant's own data; `brand` and `condition` in it are filters (rule C5).
    pub metadata: Option<Map<String, Value>>,
    /// Members with reverse-domain names, passed through (rule C15).
    pub extensions: Map<String, Value>,
}

/// A product that can be published; read its facts through `Deref`.
#[derive(Debug, Clone, PartialEq)]
pub struct Product(ProductFacts);

/// Why facts make no product.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProductFault {
    /// A product without a variant cannot be shown or bought.
    #[error("the product has no variant")]
    NoVariant,
    /// Two variants of the product share an id.
    #[error("the variant id `{0}` is there twice")]
    DuplicateVariant(String),
    /// A variant cannot be published without a price (rule C18).
    #[error("the variant `{0}` has no price")]
    NoPrice(String),
    /// A variant names an axis or a value that the product lacks, or an axis twice.
    #[error("the variant `{0}` has options that the product does not have")]
    UnknownChoice(String),
}

impl Product {
    /// Checks the facts; what comes out is valid for good.
    ///
    /// # Errors
    ///
    /// The first [`ProductFault`] found, variants in feed order.
    pub fn new(facts: ProductFacts) -> Result<Self, ProductFault> {
        if facts.variants.is_empty() {
            return Err(ProductFault::NoVariant);
        }
        let mut seen = HashSet::new();
        for variant in &facts.variants {
            let id = variant.id.as_str();
            if !seen.insert(id) {
                return Err(ProductFault::DuplicateVariant(id.to_owned()));
            }
            if variant.prices.is_empty() {
                return Err(ProductFault::NoPrice(id.to_owned()));
            }
            let mut axes = HashSet::new();
            let known = |choice: &Choice| {
                facts.axes.get(choice.axis).is_some_and(|axis| choice.value < axis.values.len())
            };
            if !variant.choices.iter().all(|choice| known(choice) && axes.insert(choice.axis)) {
                return Err(ProductFault::UnknownChoice(id.to_owned()));
            }
        }
        Ok(Self(facts))
    }

    /// Fills in the availability of variants whose feed says nothing of it, from
    /// the inventory (rule C14): `provided` answers whether any Location can
    /// provide the variant, or `None` when the inventory does not name it.
    pub fn apply_stock(&mut self, mut provided: impl FnMut(&VariantId) -> Option<bool>) {
        for variant in self.0.variants.iter_mut().filter(|v| v.availability.is_none()) {
            variant.availability = provided(&variant.id).map(|available| Availability {
                available: Some(available),
                status: Some(if available { "in_stock" } else { "out_of_stock" }.to_owned()),
            });
        }
    }
}

impl Deref for Product {
    type Target = ProductFacts;

    fn deref(&self) -> &ProductFacts {
        &self.0
    }
}

/// The text that `metadata` has under `member`, such as `brand` (rule C5).
pub fn stated<'a>(metadata: Option<&'a Map<String, Value>>, member: &str) -> Option<&'a str> {
    metadata?.get(member)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn rule_c14_availability_table() {
        let table = [
            (None, None, true),
            (Some(true), Some("out_of_stock"), true),
            (Some(false), Some("in_stock"), false),
            (None, Some("in_stock"), true),
            (None, Some("backorder"), true),
            (None, Some("preorder"), true),
            (None, Some("com.example.soon"), true),
            (None, Some("out_of_stock"), false),
            (None, Some("discontinued"), false),
        ];
        for (available, status, expected) in table {
            let mut variant = sample::variant("v");
            let status = status.map(str::to_owned);
            variant.availability = Some(Availability { available, status });
            assert_eq!(variant.is_available(), expected, "{:?}", variant.availability);
        }
        assert!(sample::variant("v").is_available(), "nothing said");
    }

    #[test]
    fn facts_that_make_no_product() {
        let fault = |change: &dyn Fn(&mut ProductFacts)| {
            let mut facts = (*sample::with_options(&["Cor=Azul", "Cor=Preto"])).clone();
            change(&mut facts);
            Product::new(facts).unwrap_err()
        };
        assert_eq!(fault(&|facts| facts.variants.clear()), ProductFault::NoVariant);
        assert_eq!(
            fault(&|facts| facts.variants[1].id = facts.variants[0].id.clone()),
            ProductFault::DuplicateVariant("v0".to_owned())
        );
        assert_eq!(
            fault(&|facts| facts.variants[1].prices.clear()),
            ProductFault::NoPrice("v1".to_owned())
        );
        let unknown = ProductFault::UnknownChoice("v0".to_owned());
        for choice in [Choice { axis: 1, value: 0 }, Choice { axis: 0, value: 2 }] {
            assert_eq!(fault(&|facts| facts.variants[0].choices = vec![choice]), unknown);
        }
        let twice = Choice { axis: 0, value: 0 };
        assert_eq!(fault(&|facts| facts.variants[0].choices = vec![twice; 2]), unknown);
    }

    #[test]
    fn axes_keep_the_order_of_first_sight_and_the_first_id() {
        let language = sample::tag("pt-BR");
        let mut axes = Axes::default();
        let mut place = |name, label, id| {
            let choice = axes.choice(&language, name, label, id);
            (choice.axis, choice.value)
        };
        assert_eq!(place("Cor", "Azul", None), (0, 0));
        assert_eq!(place("Tamanho", "M", None), (1, 0));
        assert_eq!(place("Cor", "Preto", Some("p")), (0, 1));
        assert_eq!(place("Cor", "Azul", Some("a")), (0, 0));
        assert_eq!(place("Cor", "Azul", Some("b")), (0, 0));
        assert_eq!(axes[0].values[0].id.as_deref(), Some("a"));
    }

    #[test]
    fn rule_c14_stock_fills_in_only_what_the_feed_leaves_open() {
        let mut facts = sample::facts("p");
        facts.variants = ["a", "b", "c"].map(sample::variant).to_vec();
        facts.variants[0].availability = Some(Availability { available: None, status: None });
        let mut product = Product::new(facts).unwrap();
        product.apply_stock(|id| (id.as_str() == "b").then_some(false));
        let available: Vec<bool> = product.variants.iter().map(Variant::is_available).collect();
        assert_eq!(available, [true, false, true]);
        let found = product.variants[1].availability.clone().unwrap();
        assert_eq!(found.status.as_deref(), Some("out_of_stock"));
        assert_eq!(product.variants[2].availability, None);
    }
}
