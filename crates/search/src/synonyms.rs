//! Words that stand for others, as the merchant says: `celular` for smartphone.
//!
//! A term is one word or several, and is met in a query whatever its case, accents
//! and number are. The longest term at a place counts, and of it everything that is
//! said anywhere. What stands for it is not looked up again: synonyms of synonyms
//! are what is written, nothing more. Reading a file of them is `ingest`'s.

use crate::text::{self, stem, stop};
use std::collections::HashMap;

/// The most words of a term that are looked at.
const MOST_WORDS: usize = 8;

/// What stands for words of a query besides themselves, or in their place.
#[derive(Debug, Clone, Default)]
pub struct Synonyms {
    rules: Vec<Rule>,
    /// The rules by each form of their first word.
    by_first: HashMap<String, Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Rule {
    /// Each word in all its forms.
    from: Vec<Vec<String>>,
    /// Folded words, at least one each.
    to: Vec<Vec<String>>,
    /// Whether the words themselves are not meant any more.
    replaces: bool,
}

/// What is said of the words at a place of a query.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Meant<'s> {
    /// How many words it is said of; 0 when nothing is said.
    pub(crate) words: usize,
    /// What they mean besides: folded words that belong together.
    pub(crate) also: Vec<&'s [String]>,
    /// Whether they do not mean themselves.
    pub(crate) replaced: bool,
}

impl Synonyms {
    /// Says that each of `terms` means all of them.
    pub fn equivalent<S: AsRef<str>>(&mut self, terms: &[S]) {
        for (at, term) in terms.iter().enumerate() {
            let others = terms.iter().enumerate().filter(|&(other, _)| other != at);
            self.rule(term.as_ref(), others.map(|(_, other)| other.as_ref()), false);
        }
    }

    /// Says that each of `from` means all of `to`, and nothing else.
    pub fn one_way<S: AsRef<str>>(&mut self, from: &[S], to: &[S]) {
        for term in from {
            self.rule(term.as_ref(), to.iter().map(AsRef::as_ref), true);
        }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn rule<'t>(&mut self, from: &str, to: impl Iterator<Item = &'t str>, replaces: bool) {
        let from: Vec<Vec<String>> = words(from).iter().map(|word| forms(word)).collect();
        let to: Vec<Vec<String>> = to.map(telling).filter(|words| !words.is_empty()).collect();
        let Some(first) = from.first() else { return };
        if to.is_empty() || from.len() > MOST_WORDS {
            return;
        }
        for form in first {
            self.by_first.entry(form.clone()).or_default().push(self.rules.len());
        }
        self.rules.push(Rule { from, to, replaces });
    }

    /// What is said of the folded `words` of a query, from the first of them on.
    pub(crate) fn of<'s>(&'s self, words: &[&str]) -> Meant<'s> {
        let mut meant = Meant::default();
        let Some((first, _)) = words.split_first() else { return meant };
        let mut at: Vec<usize> = Vec::new();
        for form in forms(first) {
            at.extend(self.by_first.get(&form).into_iter().flatten());
        }
        at.sort_unstable();
        at.dedup();
        for rule in at.into_iter().map(|at| &self.rules[at]) {
            if rule.from.len() < meant.words || !rule.begins(words) {
                continue;
            }
            if rule.from.len() > meant.words {
                meant = Meant { words: rule.from.len(), also: Vec::new(), replaced: true };
            }
            meant.replaced &= rule.replaces;
            for term in &rule.to {
                if !meant.also.contains(&term.as_slice()) {
                    meant.also.push(term);
                }
            }
        }
        meant
    }
}

impl Rule {
    /// Whether `words` begin with the rule's.
    fn begins(&self, words: &[&str]) -> bool {
        words.len() >= self.from.len()
            && self.from.iter().zip(words).all(|(known, word)| {
                let of_word = forms(word);
                known.iter().any(|form| of_word.contains(form))
            })
    }
}

/// The folded words of `term`.
fn words(term: &str) -> Vec<String> {
    text::words(term, usize::MAX).into_iter().map(|word| word.folded).collect()
}

/// The folded words of `term` that tell something; all of them when none does.
fn telling(term: &str) -> Vec<String> {
    let mut words = words(term);
    if words.iter().any(|word| !stop::is_stop_word(word)) {
        words.retain(|word| !stop::is_stop_word(word));
    }
    words
}

/// A word and the singulars that it may be the plural of.
fn forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    stem::each_stem(word, &mut |stem| forms.push(stem.to_owned()));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synonyms() -> Synonyms {
        let mut synonyms = Synonyms::default();
        synonyms.equivalent(&["Celular", "smartphone", "telefone móvel"]);
        synonyms.one_way(&["refri"], &["refrigerante"]);
        synonyms.one_way(&["tela"], &["monitor"]);
        synonyms.equivalent(&["tela", "display"]);
        synonyms.equivalent(&["fone", "headphone"]);
        synonyms.equivalent(&["fone de ouvido", "earphone"]);
        synonyms.equivalent(&["", "!!"]);
        synonyms.one_way(&["de"], &["", "?"]);
        synonyms
    }

    /// `words: a b, c` with `!` when they do not mean themselves.
    fn of(query: &str) -> String {
        let synonyms = synonyms();
        let words = words(query);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Meant { words, also, replaced } = synonyms.of(&words);
        let also: Vec<String> = also.iter().map(|term| term.join(" ")).collect();
        format!("{words}{}: {}", if replaced { "!" } else { "" }, also.join(", "))
    }

    #[test]
    fn the_longest_term_counts_with_all_that_is_said_of_it() {
        for (query, expected) in [
            ("celular preto", "1: smartphone, telefone movel"),
            ("CELULARES", "1: smartphone, telefone movel"),
            ("telefones móveis", "2: celular, smartphone"),
            ("telefone", "0: "),
            ("refri", "1!: refrigerante"),
            ("refrigerante", "0: "),
            ("monitor", "0: "),
            ("tela", "1: monitor, display"),
            ("display", "1: tela"),
            ("fone", "1: headphone"),
            ("fones de ouvido azuis", "3: earphone"),
            ("earphones", "1: fone ouvido"),
            ("de", "0: "),
            ("", "0: "),
        ] {
            assert_eq!(of(query), expected, "{query}");
        }
    }
}
