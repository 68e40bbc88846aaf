//! Prices as people and shop systems write them: `R$ 1.999,90`, `19.99 USD`.
//!
//! Digits go straight to integer minor units; there is no float on the way. A
//! text that two readers could take for different amounts is refused, since a
//! wrong price is worse than a missing one.

use crate::problem::excerpt;
use catalog::{Amount, Currency, Price};

/// Currencies whose countries write the decimal point, so that a comma before
/// three digits groups them.
const POINT: [&str; 17] = [
    "AUD", "CNY", "GBP", "HKD", "ILS", "INR", "KES", "MXN", "MYR", "NGN", "NZD", "PHP", "PKR",
    "SGD", "THB", "TWD", "USD",
];
/// Currencies that `$` alone may mean.
const DOLLARS: [&str; 15] = [
    "USD", "CAD", "AUD", "NZD", "MXN", "ARS", "CLP", "COP", "UYU", "SGD", "HKD", "TWD", "BBD",
    "JMD", "NAD",
];
const SYMBOLS: [(&str, &str); 12] = [
    ("R$", "BRL"),
    ("US$", "USD"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("CA$", "CAD"),
    ("MX$", "MXN"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("S/", "PEN"),
];
/// No price has more characters than this.
const LONGEST: usize = 64;

/// The price that `text` says, in `own` where it names no currency.
///
/// # Errors
///
/// Why it says none, in words.
pub(crate) fn price(text: &str, own: Currency) -> Result<Price, String> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(format!("`{}` is no price", excerpt(text)));
    }
    let (number, unit) = split(text)?;
    let (currency, local) = match unit {
        "" => (own, false),
        unit => currency(unit, own)?,
    };
    let digits = currency.minor_digits().ok_or_else(|| {
        format!("`{}`: ISO 4217 has no currency {currency} with minor units", excerpt(text))
    })?;
    let minor_units = minor_units(number, currency, u32::from(digits), local)
        .map_err(|reason| format!("`{}` {reason}", excerpt(text)))?;
    let amount = Amount::new(minor_units).ok_or_else(|| too_large(text))?;
    Ok(Price { amount, currency })
}

fn too_large(text: &str) -> String {
    format!("`{}` is too large", excerpt(text))
}

/// The number and what stands before or behind it.
fn split(text: &str) -> Result<(&str, &str), String> {
    let no_number = || format!("`{}` has no number", excerpt(text));
    let first = text.find(|c: char| c.is_ascii_digit()).ok_or_else(no_number)?;
    let end = text.rfind(|c: char| c.is_ascii_digit()).map_or(text.len(), |at| at + 1);
    let (before, number, behind) = (&text[..first], &text[first..end], &text[end..]);
    if before.contains(['-', '−', '–', '(']) || behind.starts_with(['-', '−']) {
        return Err(format!("`{}` is negative", excerpt(text)));
    }
    match (before.trim(), behind.trim()) {
        (unit, "") | ("", unit) => Ok((number, unit)),
        _ => Err(format!("`{}` is no price", excerpt(text))),
    }
}

/// The currency that `unit` names, and whether by a symbol that only its own
/// country writes.
fn currency(unit: &str, own: Currency) -> Result<(Currency, bool), String> {
    let code = unit.to_ascii_uppercase();
    if let Some((_, code)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == code) {
        let currency: Currency = code.parse().map_err(|_| format!("{code} is no currency"))?;
        return Ok((currency, currency == Currency::BRL));
    }
    match unit {
        "$" if DOLLARS.contains(&own.code()) => return Ok((own, false)),
        "¥" if ["JPY", "CNY"].contains(&own.code()) => return Ok((own, false)),
        "$" | "¥" => {
            return Err(format!("`{unit}` is the sign of several currencies: write the code"));
        }
        _ => {}
    }
    code.parse()
        .map(|currency| (currency, false))
        .map_err(|_| format!("`{}` is no currency code such as {own}", excerpt(unit)))
}

/// Minor units of `number`, which begins and ends with a digit.
fn minor_units(
    number: &str,
    currency: Currency,
    exponent: u32,
    local: bool,
) -> Result<u64, String> {
    let is_space = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’');
    if !number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',') || is_space(c)) {
        return Err("is no number".to_owned());
    }
    let last = number.rfind(['.', ',']);
    let mark = last.and_then(|at| number[at..].chars().next());
    let count = |wanted: char| number.chars().filter(|c| *c == wanted).count();
    let decimals_at = match (last, mark) {
        (Some(at), Some(mark)) => {
            let other = if mark == '.' { ',' } else { '.' };
            if count(mark) > 1 {
                // Repeated, so it groups; a decimal mark would come last.
                if count(other) > 0 {
                    return Err("mixes its marks".to_owned());
                }
                None
            } else if count(other) > 0 {
                Some(at)
            } else {
                lone(number, at, mark, currency, exponent, local)?.then_some(at)
            }
        }
        _ => None,
    };
    let (whole, decimals) =
        decimals_at.map_or((number, ""), |at| (&number[..at], &number[at + 1..]));
    if !is_grouped_well(whole, is_space) || !decimals.bytes().all(|b| b.is_ascii_digit()) {
        return Err("has digits in groups that are none".to_owned());
    }
    let kept = decimals.len().min(exponent as usize);
    let (kept, spare) = decimals.split_at(kept);
    if spare.bytes().any(|byte| byte != b'0') {
        return Err(format!("has more decimals than {currency}, which has {exponent}"));
    }
    let zeros = exponent as usize - kept.len();
    let digits = whole.bytes().filter(u8::is_ascii_digit).chain(kept.bytes());
    digits
        .chain(std::iter::repeat_n(b'0', zeros))
        .try_fold(0_u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
        .ok_or_else(|| "is too large".to_owned())
}

