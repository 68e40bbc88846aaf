//! Which variants a request's filters let through (rules C2 to C5).
//!
//! One [`Filter`] holds them all and answers for one variant at a time, because
//! a product matches only where a single variant passes everything together.
//! Reading the filters of a request, and saying which of them are ignored, is
//! the application's work.

use crate::money::Currency;
use crate::product::{Axis, Category, Product, Variant, VariantId};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// Bounds on a price, both inclusive, in minor units of `currency` (rule C2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceBounds {
    /// The lowest amount that passes.
    pub min: Option<u64>,
    /// The highest amount that passes; below `min`, nothing passes.
    pub max: Option<u64>,
    /// Which price of a variant is meant; a variant without one does not pass.
    pub currency: Currency,
}

/// Everything that a variant must satisfy at once; the default lets all pass.
///
/// A member that is empty, `None` or `false` is no filter (rule C1).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// Exact category values of any taxonomy, of the product or the variant; any
    /// of them (rule C2).
    pub categories: Vec<String>,
    /// Bounds on the price.
    pub price: Option<PriceBounds>,
    /// Only what can be bought.
    pub available: bool,
    /// Exact `metadata.brand` of the variant or the product; any of them.
    pub brand: Vec<String>,
    /// Tags of the product and the variant together; all of them.
    pub tags: Vec<String>,
    /// Exact `metadata.condition` of the variant or the product; any of them.
    pub condition: Vec<String>,
    /// Lowest average of the product's rating, else the variant's; the unrated
    /// do not pass.
    pub rating_min: Option<f64>,
    /// Option name and its labels, in any language of the feed: any label within
    /// a name, all names across.
    pub options: Vec<(String, Vec<String>)>,
    /// The variants that a Location can provide.
    pub providable: Option<Arc<HashSet<VariantId>>>,
}

impl Filter {
    /// Whether every variant passes for want of any filter.
    pub fn is_empty(&self) -> bool {
        self.categories.is_empty()
            && self.price.is_none_or(|bounds| bounds.min.is_none() && bounds.max.is_none())
            && !self.available
            && self.brand.is_empty()
            && self.tags.is_empty()
            && self.condition.is_empty()
            && self.rating_min.is_none()
            && self.options.iter().all(|(_, labels)| labels.is_empty())
            && self.providable.is_none()
    }

    /// Whether `variant`, which is one of `product`, passes all filters together
    /// (rules C2 to C5).
    pub fn passes(&self, product: &Product, variant: &Variant) -> bool {
        (!self.available || variant.is_available())
            && self.price.is_none_or(|bounds| bounds.admit(variant))
            && (self.categories.is_empty()
                || self.names_one_of(&product.categories)
                || self.names_one_of(&variant.categories))
            && any_stated(&self.brand, "brand", product, variant)
            && any_stated(&self.condition, "condition", product, variant)
            && self.tags.iter().all(|tag| product.tags.contains(tag) || variant.tags.contains(tag))
            && self.rating_min.is_none_or(|min| {
                let rating = product.rating.as_ref().or(variant.rating.as_ref());
                rating.is_some_and(|rating| rating.value >= min)
            })
            && self.options.iter().all(|(name, labels)| {
                labels.is_empty() || has_option(product, variant, name, labels)
            })
            && self.providable.as_ref().is_none_or(|set| set.contains(&variant.id))
    }

    /// Whether a variant of `product` may pass at all: a look at the product alone
    /// that spares the look at each variant. `true` promises nothing.
    pub fn admits_product(&self, product: &Product) -> bool {
        let rated = match (self.rating_min, &product.rating) {
            (Some(min), Some(rating)) => rating.value >= min,
            _ => true,
        };
        let named = |(name, labels): &(String, Vec<String>)| {
            labels.is_empty() || product.axes.iter().any(|axis| axis.name.says(name))
        };
        rated
            && (self.categories.is_empty()
                || self.names_one_of(&product.categories)
                || product.variants.iter().any(|v| !v.categories.is_empty()))
            && self.options.iter().all(named)
    }

