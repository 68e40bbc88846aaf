//! The rules H1 to H5 by example.

use super::*;
use jiff::civil::{date, time};

const ZONE: &str = "America/Sao_Paulo";

fn clock(text: &str) -> Time {
    let (hour, minute) = text.split_once(':').unwrap();
    time(hour.parse().unwrap(), minute.parse().unwrap(), 0, 0)
}

fn weekly(entries: &[(Weekday, &str, &str)]) -> Option<Vec<DailyHour>> {
    let entry = |&(day, opens, closes): &(Weekday, &str, &str)| DailyHour {
        day,
        opens: clock(opens),
        closes: clock(closes),
    };
    Some(entries.iter().map(entry).collect())
}

fn every_day(opens: &str, closes: &str) -> Option<Vec<DailyHour>> {
    let days = Weekday::Monday.cycle_forward().take(7);
    weekly(&days.map(|day| (day, opens, closes)).collect::<Vec<_>>())
}

fn exception(from: Date, through: Date, hours: Option<(&str, &str)>) -> ExceptionHour {
    let interval = hours.map(|(opens, closes)| (clock(opens), clock(closes)));
    ExceptionHour { title: None, valid_from: from, valid_through: through, interval }
}

fn on(day: Date, hours: Option<(&str, &str)>) -> ExceptionHour {
    exception(day, day, hours)
}

fn open(schedule: &Schedule, local: &str) -> bool {
    let local: jiff::civil::DateTime = local.parse().unwrap();
    schedule.is_open_at(schedule.zone.to_timestamp(local).unwrap())
}

fn assert_open(schedule: &Schedule, cases: &[(&str, bool)]) {
    for &(local, expected) in cases {
        assert_eq!(open(schedule, local), expected, "{local}");
    }
}

fn schedule(week: Option<Vec<DailyHour>>, exceptions: Vec<ExceptionHour>) -> Schedule {
    Schedule::new(ZONE, week, exceptions).unwrap()
}

// 2026-06-01 is a Monday.

#[test]
fn rule_h1_is_half_open_and_counts_seconds() {
    let hours = schedule(weekly(&[(Weekday::Monday, "09:00", "18:00")]), vec![]);
    assert_open(
        &hours,
        &[
            ("2026-06-01T08:59:59.999999999", false),
            ("2026-06-01T09:00:00", true),
            ("2026-06-01T17:59:59.999999999", true),
            ("2026-06-01T18:00:00", false),
            ("2026-06-02T12:00:00", false),
        ],
    );
}

#[test]
fn rule_h1_overnight_and_the_wrap_of_the_week() {
    let hours = schedule(weekly(&[(Weekday::Sunday, "22:00", "02:00")]), vec![]);
    assert_open(
        &hours,
        &[
            ("2026-05-31T21:59:59", false),
            ("2026-05-31T23:59:59.5", true),
            ("2026-06-01T00:00:00", true),
            ("2026-06-01T01:59:59", true),
            ("2026-06-01T02:00:00", false),
            ("2026-06-01T23:00:00", false),
        ],
    );
    let to_midnight = schedule(weekly(&[(Weekday::Monday, "18:00", "00:00")]), vec![]);
    assert_open(&to_midnight, &[("2026-06-01T23:59:59", true), ("2026-06-02T00:00:00", false)]);
}

#[test]
fn rule_h1_midnight_to_last_minute_is_the_whole_date() {
    let whole = schedule(weekly(&[(Weekday::Monday, "00:00", "23:59")]), vec![]);
    assert_open(
        &whole,
        &[
            ("2026-05-31T23:59:59", false),
            ("2026-06-01T00:00:00", true),
            ("2026-06-01T23:59:00", true),
            ("2026-06-01T23:59:59.999999999", true),
            ("2026-06-02T00:00:00", false),
        ],
    );
    let late = schedule(weekly(&[(Weekday::Monday, "00:01", "23:59")]), vec![]);
    assert_open(&late, &[("2026-06-01T23:58:59", true), ("2026-06-01T23:59:00", false)]);
    let whole = schedule(None, vec![on(date(2026, 6, 1), Some(("00:00", "23:59")))]);
    assert_open(&whole, &[("2026-06-01T23:59:30", true), ("2026-06-02T00:00:00", false)]);
}

