//! Texts in several languages, and the choice among them (rule C16).

use std::fmt;
use std::sync::Arc;

/// Every text of an answer is picked by the tag, so a long one would be dear.
const MAX_BYTES: usize = 35;

/// A BCP 47 language tag such as `pt-BR`, compared without regard to case.
#[derive(Clone)]
pub struct LanguageTag(Arc<str>);

impl LanguageTag {
    /// The tag as given, or `None` when it is not made of subtags of 1 to 8
    /// ASCII letters or digits joined by `-`, the first of letters alone, or is
    /// longer than 35 bytes, which no registered tag is (RFC 5646, 4.4.1).
    pub fn new(tag: &str) -> Option<Self> {
        if tag.len() > MAX_BYTES {
            return None;
        }
        let mut subtags = tag.split('-');
        let well_formed =
            |s: &str| (1..=8).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_alphanumeric());
        let primary = subtags.next()?;
        let valid = well_formed(primary)
            && primary.bytes().all(|b| b.is_ascii_alphabetic())
            && subtags.all(well_formed);
        valid.then(|| Self(Arc::from(tag)))
    }

    /// The tag as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The primary subtag: `pt` of `pt-BR`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or_default()
    }
}

impl PartialEq for LanguageTag {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for LanguageTag {}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One thing said in one or more languages; the first is the feed's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Localized<T> {
    own: (LanguageTag, T),
    translations: Vec<(LanguageTag, T)>,
}

impl<T> Localized<T> {
    /// A text in the feed's own language, without translations yet.
    pub fn new(language: LanguageTag, text: T) -> Self {
        Self { own: (language, text), translations: Vec::new() }
    }

    /// Adds a translation; one in a language that is there already replaces it.
    pub fn translate(&mut self, language: LanguageTag, text: T) {
        let slot = std::iter::once(&mut self.own)
            .chain(&mut self.translations)
            .find(|(known, _)| *known == language);
        match slot {
            Some((_, old)) => *old = text,
            None => self.translations.push((language, text)),
        }
    }

    /// The text in the feed's own language.
    pub fn own(&self) -> &T {
        &self.own.1
    }

    /// Every language with its text, the feed's own first.
    pub fn iter(&self) -> impl Iterator<Item = (&LanguageTag, &T)> {
        std::iter::once(&self.own).chain(&self.translations).map(|(tag, text)| (tag, text))
    }

    /// The text for a reader of `wanted` (rule C16): the exact tag, then ever
    /// shorter ones, then any of the same primary subtag (the feed's own before
    /// others), then the feed's own.
    pub fn pick(&self, wanted: Option<&LanguageTag>) -> &T {
        let Some(wanted) = wanted else {
            return self.own();
        };
        let mut range = wanted.as_str();
        loop {
            if let Some((_, text)) = self.iter().find(|(tag, _)| tag.0.eq_ignore_ascii_case(range))
            {
                return text;
            }
            match range.rfind('-') {
                Some(cut) => range = &range[..cut],
                None => break,
            }
        }
        self.iter()
            .find(|(tag, _)| tag.primary().eq_ignore_ascii_case(wanted.primary()))
            .map_or_else(|| self.own(), |(_, text)| text)
    }
}

impl Localized<String> {
    /// Whether it reads exactly `text` in any of its languages.
    pub fn says(&self, text: &str) -> bool {
        self.iter().any(|(_, known)| known == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(tag: &str) -> LanguageTag {
        LanguageTag::new(tag).unwrap()
    }

    /// A text that says its own language, the first being the feed's.
    fn localized(tags: &[&str]) -> Localized<String> {
        let mut text = Localized::new(tag(tags[0]), tags[0].to_owned());
        for other in &tags[1..] {
            text.translate(tag(other), (*other).to_owned());
        }
        text
    }

    #[test]
    fn rule_c16_lookup_table() {
        let table: [(&[&str], &str, &str); 15] = [
            (&["pt-BR", "en"], "pt-BR", "pt-BR"),
            (&["pt-BR", "en"], "PT-br", "pt-BR"),
            (&["pt-BR", "en"], "en", "en"),
            (&["pt-BR", "en"], "en-GB", "en"),
            (&["pt-BR", "en"], "en-Latn-GB-oed", "en"),
            (&["pt-BR", "en-GB"], "en-US", "en-GB"),
            (&["pt-BR", "en-GB"], "en", "en-GB"),
            (&["pt-BR", "en"], "pt-PT", "pt-BR"),
            (&["pt-BR", "en"], "fr", "pt-BR"),
            (&["en-US", "en-GB", "en"], "en-AU", "en"),
            (&["en-US", "en-GB"], "en-AU", "en-US"),
            (&["fr", "en-GB", "en-US"], "en-AU", "en-GB"),
            (&["zh-Hant", "zh-Hans"], "zh-Hans-CN", "zh-Hans"),
            (&["zh-Hant", "zh-Hans"], "zh-CN", "zh-Hant"),
            (&["de"], "de-1996", "de"),
        ];
        for (known, wanted, expected) in table {
            let text = localized(known);
            assert_eq!(text.pick(Some(&tag(wanted))), expected, "{wanted} among {known:?}");
        }
        assert_eq!(localized(&["pt-BR", "en"]).pick(None), "pt-BR");
    }

    #[test]
    fn rule_c16_a_prefix_of_a_subtag_is_not_a_shorter_tag() {
        assert_eq!(localized(&["pt", "e", "en"]).pick(Some(&tag("eng"))), "pt");
        assert_eq!(localized(&["pt", "en-G"]).pick(Some(&tag("en-GB"))), "en-G");
    }

    #[test]
    fn tags_are_checked_for_form_alone() {
        for good in ["pt", "pt-BR", "zh-Hans-CN", "x-elvish", "de-1996", "EN"] {
            assert_eq!(LanguageTag::new(good).unwrap().as_str(), good);
        }
        for bad in ["", "-", "pt_BR", "pt-", "-pt", "p1", "português", "abcdefghi", "pt--BR"] {
            assert!(LanguageTag::new(bad).is_none(), "{bad}");
        }
        assert_eq!(tag("pt-BR"), tag("PT-br"));
        assert_eq!(tag("pt-BR").primary(), "pt");
    }

    #[test]
    fn a_translation_replaces_one_in_the_same_language() {
        let mut text = localized(&["pt", "en"]);
        text.translate(tag("EN"), "again".to_owned());
        text.translate(tag("pt"), "own".to_owned());
        assert_eq!(text.own(), "own");
        let all: Vec<&String> = text.iter().map(|(_, text)| text).collect();
        assert_eq!(all, ["own", "again"]);
        assert!(text.says("again") && !text.says("en"));
    }

    #[test]
    fn a_tag_is_made_of_subtags_and_no_longer_than_any_real_one() {
        for good in ["pt", "pt-BR", "zh-Hans-CN", "en-Latn-GB-boont"] {
            assert!(LanguageTag::new(good).is_some(), "{good}");
        }
        let long = format!("a{}", "-a".repeat(1000));
        for bad in ["", "-", "pt-", "p1", "pt_BR", "portuguese-brazilian", &long] {
            assert!(LanguageTag::new(bad).is_none(), "{bad}");
        }
    }
}