    /// Whether any variant of `product` passes (rule C4).
    pub fn matches(&self, product: &Product) -> bool {
        self.admits_product(product) && product.variants.iter().any(|v| self.passes(product, v))
    }

    fn names_one_of(&self, categories: &[Category]) -> bool {
        categories.iter().any(|entry| self.categories.contains(&entry.value))
    }
}

impl PriceBounds {
    fn admit(self, variant: &Variant) -> bool {
        if self.min.is_none() && self.max.is_none() {
            return true;
        }
        variant.price_in(self.currency).is_some_and(|price| {
            let amount = price.amount.minor_units();
            self.min.is_none_or(|min| amount >= min) && self.max.is_none_or(|max| amount <= max)
        })
    }
}

/// The text that `metadata` has under `member`, such as `brand` (rule C5).
pub fn stated<'a>(metadata: Option<&'a Map<String, Value>>, member: &str) -> Option<&'a str> {
    metadata?.get(member)?.as_str()
}

fn any_stated(wanted: &[String], member: &str, product: &Product, variant: &Variant) -> bool {
    wanted.is_empty()
        || [variant.metadata.as_ref(), product.metadata.as_ref()]
            .into_iter()
            .filter_map(|metadata| stated(metadata, member))
            .any(|text| wanted.iter().any(|w| w == text))
}