/// Whether the only mark of a number is its decimal mark.
fn lone(
    number: &str,
    at: usize,
    mark: char,
    currency: Currency,
    exponent: u32,
    local: bool,
) -> Result<bool, String> {
    let could_group = number.len() - at - 1 == 3
        && at <= 3
        && !number.starts_with('0')
        && number[..at].bytes().all(|byte| byte.is_ascii_digit());
    if !could_group {
        return Ok(true);
    }
    match (exponent, mark) {
        (0, _) => Ok(false),
        (3, '.') => Ok(true),
        (2, ',') if POINT.contains(&currency.code()) => Ok(false),
        (2, '.') if local => Ok(false),
        _ => Err("is ambiguous: the mark may group thousands or begin decimals".to_owned()),
    }
}

/// Whether digits are in one run, or in groups of three (the first may be
/// shorter; Indian ones before the last are of two) between the same marks.
fn is_grouped_well(whole: &str, is_space: impl Fn(char) -> bool) -> bool {
    let mut mark = None;
    let same = whole.chars().filter(|c| !c.is_ascii_digit()).all(|c| {
        let c = if is_space(c) { ' ' } else { c };
        *mark.get_or_insert(c) == c
    });
    let groups: Vec<&str> = whole.split(|c: char| !c.is_ascii_digit()).collect();
    let [first, middle @ .., last] = &groups[..] else { return true };
    let widths = |width: usize| middle.iter().all(|group| group.len() == width);
    let first_fits = |most: usize| (1..=most).contains(&first.len());
    same && last.len() == 3
        && ((first_fits(3) && widths(3)) || (mark == Some(',') && first_fits(2) && widths(2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<String, String> {
        price(text, Currency::BRL)
            .map(|price| format!("{} {}", price.amount.minor_units(), price.currency))
    }

    #[test]
    fn rule_c6_prices_as_they_are_written() {
        let table = [
            ("R$ 1.999,90", "199990 BRL"),
            ("R$1.999", "199900 BRL"),
            ("1999.90 BRL", "199990 BRL"),
            ("BRL 1999.90", "199990 BRL"),
            ("brl1999,9", "199990 BRL"),
            ("19.99 USD", "1999 USD"),
            ("1,999.90 USD", "199990 USD"),
            ("1,999 USD", "199900 USD"),
            ("US$ 5", "500 USD"),
            ("19.9900 USD", "1999 USD"),
            ("1 999,90 EUR", "199990 EUR"),
            ("1\u{202f}234\u{202f}567,8 €", "123456780 EUR"),
            ("1'999.90 CHF", "199990 CHF"),
            ("1,00,000.50 INR", "10000050 INR"),
            ("1.234.567 BRL", "123456700 BRL"),
            ("1999 JPY", "1999 JPY"),
            ("1,999 JPY", "1999 JPY"),
            ("1.999 JPY", "1999 JPY"),
            ("1999.00 JPY", "1999 JPY"),
            ("1.999 KWD", "1999 KWD"),
            ("1,999.5 KWD", "1999500 KWD"),
            ("0 BRL", "0 BRL"),
            ("  12,5 ", "1250 BRL"),
            ("90071992547409.91 BRL", "9007199254740991 BRL"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_price_says_why() {
        let table = [
            ("", "has no number"),
            ("NaN", "has no number"),
            ("NaN BRL", "has no number"),
            ("-1.00 BRL", "is negative"),
            ("BRL -1", "is negative"),
            ("1.999 BRL", "is ambiguous"),
            ("1,999 BRL", "is ambiguous"),
            ("1.999 USD", "is ambiguous"),
            ("1,999 KWD", "is ambiguous"),
            ("19.999,9 99 BRL", "has digits in groups that are none"),
            ("1.99.9 BRL", "has digits in groups that are none"),
            ("1,999.999 USD", "has more decimals than USD, which has 2"),
            ("0.999 USD", "has more decimals than USD, which has 2"),
            ("19.99 JPY", "has more decimals than JPY, which has 0"),
            ("1e5 BRL", "is no number"),
            ("10-20 BRL", "is no number"),
            ("$ 10", "sign of several currencies"),
            ("10 reais", "is no currency code such as BRL"),
            ("10 XAU", "has no currency XAU with minor units"),
            ("10 ZZZ", "has no currency ZZZ with minor units"),
            ("USD 10 BRL", "is no price"),
            ("99999999999999999999 BRL", "is too large"),
            ("90071992547409.92 BRL", "is too large"),
            ("1,2.3,4 BRL", "mixes its marks"),
        ];
        for (text, expected) in table {
            let said = read(text).unwrap_err();
            assert!(said.contains(expected), "{text}: {said}");
        }
        assert!(price("$ 10", "USD".parse().unwrap()).is_ok());
        assert!(price(&"1".repeat(1_000_000), Currency::BRL).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn any_text_is_read_or_refused(text in r"[0-9., '$€R-]{0,14}( ?(BRL|JPY|KWD))?|\PC{0,12}") {
            let _ = read(&text);
        }

        #[test]
        fn every_amount_is_read_back(minor in 0_u64..10_000_000_000) {
            let (whole, cents) = (minor / 100, minor % 100);
            prop_assert_eq!(read(&format!("{whole}.{cents:02} BRL")), Ok(format!("{minor} BRL")));
            prop_assert_eq!(read(&format!("R$ {whole},{cents:02}")), Ok(format!("{minor} BRL")));
        }
    }
}
