//! OpenStreetMap's `opening_hours` as a regular week and particular dates.
//!
//! Read by the crate opening-hours-syntax. What a week and dates cannot say,
//! such as sunset or week numbers, makes the whole text say nothing: half a
//! schedule may not be published (rule H6). Public and school holidays need a
//! calendar that nobody has here; rules about them alone are passed over. Dates
//! without a year, as in `Dec 25 off`, are written out for the years to come.

use crate::problem::excerpt;
use crate::zoned::Hours;
use jiff::ToSpan;
use jiff::civil::{Date, Time, Weekday};
use location::schedule::{DailyHour, ExceptionHour};
use opening_hours_syntax::RuleKind;
use opening_hours_syntax::rules::day::{self, DateOffset, DaySelector, HolidayKind, MonthdayRange};
use opening_hours_syntax::rules::day::{WeekDayOffset, WeekDayRange};
use opening_hours_syntax::rules::time::{Time as Moment, TimeSelector, TimeSpan, VariableTime};
use opening_hours_syntax::rules::{RuleOperator, RuleSequence};
use std::collections::BTreeMap;

/// For how many years dates without a year are written out, this one included.
const YEARS: i16 = 5;
/// The longest run of dates that is written out.
const MOST_DATES: usize = 62;
/// No text is longer; in practice they stay under 255 characters.
const LONGEST: usize = 2_000;
const MINUTES_A_DAY: u16 = 24 * 60;
const WEEK: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

type Interval = (Time, Time);

/// What a text says, and what of it is passed over.
pub(super) struct Translated {
    /// `None` when nothing is left.
    pub(super) hours: Option<Hours>,
    /// Such as `PH`, in words.
    pub(super) passed_over: Vec<&'static str>,
}

/// Translates `text` as of `today`.
///
/// # Errors
///
/// What no week and no dates can say, in words.
pub(super) fn translate(text: &str, today: Date) -> Result<Translated, String> {
    if text.len() > LONGEST {
        return Err("is too long for opening hours".to_owned());
    }
    let shown = || format!("`{}`", excerpt(text));
    let expression = opening_hours_syntax::parse(text)
        .map_err(|_| format!("{} is not in the form of opening_hours", shown()))?;
    let mut table = Table::default();
    for rule in &expression.rules {
        table
            .apply(rule, today)
            .map_err(|what| format!("{} uses {what}, which weekly hours cannot say", shown()))?;
    }
    Ok(table.finish())
}

/// The days that a rule is about.
enum Days {
    Week([bool; 7]),
    Dates(Vec<Date>),
    /// Holidays alone.
    None,
}

#[derive(Default)]
struct Table {
    /// Monday first; `None` where no rule speaks of the day.
    week: [Option<Vec<Interval>>; 7],
    dates: BTreeMap<Date, Vec<Interval>>,
    passed_over: Vec<&'static str>,
}

impl Table {
    fn apply(&mut self, rule: &RuleSequence, today: Date) -> Result<(), &'static str> {
        let days = self.days(&rule.day_selector, today)?;
        if matches!(days, Days::None) {
            return Ok(());
        }
        if rule.operator == RuleOperator::Fallback {
            return Err("a fallback rule (||)");
        }
        let intervals = intervals(rule)?;
        // What is closed has nothing to add.
        let adds = rule.operator == RuleOperator::Additional && !intervals.is_empty();
        match days {
            Days::Week(_) if !self.dates.is_empty() => return Err("weekdays after dates"),
            Days::Dates(_) if adds => return Err("times added on dates"),
            Days::Week(on) => {
                for (day, _) in self.week.iter_mut().zip(on).filter(|(_, on)| *on) {
                    let day = day.get_or_insert_default();
                    if !adds {
                        day.clear();
                    }
                    day.extend(&intervals);
                }
            }
            Days::Dates(dates) => {
                self.dates.extend(dates.into_iter().map(|date| (date, intervals.clone())));
            }
            Days::None => {}
        }
        Ok(())
    }

    fn days(&mut self, selector: &DaySelector, today: Date) -> Result<Days, &'static str> {
        if !selector.year.is_empty() {
            return Err("years");
        }
        if !selector.week.is_empty() {
            return Err("week numbers");
        }
        let week = self.weekdays(&selector.weekday)?;
        if selector.monthday.is_empty() {
            return Ok(week.map_or(Days::None, Days::Week));
        }
        if !selector.weekday.is_empty() {
            return Err("weekdays within dates");
        }
        let mut dates = Vec::new();
        for range in &selector.monthday {
            dates.extend(particular(range, today)?);
        }
        Ok(Days::Dates(dates))
    }

    /// The weekdays that are named, every day when none is; `None` when holidays
    /// alone are.
    fn weekdays(&mut self, ranges: &[WeekDayRange]) -> Result<Option<[bool; 7]>, &'static str> {
        if ranges.is_empty() {
            return Ok(Some([true; 7]));
        }
        let mut on = [false; 7];
        for range in ranges {
            match range {
                WeekDayRange::Holiday { kind, .. } => {
                    let name = match kind {
                        HolidayKind::Public => "public holidays (PH)",
                        HolidayKind::School => "school holidays (SH)",
                    };
                    if !self.passed_over.contains(&name) {
                        self.passed_over.push(name);
                    }
                }
                WeekDayRange::Fixed { range, offset, nth_from_start, nth_from_end } => {
                    if *offset != 0 {
                        return Err("days counted from a weekday");
                    }
                    if *nth_from_start != [true; 5] || *nth_from_end != [true; 5] {
                        return Err("certain weekdays of a month");
                    }
                    let place = |day: day::Weekday| day.num_days_from_monday() as usize;
                    let (first, last) = (place(*range.start()), place(*range.end()));
                    let count = (last + 7 - first) % 7;
                    (first..=first + count).for_each(|day| on[day % 7] = true);
                }
            }
        }
        Ok(on.contains(&true).then_some(on))
    }

    fn finish(self) -> Translated {
        let says_week = self.week.iter().any(Option::is_some);
        let weekly = self.week.into_iter().zip(WEEK).flat_map(|(intervals, day)| {
            let intervals = intervals.unwrap_or_default().into_iter();
            intervals.map(move |(opens, closes)| DailyHour { day, opens, closes })
        });
        let weekly: Vec<DailyHour> = weekly.collect();
        let exceptions = exceptions(self.dates);
        let says_something = says_week || !exceptions.is_empty();
        let hours = Hours { weekly: says_week.then_some(weekly), exceptions };
        Translated { hours: says_something.then_some(hours), passed_over: self.passed_over }
    }
}

