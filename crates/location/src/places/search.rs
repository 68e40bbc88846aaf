//! Which Locations match a request, and in which order (rules L1 to L9).

use super::Places;
use super::order::Match;
use crate::geo::{Cartesian, distance_m};
use crate::inventory::Inventory;
use crate::request::{Distance, Refusal, Request};
use jiff::Timestamp;
use roaring::RoaringBitmap;

impl Places {
    /// The ordinals of all public Locations that match, best first: by text where
    /// it says something; then nearest first where a distance is asked for, else
    /// by the buyer's hints and by name; ties by id.
    ///
    /// `inventory` is one built with these places and the catalog that numbered
    /// the request's items, `None` without a stock feed.
    ///
    /// # Errors
    ///
    /// A target that cannot be evaluated (rule L4), or `items` without an
    /// inventory (rule L8).
    pub fn search(
        &self,
        inventory: Option<&Inventory>,
        request: &Request,
    ) -> Result<Vec<u32>, Refusal> {
        let mut candidates = self.candidates(inventory, request)?;
        let text =
            request.text.as_deref().map(|text| self.words.matching(text)).unwrap_or_default();
        if let Some(told) = &text.narrowed_to {
            candidates &= told;
        }
        let matches = self.refined(&candidates, request).map(|(ordinal, distance_m)| Match {
            ordinal,
            distance_m,
            score: text.scores.get(&ordinal).copied().unwrap_or(0.0),
        });
        let matches: Vec<Match> = matches.collect();
        Ok(self.order.sorted(&matches, &request.hint, request.language.as_ref()))
    }

    /// The public Locations that pass what indexes answer: amenities, items and
    /// service areas.
    pub(super) fn candidates(
        &self,
        inventory: Option<&Inventory>,
        request: &Request,
    ) -> Result<RoaringBitmap, Refusal> {
        let mut candidates = self.public.clone();
        if let Some(target) = &request.serves {
            candidates &= self.service.serving(target)?;
        }
        if let Some(items) = &request.items {
            let inventory = inventory.ok_or(Refusal::UnsupportedFilter("items"))?;
            for variants in items {
                candidates &= inventory.locations_with(variants.clone());
            }
        }
        for amenity in &request.amenities {
            match self.amenities.get(amenity) {
                Some(having) => candidates &= having,
                None => candidates.clear(),
            }
        }
        Ok(candidates)
    }

    /// Those of `candidates` that pass what each Location answers by itself,
    /// distance and opening hours, with the distance where one is asked for.
    pub(super) fn refined<'a>(
        &'a self,
        candidates: &'a RoaringBitmap,
        request: &'a Request,
    ) -> impl Iterator<Item = (u32, Option<f64>)> + 'a {
        let circle = request.distance.map(|distance| (distance, Cartesian::from(distance.center)));
        candidates.iter().filter_map(move |ordinal| {
            let distance_m = match &circle {
                Some((distance, center)) => Some(self.reach(ordinal, distance, *center)?),
                None => None,
            };
            let open = request.open_at.is_none_or(|instant| self.is_open_at(ordinal, instant));
            open.then_some((ordinal, distance_m))
        })
    }

    /// How far the Location is, when that is within the distance (rule L3).
    fn reach(&self, ordinal: u32, distance: &Distance, center: Cartesian) -> Option<f64> {
        let cartesian = (*self.cartesian.get(ordinal as usize)?)?;
        if center.is_beyond(cartesian, distance.max_m) {
            return None;
        }
        let metres = distance_m(distance.center, self.location(ordinal)?.geo?);
        (metres <= distance.max_m).then_some(metres)
    }

    /// Unknown, absent or refused hours are not open (rule L5).
    fn is_open_at(&self, ordinal: u32, instant: Timestamp) -> bool {
        let schedule = self.location(ordinal).and_then(|location| location.schedule.as_ref());
        schedule.is_some_and(|schedule| schedule.is_open_at(instant))
    }
}
