//! Opening hours: what a merchant may publish, and whether it is open at an instant.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

/// A regular weekly interval, local civil time (rule H1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyHour {
    /// The day on which it begins.
    pub day: Weekday,
    /// Open from this minute.
    pub opens: Time,
    /// Closed from this minute; on the next date when before `opens`.
    pub closes: Time,
}

/// A rule for particular dates (rule H3): an interval, or closed all day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionHour {
    /// First date, inclusive.
    pub valid_from: Date,
    /// Last date, inclusive.
    pub valid_through: Date,
    /// Opens and closes on each date; `None` is closed.
    pub interval: Option<(Time, Time)>,
}

/// A schedule that may be published; valid once built.
#[derive(Debug, Clone)]
pub struct Schedule {
    zone_name: String,
    zone: TimeZone,
    /// `None`: the regular schedule is unknown (rule H2).
    weekly: Option<Vec<DailyHour>>,
    exceptions: Vec<ExceptionHour>,
}

/// Why hours make no schedule (rules H1, H3, H4).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleFault {
    /// No such IANA time zone.
    #[error("`{0}` is no IANA time zone")]
    UnknownZone(String),
}

impl Schedule {
    /// Checks the hours against the rules H1 to H4.
    ///
    /// # Errors
    ///
    /// The first fault found; the Location is then served without hours (rule H6).
    pub fn new(
        zone_name: &str,
        weekly: Option<Vec<DailyHour>>,
        exceptions: Vec<ExceptionHour>,
    ) -> Result<Self, ScheduleFault> {
        let zone = TimeZone::get(zone_name)
            .map_err(|_| ScheduleFault::UnknownZone(zone_name.to_owned()))?;
        Ok(Self { zone_name: zone_name.to_owned(), zone, weekly, exceptions })
    }

    /// The zone as the merchant names it.
    pub fn zone_name(&self) -> &str {
        &self.zone_name
    }

    /// The regular week in feed order; `None` is unknown.
    pub fn weekly(&self) -> Option<&[DailyHour]> {
        self.weekly.as_deref()
    }

    /// The exceptions in feed order.
    pub fn exceptions(&self) -> &[ExceptionHour] {
        &self.exceptions
    }
}
