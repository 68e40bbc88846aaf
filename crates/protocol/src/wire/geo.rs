//! `geo.json`: a point on the Earth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A point in WGS 84, in decimal degrees.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Geo {
    /// Degrees north of the equator, -90 to 90.
    #[schemars(extend("minimum" = -90, "maximum" = 90))]
    pub latitude: f64,
    /// Degrees east of Greenwich, -180 to 180.
    #[schemars(extend("minimum" = -180, "maximum" = 180))]
    pub longitude: f64,
}
