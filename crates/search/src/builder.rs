//! Building an index: products in, one after the other, files out.
//!
//! Products come in any order and each is forgotten once it is added. What is
//! kept until the end are a few numbers for each variant; the payloads go to
//! their file at once, the terms to chunks that are merged at the end.

use crate::collect::{Collected, Collector};
use crate::facets::FacetsWriter;
use crate::identifiers::IdentifiersWriter;
use crate::index::{Index, Meta, OpenError};
use crate::items::Items;
use crate::page::Position;
use crate::rank;
use crate::sieve::NO_PRICE;
use crate::storage::{self, BlobsWriter, ListsWriter};
use crate::terms::{Home, Terms, TermsWriter};
use catalog::{Currency, Product, Variant};
use std::io;
use std::path::Path;

/// Makes an [`Index`].
pub struct Builder {
    home: Home,
    terms: TermsWriter,
    collector: Collector,
    facets: FacetsWriter,
    identifiers: IdentifiersWriter,
    payloads: BlobsWriter,
    ids: Vec<Box<str>>,
    first: Vec<u32>,
    title_words: Vec<u8>,
    popularity: Vec<u64>,
    product_facets: ListsWriter<u32>,
    variant_facets: ListsWriter<u32>,
    variant_terms: ListsWriter<u32>,
    flags: Vec<u8>,
    ratings: Vec<f64>,
    currencies: Vec<Currency>,
    /// By currency, by variant.
    prices: Vec<Vec<u64>>,
}

