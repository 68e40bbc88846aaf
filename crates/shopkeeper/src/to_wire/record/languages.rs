//! The languages of a catalog by number, and which of them a reader wants.
//!
//! A record names the language of each of its texts by its place in one table of
//! the whole catalog. A request ranks the table once; picking a text is then a
//! comparison of small numbers and no longer of tags.

use catalog::LanguageTag;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Every language tag of a catalog, each by its number; it is kept beside the
/// index whose payloads were encoded with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Languages {
    /// In lower case, for case does not tell tags apart.
    tags: Vec<String>,
    numbers: HashMap<String, u16>,
}

/// The number of all tags for which the table has no place: nobody wants them.
const UNNUMBERED: u16 = u16::MAX;

impl Languages {
    /// The number of `tag`; a new tag gets the next one.
    pub(super) fn number(&mut self, tag: &LanguageTag) -> u16 {
        let tag = tag.as_str();
        // Nearly always one of very few, and found without a copy of it.
        if let Some(at) = self.tags.iter().take(8).position(|known| known.eq_ignore_ascii_case(tag))
            && let Ok(number) = u16::try_from(at)
        {
            return number;
        }
        let tag = tag.to_ascii_lowercase();
        if let Some(&number) = self.numbers.get(&tag) {
            return number;
        }
        match u16::try_from(self.tags.len()) {
            Ok(number) if number != UNNUMBERED => {
                self.tags.push(tag.clone());
                self.numbers.insert(tag, number);
                number
            }
            _ => UNNUMBERED,
        }
    }
}

impl From<Vec<String>> for Languages {
    fn from(tags: Vec<String>) -> Self {
        let numbers = (0..UNNUMBERED).zip(&tags).map(|(number, tag)| (tag.clone(), number));
        Self { numbers: numbers.collect(), tags }
    }
}

impl From<Languages> for Vec<String> {
    fn from(languages: Languages) -> Self {
        languages.tags
    }
}

/// How much a reader wants each language of a catalog (rule C16).
#[derive(Debug)]
pub(crate) struct Wanted {
    /// By the number of the language; smaller is dearer. Empty when none is wanted.
    ranks: Vec<u8>,
}

/// The rank of the very tag that is wanted.
const EXACT: u8 = 0;
/// The rank of another language of the same primary subtag; above those of the
/// tag and its shorter forms, of which a tag of 35 bytes has 18 at most.
const RELATED: u8 = 64;
/// The rank of what is not wanted.
const UNWANTED: u8 = u8::MAX;

impl Wanted {
    /// The ranks for a reader of `wanted`: the exact tag, then ever shorter ones,
    /// then any of the same primary subtag, then the others.
    pub(crate) fn new(languages: &Languages, wanted: Option<&LanguageTag>) -> Self {
        let rank = |wanted: &LanguageTag, tag: &str| {
            let mut range = wanted.as_str();
            for rank in EXACT..RELATED {
                if tag.eq_ignore_ascii_case(range) {
                    return rank;
                }
                match range.rfind('-') {
                    Some(cut) => range = &range[..cut],
                    None => break,
                }
            }
            let primary = tag.split('-').next().unwrap_or_default();
            if primary.eq_ignore_ascii_case(wanted.primary()) { RELATED } else { UNWANTED }
        };
        let ranks = wanted.map(|wanted| languages.tags.iter().map(|tag| rank(wanted, tag)));
        Self { ranks: ranks.into_iter().flatten().collect() }
    }

    /// The text to show, of those in the languages with the numbers given; among
    /// equals the first, which is the feed's own. `None` when there is none. No
    /// more of them are asked for than it takes to know.
    ///
    /// # Errors
    ///
    /// The first of those asked for.
    pub(super) fn pick<T, E>(
        &self,
        texts: impl Iterator<Item = Result<(u16, T), E>>,
    ) -> Result<Option<T>, E> {
        let mut best: Option<(u8, T)> = None;
        for text in texts {
            let (number, text) = text?;
            let rank = self.ranks.get(usize::from(number)).copied().unwrap_or(UNWANTED);
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, text));
            }
            if rank == EXACT || self.ranks.is_empty() {
                break;
            }
        }
        Ok(best.map(|(_, text)| text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::Localized;
    use proptest::prelude::*;

    /// Tags that are near each other: few subtags, in either case.
    fn tag() -> impl Strategy<Value = LanguageTag> {
        let subtag = prop::sample::select(vec!["BR", "br", "GB", "Hant", "hans", "x"]);
        let primary = prop::sample::select(vec!["pt", "PT", "en", "zh", "z", "eng"]);
        (primary, prop::collection::vec(subtag, 0..4)).prop_map(|(primary, subtags)| {
            let all: Vec<&str> = std::iter::once(primary).chain(subtags).collect();
            LanguageTag::new(&all.join("-")).unwrap()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn rule_c16_ranks_pick_what_the_tags_pick(
            others in prop::collection::vec(tag(), 0..20),
            tags in prop::collection::vec(tag(), 1..8),
            wanted in prop::option::of(tag()),
        ) {
            let mut languages = Languages::default();
            for tag in &others {
                languages.number(tag);
            }
            let mut text = Localized::new(tags[0].clone(), 0);
            for (at, tag) in tags.iter().enumerate().skip(1) {
                text.translate(tag.clone(), at);
            }
            let numbered: Vec<(u16, usize)> =
                text.iter().map(|(tag, text)| (languages.number(tag), *text)).collect();
            let kept = serde_json::to_string(&languages).unwrap();
            let languages: Languages = serde_json::from_str(&kept).unwrap();
            let ranks = Wanted::new(&languages, wanted.as_ref());
            let picked = ranks.pick(numbered.into_iter().map(Ok::<_, ()>));
            prop_assert_eq!(picked, Ok(Some(*text.pick(wanted.as_ref()))));
            for tag in &tags {
                prop_assert_eq!(languages.clone().number(tag), languages.numbers[&tag.as_str().to_ascii_lowercase()]);
            }
        }
    }

    #[test]
    fn the_longest_tag_has_fewer_shorter_forms_than_there_are_ranks() {
        let longest = "a-".repeat(17) + "a";
        assert_eq!(longest.len(), 35);
        assert!(longest.split('-').count() < usize::from(RELATED));
    }

    #[test]
    fn a_table_that_is_full_leaves_further_languages_unwanted() {
        let mut languages = Languages::from(vec![String::from("de"); usize::from(UNNUMBERED)]);
        let tag = LanguageTag::new("pt").unwrap();
        assert_eq!(languages.number(&tag), UNNUMBERED);
        assert_eq!(languages.number(&LanguageTag::new("DE").unwrap()), 0);
        let ranks = Wanted::new(&languages, Some(&tag));
        let texts = [(0, "own"), (UNNUMBERED, "pt")].map(Ok::<_, ()>);
        assert_eq!(ranks.pick(texts.into_iter()), Ok(Some("own")));
    }
}
