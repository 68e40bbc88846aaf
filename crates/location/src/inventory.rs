//! What each Location can provide now (rule L7, DESIGN 5).
//!
//! Stock lines become one compressed bitmap of Locations for each item, the
//! other way round one of variants for each Location. An inventory belongs to
//! the [`Places`] that it was built with: both speak of Locations by ordinal.
//! Reading stock files is `ingest`'s work.

use crate::place::LocationId;
use crate::places::Places;
use catalog::{ProductId, VariantId};
use roaring::RoaringBitmap;
use std::collections::{BTreeMap, HashMap};

/// The status of a stock line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StockStatus {
    /// There; also when the line says nothing.
    InStock,
    /// Not there.
    OutOfStock,
    /// To be had later.
    Backorder,
    /// To be had when it comes out.
    Preorder,
}

/// One line of a stock feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockLine {
    /// Where.
    pub location: LocationId,
    /// A variant id or a product id; one namespace.
    pub item: String,
    /// How many; `None` is not counted.
    pub quantity: Option<u64>,
    /// In which state.
    pub status: StockStatus,
}

impl StockLine {
    /// Whether the item can be provided, where the statuses in `providable` can
    /// be: some are left, or are not counted, or come later anyway.
    pub fn is_providable(&self, providable: &[StockStatus]) -> bool {
        let comes_later = matches!(self.status, StockStatus::Backorder | StockStatus::Preorder);
        providable.contains(&self.status) && (self.quantity != Some(0) || comes_later)
    }
}

/// What is wrong with a stock line; `tag` tells which one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct StockFault {
    /// The tag that came with the line, such as its number in the feed.
    pub tag: usize,
    /// What is wrong.
    pub reason: StockReason,
}

/// Why a stock line is refused or noteworthy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StockReason {
    /// No Location has this id; the line is refused.
    #[error("no Location has the id `{0}`")]
    UnknownLocation(String),
    /// The catalog has no such product or variant; the line is refused.
    #[error("no product or variant has the id `{0}`")]
    UnknownItem(String),
    /// A line before named the same pair; this one wins. A warning.
    #[error("`{item}` at `{location}` is there twice; the later line wins")]
    Repeated {
        /// The Location's id.
        location: String,
        /// The item's id.
        item: String,
    },
}

impl StockReason {
    /// Whether the line counts nevertheless.
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::Repeated { .. })
    }
}

/// The items of a catalog: product ids with the ids of their variants.
#[derive(Debug, Clone, Default)]
pub struct Items {
    products: HashMap<ProductId, Vec<VariantId>>,
    variants: HashMap<VariantId, ProductId>,
}

impl FromIterator<(ProductId, Vec<VariantId>)> for Items {
    fn from_iter<I: IntoIterator<Item = (ProductId, Vec<VariantId>)>>(products: I) -> Self {
        let mut items = Self::default();
        for (product, variants) in products {
            for variant in &variants {
                items.variants.insert(variant.clone(), product.clone());
            }
            items.products.entry(product).or_default().extend(variants);
        }
        items
    }
}

/// What a feed said of one item: where it was named, and where it was providable.
#[derive(Debug, Default)]
struct Lines {
    named: RoaringBitmap,
    providable: RoaringBitmap,
}

/// Who can provide what, by ordinals of the [`Places`] that it was built with.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Every variant that is named, in order of id: where it is providable.
    variants: Vec<(VariantId, RoaringBitmap)>,
    by_variant: HashMap<VariantId, u32>,
    /// Where any variant of a named product is providable.
    products: HashMap<ProductId, RoaringBitmap>,
    /// Indices into `variants`, by Location.
    at: HashMap<u32, RoaringBitmap>,
    nowhere: RoaringBitmap,
}

impl Inventory {
    /// Reads `lines`, each with a tag that comes back in its faults, over the
    /// Locations of `places`, private ones included.
    ///
    /// `items` is the catalog; without one every item id is a variant of its
    /// own. A line counts as providable by [`StockLine::is_providable`]. Of
    /// several lines for the same pair the last counts; a variant's own line at a
    /// Location wins over its product's, whichever comes first.
    pub fn build(
        lines: impl IntoIterator<Item = (usize, StockLine)>,
        places: &Places,
        items: Option<&Items>,
        providable: &[StockStatus],
    ) -> (Self, Vec<StockFault>) {
        let mut said: BTreeMap<String, Lines> = BTreeMap::new();
        let mut faults = Vec::new();
        for (tag, line) in lines {
            let mut fault = |reason| faults.push(StockFault { tag, reason });
            let Some(ordinal) = places.ordinal(&line.location) else {
                fault(StockReason::UnknownLocation(line.location.as_str().to_owned()));
                continue;
            };
            if !items.is_none_or(|items| items.has(&line.item)) {
                fault(StockReason::UnknownItem(line.item));
                continue;
            }
            let can_provide = line.is_providable(providable);
            let location = line.location;
            let lines = said.entry(line.item.clone()).or_default();
            if !lines.named.insert(ordinal) {
                let (location, item) = (location.as_str().to_owned(), line.item);
                fault(StockReason::Repeated { location, item });
            }
            if can_provide {
                lines.providable.insert(ordinal);
            } else {
                lines.providable.remove(ordinal);
            }
        }
        (Self::from_lines(&said, items), faults)
    }

