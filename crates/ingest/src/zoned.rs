//! Hours with their time zone: as the feed says it, else as the place has it.

use crate::problem::{Fault, ProblemCode};
use crate::row::Row;
use crate::zones::zone_at;
use location::schedule::{DailyHour, ExceptionHour};
use location::{Point, Schedule};

/// What a feed says of when a Location is open, without its zone.
pub(crate) struct Hours {
    /// The regular week; `None` is unknown (rule H2).
    pub(crate) weekly: Option<Vec<DailyHour>>,
    /// Particular dates.
    pub(crate) exceptions: Vec<ExceptionHour>,
}

/// The schedule of `hours`, and the zone alone where there is none. `derived`
/// counts the zones that came from coordinates. A fault in the hours leaves them
/// unknown and is reported (rule H6).
pub(crate) fn located(
    row: &mut Row<'_>,
    said: Option<&str>,
    geo: Option<Point>,
    hours: Option<Hours>,
    derived: &mut u64,
) -> (Option<Schedule>, Option<String>) {
    let said = said.filter(|name| {
        let known = Schedule::new(name, None, Vec::new());
        let known = known.map_err(|why| {
            let text = format!("{why}; the zone is taken from the coordinates");
            Fault::new("time zone", ProblemCode::InvalidValue, text)
        });
        row.or_warn(known).is_some()
    });
    let zone = said.or_else(|| {
        let zone = geo.and_then(zone_at)?;
        *derived += 1;
        Some(zone)
    });
    let alone = zone.map(str::to_owned);
    let Some(Hours { weekly, exceptions }) = hours else {
        return (None, alone);
    };
    let schedule = match zone {
        Some(zone) => Schedule::new(zone, weekly, exceptions).map_err(|why| why.to_string()),
        None => Err("there are hours, but neither a time zone nor coordinates".to_owned()),
    };
    let schedule = schedule.map_err(|why| {
        let text = format!("{why}; the Location is served without hours");
        Fault::new("hours", ProblemCode::InvalidSchedule, text)
    });
    match row.or_warn(schedule) {
        Some(schedule) => (Some(schedule), None),
        None => (None, alone),
    }
}