/// Neighbouring dates with the same hours as one range.
fn exceptions(dates: BTreeMap<Date, Vec<Interval>>) -> Vec<ExceptionHour> {
    let mut ranges: Vec<(Date, Date, Vec<Interval>)> = Vec::new();
    for (date, intervals) in dates {
        match ranges.last_mut() {
            Some((_, last, same)) if last.tomorrow().ok() == Some(date) && *same == intervals => {
                *last = date;
            }
            _ => ranges.push((date, date, intervals)),
        }
    }
    let entries = ranges.into_iter().flat_map(|(valid_from, valid_through, intervals)| {
        let closed = intervals.is_empty().then_some(None);
        let open = intervals.into_iter().map(Some);
        closed.into_iter().chain(open).map(move |interval| ExceptionHour {
            title: None,
            valid_from,
            valid_through,
            interval,
        })
    });
    entries.collect()
}

/// When a rule is open on its days; never, when it closes them.
fn intervals(rule: &RuleSequence) -> Result<Vec<Interval>, &'static str> {
    match rule.kind {
        RuleKind::Unknown => Err("unknown hours"),
        RuleKind::Closed if rule.time_selector == TimeSelector::default() => Ok(Vec::new()),
        RuleKind::Closed => Err("closing times"),
        RuleKind::Open if !rule.comment.is_empty() => Err("a comment on its hours"),
        RuleKind::Open => rule.time_selector.spans.iter().map(interval).collect(),
    }
}

fn interval(span: &TimeSpan) -> Result<Interval, &'static str> {
    if span.open_end {
        return Err("an open end (+)");
    }
    if span.repeats.is_some() {
        return Err("repeated times");
    }
    let minutes = |moment: &Moment| match moment {
        Moment::Fixed(time) => Ok(time.mins_from_midnight()),
        Moment::Variable(VariableTime { event, .. }) => Err(event.as_str()),
    };
    let (opens, mut closes) = (minutes(&span.range.start)?, minutes(&span.range.end)?);
    if closes <= opens {
        closes += MINUTES_A_DAY;
    }
    let long = closes - opens >= MINUTES_A_DAY;
    let time = |minutes: u16| {
        let minutes = minutes % MINUTES_A_DAY;
        let part = |value: u16| i8::try_from(value).unwrap_or_default();
        Time::new(part(minutes / 60), part(minutes % 60), 0, 0).map_err(|_| "such times")
    };
    match (opens, closes) {
        // Rule H1: the whole date.
        (0, MINUTES_A_DAY) => Ok((Time::midnight(), Time::constant(23, 59, 0, 0))),
        _ if long || opens >= MINUTES_A_DAY => Err("24 hours that do not begin at midnight"),
        _ => Ok((time(opens)?, time(closes)?)),
    }
}

/// The dates of a range, for each year where it names none.
fn particular(range: &MonthdayRange, today: Date) -> Result<Vec<Date>, &'static str> {
    let (from, to) = match range {
        MonthdayRange::Month { .. } => return Err("months"),
        MonthdayRange::Date { start, end } => (start, end),
    };
    let plain = DateOffset { wday_offset: WeekDayOffset::None, day_offset: 0 };
    let fixed = |(date, offset): &(day::Date, DateOffset)| {
        if *offset != plain {
            return Err("days counted from a date");
        }
        match *date {
            day::Date::Fixed { year, month, day } => {
                Ok((year.map(|year| year.0), month as i8, i8::try_from(day).unwrap_or_default()))
            }
            day::Date::Weekday { .. } => Err("certain weekdays of a month"),
            day::Date::Easter { .. } => Err("easter"),
        }
    };
    let ((first_year, month, day), (last_year, last_month, last_day)) = (fixed(from)?, fixed(to)?);
    let year_of = |year: i32| i16::try_from(year).map_err(|_| "such years");
    let (years, named) = match first_year {
        Some(year) => (vec![year_of(year)?], true),
        // A range over New Year may have begun last year.
        None => ((today.year() - 1..today.year() + YEARS).collect(), false),
    };
    let mut dates = Vec::new();
    for year in years {
        // Leap days are there in some years only.
        let (Ok(first), Ok(last)) = (
            Date::new(year, month, day),
            Date::new(last_year.map_or(Ok(year), year_of)?, last_month, last_day),
        ) else {
            continue;
        };
        let last = if last < first && last_year.is_none() {
            last.checked_add(1.year()).map_err(|_| "such years")?
        } else {
            last
        };
        if !named && last < today {
            continue;
        }
        let run = first.series(1.day()).take_while(|date| *date <= last).take(MOST_DATES + 1);
        let before = dates.len();
        dates.extend(run);
        if dates.len() - before > MOST_DATES {
            return Err("a season");
        }
    }
    Ok(dates)
}

#[cfg(test)]
mod tests;
