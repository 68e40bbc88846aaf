//! When a sale price holds: `sale_price_effective_date`, two instants of ISO
//! 8601 with a slash between them.

use crate::problem::excerpt;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

/// Whether a sale is on, and until when that stays so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sale {
    pub(crate) is_on: bool,
    /// The first moment at which it is otherwise; `None` when that never comes.
    pub(crate) changes_at: Option<Timestamp>,
}

/// Whether `now` lies in the interval that `text` says, both ends included.
///
/// A time without an offset is UTC. A date alone means its whole day.
///
/// # Errors
///
/// Why the text is no interval, in words.
pub(crate) fn at(text: &str, now: Timestamp) -> Result<Sale, String> {
    let wrong = || {
        let shown = excerpt(text);
        format!("`{shown}` is no interval such as 2026-11-01T00:00-0300/2026-11-30T23:59-0300")
    };
    let (from, to) = text.split_once('/').ok_or_else(wrong)?;
    let from = instant(from, false).ok_or_else(wrong)?;
    let to = instant(to, true).ok_or_else(wrong)?;
    if to < from {
        return Err(format!("`{}` ends before it begins", excerpt(text)));
    }
    let is_on = from <= now && now <= to;
    let after = to.checked_add(SignedDuration::from_nanos(1)).ok();
    let changes_at = if now < from { Some(from) } else { after.filter(|_| is_on) };
    Ok(Sale { is_on, changes_at })
}

fn instant(text: &str, is_end: bool) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    let civil = match text.find('T') {
        Some(_) => text.parse::<DateTime>().ok()?,
        None => {
            let date: Date = text.parse().ok()?;
            if is_end { date.at(23, 59, 59, 999_999_999) } else { date.at(0, 0, 0, 0) }
        }
    };
    // Civil times are read leniently: one with an offset that was no instant
    // above must not pass as one without.
    let has_offset = text.find('T').is_some_and(|at| text[at..].contains(['+', '-', 'Z', 'z']));
    (!has_offset).then(|| Offset::UTC.to_timestamp(civil).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(text: &str) -> Result<bool, String> {
        at(text, "2026-11-30T12:00:00Z".parse().unwrap()).map(|sale| sale.is_on)
    }

    #[test]
    fn a_sale_changes_when_it_begins_and_after_it_ends() {
        for (now, is_on, changes_at) in [
            ("2026-10-31T23:59:59Z", false, Some("2026-11-01T00:00:00Z")),
            ("2026-11-01T00:00:00Z", true, Some("2026-11-02T12:00:00.000000001Z")),
            ("2026-11-02T12:00:00Z", true, Some("2026-11-02T12:00:00.000000001Z")),
            ("2026-11-02T12:00:00.000000001Z", false, None),
        ] {
            let sale = at("2026-11-01/2026-11-02T12:00Z", now.parse().unwrap()).unwrap();
            let changes_at = changes_at.map(|at| at.parse().unwrap());
            assert_eq!(sale, Sale { is_on, changes_at }, "{now}");
            if let Some(turn) = changes_at {
                let then = at("2026-11-01/2026-11-02T12:00Z", turn).unwrap();
                assert_ne!(then.is_on, is_on, "{now}");
            }
        }
    }

    #[test]
    fn intervals_as_they_are_written() {
        let table = [
            ("2026-11-01T00:00-0300/2026-12-01T23:59-0300", true),
            ("2026-11-30T09:00-03:00/2026-12-01T23:59-03:00", true),
            ("2026-11-30T09:01-0300/2026-12-01T23:59-0300", false),
            ("2026-11-01T00:00:00Z / 2026-11-30T12:00:00Z", true),
            ("2026-11-01T00:00:00Z/2026-11-30T11:59:59Z", false),
            ("2026-11-01T00:00/2026-11-30T12:00", true),
            ("2026-11-30/2026-11-30", true),
            ("2026-11-28/2026-11-29", false),
            ("2026-12-01/2026-12-31", false),
        ];
        for (text, expected) in table {
            assert_eq!(on(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_interval() {
        for text in [
            "",
            "/",
            "2026-11-01",
            "2026-11-31/2026-12-01",
            "a/b",
            "2026-11-01T00:00-99:00/2026-12-01",
        ] {
            assert!(on(text).is_err(), "{text}");
        }
        assert!(on("2026-12-01/2026-11-01").unwrap_err().contains("ends before it begins"));
    }
}
