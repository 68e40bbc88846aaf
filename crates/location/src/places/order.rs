//! The order of results: nearest, else by the buyer's hints, else by name; ties
//! by id (rules L1 and L2).

use crate::place::Location;
use crate::request::Hint;
use crate::service::country_code;
use crate::service::postal::normalised;
use crate::service::region::regions;
use crate::text::name_key;
use catalog::{LanguageTag, Localized};
use std::cmp::{Ordering, Reverse};

/// What the order needs of each Location, by ordinal.
#[derive(Debug, Default)]
pub(super) struct Order {
    names: Vec<Localized<String>>,
    whereabouts: Vec<Whereabouts>,
}

/// Where a Location, or a buyer, says to be.
#[derive(Debug, Default)]
struct Whereabouts {
    country: Option<&'static str>,
    regions: Vec<&'static str>,
    postal_code: String,
}

/// A Location that matches, with what ranks it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    pub(super) ordinal: u32,
    /// Metres, when the request gives a distance.
    pub(super) distance_m: Option<f64>,
    /// How well the text fits; 0 without text.
    pub(super) score: f64,
}

impl Order {
    pub(super) fn push(&mut self, location: &Location) {
        self.names.push(folded(&location.name));
        let address = location.address.as_ref();
        self.whereabouts.push(address.map_or_else(Whereabouts::default, |address| {
            Whereabouts::new(
                address.address_country.as_deref(),
                address.address_region.as_deref(),
                address.postal_code.as_deref(),
            )
        }));
    }

    /// The ordinals of the matches, best first: by text, then by distance where
    /// that is asked for, else by hints and name; ties by id.
    pub(super) fn sorted(
        &self,
        matches: &[Match],
        hint: &Hint,
        language: Option<&LanguageTag>,
    ) -> Vec<u32> {
        let buyer = Whereabouts::new(
            hint.country.as_deref(),
            hint.region.as_deref(),
            hint.postal_code.as_deref(),
        );
        let by_hint_and_name = |found: &Match| {
            let at = found.ordinal as usize;
            let nearness = self.whereabouts.get(at).map(|own| own.nearness(&buyer));
            (Reverse(nearness), self.names.get(at).map(|name| name.pick(language)))
        };
        let unmeasured = |found: &Match| found.distance_m.is_none();
        let key = |found| (found, unmeasured(found).then(|| by_hint_and_name(found)));
        let mut keyed: Vec<_> = matches.iter().map(key).collect();
        keyed.sort_unstable_by(|(a, a_key), (b, b_key)| {
            let by_place = match (a.distance_m, b.distance_m) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => Ordering::Equal,
            };
            let by_text = b.score.total_cmp(&a.score);
            by_text.then(by_place).then_with(|| a_key.cmp(b_key)).then(a.ordinal.cmp(&b.ordinal))
        });
        keyed.into_iter().map(|(found, _)| found.ordinal).collect()
    }
}

impl Whereabouts {
    /// Whatever can be understood of an address.
    fn new(country: Option<&str>, region: Option<&str>, postal_code: Option<&str>) -> Self {
        let country = country.and_then(country_code);
        let found = region.and_then(|region| regions(region, country));
        let within = found.as_ref().and_then(|found| found.country);
        Self {
            country: country.or(within),
            regions: found.map(|found| found.codes).unwrap_or_default(),
            postal_code: postal_code.map(normalised).unwrap_or_default(),
        }
    }

    /// Same country, same region, how much of the postal code is shared; nothing
    /// of it in another country.
    fn nearness(&self, buyer: &Self) -> (bool, bool, usize) {
        if let (Some(own), Some(theirs)) = (self.country, buyer.country)
            && own != theirs
        {
            return (false, false, 0);
        }
        let same_country = self.country.is_some() && self.country == buyer.country;
        let same_region = self.regions.iter().any(|region| buyer.regions.contains(region));
        let shared = self.postal_code.chars().zip(buyer.postal_code.chars());
        (same_country, same_region, shared.take_while(|(own, theirs)| own == theirs).count())
    }
}

fn folded(name: &Localized<String>) -> Localized<String> {
    let mut languages = name.iter().map(|(tag, name)| (tag.clone(), name_key(name)));
    // Invariant: a Localized has at least its own language.
    let mut folded = match languages.next() {
        Some((tag, key)) => Localized::new(tag, key),
        None => return name.clone(),
    };
    languages.for_each(|(tag, key)| folded.translate(tag, key));
    folded
}
