//! Postal codes as each country writes them, and sets of them (rule L4).
//!
//! Codes are compared without case, spaces and punctuation. Where a country's
//! full codes refine shorter ones that people use by themselves (ZIP and ZIP+4,
//! the outward half in the United Kingdom), a set that has the shorter has the
//! full one, never the other way round: an area must cover all of the target.

use super::PostalCodes;
use crate::text::code_key;
use roaring::RoaringBitmap;
use std::collections::HashMap;

/// `code` as it is compared.
pub(crate) fn normalised(code: &str) -> String {
    code_key(code)
}

/// `code` (normalised) and the coarser codes of `country` that contain it.
fn covering<'a>(country: &str, code: &'a str) -> impl Iterator<Item = &'a str> {
    let shorter = code.is_ascii().then(|| coarser_length(country, code.as_bytes())).flatten();
    std::iter::once(code).chain(shorter.map(|length| &code[..length]))
}

fn coarser_length(country: &str, code: &[u8]) -> Option<usize> {
    match country {
        "US" | "PR" | "VI" | "GU" | "AS" | "MP" => (code.len() == 9).then_some(5),
        "CA" => (code.len() == 6).then_some(3),
        "PT" => (code.len() == 7).then_some(4),
        "GB" | "GG" | "JE" | "IM" => is_full_british(code).then(|| code.len() - 3),
        _ => None,
    }
}

/// Whether the code ends with an inward part: a digit and two letters.
fn is_full_british(code: &[u8]) -> bool {
    let [head @ .., digit, first, second] = code else {
        return false;
    };
    (2..=4).contains(&head.len())
        && digit.is_ascii_digit()
        && first.is_ascii_alphabetic()
        && second.is_ascii_alphabetic()
}

/// Whether `code` (normalised) can be a postal code of `country`, whole or the
/// usual part; `true` for countries whose form is not known here.
fn can_be_of(country: &str, code: &str) -> bool {
    let digits = |lengths: &[usize]| {
        code.bytes().all(|b| b.is_ascii_digit()) && lengths.contains(&code.len())
    };
    match country {
        "BR" => digits(&[5, 8]),
        "US" | "PR" | "VI" | "GU" | "AS" | "MP" => digits(&[3, 5, 9]),
        "PT" => digits(&[4, 7]),
        "ES" => digits(&[5]),
        "CA" => matches!(code.len(), 3 | 6) && alternates(code),
        "GB" | "GG" | "JE" | "IM" => {
            (2..=7).contains(&code.len()) && code.starts_with(|c: char| c.is_ascii_uppercase())
        }
        _ => true,
    }
}

/// Letter, digit, letter and so on, as in Canada.
fn alternates(code: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at % 2 {
        0 => byte.is_ascii_uppercase(),
        _ => byte.is_ascii_digit(),
    };
    code.bytes().enumerate().all(fits)
}

/// The postal areas of all Locations in one country.
#[derive(Debug, Default)]
pub(crate) struct PostalSystem {
    codes: HashMap<String, RoaringBitmap>,
    prefixes: HashMap<String, RoaringBitmap>,
    /// First and last code, inclusive; who has them.
    ranges: HashMap<(String, String), RoaringBitmap>,
}

impl PostalSystem {
    /// Adds the area of one Location; what cannot match anything is left out.
    pub(crate) fn add(&mut self, area: &PostalCodes, ordinal: u32) {
        let usable = |code: &String| Some(normalised(code)).filter(|code| !code.is_empty());
        for code in area.codes.iter().filter_map(usable) {
            self.codes.entry(code).or_default().insert(ordinal);
        }
        for prefix in area.prefixes.iter().filter_map(usable) {
            self.prefixes.entry(prefix).or_default().insert(ordinal);
        }
        for (first, last) in &area.ranges {
            if let (Some(first), Some(last)) = (usable(first), usable(last)) {
                self.ranges.entry((first, last)).or_default().insert(ordinal);
            }
        }
    }

    /// Whether `code` (normalised) is one that this system, that of `country`,
    /// could have at all.
    pub(crate) fn reads(country: &str, code: &str) -> bool {
        can_be_of(country, code)
    }

