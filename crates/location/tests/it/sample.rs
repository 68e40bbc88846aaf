//! Locations to test with.

use catalog::{LanguageTag, Localized};
use location::place::{Amenity, PostalAddress};
use location::{Location, LocationFacts, LocationId, Point};
use serde_json::Map;

/// Facts of a Location that has nothing but an id and a name.
pub(crate) fn facts(id: &str, name: &str) -> LocationFacts {
    LocationFacts {
        id: LocationId::new(id).unwrap(),
        aliases: vec![],
        private: false,
        name: text(name),
        address: None,
        geo: None,
        amenities: vec![],
        time_zone: None,
        schedule: None,
        service_areas: vec![],
        extensions: Map::new(),
    }
}

pub(crate) fn text(text: &str) -> Localized<String> {
    Localized::new(LanguageTag::new("pt-BR").unwrap(), text.to_owned())
}

pub(crate) fn amenity(id: &str, description: &str) -> Amenity {
    Amenity { id: id.to_owned(), description: text(description) }
}

pub(crate) fn city(locality: &str, region: &str, country: &str) -> PostalAddress {
    PostalAddress {
        address_locality: Some(locality.to_owned()),
        address_region: Some(region.to_owned()),
        address_country: Some(country.to_owned()),
        ..PostalAddress::default()
    }
}

pub(crate) fn point(latitude: f64, longitude: f64) -> Point {
    Point::new(latitude, longitude).unwrap()
}

pub(crate) fn places(facts: Vec<LocationFacts>) -> location::Places {
    location::Places::build(facts.into_iter().map(Location::new).collect())
}

/// The ids behind ordinals.
pub(crate) fn ids(places: &location::Places, ordinals: &[u32]) -> Vec<String> {
    let id = |ordinal: &u32| places.location(*ordinal).unwrap().id.as_str().to_owned();
    ordinals.iter().map(id).collect()
}
