//! The instants that requests name, by RFC 3339 (rule L5).
//!
//! Stricter than `jiff`'s own parser, which also takes ISO 8601 forms: here an
//! offset is required, `T` separates, and nothing may be missing.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;

/// Why a text is no instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InstantFault {
    /// Not in the form of RFC 3339.
    #[error("`{0}` is no RFC 3339 date and time such as 2026-12-24T18:00:00-03:00")]
    Malformed(String),
    /// Local time alone names no instant.
    #[error("`{0}` has no offset: append Z or one such as -03:00")]
    NoOffset(String),
    /// The calendar has no such date.
    #[error("`{0}` names a date that does not exist")]
    NoSuchDate(String),
    /// The clock has no such time, or no second was inserted then.
    #[error("`{0}` names a time that does not exist")]
    NoSuchTime(String),
    /// Beyond what can be converted to local time.
    #[error("`{0}` is beyond the years 0000 to 9999")]
    OutOfRange(String),
}

/// The instant of `text`: RFC 3339 with `Z` or an offset of up to 23:59, `T`
/// and `Z` in either case, any number of fractional digits, of which those
/// beyond nanoseconds are cut off.
///
/// A second 60 is taken where a leap second can be, at the end of the last UTC
/// minute of a month, and is the last nanosecond of the second before.
///
/// # Errors
///
/// The first [`InstantFault`] found. The last day and a half of the year 9999
/// is out of range.
pub fn parse_open_at(text: &str) -> Result<Timestamp, InstantFault> {
    let malformed = || InstantFault::Malformed(text.to_owned());
    let mut rest = Reader(text.as_bytes());
    let [year, month, day] =
        rest.fields([(4, b"-"), (2, b"-"), (2, b"Tt")]).ok_or_else(malformed)?;
    let [hour, minute] = rest.fields([(2, b":"), (2, b":")]).ok_or_else(malformed)?;
    let second = rest.number(2).ok_or_else(malformed)?;
    let nanosecond = rest.fraction().ok_or_else(malformed)?;
    if rest.0.is_empty() {
        return Err(InstantFault::NoOffset(text.to_owned()));
    }
    let offset = rest.offset().filter(|_| rest.0.is_empty()).ok_or_else(malformed)?;

    let leap = second == 60;
    let second = if leap { 59 } else { second };
    let date =
        civil_date(year, month, day).ok_or_else(|| InstantFault::NoSuchDate(text.to_owned()))?;
    let no_such_time = || InstantFault::NoSuchTime(text.to_owned());
    let nanosecond = if leap { 999_999_999 } else { nanosecond };
    let time = civil_time(hour, minute, second, nanosecond).ok_or_else(no_such_time)?;
    let local = DateTime::from_parts(date, time);
    let instant =
        offset.to_timestamp(local).map_err(|_| InstantFault::OutOfRange(text.to_owned()))?;
    if leap && !ends_a_month(instant) {
        return Err(no_such_time());
    }
    Ok(instant)
}

fn civil_date(year: u32, month: u32, day: u32) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

fn civil_time(hour: u32, minute: u32, second: u32, nanosecond: u32) -> Option<Time> {
    let part = |value: u32| i8::try_from(value).ok();
    Time::new(part(hour)?, part(minute)?, part(second)?, nanosecond.try_into().ok()?).ok()
}