fn has_option(product: &Product, variant: &Variant, name: &str, labels: &[String]) -> bool {
    let labelled = |axis: &Axis, value: usize| {
        axis.values
            .get(value)
            .is_some_and(|value| labels.iter().any(|label| value.label.says(label)))
    };
    variant.choices.iter().any(|choice| {
        product
            .axes
            .get(choice.axis)
            .is_some_and(|axis| axis.name.says(name) && labelled(axis, choice.value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::product::Rating;
    use crate::sample::{self, currency, price};
    use serde_json::json;

    fn metadata(value: &Value) -> Option<Map<String, Value>> {
        value.as_object().cloned()
    }

    fn category(value: &str, taxonomy: Option<&str>) -> Category {
        Category { value: value.to_owned(), taxonomy: taxonomy.map(str::to_owned) }
    }

    fn rating(value: f64) -> Option<Rating> {
        Some(Rating { value, scale_min: None, scale_max: 5.0, count: Some(3) })
    }

    /// Blue M at BRL 10.00 and USD 2.00, black M (sold out) at BRL 30.00.
    fn shirt() -> Product {
        let product = sample::with_options(&["Cor=Azul Tamanho=M", "-Cor=Preto Tamanho=M"]);
        let mut facts = (*product).clone();
        facts.categories = vec![category("Roupas", None), category("1604", Some("google"))];
        facts.metadata = metadata(&json!({ "brand": "Vela", "condition": "new" }));
        facts.tags = vec!["algodão".to_owned()];
        facts.rating = rating(4.5);
        facts.variants[0].prices.push(price(200, "USD"));
        facts.variants[0].tags = vec!["verão".to_owned()];
        facts.variants[0].categories = vec![category("Azuis", None)];
        facts.variants[1].prices = vec![price(3000, "BRL")];
        facts.variants[1].metadata = metadata(&json!({ "brand": "Lume", "condition": 7 }));
        facts.variants[1].rating = rating(1.0);
        Product::new(facts).unwrap()
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn options(pairs: &[(&str, &[&str])]) -> Filter {
        let options = pairs.iter().map(|&(name, labels)| (name.to_owned(), owned(labels)));
        Filter { options: options.collect(), ..Filter::default() }
    }

    fn bounds(min: Option<u64>, max: Option<u64>, code: &str) -> Filter {
        let price = Some(PriceBounds { min, max, currency: currency(code) });
        Filter { price, ..Filter::default() }
    }

    #[track_caller]
    fn check(filter: &Filter, expected: [bool; 2]) {
        let product = shirt();
        let passed: Vec<bool> =
            product.variants.iter().map(|variant| filter.passes(&product, variant)).collect();
        assert_eq!(passed, expected, "{filter:?}");
        assert!(filter.admits_product(&product) || passed == [false, false], "quick reject");
        assert_eq!(filter.matches(&product), passed.contains(&true));
    }

    #[test]
    fn rule_c1_empty_members_are_no_filter() {
        let empty =
            [Filter::default(), options(&[("Cor", &[]), ("Nada", &[])]), bounds(None, None, "JPY")];
        for filter in empty {
            assert!(filter.is_empty());
            check(&filter, [true, true]);
        }
    }

    #[test]
    fn rule_c2_categories_are_alternatives_of_any_taxonomy() {
        let of = |values: &[&str]| Filter { categories: owned(values), ..Filter::default() };
        check(&of(&["Roupas"]), [true, true]);
        check(&of(&["1604"]), [true, true]);
        check(&of(&["nada", "Azuis"]), [true, false]);
        check(&of(&["roupas"]), [false, false]);
    }

    #[test]
    fn rule_c2_price_bounds_are_inclusive_and_of_one_currency() {
        check(&bounds(Some(1000), Some(3000), "BRL"), [true, true]);
        check(&bounds(Some(1001), None, "BRL"), [false, true]);
        check(&bounds(None, Some(1000), "BRL"), [true, false]);
        check(&bounds(Some(3000), Some(1000), "BRL"), [false, false]);
        check(&bounds(Some(0), None, "USD"), [true, false]);
        check(&bounds(Some(0), None, "JPY"), [false, false]);
    }

    #[test]
    fn rule_c5_brand_condition_tags_and_rating() {
        let brand = |texts: &[&str]| Filter { brand: owned(texts), ..Filter::default() };
        check(&brand(&["Vela"]), [true, true]);
        check(&brand(&["Lume", "Outra"]), [false, true]);
        check(&brand(&["vela"]), [false, false]);
        let condition = |texts: &[&str]| Filter { condition: owned(texts), ..Filter::default() };
        check(&condition(&["new"]), [true, true]);
        check(&condition(&["7", "used"]), [false, false]);
        let tags = |texts: &[&str]| Filter { tags: owned(texts), ..Filter::default() };
        check(&tags(&["algodão"]), [true, true]);
        check(&tags(&["algodão", "verão"]), [true, false]);
        let rated = |min| Filter { rating_min: Some(min), ..Filter::default() };
        check(&rated(4.5), [true, true]);
        check(&rated(4.6), [false, false]);
        check(&rated(f64::NAN), [false, false]);
    }

    #[test]
    fn rule_c5_a_variant_rating_counts_when_the_product_has_none() {
        let mut facts = (*shirt()).clone();
        facts.rating = None;
        let product = Product::new(facts).unwrap();
        let filter = Filter { rating_min: Some(1.0), ..Filter::default() };
        assert!(filter.admits_product(&product));
        assert!(!filter.passes(&product, &product.variants[0]), "unrated");
        assert!(filter.passes(&product, &product.variants[1]));
    }

    #[test]
    fn rule_c5_options_in_any_language_of_the_feed() {
        check(&options(&[("Cor", &["Azul"])]), [true, false]);
        check(&options(&[("Color", &["Black"])]), [false, true]);
        check(&options(&[("Color", &["Preto", "Blue"])]), [true, true]);
        check(&options(&[("Cor", &["Azul"]), ("Tamanho", &["M"])]), [true, false]);
        check(&options(&[("Cor", &["Azul"]), ("Tamanho", &["G"])]), [false, false]);
        check(&options(&[("Tamanho", &["Azul"])]), [false, false]);
        check(&options(&[("Material", &["Lã"])]), [false, false]);
    }

    #[test]
    fn availability_and_location_stock() {
        check(&Filter { available: true, ..Filter::default() }, [true, false]);
        let set: HashSet<VariantId> = [VariantId::new("v1").unwrap()].into();
        let filter = Filter { providable: Some(Arc::new(set)), ..Filter::default() };
        check(&filter, [false, true]);
        check(&Filter { available: true, ..filter }, [false, false]);
    }
}
