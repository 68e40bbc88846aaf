//! From a product to the terms that find it: which, and of which class.
//!
//! A term counts with the best place where it stands. Words stand in it as they
//! are written (folded), with the singulars that they may be plurals of, and with
//! their roots by the grammar of their text; two words that follow each other in a
//! title make a pair, and a word of a title in one of several languages stands there
//! once more under that language.

use crate::terms::{Class, Terms};
use crate::text::root::Grammar;
use crate::text::{self, markup, stop};
use crate::vocabulary::Vocabulary;
use catalog::product::{Category, Description, stated};
use catalog::{LanguageTag, Localized, Product, Variant};
use std::collections::BTreeSet;

/// What ranking and the choice of variants need to know of a product's words.
pub(crate) struct Collected {
    /// For tantivy.
    pub(crate) terms: Terms,
    /// Words of the title in the feed's own language, at least 1.
    pub(crate) title_words: u8,
    /// For each variant the hashes, sorted, of the terms that not all variants have.
    pub(crate) variants: Vec<Vec<u32>>,
}

/// The term of the root of words that are not their own root.
pub(crate) fn rooted(root: &str) -> String {
    format!("\u{1}{root}")
}

/// Whether a term of the index is a word, or the singular of one, and no mark.
pub(crate) fn is_word(term: &str) -> bool {
    !term.starts_with(['\u{1}', '\u{2}', '\u{3}'])
}

/// The term of two words that follow each other.
pub(crate) fn pair(one: &str, other: &str) -> String {
    format!("\u{3}{one}\u{3}{other}")
}

/// The term of a word in a language, by its primary subtag.
pub(crate) fn in_language(primary: &str, word: &str) -> String {
    format!("\u{2}{}\u{2}{word}", primary.to_ascii_lowercase())
}

/// The hash by which a variant's terms are remembered: FNV-1a, folded to 32 bits.
/// Two terms that fall together cost at worst the order of two variants.
pub(crate) fn term_hash(term: &str) -> u32 {
    let hash = term.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash ^ (hash >> 32)) as u32
}

/// Reads products; keeps its room from one to the next.
#[derive(Default)]
pub(crate) struct Collector {
    vocabulary: Vocabulary,
    grammars: BTreeSet<Grammar>,
}

impl Collector {
    /// The grammars of the texts read so far.
    pub(crate) const fn grammars(&self) -> &BTreeSet<Grammar> {
        &self.grammars
    }

    /// The terms of `product`.
    pub(crate) fn product(&mut self, product: &Product) -> Collected {
        self.vocabulary.begin();
        let title_words = self.title(&product.title);
        let own = product.title.iter().next().and_then(|(tag, _)| Grammar::of(tag));
        self.facets(product, own);
        self.description(&product.description);
        let labels = self.options(product);
        let mut variants: Vec<Vec<u32>> = Vec::with_capacity(product.variants.len());
        for variant in &product.variants {
            let mut terms = self.variant(product, variant);
            for choice in &variant.choices {
                terms.extend_from_slice(&labels[choice.axis][choice.value]);
            }
            terms.sort_unstable();
            terms.dedup();
            variants.push(terms);
        }
        keep_what_differs(&mut variants);
        let mut terms = Terms::default();
        for (term, class) in self.vocabulary.noted() {
            terms.push(term, class);
        }
        Collected { terms, title_words, variants }
    }

    fn title(&mut self, title: &Localized<String>) -> u8 {
        self.localized(title, Class::Title, &mut Vec::new());
        let mut words = 0_u8;
        let mut before: Option<String> = None;
        text::each_word(title.own(), &mut |found| {
            if found.spelling || stop::is_stop_word(found.folded) {
                return;
            }
            words = words.saturating_add(1);
            if let Some(before) = &before {
                self.note(&pair(before, found.folded), Class::Title);
            }
            before = Some(found.folded.to_owned());
        });
        if title.iter().nth(1).is_some() {
            for (tag, text) in title.iter() {
                text::each_word(text, &mut |found| {
                    self.note(&in_language(tag.primary(), found.folded), Class::Title);
                });
            }
        }
        words.max(1)
    }