/// Why an index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be written.
    #[error("cannot write the product index: {0}")]
    Write(#[from] io::Error),
    /// The terms cannot be written.
    #[error("cannot write the terms of the product index: {0}")]
    Terms(#[from] tantivy::TantivyError),
    /// More products or variants than their numbers can tell apart.
    #[error("the catalog has too many variants: more than 4 billion")]
    TooMany,
    /// What was written cannot be read back.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl Builder {
    /// An index in memory, for tests and small stores.
    ///
    /// # Errors
    ///
    /// None in practice: memory takes what it is given.
    pub fn in_memory() -> Result<Self, BuildError> {
        Self::new(Home::memory())
    }

    /// An index in `folder`, which exists and is empty.
    ///
    /// # Errors
    ///
    /// The folder cannot be written.
    pub fn in_folder(folder: &Path) -> Result<Self, BuildError> {
        Self::new(Home::folder(folder)?)
    }

    fn new(home: Home) -> Result<Self, BuildError> {
        let payloads = BlobsWriter::create(home.columns(), "payloads")?;
        Ok(Self {
            home,
            terms: TermsWriter::new(),
            collector: Collector::default(),
            facets: FacetsWriter::default(),
            identifiers: IdentifiersWriter::default(),
            payloads,
            ids: Vec::new(),
            first: vec![0],
            title_words: Vec::new(),
            popularity: Vec::new(),
            product_facets: ListsWriter::default(),
            variant_facets: ListsWriter::default(),
            variant_terms: ListsWriter::default(),
            flags: Vec::new(),
            ratings: Vec::new(),
            currencies: Vec::new(),
            prices: Vec::new(),
        })
    }

    /// Adds a product, whose id and variant ids no other has, with the bytes that
    /// [`Index::payload`] is to give back.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or there are more than 2^32 variants.
    pub fn add(&mut self, product: &Product, payload: &[u8]) -> Result<(), BuildError> {
        let doc = u32::try_from(self.ids.len()).map_err(|_| BuildError::TooMany)?;
        let first = self.first.last().copied().unwrap_or(0);
        let variants = u32::try_from(product.variants.len()).map_err(|_| BuildError::TooMany)?;
        let end = first.checked_add(variants).ok_or(BuildError::TooMany)?;
        self.payloads.push(payload)?;
        self.identifiers.product(product, doc, first);
        let Collected { terms, title_words, variants } = self.collector.product(product);
        let facets = self.facets(product);
        self.words(&terms, &facets)?;
        for terms in variants {
            self.variant_terms.push(terms);
        }
        for variant in &product.variants {
            self.variant(product, variant);
        }
        self.ids.push(product.id.as_str().into());
        self.first.push(end);
        self.title_words.push(title_words);
        let ratings = product.rating.as_ref().and_then(|rating| rating.count);
        self.popularity.push(ratings.unwrap_or(0));
        Ok(())
    }

    fn words(&mut self, terms: &Terms, facets: &[u32]) -> Result<(), BuildError> {
        Ok(self.terms.add(&self.home, terms, facets)?)
    }

    /// Notes the facets of the product and its variants, and tells all of them.
    fn facets(&mut self, product: &Product) -> Vec<u32> {
        let mut all = self.facets.of_product(product);
        let shared = all.clone();
        for variant in &product.variants {
            let own = self.facets.of_variant(product, variant);
            all.extend_from_slice(&own);
            self.variant_facets.push(own);
        }
        self.product_facets.push(shared);
        all.sort_unstable();
        all.dedup();
        all
    }

    fn variant(&mut self, product: &Product, variant: &Variant) {
        let number = self.flags.len();
        let mut flags = 0;
        if variant.is_available() {
            flags |= Index::AVAILABLE;
        }
        if variant.availability.is_none() {
            flags |= Index::UNSAID;
        }
        self.flags.push(flags);
        let rating = product.rating.as_ref().or(variant.rating.as_ref());
        self.ratings.push(rating.map_or(f64::NAN, |rating| rating.value));
        for price in &variant.prices {
            let known = self.currencies.iter().position(|currency| *currency == price.currency);
            let column = known.unwrap_or_else(|| {
                self.currencies.push(price.currency);
                self.prices.push(Vec::new());
                self.prices.len() - 1
            });
            let column = &mut self.prices[column];
            // Of several prices in one currency the first counts.
            if column.len() <= number {
                column.resize(number, NO_PRICE);
                column.push(price.amount.minor_units());
            }
        }
    }

    /// Ends the adding: from now on the index knows what its items are called.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or read back.
    pub fn seal(mut self) -> Result<Sealed, BuildError> {
        let directory = self.home.columns();
        std::mem::take(&mut self.identifiers).write(directory)?;
        storage::write_column(directory, "first", &self.first)?;
        let items = Items::open(directory)?;
        Ok(Sealed { builder: self, items })
    }
}

/// An index to which nothing is added any more, on its way to be finished.
pub struct Sealed {
    builder: Builder,
    items: Items,
}

impl Sealed {
    /// What items are called.
    pub const fn items(&self) -> &Items {
        &self.items
    }

    /// Writes the rest and opens the index.
    ///
    /// `provided` says of a variant, by its number, whether some Location can
    /// provide it; `None` when the inventory does not name it (rule C14). It is
    /// asked for the variants of whose availability the feed says nothing.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or read back.
    pub fn finish(self, provided: impl Fn(u32) -> Option<bool>) -> Result<Index, BuildError> {
        let mut builder = self.builder;
        for (number, flags) in (0..).zip(&mut builder.flags) {
            if *flags & Index::UNSAID != 0
                && let Some(available) = provided(number)
            {
                *flags = Index::PROVIDED | if available { Index::AVAILABLE } else { 0 };
            }
        }
        let home = builder.write()?;
        Ok(Index::open_home(&home)?)
    }
}

impl Builder {
    fn write(mut self) -> Result<Home, BuildError> {
        self.write_order()?;
        let directory = self.home.columns();
        storage::write_column(directory, "title-words", &self.title_words)?;
        storage::write_column(directory, "flags", &self.flags)?;
        storage::write_column(directory, "ratings", &self.ratings)?;
        let mut priced: Vec<(Currency, Vec<u64>)> =
            self.currencies.into_iter().zip(self.prices).collect();
        priced.sort_unstable_by_key(|(currency, _)| *currency);
        let mut currencies = Vec::with_capacity(priced.len());
        for (at, (currency, mut column)) in priced.into_iter().enumerate() {
            column.resize(self.flags.len(), NO_PRICE);
            storage::write_column(directory, &prices_file(at), &column)?;
            currencies.push(currency.to_string());
        }
        self.product_facets.write(directory, "product-facets")?;
        self.variant_facets.write(directory, "variant-facets")?;
        self.variant_terms.write(directory, "variant-terms")?;
        self.facets.write(directory)?;
        self.payloads.finish(directory)?;
        let (products, variants) = (self.ids.len() as u64, self.flags.len() as u64);
        drop(self.ids);
        self.terms.finish(&self.home)?;
        let grammars = self.collector.grammars().iter();
        let grammars = grammars.map(|grammar| grammar.name().to_owned()).collect();
        Meta { products, variants, currencies, grammars }.write(self.home.columns())?;
        Ok(self.home)
    }

    /// The order of ids, and that in which products are listed without words.
    fn write_order(&mut self) -> io::Result<()> {
        let directory = self.home.columns();
        let mut by_id: Vec<u32> = (0..).take(self.ids.len()).collect();
        by_id.sort_unstable_by(|&a, &b| self.ids[a as usize].cmp(&self.ids[b as usize]));
        let mut ordinals = vec![0_u32; by_id.len()];
        for (ordinal, &doc) in (0..).zip(&by_id) {
            ordinals[doc as usize] = ordinal;
        }
        let (mut standings, mut browse, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for (doc, &ordinal) in ordinals.iter().enumerate() {
            let numbers = self.first[doc] as usize..self.first[doc + 1] as usize;
            let available = self.flags[numbers].iter().any(|flags| flags & Index::AVAILABLE != 0);
            let ratings = self.popularity[doc];
            standings.push(rank::standing(available, ratings));
            let score = rank::browse_score(available, ratings);
            browse.push(score);
            listed.push(Position::new(score, ordinal).to_number());
        }
        listed.sort_unstable();
        storage::write_column(directory, "by-id", &by_id)?;
        storage::write_column(directory, "ordinals", &ordinals)?;
        storage::write_column(directory, "standings", &standings)?;
        storage::write_column(directory, "browse", &browse)?;
        storage::write_column(directory, "listed", &listed)
    }
}

/// The file of a price column.
pub(crate) fn prices_file(at: usize) -> String {
    format!("prices-{at}")
}