fn ends_a_month(instant: Timestamp) -> bool {
    let utc = Offset::UTC.to_datetime(instant);
    (utc.hour(), utc.minute()) == (23, 59) && utc.day() == utc.days_in_month()
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// The next byte when it is one of `any`.
    fn one_of(&mut self, any: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        any.contains(first).then(|| {
            self.0 = rest;
            *first
        })
    }

    /// A number of exactly `digits` digits.
    fn number(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |number, _| {
            Some(number * 10 + u32::from(self.one_of(b"0123456789")? - b'0'))
        })
    }

    /// Numbers of fixed width, each followed by one of some bytes.
    fn fields<const N: usize>(&mut self, shape: [(usize, &[u8]); N]) -> Option<[u32; N]> {
        let mut fields = [0; N];
        for (field, (digits, separator)) in fields.iter_mut().zip(shape) {
            *field = self.number(digits)?;
            self.one_of(separator)?;
        }
        Some(fields)
    }

    /// Nanoseconds of an optional fraction; `None` for a point without digits.
    fn fraction(&mut self) -> Option<u32> {
        if self.one_of(b".").is_none() {
            return Some(0);
        }
        let mut nanosecond = self.number(1)? * 100_000_000;
        let mut unit = 10_000_000;
        while let Some(digit) = self.number(1) {
            nanosecond += digit * unit;
            unit /= 10;
        }
        Some(nanosecond)
    }

    fn offset(&mut self) -> Option<Offset> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(Offset::UTC),
        };
        let [hours] = self.fields([(2, b":")])?;
        let minutes = self.number(2)?;
        if hours > 23 || minutes > 59 {
            return None;
        }
        let seconds = i32::try_from((hours * 60 + minutes) * 60).ok()?;
        Offset::from_seconds(sign * seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Fault = fn(String) -> InstantFault;

    #[test]
    fn rule_l5_reads_rfc_3339() {
        for (text, same) in [
            ("2026-12-24T18:00:00-03:00", "2026-12-24T21:00:00Z"),
            ("2026-12-24t18:00:00z", "2026-12-24T18:00:00Z"),
            ("2026-12-24T18:00:00.5+00:00", "2026-12-24T18:00:00.5Z"),
            ("2026-12-24T18:00:00.1234567899999-00:00", "2026-12-24T18:00:00.123456789Z"),
            ("2026-12-24T00:00:00+23:59", "2026-12-23T00:01:00Z"),
            ("2028-02-29T23:59:59Z", "2028-02-29T23:59:59Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("9999-12-30T00:00:00Z", "9999-12-30T00:00:00Z"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999999Z"),
            ("2016-12-31T20:59:60.25-03:00", "2016-12-31T23:59:59.999999999Z"),
        ] {
            assert_eq!(parse_open_at(text), Ok(same.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn rule_l5_refuses_anything_else() {
        use InstantFault::{Malformed, NoOffset, NoSuchDate, NoSuchTime, OutOfRange};
        let cases: &[(&str, Fault)] = &[
            ("", Malformed),
            ("today", Malformed),
            ("2026-12-24", Malformed),
            ("2026-12-24 18:00:00Z", Malformed),
            ("2026-12-24T18:00Z", Malformed),
            ("20261224T180000Z", Malformed),
            ("2026-12-24T18:00:00.Z", Malformed),
            ("2026-12-24T18:00:00,5Z", Malformed),
            ("2026-12-24T18:00:00-0300", Malformed),
            ("2026-12-24T18:00:00-03", Malformed),
            ("2026-12-24T18:00:00+24:00", Malformed),
            ("2026-12-24T18:00:00+00:60", Malformed),
            ("2026-12-24T18:00:00 -03:00", Malformed),
            ("2026-12-24T18:00:00Z ", Malformed),
            ("2026-12-24T18:00:00Z[America/Sao_Paulo]", Malformed),
            ("+002026-12-24T18:00:00Z", Malformed),
            ("-0001-12-24T18:00:00Z", Malformed),
            ("２026-12-24T18:00:00Z", Malformed),
            ("2026-12-24T18:00:00\u{2212}03:00", Malformed),
            ("2026-12-24T18:00:00", NoOffset),
            ("2026-12-24T18:00:00.123", NoOffset),
            ("2026-02-30T12:00:00Z", NoSuchDate),
            ("2026-00-10T12:00:00Z", NoSuchDate),
            ("2026-13-01T12:00:00Z", NoSuchDate),
            ("2027-02-29T12:00:00Z", NoSuchDate),
            ("2026-12-24T24:00:00Z", NoSuchTime),
            ("2026-12-24T18:60:00Z", NoSuchTime),
            ("2026-12-24T18:00:61Z", NoSuchTime),
            ("2026-12-24T18:00:60Z", NoSuchTime),
            ("9999-12-31T23:59:59Z", OutOfRange),
        ];
        for &(text, fault) in cases {
            assert_eq!(parse_open_at(text), Err(fault(text.to_owned())), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn every_instant_reads_back(seconds in -62_000_000_000_i64..253_000_000_000, offset in -1439..=1439_i32) {
            let instant = Timestamp::from_second(seconds).unwrap();
            let local = Offset::from_seconds(offset * 60).unwrap().to_datetime(instant);
            let sign = if offset < 0 { '-' } else { '+' };
            let (hours, minutes) = (offset.abs() / 60, offset.abs() % 60);
            let text = format!("{}{sign}{hours:02}:{minutes:02}", local.strftime("%Y-%m-%dT%H:%M:%S"));
            prop_assert_eq!(parse_open_at(&text), Ok(instant));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = parse_open_at(&text);
        }
    }
}
