//! Countries by whatever name a request or a feed gives them (rule L4).

use super::country_names::COUNTRY_NAMES;
use crate::text::name_key;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Folded names and codes to alpha-2.
static BY_NAME: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for (code, name) in names() {
        by_name.entry(name_key(name)).or_insert(code);
    }
    // Codes last and without regard to names: a code always means its country.
    for country in rust_iso3166::ALL {
        by_name.insert(name_key(country.alpha2), country.alpha2);
        by_name.insert(name_key(country.alpha3), country.alpha2);
    }
    by_name
});

/// The ISO 3166-1 alpha-2 code of a country given as alpha-2, alpha-3 or an
/// English, Portuguese or Spanish name, in any case and with or without
/// diacritics (rule L4). `None` for anything else.
pub fn country_code(text: &str) -> Option<&'static str> {
    BY_NAME.get(&name_key(text)).copied()
}

/// The names of the country `alpha2` in all languages.
pub(crate) fn country_names(alpha2: &str) -> impl Iterator<Item = &'static str> {
    let at = COUNTRY_NAMES.binary_search_by_key(&alpha2, |row| row.0).ok();
    at.into_iter().flat_map(|at| spellings(&COUNTRY_NAMES[at]).map(|(_, name)| name))
}

/// Every name with its country, ours before the standard's longer ones.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let official = rust_iso3166::ALL.iter().map(|country| (country.alpha2, country.name));
    COUNTRY_NAMES.iter().flat_map(spellings).chain(official)
}

fn spellings(
    &(code, english, portuguese, spanish): &'static super::country_names::CountryNames,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    [english, portuguese, spanish]
        .into_iter()
        .flat_map(|names| names.split('|'))
        .map(move |name| (code, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rule_l4_countries_by_code_and_name() {
        for (text, code) in [
            ("BR", "BR"),
            ("br", "BR"),
            ("BRA", "BR"),
            ("Brasil", "BR"),
            (" brazil ", "BR"),
            ("USA", "US"),
            ("U.S.A.", "US"),
            ("United States", "US"),
            ("United States of America", "US"),
            ("Estados Unidos", "US"),
            ("ESTADOS UNIDOS DA AMERICA", "US"),
            ("EE. UU.", "US"),
            ("EUA", "US"),
            ("UK", "GB"),
            ("Reino Unido", "GB"),
            ("United Kingdom of Great Britain and Northern Ireland", "GB"),
            ("España", "ES"),
            ("espanha", "ES"),
            ("Côte d’Ivoire", "CI"),
            ("Korea (Republic of)", "KR"),
            ("Coreia do Sul", "KR"),
            ("Czech Republic", "CZ"),
            ("Turkey", "TR"),
            ("Congo", "CG"),
        ] {
            assert_eq!(country_code(text), Some(code), "{text}");
        }
        for text in ["", " ", "XX", "BRAZ", "Atlantis", "Europe", "076", "São Paulo"] {
            assert_eq!(country_code(text), None, "{text}");
        }
    }

    #[test]
    fn the_table_has_every_country_once_in_order() {
        let ours: Vec<&str> = COUNTRY_NAMES.iter().map(|row| row.0).collect();
        assert!(ours.is_sorted_by(|a, b| a < b));
        let official: BTreeSet<&str> = rust_iso3166::ALL.iter().map(|c| c.alpha2).collect();
        assert_eq!(ours.into_iter().collect::<BTreeSet<_>>(), official);
    }

    #[test]
    fn no_name_means_two_countries() {
        let mut seen: HashMap<String, &str> = HashMap::new();
        let codes =
            rust_iso3166::ALL.iter().flat_map(|c| [(c.alpha2, c.alpha2), (c.alpha2, c.alpha3)]);
        for (code, name) in names().chain(codes) {
            assert_eq!(*seen.entry(name_key(name)).or_insert(code), code, "{name}");
        }
    }
}
