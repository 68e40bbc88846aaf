//! The filters of a request, as data; `sieve` holds them against variants.
//!
//! A product matches only where a single variant passes everything together (rule
//! C4). Reading the filters of a request, and saying which of them are ignored, is
//! the application's work.

use catalog::Currency;
use roaring::RoaringBitmap;

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
    /// The variants that a Location can provide, by their numbers.
    pub providable: Option<RoaringBitmap>,
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
}
