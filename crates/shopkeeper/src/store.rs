//! What is served: one immutable snapshot of catalog, Locations and stock.

mod load;

pub use load::{LoadError, Loaded, load};

use crate::cursor::Generation;
use crate::to_wire::record::Languages;
use location::inventory::Inventory;
use location::places::Places;

/// Everything that answers are made from, as the feeds were at one moment.
pub struct Snapshot {
    generation: Generation,
    catalog: Option<search::Index>,
    /// The languages that the payloads of `catalog` are in.
    languages: Languages,
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

    /// The languages that the products are described in.
    pub(crate) const fn languages(&self) -> &Languages {
        &self.languages
    }

    /// The Locations, when there are store lists.
    pub const fn places(&self) -> Option<&Places> {
        self.places.as_ref()
    }

    /// The stock, when there are stock feeds.
    pub const fn inventory(&self) -> Option<&Inventory> {
        self.inventory.as_ref()
    }

    /// How much there is, in a few words.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if let Some(catalog) = &self.catalog {
            let variants: usize = catalog.products().map(|product| product.variants.len()).sum();
            parts.push(format!("{} products with {variants} variants", catalog.len()));
        }
        if let Some(places) = &self.places {
            parts.push(format!("{} locations", places.len()));
        }
        if parts.is_empty() { "no feeds are configured".to_owned() } else { parts.join(", ") }
    }
}
