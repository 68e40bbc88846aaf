//! `exception_hour.json`: dates on which the regular week does not hold (rule H3).

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::time_interval::TimeOfDay;

/// Dates on which the location is open at other hours, or closed when no hours are given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("dependentRequired" = {"opens": ["closes"], "closes": ["opens"]}))]
pub struct ExceptionHour<'a> {
    /// What the occasion is, such as Christmas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'a str>,
    /// First local date.
    #[schemars(extend("format" = "date"))]
    pub valid_from: Cow<'a, str>,
    /// Last local date, included.
    #[schemars(extend("format" = "date"))]
    pub valid_through: Cow<'a, str>,
    /// When it opens on each of the dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<TimeOfDay>")]
    pub opens: Option<Cow<'a, str>>,
    /// When it closes; earlier than `opens` means on the next day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<TimeOfDay>")]
    pub closes: Option<Cow<'a, str>>,
}