#[test]
fn rule_h2_entries_combine_and_a_missing_day_starts_nothing() {
    let split = schedule(
        weekly(&[
            (Weekday::Monday, "08:00", "12:00"),
            (Weekday::Monday, "11:00", "13:00"),
            (Weekday::Monday, "20:00", "01:00"),
        ]),
        vec![],
    );
    assert_open(
        &split,
        &[
            ("2026-06-01T11:30:00", true),
            ("2026-06-01T12:30:00", true),
            ("2026-06-01T14:00:00", false),
            ("2026-06-02T00:30:00", true),
            ("2026-06-02T08:30:00", false),
        ],
    );
}

#[test]
fn rule_h2_an_empty_week_is_never_open_and_an_unknown_one_is_no_match() {
    let never = schedule(Some(vec![]), vec![]);
    assert_eq!(never.weekly(), Some(&[][..]));
    assert!(!open(&never, "2026-06-01T12:00:00"));
    let unknown = schedule(None, vec![]);
    assert_eq!(unknown.weekly(), None);
    assert!(!open(&unknown, "2026-06-01T12:00:00"));
}

#[test]
fn rule_h3_an_exception_replaces_the_regular_schedule() {
    let (first, last) = (date(2026, 6, 1), date(2026, 6, 3));
    let hours = schedule(
        every_day("09:00", "18:00"),
        vec![exception(first, last, Some(("12:00", "14:00"))), on(date(2026, 6, 5), None)],
    );
    assert_open(
        &hours,
        &[
            ("2026-05-31T10:00:00", true),
            ("2026-06-01T10:00:00", false),
            ("2026-06-02T12:00:00", true),
            ("2026-06-03T14:00:00", false),
            ("2026-06-04T10:00:00", true),
            ("2026-06-05T10:00:00", false),
        ],
    );
}

#[test]
fn rule_h3_what_runs_in_stops_at_the_midnight_of_a_covered_date() {
    let hours =
        schedule(every_day("20:00", "04:00"), vec![on(date(2026, 6, 2), Some(("10:00", "12:00")))]);
    assert_open(
        &hours,
        &[
            ("2026-06-01T23:59:59", true),
            ("2026-06-02T00:00:00", false),
            ("2026-06-02T03:00:00", false),
            ("2026-06-02T11:00:00", true),
            ("2026-06-02T21:00:00", false),
            // The covered date began nothing that could run in.
            ("2026-06-03T01:00:00", false),
            ("2026-06-03T20:00:00", true),
        ],
    );
}

#[test]
fn rule_h3_an_overnight_exception_runs_on_within_its_range_and_out_of_it() {
    let range = exception(date(2026, 6, 1), date(2026, 6, 2), Some(("22:00", "03:00")));
    let hours = schedule(every_day("01:00", "02:00"), vec![range.clone()]);
    assert_open(
        &hours,
        &[
            ("2026-06-01T01:30:00", false),
            ("2026-06-01T22:00:00", true),
            ("2026-06-02T02:59:59", true),
            ("2026-06-02T03:00:00", false),
            // Into a normal date, where the regular schedule holds as well.
            ("2026-06-03T00:30:00", true),
            ("2026-06-03T01:30:00", true),
            ("2026-06-03T02:59:59", true),
            ("2026-06-03T03:00:00", false),
            ("2026-06-04T01:30:00", true),
        ],
    );
    let unknown = schedule(None, vec![range]);
    assert_open(&unknown, &[("2026-06-03T02:00:00", true), ("2026-06-03T23:00:00", false)]);
}

