//! What is served: one immutable snapshot of catalog, Locations and stock.

mod catalog;
mod load;

pub use catalog::Catalog;
pub use load::{LoadError, Loaded, load};

use crate::cursor::Generation;
use location::inventory::{Inventory, Items, OpenItems};
use location::places::Places;
use std::ops::Range;

/// Everything that answers are made from, as the feeds were at one moment.
pub struct Snapshot {
    generation: Generation,
    catalog: Option<Catalog>,
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
    pub const fn catalog(&self) -> Option<&Catalog> {
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

    /// The numbers of the variants that an item id means (rule L7).
    pub(crate) fn meant(&self, item: &str) -> Range<u32> {
        match &self.catalog {
            Some(catalog) => catalog.items().meant(item),
            None => self.open_items.meant(item),
        }
    }

    /// How much there is, in a few words.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if let Some(catalog) = &self.catalog {
            let index = catalog.index();
            parts.push(format!("{} products with {} variants", index.len(), index.variants()));
        }
        if let Some(places) = &self.places {
            parts.push(format!("{} locations", places.len()));
        }
        if parts.is_empty() { "no feeds are configured".to_owned() } else { parts.join(", ") }
    }
}
