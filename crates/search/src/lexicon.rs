//! The words of a catalog, and the ways to find one that is close.

use crate::collect::{is_word, rooted};
use crate::terms::TermsReader;
use crate::text::root::Grammar;
use crate::text::typo::Typo;

/// Of the words that a beginning may become, no more than these are looked for:
/// those that most products have.
const MOST_LONGER: usize = 64;
/// The most words with a beginning that are looked at.
const MOST_SEEN: usize = 20_000;
/// Of the words that a typed one may have been meant for, no more than these.
const MOST_NEAR: usize = 32;

/// In how many products a word may stand that is taken for somebody's typing error
/// all the same, and how many times as many must have the one that it is meant for.
const RARE: u32 = 3;
const FAR_MORE: u32 = 20;

/// Looks words up.
#[derive(Clone, Copy)]
pub(crate) struct Lexicon<'i> {
    pub(crate) terms: &'i TermsReader,
    /// By which the buyer's words are led back to roots.
    pub(crate) grammars: &'i [Grammar],
}

impl Lexicon<'_> {
    /// Whether the catalog has `text`, as a word or as the singular of one.
    pub(crate) fn has(self, text: &str) -> bool {
        self.terms.documents_with(text) > 0
    }

    /// The terms of the catalog under which words of the same root as `word` stand.
    pub(crate) fn of_its_root(self, word: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for root in self.grammars.iter().filter_map(|grammar| grammar.root(word)) {
            // A word that is its own root stands there as it is.
            for term in [rooted(&root), root] {
                if term != word && !found.contains(&term) && self.has(&term) {
                    found.push(term);
                }
            }
        }
        found
    }

    /// The words that `typed`, which the catalog has, may be an error for: it stands
    /// in very few products, and they in far more.
    pub(crate) fn instead_of(self, typed: &str) -> Vec<String> {
        let having = self.terms.documents_with(typed);
        if !(1..=RARE).contains(&having) {
            return Vec::new();
        }
        let mut near = self.near(typed);
        near.retain(|word| self.terms.documents_with(word) >= having * FAR_MORE);
        near
    }

    /// The words that begin with `prefix`.
    pub(crate) fn with_prefix(self, prefix: &str) -> Vec<String> {
        let mut longer = Vec::new();
        let mut seen = 0;
        self.terms.with_prefix(prefix, &mut |word, documents| {
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
            self.terms.near(typed, slips, &mut |word, documents| {
                let is_word = word != typed && is_word(word) && !word.chars().any(char::is_numeric);
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