    /// The Locations whose areas have `code` (normalised), a code of `country`.
    pub(crate) fn serving(&self, country: &str, code: &str) -> RoaringBitmap {
        let mut serving = RoaringBitmap::new();
        for form in covering(country, code) {
            if let Some(own) = self.codes.get(form) {
                serving |= own;
            }
            for ((first, last), own) in &self.ranges {
                let comparable = first.len() == form.len() && last.len() == form.len();
                if comparable && first.as_str() <= form && form <= last.as_str() {
                    serving |= own;
                }
            }
        }
        for end in code.char_indices().map(|(at, letter)| at + letter.len_utf8()) {
            if let Some(own) = self.prefixes.get(&code[..end]) {
                serving |= own;
            }
        }
        serving
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serves(
        country: &str,
        codes: &[&str],
        prefixes: &[&str],
        range: (&str, &str),
        code: &str,
    ) -> bool {
        let text = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        let ranges = (!range.0.is_empty()).then(|| (range.0.to_owned(), range.1.to_owned()));
        let area = PostalCodes {
            country: country.to_owned(),
            codes: text(codes),
            prefixes: text(prefixes),
            ranges: ranges.into_iter().collect(),
        };
        let mut system = PostalSystem::default();
        system.add(&area, 7);
        system.serving(country, &normalised(code)).contains(7)
    }

    const NONE: (&str, &str) = ("", "");

    #[test]
    fn rule_l4_codes_by_country() {
        for (country, area, code, expected) in [
            ("BR", "01310-100", "01310100", true),
            ("BR", "01310100", " 01.310-100 ", true),
            ("BR", "01310-100", "01310-101", false),
            ("US", "10001", "10001-1234", true),
            ("US", "10001", "100011234", true),
            ("US", "10001-1234", "10001", false),
            ("US", "10001", "10002", false),
            ("GB", "SW1A", "sw1a 1aa", true),
            ("GB", "SW1A 1AA", "SW1A1AA", true),
            ("GB", "SW1A 1AA", "SW1A", false),
            ("GB", "SW1", "SW1A 1AA", false),
            ("GB", "SW1", "SW11 1AA", false),
            ("GB", "M1", "M1 1AE", true),
            ("CA", "K1A 0B1", "k1a0b1", true),
            ("CA", "K1A", "K1A 0B1", true),
            ("CA", "K1A 0B1", "K1A", false),
            ("PT", "1000", "1000-205", true),
            ("NL", "1012", "1012 AB", false),
            ("NL", "1012 ab", "1012AB", true),
            ("JP", "100-0001", "１００−０００１", true),
        ] {
            assert_eq!(
                serves(country, &[area], &[], NONE, code),
                expected,
                "{country} {area} {code}"
            );
        }
    }

    #[test]
    fn rule_l4_prefixes_and_ranges() {
        assert!(serves("BR", &[], &["01"], NONE, "01310-100"));
        assert!(serves("BR", &[], &["01310-1"], NONE, "01310-100"));
        assert!(!serves("BR", &[], &["01310-1"], NONE, "01310"));
        assert!(serves("GB", &[], &["SW1"], NONE, "SW11 1AA"));
        let center = ("01000-000", "01999-999");
        for (code, expected) in [
            ("01000-000", true),
            ("01999999", true),
            ("02000-000", false),
            ("00999-999", false),
            ("01500", false),
        ] {
            assert_eq!(serves("BR", &[], &[], center, code), expected, "{code}");
        }
        assert!(serves("US", &[], &[], ("10001", "10010"), "10010-9999"));
        assert!(!serves("US", &[], &[], ("10001", "10010"), "10011-0000"));
    }

    #[test]
    fn which_system_reads_a_code() {
        for (country, code, expected) in [
            ("BR", "01310100", true),
            ("BR", "SW1A1AA", false),
            ("US", "01310100", false),
            ("US", "10001", true),
            ("ES", "28001", true),
            ("CA", "K1A0B1", true),
            ("CA", "11A0B1", false),
            ("GB", "SW1A1AA", true),
            ("GB", "10001", false),
            ("PT", "1000205", true),
            ("DE", "10115", true),
        ] {
            assert_eq!(PostalSystem::reads(country, code), expected, "{country} {code}");
        }
    }
}
