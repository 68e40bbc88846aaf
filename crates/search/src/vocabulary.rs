//! Every word of a catalog, numbered, and the ways to find one that is close.

use crate::text::typo::Typo;
use std::collections::HashMap;
use std::sync::Arc;

/// Of the words that a beginning may become, no more than these are looked for.
const MOST_LONGER: usize = 256;

/// The number of a word or a stem.
pub(crate) type TermId = u32;

/// The words of a catalog and their stems.
#[derive(Default)]
pub(crate) struct Vocabulary {
    ids: HashMap<Arc<str>, TermId>,
    texts: Vec<Arc<str>>,
    /// Whether a term stands in some text, rather than being a stem alone.
    is_word: Vec<bool>,
    /// The words in the order of their bytes.
    sorted: Vec<TermId>,
    /// The words without digits by their length in characters, for typos.
    by_length: Vec<Vec<TermId>>,
}

impl Vocabulary {
    /// The number of `text`, given to it if it has none; `word` when it stands in
    /// a text.
    pub(crate) fn intern(&mut self, text: &str, word: bool) -> TermId {
        let id = match self.ids.get(text) {
            Some(&id) => id,
            None => {
                let id = TermId::try_from(self.texts.len()).unwrap_or(TermId::MAX);
                let text: Arc<str> = Arc::from(text);
                self.texts.push(Arc::clone(&text));
                self.is_word.push(false);
                self.ids.insert(text, id);
                id
            }
        };
        self.is_word[id as usize] |= word;
        id
    }

    /// Prepares the look-ups below; to be called once, when all words are in.
    pub(crate) fn finish(&mut self) {
        let words = (0_u32..).zip(&self.is_word).filter(|&(_, &word)| word).map(|(id, _)| id);
        self.sorted = words.collect();
        self.sorted.sort_unstable_by_key(|&id| &self.texts[id as usize]);
        for &id in &self.sorted {
            let text = &self.texts[id as usize];
            if text.chars().any(char::is_numeric) {
                continue;
            }
            let length = text.chars().count();
            if self.by_length.len() <= length {
                self.by_length.resize_with(length + 1, Vec::new);
            }
            self.by_length[length].push(id);
        }
    }

    /// The number of `text`, word or stem.
    pub(crate) fn id(&self, text: &str) -> Option<TermId> {
        self.ids.get(text).copied()
    }

    /// The number of `text` if it stands in some text.
    pub(crate) fn word(&self, text: &str) -> Option<TermId> {
        self.id(text).filter(|&id| self.is_word[id as usize])
    }

    /// The words that begin with `prefix`.
    pub(crate) fn with_prefix(&self, prefix: &str) -> &[TermId] {
        let text = |id: &TermId| &*self.texts[*id as usize];
        let start = self.sorted.partition_point(|id| text(id) < prefix);
        let rest = &self.sorted[start..];
        let longer = rest.partition_point(|id| text(id).starts_with(prefix));
        &rest[..longer.min(MOST_LONGER)]
    }

    /// The words that `typed` may have been meant for: those at the smallest
    /// distance at which there are any, up to what its length allows. None when
    /// it has a digit: a number is not a typo of another.
    pub(crate) fn near(&self, typed: &str) -> Vec<TermId> {
        let mut typo = Typo::new(typed);
        let length = typed.chars().count();
        for distance in 1..=typo.tolerance() {
            let lengths = length.saturating_sub(distance)..=length + distance;
            let near: Vec<TermId> = lengths
                .filter_map(|length| self.by_length.get(length))
                .flatten()
                .copied()
                .filter(|&id| typo.is_within(&self.texts[id as usize], distance))
                .collect();
            if !near.is_empty() {
                return near;
            }
        }
        Vec::new()
    }

    /// How many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }
}