#[test]
fn rule_h3_an_exception_stops_before_another_range() {
    let hours = schedule(
        None,
        vec![
            on(date(2026, 6, 1), Some(("22:00", "03:00"))),
            on(date(2026, 6, 2), Some(("22:00", "03:00"))),
        ],
    );
    assert_open(
        &hours,
        &[
            ("2026-06-01T23:59:59", true),
            ("2026-06-02T00:00:00", false),
            ("2026-06-02T22:30:00", true),
            ("2026-06-03T02:00:00", true),
        ],
    );
}

#[test]
fn rule_h4_identical_ranges_are_a_union() {
    let day = date(2026, 12, 24);
    let hours =
        schedule(None, vec![on(day, Some(("09:00", "12:00"))), on(day, Some(("11:00", "15:00")))]);
    assert_open(
        &hours,
        &[
            ("2026-12-24T10:00:00", true),
            ("2026-12-24T14:00:00", true),
            ("2026-12-24T15:00:00", false),
        ],
    );
}

#[test]
fn rules_h1_and_h4_name_each_fault() {
    let (one, two, three) = (date(2026, 6, 1), date(2026, 6, 2), date(2026, 6, 3));
    let fault = |exceptions| Schedule::new(ZONE, None, exceptions).unwrap_err();
    assert_eq!(
        Schedule::new(ZONE, weekly(&[(Weekday::Friday, "09:00", "09:00")]), vec![]).unwrap_err(),
        ScheduleFault::EqualHours { day: Weekday::Friday, time: clock("09:00") }
    );
    assert_eq!(
        fault(vec![exception(one, two, Some(("00:00", "00:00")))]),
        ScheduleFault::EqualExceptionTimes {
            valid_from: one,
            valid_through: two,
            time: clock("00:00")
        }
    );
    assert_eq!(
        fault(vec![exception(two, one, None)]),
        ScheduleFault::ReversedRange { valid_from: two, valid_through: one }
    );
    let (early, late) = (exception(one, two, None), exception(two, three, None));
    let intersecting =
        ScheduleFault::IntersectingRanges { first: (one, two), second: (two, three) };
    assert_eq!(fault(vec![early.clone(), late.clone()]), intersecting);
    assert_eq!(fault(vec![late, early]), intersecting);
    assert!(matches!(
        fault(vec![exception(one, three, None), on(two, Some(("09:00", "10:00")))]),
        ScheduleFault::IntersectingRanges { .. }
    ));
    assert!(matches!(
        fault(vec![exception(one, two, None), exception(one, three, None)]),
        ScheduleFault::IntersectingRanges { .. }
    ));
    let closed = || on(one, None);
    let timed = || on(one, Some(("09:00", "10:00")));
    for mixed in
        [vec![closed(), timed()], vec![timed(), closed()], vec![timed(), closed(), timed()]]
    {
        assert_eq!(
            fault(mixed),
            ScheduleFault::MixedClosure { valid_from: one, valid_through: one }
        );
    }
    assert_eq!(
        fault(vec![closed(), closed()]),
        ScheduleFault::RepeatedClosure { valid_from: one, valid_through: one }
    );
    assert!(Schedule::new(ZONE, None, vec![timed(), timed(), on(two, None)]).is_ok());
}

#[test]
fn zone_names_are_kept_and_old_ones_work() {
    for name in ["America/Buenos_Aires", "Asia/Calcutta", "UTC", "Etc/GMT+3", "Pacific/Apia"] {
        assert_eq!(Schedule::new(name, None, vec![]).unwrap().zone_name(), name);
    }
    for name in ["Mars/Base", "", "Etc/Unknown", "America", "../etc/passwd", "EST5EDT,M3.2.0"] {
        let fault = Schedule::new(name, None, vec![]).unwrap_err();
        assert_eq!(fault, ScheduleFault::UnknownZone(name.to_owned()));
    }
}

