//! The index itself: what is opened once, and the questions that it answers.

use crate::builder::{BuildError, Builder, prices_file};
use crate::facets::Facets;
use crate::filter::Filter;
use crate::identifiers::{Kind, Resolved};
use crate::items::Items;
use crate::lexicon::Lexicon;
use crate::page::{self, Page, Position, Top};
use crate::plan::{self, Plan};
use crate::query::{Hit, Hits, Query};
use crate::rank::{self, Found, Ranking};
use crate::sieve::Sieve;
use crate::storage::{Blobs, Column, Lists};
use crate::terms::{Home, TermsReader};
use crate::text::root::Grammar;
use catalog::{Currency, LanguageTag, Product};
use serde::{Deserialize, Serialize};
use std::io;
use std::ops::Range;
use std::path::Path;
use tantivy::directory::Directory;

/// The layout of the files; one of another number is not read.
const FORMAT: u32 = 2;
const META: &str = "search.json";

/// The products of a catalog, ready to be found; never changes.
///
/// A product's *ordinal* is its place in the order of ids; its *document* is its
/// place in the order in which products were added, by which the files are laid
/// out. Outside of this crate there are ordinals only.
pub struct Index {
    pub(crate) items: Items,
    pub(crate) facets: Facets,
    pub(crate) terms: TermsReader,
    payloads: Blobs,
    by_id: Column<u32>,
    ordinals: Column<u32>,
    pub(crate) standings: Column<u8>,
    pub(crate) title_words: Column<u8>,
    /// The score of each document in the list that is given without words.
    browse: Column<u32>,
    /// The places of that list, in its order.
    listed: Column<u64>,
    pub(crate) flags: Column<u8>,
    pub(crate) ratings: Column<f64>,
    pub(crate) prices: Vec<Column<u64>>,
    pub(crate) product_facets: Lists<u32>,
    pub(crate) variant_facets: Lists<u32>,
    variant_terms: Lists<u32>,
    pub(crate) currencies: Vec<Currency>,
    /// By which its texts were led back to roots.
    grammars: Vec<Grammar>,
    variants: u64,
}

