//! What each Location can provide now (rule L7, DESIGN 5).
//!
//! Stock lines become one compressed bitmap of variants for each Location, and
//! one of all pairs of a variant and a Location for the way round. Variants go by
//! the number that the catalog gives them ([`Items`]), Locations by ordinal: an
//! inventory belongs to the catalog and to the [`Places`] that it was built with.
//! Reading stock files is `ingest`'s work.

mod items;

pub use items::{Items, OpenItems};

use crate::place::LocationId;
use crate::places::Places;
use items::single;
use roaring::{RoaringBitmap, RoaringTreemap};
use std::ops::Range;

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

/// Who can provide what, by variant numbers and ordinals of what it was built with.
#[derive(Debug, Default)]
pub struct Inventory {
    /// Variants that some line names by themselves or by their product.
    named: RoaringBitmap,
    /// Variants that some Location can provide.
    provided: RoaringBitmap,
    /// By ordinal: the variants that the Location can provide.
    at: Vec<RoaringBitmap>,
    /// Who can provide what, as `variant * at.len() + ordinal`: whether few pairs
    /// are taken or most of them, a bitmap of these is small, and those of
    /// consecutive variants lie side by side.
    pairs: RoaringTreemap,
    nothing: RoaringBitmap,
}

impl Inventory {
    /// Reads `lines`, each with a tag that comes back in its faults, over the
    /// Locations of `places`, private ones included.
    ///
    /// `items` tells which variants an item id means; for a store without a
    /// catalog they are [`OpenItems`]. A line counts as providable by
    /// [`StockLine::is_providable`]. Of several lines for the same pair the last
    /// counts; a product's line holds for each of its variants, and a variant's own
    /// line at a Location wins over it, whichever comes first.
    pub fn build(
        lines: impl IntoIterator<Item = (usize, StockLine)>,
        places: &Places,
        items: &dyn Items,
        providable: &[StockStatus],
    ) -> (Self, Vec<StockFault>) {
        let mut said: Vec<Said> = Vec::new();
        said.resize_with(places.len(), Said::default);
        let mut faults = Vec::new();
        for (tag, line) in lines {
            let mut fault = |reason| faults.push(StockFault { tag, reason });
            let ordinal = places.ordinal(&line.location).map(|ordinal| ordinal as usize);
            let Some(said) = ordinal.and_then(|ordinal| said.get_mut(ordinal)) else {
                fault(StockReason::UnknownLocation(line.location.as_str().to_owned()));
                continue;
            };
            let (product, variant) = (items.product(&line.item), items.variant(&line.item));
            if product.is_none() && variant.is_none() {
                fault(StockReason::UnknownItem(line.item));
                continue;
            }
            let can_provide = line.is_providable(providable);
            // One id can be of a product and of a variant; such a line is of both.
            let as_product = product.is_some_and(|range| said.product.add(range, can_provide));
            let as_variant =
                variant.is_some_and(|number| said.own.add(single(number), can_provide));
            if as_product || as_variant {
                let (location, item) = (line.location.as_str().to_owned(), line.item);
                fault(StockReason::Repeated { location, item });
            }
        }
        (Self::from_said(said), faults)
    }

    /// Whether any Location, private ones included, can provide the variant;
    /// `None` when no line names it or its product (rule C14).
    pub fn provided_anywhere(&self, variant: u32) -> Option<bool> {
        self.named.contains(variant).then(|| self.provided.contains(variant))
    }

    /// The Locations that can provide any of `variants`, such as those that
    /// [`Items::meant`] gives for an item; private ones included.
    pub fn locations_with(&self, variants: Range<u32>) -> RoaringBitmap {
        let width = self.at.len() as u64;
        let mut pairs = self.pairs.iter();
        pairs.advance_to(u64::from(variants.start) * width);
        pairs
            .take_while(|pair| *pair < u64::from(variants.end) * width)
            .filter_map(|pair| u32::try_from(pair % width).ok())
            .collect()
    }

    /// The numbers of the variants that the Location can provide.
    pub fn variants_at(&self, ordinal: u32) -> &RoaringBitmap {
        self.at.get(ordinal as usize).unwrap_or(&self.nothing)
    }

    fn from_said(said: Vec<Said>) -> Self {
        let mut inventory = Self::default();
        for said in said {
            inventory.named |= &said.own.named;
            inventory.named |= &said.product.named;
            let variants = said.providable();
            inventory.provided |= &variants;
            inventory.at.push(variants);
        }
        inventory.pairs = pairs(&inventory.at, &inventory.provided);
        inventory.pairs.optimize();
        inventory.named.optimize();
        inventory.provided.optimize();
        inventory
    }
}

/// What a feed said of one Location.
#[derive(Default)]
struct Said {
    /// By lines that name variants.
    own: Lines,
    /// By lines that name products, for each of their variants.
    product: Lines,
}

/// Variants that lines of one kind name at one Location.
#[derive(Default)]
struct Lines {
    named: RoaringBitmap,
    /// Those of `named` whose last line is providable.
    providable: RoaringBitmap,
}

impl Said {
    /// The variants that the Location can provide.
    fn providable(&self) -> RoaringBitmap {
        // From references, so that the result has no spare capacity.
        let mut variants = &self.own.providable | &(&self.product.providable - &self.own.named);
        variants.optimize();
        variants
    }
}

impl Lines {
    /// Takes a line over the variants of one item; whether there was one before.
    fn add(&mut self, variants: Range<u32>, can_provide: bool) -> bool {
        let repeated = !variants.is_empty() && self.named.contains(variants.start);
        self.named.insert_range(variants.clone());
        if can_provide {
            self.providable.insert_range(variants);
        } else {
            self.providable.remove_range(variants);
        }
        repeated
    }
}

/// How many variants are turned round together: as many as share a container.
const BLOCK: u32 = 1 << 16;

/// The pairs of [`Inventory::pairs`], whose variants are `provided`.
fn pairs(at: &[RoaringBitmap], provided: &RoaringBitmap) -> RoaringTreemap {
    let mut pairs = RoaringTreemap::new();
    let mut block_pairs = Vec::new();
    let width = at.len() as u64;
    for block in 0..=provided.max().unwrap_or_default() / BLOCK {
        let block = block * BLOCK..=block * BLOCK + (BLOCK - 1);
        for (ordinal, variants) in (0_u64..).zip(at) {
            let variants = variants.range(block.clone());
            block_pairs.extend(variants.map(|variant| u64::from(variant) * width + ordinal));
        }
        block_pairs.sort_unstable();
        pairs.extend(block_pairs.drain(..));
    }
    pairs
}

#[cfg(test)]
mod tests;
