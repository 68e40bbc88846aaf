//! Regions of countries by ISO 3166-2 code or name (rule L4).
//!
//! A name can mean several regions, as `La Rioja` is a community and its one
//! province, and `SP` without a country is a region of several countries: what
//! comes out is the list of all that are meant.

use super::country::country_code;
use super::region_names::{REGION_NAMES, SPANISH_PROVINCES};
use crate::text::name_key;
use rust_iso3166::iso3166_2::{SUBDIVISION_MAP, Subdivision};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Folded names and codes without their country, to whole codes in order.
static BY_NAME: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let mut by_name: HashMap<String, Vec<&'static str>> = HashMap::new();
    let standard = STANDARD.values().flat_map(|region| {
        let short = (region.code, name_key(region.region_code));
        standard_names(region.name).into_iter().map(|name| (region.code, name)).chain([short])
    });
    let ours = REGION_NAMES
        .iter()
        .flat_map(|(code, names)| names.split('|').map(|name| (*code, name_key(name))));
    for (code, name) in standard.chain(ours) {
        by_name.entry(name).or_default().push(code);
    }
    for codes in by_name.values_mut() {
        codes.sort_unstable();
        codes.dedup();
    }
    by_name
});

static STANDARD: LazyLock<HashMap<&'static str, Subdivision>> =
    LazyLock::new(|| SUBDIVISION_MAP.into_iter().map(|(code, region)| (*code, *region)).collect());

/// Regions that a text means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Regions {
    /// The country, when it was given or is part of the code.
    pub(crate) country: Option<&'static str>,
    /// ISO 3166-2 codes in order; never empty.
    pub(crate) codes: Vec<&'static str>,
}

/// The regions that `text` means, in `country` (alpha-2) when that is given:
/// `US-NY`, `NY` or a name. `None` when ISO 3166-2 has no such region there.
pub(crate) fn regions(text: &str, country: Option<&'static str>) -> Option<Regions> {
    if let Some(code) = whole_code(text) {
        let own = country_of(code);
        let agrees = country.is_none_or(|country| country == own);
        return agrees.then(|| Regions { country: Some(own), codes: vec![code] });
    }
    let meant = BY_NAME.get(&name_key(text))?;
    let here = |code: &&'static str| country.is_none_or(|country| country_of(code) == country);
    let codes: Vec<&'static str> = meant.iter().copied().filter(here).collect();
    (!codes.is_empty()).then_some(Regions { country, codes })
}

/// The one ISO 3166-2 code that `text` is or names, with its country's when a
/// name is used. `None` when there is none or several.
pub(crate) fn region_code(text: &str) -> Option<&'static str> {
    if let Some(code) = whole_code(text) {
        return Some(code);
    }
    match regions(text, None)?.codes.as_slice() {
        [code] => Some(code),
        _ => None,
    }
}

/// The alpha-2 code at the beginning of an ISO 3166-2 code.
pub(crate) fn country_of(code: &'static str) -> &'static str {
    code.split('-').next().unwrap_or(code)
}

/// The regions that cover all of the region `code`: itself, the community of a
/// Spanish province, and the only province of a Spanish community.
pub(crate) fn covering(code: &'static str) -> impl Iterator<Item = &'static str> {
    let community = SPANISH_PROVINCES.iter().find(|(province, _)| *province == code);
    let mut provinces = SPANISH_PROVINCES.iter().filter(move |(_, community)| *community == code);
    let only = match (provinces.next(), provinces.next()) {
        (Some((province, _)), None) => Some(*province),
        _ => None,
    };
    std::iter::once(code).chain(community.map(|(_, community)| *community)).chain(only)
}

/// What people call the region `code`.
pub(crate) fn region_names(code: &str) -> impl Iterator<Item = &'static str> {
    let own = REGION_NAMES.iter().filter(move |(known, _)| *known == code);
    let standard = STANDARD.get(code).map(|region| region.name);
    standard.into_iter().chain(own.flat_map(|(_, names)| names.split('|')))
}

/// `text` as a whole code such as `US-NY`, its country perhaps as alpha-3.
fn whole_code(text: &str) -> Option<&'static str> {
    let (country, region) = text.trim().split_once('-')?;
    let country = country_code(country).filter(|_| country.len() <= 3)?;
    let code = format!("{country}-{}", region.to_uppercase());
    STANDARD.get(code.as_str()).map(|region| region.code)
}

