//! Checks published hours against the rules H1 to H4 and compiles them.

use super::{DailyHour, ExceptionHour, Interval, Range, ScheduleFault};

/// What begins on each day of the week, Monday first.
pub(super) fn week(hours: &[DailyHour]) -> Result<[Vec<Interval>; 7], ScheduleFault> {
    let mut week: [Vec<Interval>; 7] = Default::default();
    for &DailyHour { day, opens, closes } in hours {
        if opens == closes {
            return Err(ScheduleFault::EqualHours { day, time: opens });
        }
        let day = usize::from(day.to_monday_zero_offset().unsigned_abs());
        week[day].push(Interval { opens, closes });
    }
    Ok(week)
}

/// The distinct ranges of the exceptions in order of time, each with all its
/// intervals; none for a closure.
pub(super) fn ranges(exceptions: &[ExceptionHour]) -> Result<Vec<Range>, ScheduleFault> {
    exceptions.iter().try_for_each(alone)?;
    let mut sorted: Vec<&ExceptionHour> = exceptions.iter().collect();
    sorted.sort_by_key(|exception| (exception.valid_from, exception.valid_through));
    let mut ranges: Vec<Range> = Vec::new();
    for exception in sorted {
        let interval = exception.interval.map(|(opens, closes)| Interval { opens, closes });
        let (valid_from, valid_through) = (exception.valid_from, exception.valid_through);
        match ranges.last_mut() {
            Some(last) if (last.valid_from, last.valid_through) == (valid_from, valid_through) => {
                match (last.intervals.is_empty(), interval) {
                    (false, Some(interval)) => last.intervals.push(interval),
                    (true, None) => {
                        return Err(ScheduleFault::RepeatedClosure { valid_from, valid_through });
                    }
                    _ => {
                        return Err(ScheduleFault::MixedClosure { valid_from, valid_through });
                    }
                }
            }
            Some(last) if valid_from <= last.valid_through => {
                return Err(ScheduleFault::IntersectingRanges {
                    first: (last.valid_from, last.valid_through),
                    second: (valid_from, valid_through),
                });
            }
            _ => {
                let intervals = interval.into_iter().collect();
                ranges.push(Range { valid_from, valid_through, intervals });
            }
        }
    }
    Ok(ranges)
}

/// What an exception can break by itself (rule H1).
fn alone(exception: &ExceptionHour) -> Result<(), ScheduleFault> {
    let &ExceptionHour { valid_from, valid_through, interval, .. } = exception;
    if valid_through < valid_from {
        return Err(ScheduleFault::ReversedRange { valid_from, valid_through });
    }
    match interval {
        Some((opens, closes)) if opens == closes => {
            Err(ScheduleFault::EqualExceptionTimes { valid_from, valid_through, time: opens })
        }
        _ => Ok(()),
    }
}
