//! Locations by id (rules L10 and L11).

use super::Places;
use crate::inventory::Inventory;
use crate::place::LocationId;
use crate::request::{Refusal, Request};
use std::collections::{HashMap, HashSet};

/// What a lookup found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// Each Location once, in the order of the ids that first named it, with the
    /// indices into the request's ids that resolved to it; of equal ids the first.
    pub found: Vec<(u32, Vec<usize>)>,
    /// Distinct ids, in request order, that no public Location has. An id whose
    /// Locations the request filtered out is not among them.
    pub not_found: Vec<String>,
    /// How many distinct ids were beyond the maximum (rule L11).
    pub unprocessed: usize,
}

impl Places {
    /// Resolves the first `max` distinct ids, canonical ones or aliases, and
    /// leaves out the Locations that do not match the request (rule L10).
    ///
    /// A canonical id wins over an equal alias, unless it is of a private Location,
    /// which must not be felt from outside (rule L9); an
    /// alias can name several Locations. `request.text` plays no part.
    ///
    /// # Errors
    ///
    /// As for [`Places::search`], whatever the ids.
    pub fn lookup(
        &self,
        inventory: Option<&Inventory>,
        ids: &[String],
        request: &Request,
        max: usize,
    ) -> Result<Lookup, Refusal> {
        let candidates = self.candidates(inventory, request)?;
        let mut seen = HashSet::new();
        let distinct: Vec<(usize, &String)> =
            ids.iter().enumerate().filter(|(_, id)| seen.insert(id.as_str())).collect();
        let mut found: Vec<(u32, Vec<usize>)> = Vec::new();
        let mut place_of: HashMap<u32, usize> = HashMap::new();
        let mut not_found = Vec::new();
        for &(index, id) in distinct.iter().take(max) {
            let ordinals = self.named(id);
            if ordinals.is_empty() {
                not_found.push(id.clone());
            }
            for ordinal in ordinals {
                let place = *place_of.entry(*ordinal).or_insert_with(|| {
                    found.push((*ordinal, Vec::new()));
                    found.len() - 1
                });
                found[place].1.push(index);
            }
        }
        let resolved = &candidates & place_of.into_keys().collect::<roaring::RoaringBitmap>();
        let kept: HashSet<u32> =
            self.refined(&resolved, request).map(|(ordinal, _)| ordinal).collect();
        found.retain(|(ordinal, _)| kept.contains(ordinal));
        Ok(Lookup { found, not_found, unprocessed: distinct.len().saturating_sub(max) })
    }

    /// The public Locations that `id` names, by canonical id or alias.
    pub fn named(&self, id: &str) -> &[u32] {
        let canonical = LocationId::new(id).and_then(|id| self.by_id.get_key_value(&id));
        if let Some((_, ordinal)) = canonical
            && self.public.contains(*ordinal)
        {
            return std::slice::from_ref(ordinal);
        }
        self.by_alias.get(id).map_or(&[], Vec::as_slice)
    }
}
