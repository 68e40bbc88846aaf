//! The words of a catalog, and the ways to find one that is close.

use crate::terms::TermsReader;
use crate::text::typo::Typo;

/// Of the words that a beginning may become, no more than these are looked for:
/// those that most products have.
const MOST_LONGER: usize = 64;
/// The most words with a beginning that are looked at.
const MOST_SEEN: usize = 20_000;
/// Of the words that a typed one may have been meant for, no more than these.
const MOST_NEAR: usize = 32;

/// Looks words up.
#[derive(Clone, Copy)]
pub(crate) struct Lexicon<'i>(pub(crate) &'i TermsReader);

impl Lexicon<'_> {
    /// Whether the catalog has `text`, as a word or as the singular of one.
    pub(crate) fn has(self, text: &str) -> bool {
        self.0.documents_with(text) > 0
    }

    /// The words that begin with `prefix`.
    pub(crate) fn with_prefix(self, prefix: &str) -> Vec<String> {
        let mut longer = Vec::new();
        let mut seen = 0;
        self.0.with_prefix(prefix, &mut |word, documents| {
            longer.push((documents, word.to_owned()));
            seen += 1;
            seen < MOST_SEEN
        });
        most_common(longer, MOST_LONGER)
    }

    /// The words that `typed` may have been meant for: those at the smallest
    /// distance at which there are any, up to what its length allows. None when
    /// it has a digit: a number is not a typo of another.
    pub(crate) fn near(self, typed: &str) -> Vec<String> {
        let mut typo = Typo::new(typed);
        for distance in 1..=typo.tolerance() {
            let mut near = Vec::new();
            let Ok(slips) = u8::try_from(distance) else { break };
            self.0.near(typed, slips, &mut |word, documents| {
                let is_word = !word.chars().any(char::is_numeric);
                if is_word && typo.is_within(word, distance) {
                    near.push((documents, word.to_owned()));
                }
            });
            if !near.is_empty() {
                return most_common(near, MOST_NEAR);
            }
        }
        Vec::new()
    }
}

/// The words that most documents have; of equals, the first in the alphabet.
fn most_common(mut words: Vec<(u32, String)>, most: usize) -> Vec<String> {
    words.sort_unstable_by(|(one, a), (other, b)| other.cmp(one).then_with(|| a.cmp(b)));
    words.truncate(most);
    words.into_iter().map(|(_, word)| word).collect()
}
