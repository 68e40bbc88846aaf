//! From products to postings: which term stands in which product, how weightily.
//!
//! A term counts in a product with the best place where it stands; other forms
//! of a word (stems, other spellings) count a little less than the word itself.

use crate::text::{self, markup, stem};
use crate::vocabulary::{TermId, Vocabulary};
use catalog::filter::stated;
use catalog::product::{Category, Description};
use catalog::{LanguageTag, Localized, Product, Variant};

/// Places of a product where words stand, by what a word there is worth.
mod place {
    pub(super) const TITLE: u8 = 80;
    pub(super) const FACET: u8 = 50;
    pub(super) const VARIANT: u8 = 30;
    pub(super) const DESCRIPTION: u8 = 10;
}

/// The number of a language by its primary subtag.
pub(crate) type LanguageId = u8;

/// Texts that have no language: brands, tags, identifiers.
pub(crate) const NO_LANGUAGE: LanguageId = 0;

/// That a term stands in a product, in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) ordinal: u32,
    pub(crate) language: LanguageId,
    /// What it is worth there, 1 to 80.
    pub(crate) weight: u8,
}

impl Posting {
    /// Whether the term stands in the title, in whatever form.
    pub(crate) fn is_title(self) -> bool {
        self.weight >= lesser(place::TITLE)
    }
}

/// What a form of a word is worth where the word itself is worth `weight`.
const fn lesser(weight: u8) -> u8 {
    weight - weight / 10
}

/// What ranking knows of a product's words besides the postings.
pub(crate) struct ProductTerms {
    /// Words of the title in the feed's own language, at least 1.
    pub(crate) title_words: u32,
    /// The terms of each variant, sorted; empty when there is one variant only.
    pub(crate) variants: Vec<Box<[TermId]>>,
}

/// The words of a catalog, as far as it has been read.
#[derive(Default)]
pub(crate) struct Collector {
    pub(crate) vocabulary: Vocabulary,
    /// By term, in the order of ordinals.
    pub(crate) postings: Vec<Vec<Posting>>,
    /// Primary subtags in lower case; the number of the first is 1.
    pub(crate) languages: Vec<String>,
    /// The stems of a term once it has been met as a word.
    stems: Vec<Option<Box<[TermId]>>>,
    /// What the product being read has: term, language, weight.
    current: Vec<(TermId, LanguageId, u8)>,
}

impl Collector {
    /// Reads a product; ordinals must come in ascending order.
    pub(crate) fn product(&mut self, ordinal: u32, product: &Product) -> ProductTerms {
        let mut title_words = 0;
        self.localized(&product.title, place::TITLE, &mut Vec::new());
        text::each_word(product.title.own(), &mut |found| {
            title_words += u32::from(!found.spelling && !text::stop::is_stop_word(found.folded));
        });
        self.facets(product);
        self.description(&product.description);
        let labels = self.options(product);
        let mut variants: Vec<Box<[TermId]>> = Vec::with_capacity(product.variants.len());
        for variant in &product.variants {
            let mut terms = self.variant(product, variant);
            for choice in &variant.choices {
                terms.extend_from_slice(&labels[choice.axis][choice.value]);
            }
            terms.sort_unstable();
            terms.dedup();
            variants.push(terms.into());
        }
        if variants.len() < 2 {
            variants.clear();
        }
        self.post(ordinal);
        ProductTerms { title_words: title_words.max(1), variants }
    }

    fn facets(&mut self, product: &Product) {
        let stated_brand = |metadata| stated(metadata, "brand");
        let own = std::iter::once((product.metadata.as_ref(), &product.tags, &product.categories));
        let of_variants =
            product.variants.iter().map(|v| (v.metadata.as_ref(), &v.tags, &v.categories));
        for (metadata, tags, categories) in own.chain(of_variants) {
            let brand = stated_brand(metadata).into_iter();
            let categories = categories.iter().filter(|c| !is_code(c)).map(|c| c.value.as_str());
            for facet in brand.chain(tags.iter().map(String::as_str)).chain(categories) {
                self.text(facet, NO_LANGUAGE, place::FACET, &mut Vec::new());
            }
        }
    }

