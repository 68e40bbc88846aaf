//! `daily_hour.json`: an interval of the regular week (rule H1).

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::time_interval::TimeOfDay;

/// An interval in which the location is open every week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DailyHour<'a> {
    /// Day of the week on which the interval begins, local time.
    pub day: Day,
    /// When it opens.
    #[schemars(with = "TimeOfDay")]
    pub opens: Cow<'a, str>,
    /// When it closes; earlier than `opens` means on the next day.
    #[schemars(with = "TimeOfDay")]
    pub closes: Cow<'a, str>,
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the days of the week need no explanation")]
pub enum Day {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

impl JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "enum": [
                "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
            ],
        })
    }
}
