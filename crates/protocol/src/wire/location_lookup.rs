//! `location_lookup.json`: request and response of lookup_locations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::location::{Location, has_a_schedule};
use super::location_distance::LocationDistance;
use super::location_filter::LocationFilter;
use super::location_serves::LocationServes;
use super::signals::Signals;
use crate::envelope::Ucp;
use crate::message::Message;

/// Which locations to look up, and what they must be besides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LookupLocationsRequest {
    /// Identifiers of locations.
    #[schemars(extend("minItems" = 1))]
    pub ids: Vec<String>,
    /// Within a distance of a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<LocationDistance>,
    /// Able to serve a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serves: Option<LocationServes>,
    /// What a location must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<LocationFilter>,
    /// Hints about the buyer, such as the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Facts that the platform observed about the buyer's environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
}

/// A location, and the identifiers that led to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(extend("if" = has_a_schedule(), "then" = {"required": ["timezone"]}))]
pub struct LookupLocation<'a> {
    /// The location itself.
    #[serde(flatten)]
    pub location: Location<'a>,
    /// The identifiers of the request that led to this location, at least one.
    #[schemars(extend("minItems" = 1))]
    pub inputs: Vec<LocationInput<'a>>,
}

/// An identifier of the request that led here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LocationInput<'a> {
    /// The identifier exactly as it was sent.
    pub id: &'a str,
}

/// The locations that the identifiers led to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LookupLocationsResponse<'a> {
    /// Version and capabilities that were used.
    pub ucp: Ucp<'a>,
    /// The locations found; fewer than identifiers when some were not found or did not match.
    pub locations: Vec<LookupLocation<'a>>,
    /// Errors, warnings and information, such as identifiers that were not found or not processed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message<'a>>,
}
