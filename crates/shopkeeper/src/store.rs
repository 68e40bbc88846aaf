//! What is served: one immutable snapshot of catalog, Locations and stock.

mod feeds;
pub mod follow;
pub mod generation;
mod load;
pub(crate) mod recent;

pub use feeds::{Progress, configuration_digest};
pub use load::{LoadError, Loaded, build, load, load_whole};

use crate::cursor::Generation;
use location::inventory::Inventory;
use location::places::Places;

/// How long superseded data are kept, in memory and on the disk: cursors of them are
/// honoured that long (rule C7).
const KEPT_MINUTES: u32 = 10;

/// Everything that answers are made from, as the feeds were at one moment.
pub struct Snapshot {
    generation: Generation,
    catalog: Option<search::Index>,
    places: Option<Places>,
    inventory: Option<Inventory>,
}

impl Snapshot {
    /// Names the state of the feeds; the same feeds have the same generation.
    pub(crate) const fn generation(&self) -> Generation {
        self.generation
    }

    /// The products, when there are product feeds.
    pub const fn catalog(&self) -> Option<&search::Index> {
        self.catalog.as_ref()
    }

    /// The Locations, when there are store lists.
    pub const fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// The stock, when there are stock feeds.
    pub const fn inventory(&self) -> Option<&Inventory> {
        self.inventory.as_ref()
    }

    /// How many products and variants there are.
    pub fn sizes(&self) -> (usize, usize) {
        let Some(catalog) = &self.catalog else { return (0, 0) };
        (catalog.len(), catalog.products().map(|product| product.variants.len()).sum())
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
