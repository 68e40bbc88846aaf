//! `location_distance.json`: within a radius of a point (rule L3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::geo::Geo;

/// Within a distance of a point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LocationDistance {
    /// The point to measure from. It is never guessed: send it.
    pub center: Geo,
    /// Largest distance that matches, in metres, included.
    #[schemars(extend("minimum" = 0))]
    pub max: f64,
}
