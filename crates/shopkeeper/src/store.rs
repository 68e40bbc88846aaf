//! What is served: one immutable snapshot of catalog, Locations and stock.

mod catalog;
mod feeds;
pub mod follow;
pub mod generation;
mod load;
pub(crate) mod recent;
mod stock;

pub use feeds::{Progress, configuration_digest};
pub use load::{LoadError, Loaded, Started, build, load, load_whole, newest, open, start};

use crate::cursor::Generation;
use crate::to_wire::record::Languages;
use catalog::CatalogItems;
use location::inventory::{Inventory, Items, OpenItems};
use location::places::Places;
use search::{Index, Synonyms};
use std::ops::Range;

/// How long superseded data are kept, in memory and on the disk: cursors of them are
/// honoured that long (rule C7).
const KEPT_MINUTES: u32 = 10;

/// Everything that answers are made from, as the feeds were at one moment.
pub struct Snapshot {
    generation: Generation,
    catalog: Option<Index>,
    /// The languages that the payloads of `catalog` are in.
    languages: Languages,
    synonyms: Synonyms,
    places: Option<Places>,
    inventory: Option<Inventory>,
    /// What stock lines call items, in a store without a catalog.
    open_items: OpenItems,
}

impl Snapshot {
    /// Names the state of the feeds; the same feeds have the same generation.
    pub(crate) const fn generation(&self) -> Generation {
        self.generation
    }

    /// The products, when there are product feeds.
    pub const fn catalog(&self) -> Option<&Index> {
        self.catalog.as_ref()
    }

    pub(crate) const fn languages(&self) -> &Languages {
        &self.languages
    }

    /// What stands for words besides themselves.
    pub(crate) fn synonyms(&self) -> Option<&Synonyms> {
        Some(&self.synonyms).filter(|synonyms| !synonyms.is_empty())
    }

    /// The Locations, when there are store lists.
    pub const fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// The stock, when there are stock feeds.
    pub const fn inventory(&self) -> Option<&Inventory> {
        self.inventory.as_ref()
    }

    /// The numbers of the variants that an item id means (rule L7).
    pub(crate) fn meant(&self, item: &str) -> Range<u32> {
        match &self.catalog {
            Some(catalog) => CatalogItems(catalog.items()).meant(item),
            None => self.open_items.meant(item),
        }
    }

    /// How many products and variants there are.
    pub fn sizes(&self) -> (u64, u64) {
        self.catalog.as_ref().map_or((0, 0), |index| (index.len() as u64, index.variants()))
    }

    /// How much there is, in a few words.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if self.catalog.is_some() {
            let (products, variants) = self.sizes();
            parts.push(format!("{products} products with {variants} variants"));
        }
        if let Some(places) = &self.places {
            parts.push(format!("{} locations", places.len()));
        }
        if parts.is_empty() { "no feeds are configured".to_owned() } else { parts.join(", ") }
    }
}
