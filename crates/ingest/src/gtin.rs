//! Global Trade Item Numbers: GTIN-8, -12, -13 and -14 with their check digit
//! (GS1 General Specifications, section 7.9).

use catalog::product::Barcode;

use crate::problem::excerpt;

/// The number that `text` says, spaces and hyphens dropped.
///
/// # Errors
///
/// Why it is none, in words.
pub(crate) fn gtin(text: &str) -> Result<Barcode, String> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let said = excerpt(text);
    if !matches!(digits.len(), 8 | 12 | 13 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("`{said}` is no GTIN of 8, 12, 13 or 14 digits"));
    }
    // From the right, the check digit first: weights 1, 3, 1, 3 ...
    let sum: u32 = digits
        .bytes()
        .rev()
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    if !sum.is_multiple_of(10) {
        return Err(format!("`{said}` has a wrong check digit"));
    }
    if digits.bytes().all(|byte| byte == b'0') {
        return Err(format!("`{said}` is no GTIN"));
    }
    Ok(Barcode { kind: "GTIN".to_owned(), value: digits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits() {
        for good in
            ["7891234567895", "96385074", "036000291452", "10614141000415", "978-0-306-40615-7"]
        {
            assert!(gtin(good).is_ok(), "{good}");
        }
        assert_eq!(gtin("978-0-306-40615-7").unwrap().value, "9780306406157");
        for bad in ["7891234567890", "96385075", "0", "", "7.89E+12", "00000000", "036000291453"] {
            assert!(gtin(bad).is_err(), "{bad}");
        }
        assert_eq!(gtin("7891234567890").unwrap_err(), "`7891234567890` has a wrong check digit");
    }

    #[test]
    fn one_wrong_digit_never_passes() {
        let good = b"7891234567895";
        for at in 0..good.len() {
            for digit in (b'0'..=b'9').filter(|digit| *digit != good[at]) {
                let mut bad = *good;
                bad[at] = digit;
                assert!(gtin(std::str::from_utf8(&bad).unwrap()).is_err());
            }
        }
    }
}