/// What an index says of itself.
#[derive(Serialize, Deserialize)]
pub(crate) struct Meta {
    pub(crate) products: u64,
    pub(crate) variants: u64,
    pub(crate) currencies: Vec<String>,
    /// Primary subtags of the languages whose roots the terms have.
    pub(crate) grammars: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Written {
    format: u32,
    #[serde(flatten)]
    meta: Meta,
}

/// Why an index cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file is not there, or is no such file.
    #[error("cannot read the product index: {0}")]
    Read(#[from] io::Error),
    /// The terms cannot be read.
    #[error("cannot read the terms of the product index: {0}")]
    Terms(#[from] tantivy::TantivyError),
    /// Written by another version of this program.
    #[error("the product index has the format {0}, not {FORMAT}; build it again")]
    Format(u32),
    /// Files that do not belong together.
    #[error("the product index is damaged: {0}; build it again")]
    Damaged(&'static str),
}

impl Meta {
    pub(crate) fn write(self, directory: &dyn Directory) -> io::Result<()> {
        let written = Written { format: FORMAT, meta: self };
        crate::storage::write_bytes(directory, META, &serde_json::to_vec(&written)?)
    }

    fn read(directory: &dyn Directory) -> Result<Self, OpenError> {
        let bytes = crate::storage::open(directory, META)?;
        let written: Written = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
        if written.format != FORMAT {
            return Err(OpenError::Format(written.format));
        }
        Ok(written.meta)
    }
}

impl Index {
    /// Flags of a variant: it can be bought.
    pub(crate) const AVAILABLE: u8 = 1;
    /// The feed says nothing of that.
    pub(crate) const UNSAID: u8 = 2;
    /// The inventory says it.
    pub(crate) const PROVIDED: u8 = 4;

    /// The index of `products` in memory, for tests and tools; payloads are empty.
    ///
    /// # Errors
    ///
    /// See [`BuildError`].
    pub fn build<'p>(products: impl IntoIterator<Item = &'p Product>) -> Result<Self, BuildError> {
        let mut builder = Builder::in_memory()?;
        for product in products {
            builder.add(product, &[])?;
        }
        builder.seal()?.finish(|_| None)
    }

    /// Opens the index in `folder`, in place: nothing but the pages that questions
    /// touch is read.
    ///
    /// # Errors
    ///
    /// [`OpenError`]: there is none, or one of another format, or a damaged one.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        Self::open_home(&Home::folder(folder)?)
    }

    pub(crate) fn open_home(home: &Home) -> Result<Self, OpenError> {
        let directory = home.columns();
        let meta = Meta::read(directory)?;
        let products = usize::try_from(meta.products).unwrap_or(usize::MAX);
        let mut currencies = Vec::with_capacity(meta.currencies.len());
        for code in &meta.currencies {
            currencies.push(code.parse().map_err(|_| OpenError::Damaged("a currency"))?);
        }
        let grammars: Option<_> = meta.grammars.iter().map(|name| Grammar::named(name)).collect();
        let grammars = grammars.ok_or(OpenError::Damaged("a language"))?;
        let prices: Result<_, io::Error> =
            (0..currencies.len()).map(|at| Column::open(directory, &prices_file(at))).collect();
        let index = Self {
            items: Items::open(directory)?,
            facets: Facets::open(directory)?,
            terms: TermsReader::open(home, products)?,
            payloads: Blobs::open(directory, "payloads")?,
            by_id: Column::open(directory, "by-id")?,
            ordinals: Column::open(directory, "ordinals")?,
            standings: Column::open(directory, "standings")?,
            title_words: Column::open(directory, "title-words")?,
            browse: Column::open(directory, "browse")?,
            listed: Column::open(directory, "listed")?,
            flags: Column::open(directory, "flags")?,
            ratings: Column::open(directory, "ratings")?,
            prices: prices?,
            product_facets: Lists::open(directory, "product-facets")?,
            variant_facets: Lists::open(directory, "variant-facets")?,
            variant_terms: Lists::open(directory, "variant-terms")?,
            currencies,
            grammars,
            variants: meta.variants,
        };
        index.check(products)?;
        Ok(index)
    }

    /// Files of another index, or cut off, would be read out of bounds.
    fn check(&self, products: usize) -> Result<(), OpenError> {
        let of_products = [
            self.payloads.len(),
            self.by_id.len(),
            self.ordinals.len(),
            self.standings.len(),
            self.title_words.len(),
            self.browse.len(),
            self.listed.len(),
        ];
        let variants = self.flags.len();
        let priced = self.prices.iter().all(|column| column.len() == variants);
        if of_products.iter().any(|&rows| rows != products) {
            return Err(OpenError::Damaged("columns of products differ in length"));
        }
        if variants as u64 != self.variants || self.ratings.len() != variants || !priced {
            return Err(OpenError::Damaged("columns of variants differ in length"));
        }
        Ok(())
    }

    /// How many products there are.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is no product at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many variants there are.
    pub const fn variants(&self) -> u64 {
        self.variants
    }

    /// What the product was added with.
    ///
    /// # Panics
    ///
    /// Here and below, when `ordinal` is not below [`Self::len`].
    pub fn payload(&self, ordinal: u32) -> &[u8] {
        self.payloads.at(self.document(ordinal) as usize)
    }

    /// Whether the variant can be bought (rule C14); no when there is no such one.
    pub fn is_available(&self, ordinal: u32, variant: usize) -> bool {
        self.flags_of(ordinal, variant) & Self::AVAILABLE != 0
    }

    /// What the inventory says of a variant of which the feed says nothing.
    pub fn provided(&self, ordinal: u32, variant: usize) -> Option<bool> {
        let flags = self.flags_of(ordinal, variant);
        (flags & Self::PROVIDED != 0).then_some(flags & Self::AVAILABLE != 0)
    }

    /// Every currency that some variant has a price in, in the order of codes.
    pub fn currencies(&self) -> &[Currency] {
        &self.currencies
    }

    /// The currency of the catalog when it has just one (rule C3).
    pub fn sole_currency(&self) -> Option<Currency> {
        match self.currencies.as_slice() {
            &[only] => Some(only),
            _ => None,
        }
    }

    /// What items are called.
    pub const fn items(&self) -> &Items {
        &self.items
    }

    /// What `id` names (rule C9): a product id, else a variant id, else all that
    /// have it as sku, barcode, handle or URL; each product and variant once, in
    /// order. A handle or URL that a product shares with its variants names the
    /// product. Empty when nothing has it.
    pub fn resolve(&self, id: &str) -> Vec<Resolved> {
        self.items.resolve(id, &self.ordinals).into_iter().map(|(_, meant)| meant).collect()
    }

    /// Looks `filter` up, to hold it against variants.
    pub fn sieve<'i>(&'i self, filter: &'i Filter) -> Sieve<'i> {
        Sieve::new(self, filter)
    }

    /// One page of the products that match (rules C1 to C7).
    ///
    /// With words, a product matches when it has all of them; when fewer than a page
    /// of products in the whole catalog do, those follow that lack the less telling
    /// ones, and [`Hits::relaxed`] says which. An identifier as the whole text finds
    /// what it names first. Without words, all products match. Of these, those remain
    /// of which some variant passes the filter.
    pub fn search(&self, query: &Query<'_>) -> Hits {
        let sieve = self.sieve(query.filter);
        match query.text.map(str::trim).filter(|text| !text.is_empty() && *text != "*") {
            Some(text) => self.find(text, query, &sieve),
            None => self.list(query, &sieve),
        }
    }

    fn list(&self, query: &Query<'_>, sieve: &Sieve<'_>) -> Hits {
        let page = if sieve.is_empty() {
            page::cut_ordered(&self.listed, query.after, query.limit)
        } else {
            let mut top = Top::new(query.after, query.limit);
            rank::each_filtered(self, sieve, &mut |doc| {
                top.add(Position::new(self.browse.at(doc as usize), self.ordinal(doc)));
            });
            top.page()
        };
        self.hits(&page, sieve, |_, _| 0)
    }

    fn find(&self, text: &str, query: &Query<'_>, sieve: &Sieve<'_>) -> Hits {
        let named = self.identified(text);
        let mut identified: Vec<u32> =
            named.iter().map(|named| self.document(named.ordinal)).collect();
        identified.sort_unstable();
        identified.dedup();
        let lexicon = self.lexicon(query.language);
        let plan = Plan::new(lexicon, query.synonyms, text);
        let intent = query.intent.map(|intent| plan::hints(lexicon, intent, &plan));
        let mut top = Top::new(query.after, query.limit);
        let asked = rank::Asked {
            plan: &plan,
            intent: intent.as_deref().unwrap_or_default(),
            language: query.language,
            identified: &identified,
        };
        let ranking = rank::rank(self, &asked, sieve, &mut |found: Found| {
            top.add(Position::new(found.score, self.ordinal(found.doc)));
        });
        let Ranking { relaxed, whole, telling } = ranking;
        let page = top.page();
        let fits = rank::Fits::new(&plan, &telling);
        let hits = self.hits(&page, sieve, |ordinal, variant| {
            if named.contains(&Resolved { ordinal, variant: Some(variant) }) {
                return u64::MAX;
            }
            let number = self.number(self.document(ordinal), variant);
            number.map_or(0, |number| fits.fit(self.variant_terms.at(number as usize)))
        });
        Hits { relaxed, whole, ..hits }
    }

    /// The words of the catalog, for a buyer of `language`: by its grammar where the
    /// catalog has texts in it, else by those of all its texts.
    fn lexicon(&self, language: Option<&LanguageTag>) -> Lexicon<'_> {
        let own = language.and_then(Grammar::of);
        let own = own.and_then(|own| self.grammars.iter().position(|known| *known == own));
        let grammars = own.map_or(self.grammars.as_slice(), |at| &self.grammars[at..=at]);
        Lexicon { terms: &self.terms, grammars }
    }

