//! Hours of a Location: all of them right, or none served (rules H1 to H6).

use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, array, expected, invalid};
use crate::values::text;
use jiff::civil::{Date, Time, Weekday};
use location::Schedule;
use location::schedule::{DailyHour, ExceptionHour, ScheduleFault};

/// What a row says of when a Location is open.
pub(crate) struct Hours {
    /// Regular hours and exceptions, when every part of them is right.
    pub(crate) schedule: Option<Schedule>,
    /// The time zone, when it is right and there is no schedule to hold it.
    pub(crate) time_zone: Option<String>,
}

/// Takes `timezone`, `hours` and `exception_hours`. Any fault in hours drops the
/// whole schedule (rule H6); each is reported.
pub(crate) fn hours(row: &mut Row<'_>, members: &mut Members<'_, '_>) -> Hours {
    let zone = members.if_present(row, "timezone", time_zone);
    let weekly = each(row, members, "hours", daily_hour);
    let exceptions = each(row, members, "exception_hours", exception_hour);
    let known_zone = zone.as_ref().ok().cloned().flatten();
    if let (Ok(None), Ok(None)) = (&weekly, &exceptions) {
        return Hours { schedule: None, time_zone: row.or_warn(zone).flatten() };
    }
    let schedule = match (zone, weekly, exceptions) {
        (Ok(Some(zone)), Ok(weekly), Ok(exceptions)) => {
            Schedule::new(&zone, weekly, exceptions.unwrap_or_default()).map_err(|fault| {
                vec![Fault::new(place(&fault), ProblemCode::InvalidSchedule, fault.to_string())]
            })
        }
        (zone, weekly, exceptions) => {
            let zone = zone.and_then(|zone| {
                let text = "is missing, and hours mean nothing without it";
                zone.ok_or_else(|| Fault::new("timezone", ProblemCode::Missing, text))
            });
            let faults = zone.err().into_iter();
            let faults = faults.chain(weekly.err().into_iter().flatten());
            Err(faults.chain(exceptions.err().into_iter().flatten()).collect())
        }
    };
    match schedule {
        Ok(schedule) => Hours { schedule: Some(schedule), time_zone: None },
        Err(faults) => {
            for Fault { field, text, .. } in faults {
                let text = format!("{text}; the Location is served without hours");
                row.warn(Fault { field, code: ProblemCode::InvalidSchedule, text });
            }
            Hours { schedule: None, time_zone: known_zone }
        }
    }
}

/// The items of an array that is all right; else every fault of it.
fn each<T>(
    row: &mut Row<'_>,
    members: &mut Members<'_, '_>,
    name: &'static str,
    read: fn(&mut Row<'_>, &Path<'_>, Value<'_>) -> Result<T, Fault>,
) -> Result<Option<Vec<T>>, Vec<Fault>> {
    let Some(items) = members
        .if_present(row, name, |_, at, value| array(at, value))
        .map_err(|fault| vec![fault])?
    else {
        return Ok(None);
    };
    let (mut good, mut faults) = (Vec::with_capacity(items.len()), Vec::new());
    let at = Path::Row;
    let at = at.member(name);
    for (index, item) in items.into_iter().enumerate() {
        match read(row, &at.item(index), item) {
            Ok(item) => good.push(item),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(Some(good)) } else { Err(faults) }
}

fn time_zone(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<String, Fault> {
    let name = text(row, at, value)?;
    Schedule::new(&name, None, Vec::new())
        .map(|_| name)
        .map_err(|fault| invalid(at, fault.to_string()))
}

fn daily_hour(row: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<DailyHour, Fault> {
    let mut members = Members::of(at, value)?;
    let day = members.required(row, "day", weekday)?;
    let opens = members.required(row, "opens", time)?;
    let closes = members.required(row, "closes", time)?;
    members.finish(row);
    Ok(DailyHour { day, opens, closes })
}

fn exception_hour(
    row: &mut Row<'_>,
    at: &Path<'_>,
    value: Value<'_>,
) -> Result<ExceptionHour, Fault> {
    let mut members = Members::of(at, value)?;
    let valid_from = members.required(row, "valid_from", date)?;
    let valid_through = members.required(row, "valid_through", date)?;
    let opens = members.if_present(row, "opens", time)?;
    let closes = members.if_present(row, "closes", time)?;
    let title = members.text(row, "title");
    members.finish(row);
    let interval = match (opens, closes) {
        (Some(opens), Some(closes)) => Some((opens, closes)),
        (None, None) => None,
        (Some(_), None) => return Err(invalid(at, "opens and does not close")),
        (None, Some(_)) => return Err(invalid(at, "closes and does not open")),
    };
    Ok(ExceptionHour { title, valid_from, valid_through, interval })
}

fn weekday(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Weekday, Fault> {
    let Value::String(day) = value else {
        return Err(expected(at, "a string", &value));
    };
    match &*day {
        "monday" => Ok(Weekday::Monday),
        "tuesday" => Ok(Weekday::Tuesday),
        "wednesday" => Ok(Weekday::Wednesday),
        "thursday" => Ok(Weekday::Thursday),
        "friday" => Ok(Weekday::Friday),
        "saturday" => Ok(Weekday::Saturday),
        "sunday" => Ok(Weekday::Sunday),
        _ => Err(invalid(at, format!("`{}` is no day from monday to sunday", excerpt(&day)))),
    }
}

/// `HH:MM`, and nothing else that a lenient reader would take.
fn time(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Time, Fault> {
    let Value::String(text) = value else {
        return Err(expected(at, "a string", &value));
    };
    let parts = match text.as_bytes() {
        &[h1, h2, b':', m1, m2] => number(&[h1, h2]).zip(number(&[m1, m2])),
        _ => None,
    };
    parts
        .and_then(|(hour, minute)| {
            Time::new(i8::try_from(hour).ok()?, i8::try_from(minute).ok()?, 0, 0).ok()
        })
        .ok_or_else(|| invalid(at, format!("`{}` is no time from 00:00 to 23:59", excerpt(&text))))
}

/// `YYYY-MM-DD`, likewise.
fn date(_: &mut Row<'_>, at: &Path<'_>, value: Value<'_>) -> Result<Date, Fault> {
    let Value::String(text) = value else {
        return Err(expected(at, "a string", &value));
    };
    let bytes = text.as_bytes();
    let parts = (bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-')
        .then(|| Some((number(&bytes[..4])?, number(&bytes[5..7])?, number(&bytes[8..])?)))
        .flatten();
    parts
        .and_then(|(year, month, day)| {
            Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
        })
        .ok_or_else(|| invalid(at, format!("`{}` is no date such as 2026-12-25", excerpt(&text))))
}

fn number(digits: &[u8]) -> Option<i16> {
    digits.iter().try_fold(0, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10 + i16::from(digit - b'0'))
    })
}

/// The member that a fault of the whole schedule is about.
const fn place(fault: &ScheduleFault) -> &'static str {
    match fault {
        ScheduleFault::UnknownZone(_) => "timezone",
        ScheduleFault::EqualHours { .. } => "hours",
        ScheduleFault::EqualExceptionTimes { .. }
        | ScheduleFault::ReversedRange { .. }
        | ScheduleFault::IntersectingRanges { .. }
        | ScheduleFault::MixedClosure { .. }
        | ScheduleFault::RepeatedClosure { .. } => "exception_hours",
    }
}
