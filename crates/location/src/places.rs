//! All Locations of a store, ready to be searched.
//!
//! An immutable snapshot. Locations are numbered by *ordinals*, in order of id;
//! every index here holds sets of ordinals. Private Locations have ordinals, so
//! that the inventory can count what they hold, and are in no other index
//! (rule L9). `search` matches and orders, `lookup` resolves ids.

mod lookup;
mod order;
mod search;
mod words;

pub use lookup::Lookup;

use crate::geo::Cartesian;
use crate::place::{Location, LocationId};
use crate::service::serving::ServiceIndex;
use order::Order;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use words::Words;

/// The Locations of a store with the indexes over them.
#[derive(Debug, Default)]
pub struct Places {
    locations: Vec<Location>,
    by_id: HashMap<LocationId, u32>,
    by_alias: HashMap<String, Vec<u32>>,
    public: RoaringBitmap,
    /// By ordinal; `None` without geo.
    cartesian: Vec<Option<Cartesian>>,
    amenities: HashMap<String, RoaringBitmap>,
    service: ServiceIndex,
    words: Words,
    order: Order,
}

impl Places {
    /// Takes the Locations of a store, whose ids are unique; of several with the
    /// same id the first is kept.
    pub fn build(mut locations: Vec<Location>) -> Self {
        locations.sort_by(|a, b| a.id.cmp(&b.id));
        locations.dedup_by(|later, first| later.id == first.id);
        let mut places = Self::default();
        for (ordinal, location) in (0_u32..).zip(&locations) {
            places.by_id.insert(location.id.clone(), ordinal);
            places.cartesian.push(location.geo.map(Cartesian::from));
            places.order.push(location);
            if location.private {
                continue;
            }
            places.public.insert(ordinal);
            places.service.add(location, ordinal);
            places.words.add(location, ordinal);
            for amenity in &location.amenities {
                places.amenities.entry(amenity.id.clone()).or_default().insert(ordinal);
            }
            for alias in &location.aliases {
                let named = places.by_alias.entry(alias.clone()).or_default();
                if named.last() != Some(&ordinal) {
                    named.push(ordinal);
                }
            }
        }
        places.locations = locations;
        places
    }

    /// The ordinal of the Location whose canonical id is `id`, private or not.
    pub fn ordinal(&self, id: &LocationId) -> Option<u32> {
        self.by_id.get(id).copied()
    }

    /// The Location of an ordinal, private or not; `None` beyond the last.
    pub fn location(&self, ordinal: u32) -> Option<&Location> {
        self.locations.get(ordinal as usize)
    }

    /// The ordinals of the Locations that may be shown (rule L9).
    pub const fn public(&self) -> &RoaringBitmap {
        &self.public
    }

    /// How many Locations there are, private ones included.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Whether there is no Location at all.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }
}
