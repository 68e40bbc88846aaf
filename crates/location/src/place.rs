//! A Location as the merchant publishes it, valid once built.

use crate::geo::Point;
use crate::schedule::Schedule;
use crate::service::ServiceArea;
use catalog::Localized;
use serde_json::{Map, Value};
use std::ops::Deref;

/// The id of a Location; unique in a store list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(Box<str>);

impl LocationId {
    /// The id, or `None` when the text is empty.
    pub fn new(id: &str) -> Option<Self> {
        (!id.is_empty()).then(|| Self(id.into()))
    }

    /// The id exactly as the feed has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A postal address; every member optional.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostalAddress {
    /// Apartment, floor, in care of.
    pub extended_address: Option<String>,
    /// Street and number.
    pub street_address: Option<String>,
    /// City.
    pub address_locality: Option<String>,
    /// State or province.
    pub address_region: Option<String>,
    /// Country, by preference ISO 3166-1 alpha-2.
    pub address_country: Option<String>,
    /// Postal code as the merchant writes it.
    pub postal_code: Option<String>,
    /// First name of the contact.
    pub first_name: Option<String>,
    /// Last name of the contact.
    pub last_name: Option<String>,
    /// Telephone of the contact.
    pub phone_number: Option<String>,
}

/// A feature of a Location, by its reverse-domain identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amenity {
    /// Such as `dev.ucp.amenity.parking`; the key alone is matched (rule L6).
    pub id: String,
    /// What buyers read; never empty.
    pub description: Localized<String>,
}

/// What a feed says of a Location.
#[derive(Debug, Clone)]
pub struct LocationFacts {
    /// Canonical id.
    pub id: LocationId,
    /// Other ids that lookup resolves (rule L10).
    pub aliases: Vec<String>,
    /// Never shown, in search or lookup (rule L9).
    pub private: bool,
    /// Display name.
    pub name: Localized<String>,
    /// Where it is, for people.
    pub address: Option<PostalAddress>,
    /// Where it is, for distances.
    pub geo: Option<Point>,
    /// In feed order, each id once.
    pub amenities: Vec<Amenity>,
    /// Time zone alone, where a feed gives it without usable hours.
    pub time_zone: Option<String>,
    /// Opening hours; `None` is unknown.
    pub schedule: Option<Schedule>,
    /// Whom it serves.
    pub service_areas: Vec<ServiceArea>,
    /// Members with reverse-domain names, passed through (rule C15).
    pub extensions: Map<String, Value>,
}

/// A Location that can be published; read its facts through `Deref`.
#[derive(Debug, Clone)]
pub struct Location(LocationFacts);

impl Location {
    /// Every part of the facts is valid by its own type.
    pub const fn new(facts: LocationFacts) -> Self {
        Self(facts)
    }
}

impl Deref for Location {
    type Target = LocationFacts;

    fn deref(&self) -> &LocationFacts {
        &self.0
    }
}
