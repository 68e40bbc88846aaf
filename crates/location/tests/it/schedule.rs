//! Schedules against a minute-by-minute reading of the rules H1 to H5.
//!
//! The model paints the minutes of a few weeks on paper, one interval after the
//! other, walking each from its opening until it closes or is stopped.

use jiff::civil::{Date, Time, Weekday, date};
use jiff::tz::TimeZoneDatabase;
use jiff::{Timestamp, ToSpan};
use location::schedule::{DailyHour, ExceptionHour, Schedule};
use proptest::prelude::*;
use std::collections::HashSet;

const MINUTES: i64 = 24 * 60;

/// Zones with and without daylight saving time, by whole, half and odd hours,
/// on both sides of the date line.
const ZONES: &[&str] = &[
    "America/Sao_Paulo",
    "America/New_York",
    "America/St_Johns",
    "Europe/Lisbon",
    "Europe/Dublin",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Asia/Gaza",
    "Australia/Lord_Howe",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Antarctica/Troll",
    "America/Nuuk",
];

struct Paper {
    first: Date,
    open: HashSet<i64>,
}

impl Paper {
    fn paint(
        weekly: Option<&[DailyHour]>,
        exceptions: &[ExceptionHour],
        first: Date,
        days: i64,
    ) -> Self {
        let mut paper = Self { first, open: HashSet::new() };
        // The day before the first may run in.
        for day in -1..days {
            let date = first.checked_add(day.days()).unwrap();
            let covering = covering(exceptions, date);
            let begins: Vec<(Time, Time)> = if covering.is_empty() {
                let today = |hour: &&DailyHour| hour.day == date.weekday();
                let hours = weekly.unwrap_or_default().iter().filter(today);
                hours.map(|hour| (hour.opens, hour.closes)).collect()
            } else {
                covering.iter().filter_map(|exception| exception.interval).collect()
            };
            for (opens, closes) in begins {
                paper.walk(day, date, opens, closes, exceptions);
            }
        }
        paper
    }

    fn walk(
        &mut self,
        day: i64,
        date: Date,
        opens: Time,
        closes: Time,
        exceptions: &[ExceptionHour],
    ) {
        let midnight = day * MINUTES;
        if (minute(opens), minute(closes)) == (0, MINUTES - 1) {
            self.open.extend(midnight..midnight + MINUTES);
            return;
        }
        let begun_by = covering(exceptions, date);
        let mut at = minute(opens);
        loop {
            if at == minute(closes) || at == minute(closes) + MINUTES {
                return;
            }
            if at == MINUTES {
                let next = covering(exceptions, date.tomorrow().unwrap());
                let same_range = next.first().is_some_and(|next| {
                    begun_by.first().is_some_and(|own| {
                        (own.valid_from, own.valid_through) == (next.valid_from, next.valid_through)
                    })
                });
                if !next.is_empty() && !same_range {
                    return;
                }
            }
            self.open.insert(midnight + at);
            at += 1;
        }
    }

    fn is_open(&self, date: Date, time: Time) -> bool {
        let day = i64::from(date.since(self.first).unwrap().get_days());
        self.open.contains(&(day * MINUTES + minute(time)))
    }
}

fn covering(exceptions: &[ExceptionHour], date: Date) -> Vec<&ExceptionHour> {
    let covers = |e: &&ExceptionHour| e.valid_from <= date && date <= e.valid_through;
    exceptions.iter().filter(covers).collect()
}

fn minute(time: Time) -> i64 {
    i64::from(time.hour()) * 60 + i64::from(time.minute())
}

fn a_time() -> impl Strategy<Value = Time> {
    let round = (0_i8..24, prop::sample::select(vec![0_i8, 30]));
    let edge = prop::sample::select(vec![(0_i8, 0_i8), (23, 59), (0, 1), (2, 0), (1, 30), (3, 0)]);
    prop_oneof![round, edge].prop_map(|(hour, minute)| Time::constant(hour, minute, 0, 0))
}

fn an_interval() -> impl Strategy<Value = (Time, Time)> {
    let whole = (Time::midnight(), Time::constant(23, 59, 0, 0));
    let any = (a_time(), a_time()).prop_filter("times differ", |(opens, closes)| opens != closes);
    prop_oneof![1 => Just(whole), 9 => any]
}

