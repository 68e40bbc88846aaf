//! What OpenStreetMap hours become, table by table.

use super::*;
use jiff::civil::date;
use location::Schedule;
use proptest::prelude::*;

const TODAY: Date = date(2026, 11, 30);

/// The week as `Mo 09:00-17:00`, the dates as `2026-12-25..2026-12-25 closed`.
fn shown(text: &str) -> Result<Vec<String>, String> {
    let translated = translate(text, TODAY)?;
    let time = |time: Time| format!("{:02}:{:02}", time.hour(), time.minute());
    let span = |(opens, closes)| format!("{}-{}", time(opens), time(closes));
    let Some(Hours { weekly, exceptions }) = translated.hours else {
        return Ok(vec!["nothing".to_owned()]);
    };
    let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
    let mut lines: Vec<String> = match weekly {
        None => vec!["unknown".to_owned()],
        Some(weekly) => weekly
            .iter()
            .map(|hour| {
                let day = usize::try_from(hour.day.to_monday_zero_offset()).unwrap();
                format!("{} {}", days[day], span((hour.opens, hour.closes)))
            })
            .collect(),
    };
    lines.extend(exceptions.iter().map(|exception| {
        let hours = exception.interval.map_or_else(|| "closed".to_owned(), span);
        format!("{}..{} {hours}", exception.valid_from, exception.valid_through)
    }));
    Ok(lines)
}

fn every_day(hours: &str) -> Vec<String> {
    ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map(|day| format!("{day} {hours}")).to_vec()
}

#[test]
fn what_a_week_can_say() {
    let table: [(&str, &[&str]); 12] = [
        ("Mo-We 09:00-17:00", &["Mo 09:00-17:00", "Tu 09:00-17:00", "We 09:00-17:00"]),
        ("Mo 09:00-12:00,13:00-17:00", &["Mo 09:00-12:00", "Mo 13:00-17:00"]),
        ("Mo,We 09:00-17:00; Sa off", &["Mo 09:00-17:00", "We 09:00-17:00"]),
        ("Sa-Mo 10:00-12:00", &["Mo 10:00-12:00", "Sa 10:00-12:00", "Su 10:00-12:00"]),
        ("Mo-Tu 09:00-17:00; Tu 10:00-12:00", &["Mo 09:00-17:00", "Tu 10:00-12:00"]),
        ("Mo 09:00-12:00, Mo 13:00-15:00", &["Mo 09:00-12:00", "Mo 13:00-15:00"]),
        ("Fr 18:00-02:00", &["Fr 18:00-02:00"]),
        ("Fr 18:00-26:00", &["Fr 18:00-02:00"]),
        ("Fr 18:00-24:00", &["Fr 18:00-00:00"]),
        ("Mo 00:00-24:00", &["Mo 00:00-23:59"]),
        ("Mo-Su off", &[]),
        ("PH off", &["nothing"]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text).unwrap(), expected, "{text}");
    }
    assert_eq!(shown("24/7").unwrap(), every_day("00:00-23:59"));
    assert_eq!(shown("08:00-18:00").unwrap(), every_day("08:00-18:00"));
}

#[test]
fn holidays_are_passed_over_and_named() {
    let translated = translate("Mo-Fr,PH 09:00-17:00; PH,SH off", TODAY).unwrap();
    assert_eq!(translated.passed_over, ["public holidays (PH)", "school holidays (SH)"]);
    assert_eq!(translated.hours.unwrap().weekly.unwrap().len(), 5);
}

#[test]
fn rule_h3_particular_dates() {
    let said = shown("Mo 09:00-17:00; 2026 Dec 24-2026 Dec 26 off").unwrap();
    assert_eq!(said, ["Mo 09:00-17:00", "2026-12-24..2026-12-26 closed"]);
    let said =
        shown("Mo 09:00-17:00; 2026 Dec 24 09:00-12:00,13:00-14:00; 2026 Dec 25 off").unwrap();
    assert_eq!(
        said[1..],
        [
            "2026-12-24..2026-12-24 09:00-12:00",
            "2026-12-24..2026-12-24 13:00-14:00",
            "2026-12-25..2026-12-25 closed"
        ]
    );
    let said = shown("Mo 09:00-17:00; Dec 25 off").unwrap();
    let years = (2026..2031).map(|year| format!("{year}-12-25..{year}-12-25 closed"));
    assert_eq!(said[1..], years.collect::<Vec<_>>());
    // Past this year, so from the next one on.
    assert_eq!(shown("Mo 09:00-17:00; Jan 01 off").unwrap()[1], "2027-01-01..2027-01-01 closed");
    let said = shown("Mo 09:00-17:00; Dec 31-Jan 01 off").unwrap();
    assert_eq!(said[1], "2026-12-31..2027-01-01 closed");
    let said = shown("Mo 09:00-17:00; Feb 29 off").unwrap();
    assert_eq!(said[1..], ["2028-02-29..2028-02-29 closed"]);
}

#[test]
fn what_a_week_cannot_say_is_named() {
    let table = [
        ("Mo 09:00-sunset", "sunset"),
        ("Mo (sunrise+01:00)-17:00", "sunrise"),
        ("week 1-53/2 Mo 09:00-17:00", "week numbers"),
        ("2026 Mo 09:00-17:00", "years"),
        ("Jun-Sep 10:00-20:00", "months"),
        ("Jun 01-Sep 15 10:00-20:00", "a season"),
        ("Mo[1] 09:00-17:00", "certain weekdays of a month"),
        ("Mo 09:00+", "an open end (+)"),
        ("easter off", "easter"),
        ("Mo 09:00-17:00 \"by appointment\"", "a comment on its hours"),
        ("Mo 09:00-17:00 || \"call us\"", "a fallback rule (||)"),
        ("Mo 09:00-17:00; Mo 12:00-13:00 off", "closing times"),
        ("Mo unknown", "unknown hours"),
        ("Dec 25 off; Mo 09:00-17:00", "weekdays after dates"),
        ("Mo 09:00-17:00, Dec 24 18:00-20:00", "times added on dates"),
        ("Dec Mo 09:00-17:00", "weekdays within dates"),
    ];
    for (text, what) in table {
        let said = shown(text).unwrap_err();
        assert!(said.contains(&format!("uses {what},")), "{text}: {said}");
    }
    for text in ["nine to five", "Mo 99:00-17:00", ""] {
        let said = shown(text);
        assert!(said.is_err() || text.is_empty(), "{text}: {said:?}");
    }
    assert!(shown(&"Mo 09:00-17:00;".repeat(100_000)).unwrap_err().contains("too long"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_comes_to_an_end(
        text in r#"((Mo|Fr-Tu|Dec|25|2026|week|PH|off|sunset|09:00|-|:|;|,|\+|\[1\]|"|\|\|| ){1,2}){0,12}"#
    ) {
        if let Ok(Translated { hours: Some(hours), .. }) = translate(&text, TODAY) {
            // What comes out may be refused, as 09:00-09:00 is, but never mixed up.
            let built = Schedule::new("America/Sao_Paulo", hours.weekly, hours.exceptions);
            prop_assert!(built.is_ok(), "{text}: {built:?}");
        }
    }
}
