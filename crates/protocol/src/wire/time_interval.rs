//! `time_interval.json`: a time of day to open and one to close (rule H1).

use schemars::json_schema;

super::definition! {
    /// A local time of day.
    TimeOfDay(_) {
        json_schema!({
            "type": "string",
            "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$",
            "description": "Local time of day, HH:MM on a 24-hour clock.",
        })
    }
}
