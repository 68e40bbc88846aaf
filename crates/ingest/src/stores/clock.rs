//! Hours as Google Business Profile writes them: `9:00 AM - 5:00 PM`,
//! `09:00-12:00, 13:00-17:00`, `Closed`, `x`, `Open 24 hours`.

use crate::problem::excerpt;
use jiff::civil::{Date, Time};

/// Opens and closes.
pub(super) type Interval = (Time, Time);

/// Rule H1: from midnight to the last minute is the whole date.
const WHOLE_DATE: Interval = (Time::constant(0, 0, 0, 0), Time::constant(23, 59, 0, 0));

/// The intervals of one day; none when it is closed.
///
/// # Errors
///
/// Why the text says no hours, in words.
pub(super) fn day(text: &str) -> Result<Vec<Interval>, String> {
    let plain = text.trim().to_lowercase();
    match plain.as_str() {
        "x" | "closed" | "fechado" | "cerrado" => return Ok(Vec::new()),
        "24 hours" | "open 24 hours" | "24h" => return Ok(vec![WHOLE_DATE]),
        _ => {}
    }
    plain.split([',', ';']).map(|part| interval(part).ok_or_else(|| wrong(text))).collect()
}

/// What `2026-12-24: 09:00-12:00, 13:00-16:00, 2026-12-25: x` says, date by
/// date; an entry without a date is of the date before it.
///
/// # Errors
///
/// Why the text says none, in words.
pub(super) fn special(text: &str) -> Result<Vec<(Date, Option<Interval>)>, String> {
    let mut said: Vec<(Date, Option<Interval>)> = Vec::new();
    for entry in text.split([',', ';']).map(str::trim).filter(|entry| !entry.is_empty()) {
        let (date, hours) = match dated(entry) {
            Some((date, hours)) => (date, hours),
            None => (said.last().ok_or_else(|| wrong(entry))?.0, entry),
        };
        let hours = day(hours).map_err(|_| wrong(entry))?;
        if hours.is_empty() {
            said.push((date, None));
        }
        said.extend(hours.into_iter().map(|interval| (date, Some(interval))));
    }
    Ok(said)
}

fn wrong(text: &str) -> String {
    format!("`{}` is no hours such as 9:00 AM - 5:00 PM, 09:00-17:00 or x", excerpt(text))
}

/// An entry's date and what follows its colon.
fn dated(entry: &str) -> Option<(Date, &str)> {
    let (date, hours) = (entry.get(..10)?, entry.get(10..)?);
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let well_formed = digits(date.get(..4)?)
        && date.get(4..5) == Some("-")
        && digits(date.get(5..7)?)
        && date.get(7..8) == Some("-")
        && digits(date.get(8..)?);
    let date = well_formed.then(|| date.parse().ok()).flatten()?;
    Some((date, hours.trim_start().strip_prefix(':')?))
}

fn interval(text: &str) -> Option<Interval> {
    let (opens, closes) = text.split_once(['-', '–', '—']).or_else(|| text.split_once(" to "))?;
    let (opens, closes) = (time(opens)?, time(closes)?);
    let midnight = Time::midnight();
    if opens == midnight && closes == midnight { Some(WHOLE_DATE) } else { Some((opens, closes)) }
}

/// `9:00 am`, `9 AM`, `9:30p.m.`, `09:00`, `24:00`; the text is in lower case.
fn time(text: &str) -> Option<Time> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
    let (clock, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(clock), _) => (clock, Some(0)),
        (_, Some(clock)) => (clock, Some(12)),
        _ => (text.as_str(), None),
    };
    let (hour, minute) = clock.split_once(':').or_else(|| half.map(|_| (clock, "00")))?;
    let number = |text: &str| {
        let good = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        good.then(|| text.parse::<i8>().ok()).flatten()
    };
    let minute = number(minute).filter(|_| minute.len() == 2)?;
    let hour = match (number(hour)?, half) {
        (12, Some(half)) => half,
        (hour @ 1..=11, Some(half)) => hour + half,
        (_, Some(_)) => return None,
        (24, None) if minute == 0 => 0,
        (hour, None) => hour,
    };
    Time::new(hour, minute, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Result<String, String> {
        let time = |time: Time| format!("{:02}:{:02}", time.hour(), time.minute());
        let hours = day(text)?;
        let hours = hours.iter().map(|(o, c)| format!("{}-{}", time(*o), time(*c)));
        Ok(hours.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn rule_h1_hours_of_a_day() {
        let table = [
            ("9:00 AM - 5:00 PM", "09:00-17:00"),
            ("9am–5:30pm", "09:00-17:30"),
            ("9:00 a.m. to 12:00 p.m.", "09:00-12:00"),
            ("12:00 PM - 12:00 AM", "12:00-00:00"),
            ("12:00AM-12:00AM", "00:00-23:59"),
            ("00:00-24:00", "00:00-23:59"),
            ("09:00-24:00", "09:00-00:00"),
            ("18:00-02:00", "18:00-02:00"),
            ("09:00-17:00, 18:00-20:00", "09:00-17:00 18:00-20:00"),
            ("Open 24 hours", "00:00-23:59"),
            ("Closed", ""),
            (" X ", ""),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        }
        let bad = [
            "",
            "9-5",
            "25:00-26:00",
            "9:0-10:00",
            "13:00 PM - 14:00",
            "0am-1am",
            "09:00",
            "9:60 AM - 10:00 AM",
            "09:00-17:00,",
            "-",
            "24:30-25:00",
            "9:00-10:00-11:00",
        ];
        for text in bad {
            assert!(shown(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rule_h3_special_hours() {
        let (nine, noon) = (Time::constant(9, 0, 0, 0), Time::constant(12, 0, 0, 0));
        let date = |text: &str| text.parse::<Date>().unwrap();
        assert_eq!(
            special("2026-12-25: x, 2026-12-24: 9:00AM-12:00PM, 12:00-09:00,").unwrap(),
            [
                (date("2026-12-25"), None),
                (date("2026-12-24"), Some((nine, noon))),
                (date("2026-12-24"), Some((noon, nine))),
            ]
        );
        for text in
            ["x", "2026-12-25", "2026-02-30: x", "25/12/2026: x", "2026-12-25: soon", "é2345678901"]
        {
            assert!(special(text).is_err(), "{text}");
        }
    }
}