    /// Whether some line names the variant or its product.
    pub fn names(&self, variant: &VariantId) -> bool {
        self.by_variant.contains_key(variant)
    }

    /// Whether any Location, private ones included, can provide the variant;
    /// `None` when no line names it or its product (rule C14).
    pub fn provided_anywhere(&self, variant: &VariantId) -> Option<bool> {
        let index = *self.by_variant.get(variant)?;
        Some(!self.variants.get(index as usize)?.1.is_empty())
    }

    /// Whether the Location can provide `item`: that variant, or any variant of
    /// that product.
    pub fn provides(&self, ordinal: u32, item: &str) -> bool {
        self.locations_with(item).contains(ordinal)
    }

    /// The Locations that can provide `item`, private ones included; none for an
    /// item that is unknown. A product id means any of its variants, also where a
    /// variant has the same id.
    pub fn locations_with(&self, item: &str) -> &RoaringBitmap {
        let product = ProductId::new(item).and_then(|product| self.products.get(&product));
        let variant = || {
            let index = *self.by_variant.get(&VariantId::new(item)?)?;
            self.variants.get(index as usize).map(|(_, locations)| locations)
        };
        product.or_else(variant).unwrap_or(&self.nowhere)
    }

    /// The variants that the Location can provide, in order of id.
    pub fn variants_at(&self, ordinal: u32) -> impl Iterator<Item = &VariantId> {
        let indices = self.at.get(&ordinal).unwrap_or(&self.nowhere);
        indices.iter().filter_map(|index| self.variants.get(index as usize)).map(|(id, _)| id)
    }

    fn from_lines(said: &BTreeMap<String, Lines>, items: Option<&Items>) -> Self {
        let mut inventory = Self::default();
        let nothing = Lines::default();
        for (variant, product) in named_variants(said, items) {
            let own = said.get(variant.as_str()).unwrap_or(&nothing);
            let whole = product.and_then(|product| said.get(product.as_str()));
            let whole = whole.unwrap_or(&nothing);
            let locations = &own.providable | (&whole.providable - &own.named);
            if let Some(product) = product {
                *inventory.products.entry(product.clone()).or_default() |= &locations;
            }
            inventory.push(variant, locations);
        }
        inventory
    }

    fn push(&mut self, variant: VariantId, locations: RoaringBitmap) {
        let Ok(index) = u32::try_from(self.variants.len()) else {
            return;
        };
        for ordinal in &locations {
            self.at.entry(ordinal).or_default().insert(index);
        }
        self.by_variant.insert(variant.clone(), index);
        self.variants.push((variant, locations));
    }
}

impl Items {
    fn has(&self, item: &str) -> bool {
        ProductId::new(item).is_some_and(|id| self.products.contains_key(&id))
            || VariantId::new(item).is_some_and(|id| self.variants.contains_key(&id))
    }
}

/// Every variant that is named by itself or by its product, with its product,
/// in order of id.
fn named_variants<'a>(
    said: &BTreeMap<String, Lines>,
    items: Option<&'a Items>,
) -> BTreeMap<VariantId, Option<&'a ProductId>> {
    let mut named = BTreeMap::new();
    for item in said.keys() {
        let Some(items) = items else {
            named.extend(VariantId::new(item).map(|variant| (variant, None)));
            continue;
        };
        if let Some((variant, product)) =
            VariantId::new(item).and_then(|variant| items.variants.get_key_value(&variant))
        {
            named.insert(variant.clone(), Some(product));
        }
        if let Some((product, variants)) =
            ProductId::new(item).and_then(|product| items.products.get_key_value(&product))
        {
            named.extend(variants.iter().map(|variant| (variant.clone(), Some(product))));
        }
    }
    named
}

#[cfg(test)]
mod tests;