    /// What `text` names as a whole. Handles do not count here: many are plain
    /// words, which are better looked for as words.
    fn identified(&self, text: &str) -> Vec<Resolved> {
        let named = self.items.resolve(text, &self.ordinals);
        named
            .into_iter()
            .filter(|&(kind, _)| kind != Kind::Handle)
            .map(|(_, meant)| meant)
            .collect()
    }

    fn hits(&self, page: &Page, sieve: &Sieve<'_>, fit: impl Fn(u32, usize) -> u64) -> Hits {
        let hit = |place: &Position| {
            let ordinal = place.ordinal();
            let doc = self.document(ordinal);
            let numbers = self.numbers(doc).enumerate();
            let mut variants: Vec<usize> = numbers
                .filter(|&(_, number)| sieve.is_empty() || sieve.passes_number(doc, number))
                .map(|(at, _)| at)
                .collect();
            variants.sort_by_cached_key(|&at| {
                (std::cmp::Reverse(fit(ordinal, at)), !self.is_available(ordinal, at))
            });
            Hit { ordinal, variants }
        };
        Hits {
            total: page.total,
            hits: page.places.iter().map(hit).collect(),
            next: page.next,
            relaxed: Vec::new(),
            whole: true,
        }
    }

    /// The document of a product.
    pub(crate) fn document(&self, ordinal: u32) -> u32 {
        self.by_id.at(ordinal as usize)
    }

    fn ordinal(&self, doc: u32) -> u32 {
        self.ordinals.at(doc as usize)
    }

    /// The numbers of the variants of a document.
    pub(crate) fn numbers(&self, doc: u32) -> Range<u32> {
        self.items.numbers(doc)
    }

    /// The number of a variant of a document.
    pub(crate) fn number(&self, doc: u32, variant: usize) -> Option<u32> {
        self.numbers(doc).nth(variant)
    }

    fn flags_of(&self, ordinal: u32, variant: usize) -> u8 {
        let number = self.number(self.document(ordinal), variant);
        number.map_or(0, |number| self.flags.at(number as usize))
    }
}
