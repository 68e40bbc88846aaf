//! `rating.json`: what buyers think.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::{shortest, shortest_option};

/// The average of buyers' ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rating {
    /// The average.
    #[serde(serialize_with = "shortest")]
    #[schemars(with = "f64", extend("minimum" = 0))]
    pub value: f64,
    /// The lowest rating there is; 1 when absent.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shortest_option")]
    #[schemars(with = "Option<f64>", extend("minimum" = 0))]
    pub scale_min: Option<f64>,
    /// The highest rating there is, such as 5.
    #[serde(serialize_with = "shortest")]
    #[schemars(with = "f64", extend("minimum" = 1))]
    pub scale_max: f64,
    /// How many ratings the average is made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}