fn a_week() -> impl Strategy<Value = Option<Vec<DailyHour>>> {
    let hour = (0_i8..7, an_interval()).prop_map(|(day, (opens, closes))| DailyHour {
        day: Weekday::from_monday_zero_offset(day).unwrap(),
        opens,
        closes,
    });
    prop::option::weighted(0.85, prop::collection::vec(hour, 0..10))
}

/// Ranges of 1 to 3 dates, 0 to 2 dates apart, each closed or with intervals.
fn some_exceptions(first: Date) -> impl Strategy<Value = Vec<ExceptionHour>> {
    let hours =
        prop_oneof![Just(vec![None]), prop::collection::vec(an_interval().prop_map(Some), 1..4),];
    prop::collection::vec((0_i64..3, 0_i64..3, hours), 0..5).prop_map(move |groups| {
        let mut day = 0;
        let mut exceptions = Vec::new();
        for (gap, length, hours) in groups {
            let from = first.checked_add((day + gap).days()).unwrap();
            let through = from.checked_add(length.days()).unwrap();
            day += gap + length + 1;
            exceptions.extend(hours.into_iter().map(|interval| ExceptionHour {
                title: None,
                valid_from: from,
                valid_through: through,
                interval,
            }));
        }
        exceptions.reverse();
        exceptions
    })
}

/// First dates whose following days hold transitions of the zones above.
fn a_first_date() -> impl Strategy<Value = Date> {
    let near = vec![
        date(2026, 3, 5),
        date(2026, 3, 26),
        date(2026, 4, 1),
        date(2026, 4, 20),
        date(2026, 9, 24),
        date(2026, 10, 22),
        date(2026, 10, 29),
        date(2028, 2, 26),
        date(2027, 12, 28),
    ];
    prop::sample::select(near)
}

type World = (Date, Option<Vec<DailyHour>>, Vec<ExceptionHour>);

fn a_world() -> impl Strategy<Value = World> {
    a_first_date().prop_flat_map(|first| (Just(first), a_week(), some_exceptions(first)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rules_h1_to_h5_minute_by_minute(
        (first, week, exceptions) in a_world(),
        zone in prop::sample::select(ZONES),
        seconds in prop::collection::vec(0_i64..12 * 86_400, 64),
    ) {
        let days = 16;
        let paper = Paper::paint(week.as_deref(), &exceptions, first.checked_sub(1.days()).unwrap(), days);
        let schedule = Schedule::new(zone, week, exceptions).unwrap();
        let zone = TimeZoneDatabase::bundled().get(zone).unwrap();
        let start = zone.to_timestamp(first.at(0, 0, 0, 0)).unwrap();
        // Whole hours and half hours are where things change.
        let edges = (0..12 * 48).flat_map(|half| [half * 1_800 - 1, half * 1_800]);
        for second in seconds.into_iter().chain(edges) {
            let instant: Timestamp = start.checked_add(second.seconds()).unwrap();
            let local = zone.to_datetime(instant);
            prop_assert_eq!(
                schedule.is_open_at(instant),
                paper.is_open(local.date(), local.time()),
                "{} is {}", instant, local
            );
        }
    }

    /// Rule L12: what is left out of a response changes no answer from then on.
    #[test]
    fn rule_l12_dropped_exceptions_can_no_longer_matter(
        (first, week, exceptions) in a_world(),
        zone in prop::sample::select(ZONES),
        now in 0_i64..12 * 24,
    ) {
        let whole = Schedule::new(zone, week.clone(), exceptions).unwrap();
        let zone_data = TimeZoneDatabase::bundled().get(zone).unwrap();
        let start = zone_data.to_timestamp(first.at(0, 0, 0, 0)).unwrap();
        let now = start.checked_add(now.hours()).unwrap();
        let kept: Vec<ExceptionHour> = whole.upcoming_exceptions(now).into_iter().cloned().collect();
        let shown = Schedule::new(zone, week, kept).unwrap();
        for half in 0..96 {
            let instant = now.checked_add((half * 30).minutes()).unwrap();
            prop_assert_eq!(shown.is_open_at(instant), whole.is_open_at(instant), "{}", instant);
        }
    }
}