    /// The terms of each value of each axis.
    fn options(&mut self, product: &Product) -> Vec<Vec<Vec<TermId>>> {
        let mut labels = Vec::with_capacity(product.axes.len());
        for axis in product.axes.iter() {
            self.localized(&axis.name, place::VARIANT, &mut Vec::new());
            let mut terms = Vec::with_capacity(axis.values.len());
            for value in &axis.values {
                let mut of_value = Vec::new();
                self.localized(&value.label, place::FACET, &mut of_value);
                terms.push(of_value);
            }
            labels.push(terms);
        }
        labels
    }

    fn variant(&mut self, product: &Product, variant: &Variant) -> Vec<TermId> {
        let mut terms = Vec::new();
        self.localized(&variant.title, place::VARIANT, &mut terms);
        let numbers = variant.barcodes.iter().map(|barcode| barcode.value.as_str());
        for code in variant.sku.as_deref().into_iter().chain(numbers) {
            self.text(code, NO_LANGUAGE, place::VARIANT, &mut terms);
        }
        if variant.description != product.description {
            self.description(&variant.description);
        }
        terms
    }

    fn localized(&mut self, text: &Localized<String>, weight: u8, terms: &mut Vec<TermId>) {
        for (tag, text) in text.iter() {
            let language = self.language(tag);
            self.text(text, language, weight, terms);
        }
    }

    fn description(&mut self, description: &Localized<Description>) {
        for (tag, forms) in description.iter() {
            let language = self.language(tag);
            if let Some(text) = forms.plain.as_ref().or(forms.markdown.as_ref()) {
                self.text(text, language, place::DESCRIPTION, &mut Vec::new());
            } else if let Some(html) = &forms.html {
                let text = markup::without_markup(html);
                self.text(&text, language, place::DESCRIPTION, &mut Vec::new());
            }
        }
    }

    /// Notes the words of `text` in the current product, and their terms, stems
    /// and other spellings included, in `terms`.
    fn text(&mut self, text: &str, language: LanguageId, weight: u8, terms: &mut Vec<TermId>) {
        text::each_word(text, &mut |found| {
            let weight = if found.spelling { lesser(weight) } else { weight };
            let term = self.vocabulary.intern(found.folded, true);
            self.current.push((term, language, weight));
            terms.push(term);
            let at = term as usize;
            if self.stems.len() <= at {
                self.stems.resize(at + 1, None);
            }
            let stems = self.stems[at].get_or_insert_with(|| {
                let mut stems = Vec::new();
                stem::each_stem(found.folded, &mut |stem| {
                    stems.push(self.vocabulary.intern(stem, false));
                });
                stems.into()
            });
            self.current.extend(stems.iter().map(|&stem| (stem, language, lesser(weight))));
            terms.extend_from_slice(stems);
        });
    }

    fn language(&mut self, tag: &LanguageTag) -> LanguageId {
        if let Some(known) = language_of(&self.languages, tag) {
            return known;
        }
        // More languages than numbers: the last ones are not told apart.
        match LanguageId::try_from(self.languages.len() + 1) {
            Ok(new) => {
                self.languages.push(tag.primary().to_ascii_lowercase());
                new
            }
            Err(_) => NO_LANGUAGE,
        }
    }

    /// Turns what the current product has into postings.
    fn post(&mut self, ordinal: u32) {
        self.current.sort_unstable_by_key(|&(term, language, weight)| {
            (term, language, std::cmp::Reverse(weight))
        });
        self.current.dedup_by_key(|&mut (term, language, _)| (term, language));
        self.postings.resize_with(self.vocabulary.len(), Vec::new);
        for (term, language, weight) in self.current.drain(..) {
            self.postings[term as usize].push(Posting { ordinal, language, weight });
        }
    }
}

/// The number of the language of `tag` among `languages`.
pub(crate) fn language_of(languages: &[String], tag: &LanguageTag) -> Option<LanguageId> {
    let at = languages.iter().position(|known| known.eq_ignore_ascii_case(tag.primary()))?;
    LanguageId::try_from(at + 1).ok()
}

/// Whether a category is a number of its taxonomy, which no buyer types.
fn is_code(category: &Category) -> bool {
    category.value.bytes().all(|byte| byte.is_ascii_digit())
}
