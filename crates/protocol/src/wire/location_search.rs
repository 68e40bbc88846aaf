//! `location_search.json`: request and response of search_locations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::context::Context;
use super::location::Location;
use super::location_distance::LocationDistance;
use super::location_filter::LocationFilter;
use super::location_serves::LocationServes;
use super::pagination::{Pagination, PaginationRequest};
use super::signals::Signals;
use crate::envelope::Ucp;
use crate::message::Message;

/// Which locations to find; empty, it finds all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchLocationsRequest {
    /// What to look for, in words. It ranks the results; conditions belong in the other members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Hints about the buyer, such as the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Facts that the platform observed about the buyer's environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Signals>,
    /// Within a distance of a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<LocationDistance>,
    /// Able to serve a target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serves: Option<LocationServes>,
    /// What a location must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filters: Option<LocationFilter>,
    /// Which page of the results to return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<PaginationRequest>,
}

/// One page of the locations that match.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SearchLocationsResponse<'a> {
    /// Version and capabilities that were used.
    pub ucp: Ucp<'a>,
    /// The locations, best match first.
    pub locations: Vec<Location<'a>>,
    /// Where this page stands among the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pagination: Option<Pagination<'a>>,
    /// Errors, warnings and information about the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message<'a>>,
}