#[test]
fn rule_h5_both_passes_of_a_fold_and_no_instant_in_a_gap() {
    // New York: 2026-11-01 02:00 EDT becomes 01:00 EST; 2026-03-08 02:00 becomes 03:00.
    let hours = Schedule::new("America/New_York", every_day("01:30", "02:30"), vec![]).unwrap();
    for (instant, expected) in [
        ("2026-11-01T05:29:59Z", false),
        ("2026-11-01T05:30:00Z", true),
        ("2026-11-01T06:00:00Z", false),
        ("2026-11-01T06:30:00Z", true),
        ("2026-11-01T07:29:59Z", true),
        ("2026-11-01T07:30:00Z", false),
        ("2026-03-08T06:59:59Z", true),
        ("2026-03-08T07:00:00Z", false),
    ] {
        assert_eq!(hours.is_open_at(instant.parse().unwrap()), expected, "{instant}");
    }
}

#[test]
fn a_date_that_a_zone_skipped_is_harmless() {
    // Apia had no 2011-12-30.
    let hours = Schedule::new("Pacific/Apia", every_day("22:00", "02:00"), vec![]).unwrap();
    assert!(hours.is_open_at("2011-12-30T09:59:59Z".parse().unwrap()));
    assert!(hours.is_open_at("2011-12-30T10:00:00Z".parse().unwrap()));
}

#[test]
fn the_ends_of_the_calendar_do_not_panic() {
    for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "UTC", "America/Sao_Paulo"] {
        let hours = Schedule::new(
            zone,
            every_day("20:00", "04:00"),
            vec![exception(Date::MIN, Date::MIN, None), exception(Date::MAX, Date::MAX, None)],
        )
        .unwrap();
        for instant in [Timestamp::MIN, Timestamp::MAX] {
            let _ = hours.is_open_at(instant);
            let _ = hours.upcoming_exceptions(instant);
        }
    }
}

#[test]
fn leap_day_is_a_date() {
    let hours = schedule(Some(vec![]), vec![on(date(2028, 2, 29), Some(("20:00", "02:00")))]);
    assert_open(&hours, &[("2028-02-29T21:00:00", true), ("2028-03-01T01:00:00", true)]);
}

#[test]
fn rule_l12_drops_what_can_no_longer_matter() {
    let (before, day) = (date(2026, 5, 30), date(2026, 6, 2));
    let past = exception(before, before, Some(("09:00", "10:00")));
    let dropped = |week: Option<Vec<DailyHour>>, hours, local: &str| {
        let hours = schedule(week, vec![past.clone(), on(day, hours)]);
        let local: jiff::civil::DateTime = local.parse().unwrap();
        let now = hours.zone.to_timestamp(local).unwrap();
        let kept = hours.upcoming_exceptions(now);
        assert!(!kept.contains(&&past));
        kept.is_empty()
    };
    let daytime = || every_day("09:00", "18:00");
    assert!(!dropped(daytime(), None, "2026-06-01T12:00:00"));
    assert!(!dropped(daytime(), None, "2026-06-02T23:59:59"));
    assert!(dropped(daytime(), None, "2026-06-03T00:00:00"));
    // Runs into the next date by itself, or keeps the regular night from doing so.
    assert!(!dropped(daytime(), Some(("20:00", "02:00")), "2026-06-03T01:00:00"));
    assert!(!dropped(every_day("20:00", "02:00"), None, "2026-06-03T01:00:00"));
    assert!(dropped(every_day("20:00", "02:00"), None, "2026-06-04T00:00:00"));
    // Not when today is covered too, as then nothing runs in.
    let nights = |day| on(day, Some(("20:00", "02:00")));
    let hours = schedule(None, vec![nights(date(2026, 6, 1)), nights(day)]);
    let now = hours.zone.to_timestamp(day.at(1, 0, 0, 0)).unwrap();
    assert_eq!(hours.upcoming_exceptions(now), [&nights(day)]);
}