    fn facets(&mut self, product: &Product, grammar: Option<Grammar>) {
        let own = std::iter::once((product.metadata.as_ref(), &product.tags, &product.categories));
        let of_variants =
            product.variants.iter().map(|v| (v.metadata.as_ref(), &v.tags, &v.categories));
        for (metadata, tags, categories) in own.chain(of_variants) {
            let brand = stated(metadata, "brand").into_iter();
            let categories = categories.iter().filter(|c| !is_code(c)).map(|c| c.value.as_str());
            for facet in brand.chain(tags.iter().map(String::as_str)).chain(categories) {
                self.text(facet, grammar, Class::Facet, &mut Vec::new());
            }
        }
    }

    /// The terms of each value of each axis.
    fn options(&mut self, product: &Product) -> Vec<Vec<Vec<u32>>> {
        let mut labels = Vec::with_capacity(product.axes.len());
        for axis in product.axes.iter() {
            self.localized(&axis.name, Class::Variant, &mut Vec::new());
            let mut terms = Vec::with_capacity(axis.values.len());
            for value in &axis.values {
                let mut of_value = Vec::new();
                self.localized(&value.label, Class::Facet, &mut of_value);
                terms.push(of_value);
            }
            labels.push(terms);
        }
        labels
    }

    fn variant(&mut self, product: &Product, variant: &Variant) -> Vec<u32> {
        let mut terms = Vec::new();
        self.localized(&variant.title, Class::Variant, &mut terms);
        let numbers = variant.barcodes.iter().map(|barcode| barcode.value.as_str());
        for code in variant.sku.as_deref().into_iter().chain(numbers) {
            self.text(code, None, Class::Variant, &mut terms);
        }
        if variant.description != product.description {
            self.description(&variant.description);
        }
        terms
    }

    fn localized(&mut self, text: &Localized<String>, class: Class, terms: &mut Vec<u32>) {
        for (tag, text) in text.iter() {
            self.text(text, Grammar::of(tag), class, terms);
        }
    }

    fn description(&mut self, description: &Localized<Description>) {
        let mut read = |tag: &LanguageTag, forms: &Description| {
            let grammar = Grammar::of(tag);
            if let Some(text) = forms.plain.as_ref().or(forms.markdown.as_ref()) {
                self.text(text, grammar, Class::Description, &mut Vec::new());
            } else if let Some(html) = &forms.html {
                let text = markup::without_markup(html);
                self.text(&text, grammar, Class::Description, &mut Vec::new());
            }
        };
        description.iter().for_each(|(tag, forms)| read(tag, forms));
    }

    /// Notes the words of `text`, and the hashes of their terms, singulars, roots and
    /// other spellings included, in `terms`.
    fn text(&mut self, text: &str, grammar: Option<Grammar>, class: Class, terms: &mut Vec<u32>) {
        self.grammars.extend(grammar);
        let vocabulary = &mut self.vocabulary;
        text::each_word(text, &mut |found| {
            let word = vocabulary.id(found.folded);
            let grammar = grammar.filter(|_| !found.spelling);
            let forms = vocabulary.forms(word, grammar);
            for &term in std::iter::once(&word).chain(&*forms) {
                vocabulary.note(term, class);
                terms.push(vocabulary.hash(term));
            }
        });
    }

    fn note(&mut self, term: &str, class: Class) {
        let term = self.vocabulary.id(term);
        self.vocabulary.note(term, class);
    }
}

/// Takes out the terms that every variant has: they tell none from another.
fn keep_what_differs(variants: &mut [Vec<u32>]) {
    let Some((first, rest)) = variants.split_first() else { return };
    let shared: Vec<u32> = first
        .iter()
        .copied()
        .filter(|term| rest.iter().all(|terms| terms.binary_search(term).is_ok()))
        .collect();
    for terms in variants {
        terms.retain(|term| shared.binary_search(term).is_err());
    }
}

/// Whether a category is a number of its taxonomy, which no buyer types.
fn is_code(category: &Category) -> bool {
    category.value.bytes().all(|byte| byte.is_ascii_digit())
}