/// The folded spellings of a standard name: `Asturias, Principado de` is also
/// said the other way round, and without what follows the comma.
fn standard_names(name: &str) -> Vec<String> {
    let mut names = vec![name_key(name)];
    if let Some((head, tail)) = name.split_once(',') {
        names.extend([name_key(&format!("{tail} {head}")), name_key(head)]);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_l4_regions_with_and_without_the_country() {
        for (text, country, codes) in [
            ("US-NY", None, &["US-NY"][..]),
            ("us-ny", Some("US"), &["US-NY"]),
            ("NY", Some("US"), &["US-NY"]),
            ("New York", Some("US"), &["US-NY"]),
            ("nova york", Some("US"), &["US-NY"]),
            ("SP", Some("BR"), &["BR-SP"]),
            ("São Paulo", None, &["BR-SP"]),
            ("BRA-SP", None, &["BR-SP"]),
            ("sao paulo", Some("BR"), &["BR-SP"]),
            ("Principado de Asturias", Some("ES"), &["ES-AS"]),
            ("La Rioja", Some("ES"), &["ES-LO", "ES-RI"]),
            ("Madrid", Some("ES"), &["ES-M", "ES-MD"]),
            ("Castilla-La Mancha", Some("ES"), &["ES-CM"]),
            ("Lisbon", Some("PT"), &["PT-11"]),
            ("11", Some("PT"), &["PT-11"]),
            ("Québec", Some("CA"), &["CA-QC"]),
            ("Washington, D.C.", Some("US"), &["US-DC"]),
            ("Bayern", Some("DE"), &["DE-BY"]),
        ] {
            let found = regions(text, country).unwrap_or_else(|| panic!("{text} is unknown"));
            assert_eq!(found.codes, codes, "{text}");
        }
    }

    #[test]
    fn rule_l4_unknown_regions() {
        for (text, country) in [
            ("NY", Some("BR")),
            ("US-NY", Some("BR")),
            ("US-ZZ", None),
            ("ZZZ", None),
            ("Atlantis", Some("US")),
            ("Kowloon", Some("HK")),
            ("", Some("US")),
            ("-", None),
        ] {
            assert_eq!(regions(text, country), None, "{text}");
        }
    }

    #[test]
    fn a_code_carries_its_country_and_a_name_does_not() {
        assert_eq!(regions("BR-SP", None).unwrap().country, Some("BR"));
        assert_eq!(regions("São Paulo", None).unwrap().country, None);
        assert!(regions("SE", None).unwrap().codes.contains(&"BR-SE"));
        assert!(regions("SE", None).unwrap().codes.len() > 1);
    }

    #[test]
    fn spanish_regions_cover_their_provinces() {
        let covers = |code| covering(code).collect::<Vec<_>>();
        assert_eq!(covers("ES-MA"), ["ES-MA", "ES-AN"]);
        assert_eq!(covers("ES-AN"), ["ES-AN"]);
        assert_eq!(covers("ES-MD"), ["ES-MD", "ES-M"]);
        assert_eq!(covers("ES-M"), ["ES-M", "ES-MD"]);
        assert_eq!(covers("BR-SP"), ["BR-SP"]);
    }

    #[test]
    fn the_tables_name_regions_of_the_standard() {
        assert!(REGION_NAMES.iter().all(|(code, _)| STANDARD.contains_key(code)));
        assert_eq!(SPANISH_PROVINCES.len(), 50);
        for (province, community) in SPANISH_PROVINCES {
            assert_eq!(STANDARD[province].subdivision_type, "Province", "{province}");
            assert_eq!(STANDARD[community].subdivision_type, "Autonomous community", "{community}");
        }
        assert_eq!(STANDARD.values().filter(|region| region.country_code == "BR").count(), 27);
    }

    #[test]
    fn one_region_by_name() {
        assert_eq!(region_code("br-sp"), Some("BR-SP"));
        assert_eq!(region_code("São Paulo"), Some("BR-SP"));
        assert_eq!(region_code("SE"), None);
        assert_eq!(region_code("Narnia"), None);
    }
}
