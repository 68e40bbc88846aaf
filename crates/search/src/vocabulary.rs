//! The terms met while an index is built, each remembered with the forms that it leads
//! to: a catalog says the same words over and over.
//!
//! Also holds, for one product at a time, which terms it has and of which class. What
//! a form is, `text` says; which texts are read, `collect`.

use crate::collect::{rooted, term_hash};
use crate::terms::Class;
use crate::text::root::Grammar;
use crate::text::stem;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;
use std::sync::Arc;

/// How many terms are remembered; numbers of articles come once and never again.
const MOST: usize = 1 << 18;

/// A term, by its place; good until the next product is begun.
pub(crate) type TermId = u32;

/// Terms by their texts.
#[derive(Default)]
pub(crate) struct Vocabulary {
    places: HashTable<TermId>,
    hasher: DefaultHashBuilder,
    terms: Vec<Known>,
    /// Counts products, to tell what is noted of this one from older notes.
    product: u64,
    noted: Vec<TermId>,
}

struct Known {
    text: Box<str>,
    hash: u32,
    /// By grammar, the last without one; `None` until it is asked for.
    forms: [Option<Arc<[TermId]>>; Grammar::ALL.len() + 1],
    /// Of the product numbered beside it.
    class: Class,
    product: u64,
}

impl Vocabulary {
    /// Begins a product, of which nothing is noted yet.
    pub(crate) fn begin(&mut self) {
        if self.terms.len() > MOST {
            self.places.clear();
            self.terms.clear();
        }
        self.product += 1;
        self.noted.clear();
    }

    /// The term of `text`.
    pub(crate) fn id(&mut self, text: &str) -> TermId {
        let Self { places, hasher, terms, .. } = self;
        let hash = hasher.hash_one(text);
        if let Some(&id) = places.find(hash, |&id| *terms[id as usize].text == *text) {
            return id;
        }
        // Invariant: a product has fewer terms than fit into 32 bits, and more than MOST
        // are forgotten before the next one.
        let id = TermId::try_from(terms.len()).unwrap_or(TermId::MAX);
        terms.push(Known {
            text: text.into(),
            hash: term_hash(text),
            forms: Default::default(),
            class: Class::Description,
            product: 0,
        });
        places.insert_unique(hash, id, |&id| hasher.hash_one(&*terms[id as usize].text));
        id
    }

    /// The terms of the singulars and, by `grammar`, the root of a word, none of them its
    /// own.
    pub(crate) fn forms(&mut self, word: TermId, grammar: Option<Grammar>) -> Arc<[TermId]> {
        let slot = grammar.map_or(Grammar::ALL.len(), |grammar| grammar as usize);
        let known = &self.terms[word as usize];
        if let Some(forms) = &known.forms[slot] {
            return Arc::clone(forms);
        }
        let text = known.text.clone();
        let mut forms: Vec<String> = Vec::new();
        stem::each_stem(&text, &mut |stem| forms.push(stem.to_owned()));
        let root = grammar.and_then(|grammar| grammar.root(&text));
        forms.extend(root.filter(|root| **root != *text).map(|root| rooted(&root)));
        let forms: Arc<[TermId]> = forms.iter().map(|form| self.id(form)).collect();
        self.terms[word as usize].forms[slot] = Some(Arc::clone(&forms));
        forms
    }

    /// The hash by which variants remember the term.
    pub(crate) fn hash(&self, term: TermId) -> u32 {
        self.terms[term as usize].hash
    }

    /// Notes that the product has `term`; its best class counts.
    pub(crate) fn note(&mut self, term: TermId, class: Class) {
        let known = &mut self.terms[term as usize];
        if known.product == self.product {
            known.class = known.class.max(class);
        } else {
            (known.product, known.class) = (self.product, class);
            self.noted.push(term);
        }
    }

    /// What is noted of the product: each term once, in the order in which they came.
    pub(crate) fn noted(&self) -> impl Iterator<Item = (&str, Class)> {
        self.noted.iter().map(|&id| {
            let known = &self.terms[id as usize];
            (&*known.text, known.class)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_has_each_term_once_with_its_best_class() {
        let mut vocabulary = Vocabulary::default();
        for _ in 0..2 {
            vocabulary.begin();
            for (text, class) in [
                ("a", Class::Facet),
                ("b", Class::Title),
                ("a", Class::Variant),
                ("a", Class::Title),
            ] {
                let id = vocabulary.id(text);
                vocabulary.note(id, class);
            }
            let noted: Vec<_> = vocabulary.noted().collect();
            assert_eq!(noted, [("a", Class::Title), ("b", Class::Title)]);
        }
        vocabulary.begin();
        assert_eq!(vocabulary.noted().count(), 0, "what the one before had is forgotten");
    }

    #[test]
    fn forms_are_those_of_the_grammar_every_time() {
        let mut vocabulary = Vocabulary::default();
        let mut forms = |word: &str, grammar| {
            let word = vocabulary.id(word);
            let ids = vocabulary.forms(word, grammar);
            ids.iter().map(|&id| vocabulary.terms[id as usize].text.to_string()).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            assert_eq!(forms("running", Some(Grammar::English)), ["\u{1}run"]);
            assert_eq!(forms("running", None), Vec::<String>::new());
            assert_eq!(forms("boots", Some(Grammar::English)), ["boot", "\u{1}boot"]);
            assert_eq!(forms("run", Some(Grammar::English)), Vec::<String>::new());
        }
    }

    #[test]
    fn a_vocabulary_that_is_full_begins_anew() {
        let mut vocabulary = Vocabulary::default();
        for product in 0..3 {
            vocabulary.begin();
            assert!(vocabulary.terms.len() <= MOST);
            for number in 0..=MOST {
                let id = vocabulary.id(&format!("{product}-{number}"));
                vocabulary.note(id, Class::Title);
            }
            assert_eq!(vocabulary.noted().count(), MOST + 1);
        }
    }
}
