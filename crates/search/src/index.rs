//! The index itself: what is built once, and the questions that it answers.

use crate::collect::{self, Collector, Posting, ProductTerms};
use crate::identifiers::{Identifiers, Kind, Resolved};
use crate::page::{self, Page, Position};
use crate::plan::Plan;
use crate::query::{Hit, Hits, Query};
use crate::rank::{self, Words};
use crate::vocabulary::Vocabulary;
use catalog::{Currency, Filter, Product, Variant, VariantId};
use std::collections::{BTreeSet, HashMap};

/// The products of a catalog, ready to be found; never changes.
pub struct Index {
    /// Sorted by id; a product's place is its ordinal.
    products: Vec<Product>,
    payloads: Vec<Vec<u8>>,
    stocked: HashMap<(u32, usize), bool>,
    terms: Vec<ProductTerms>,
    standings: Vec<u32>,
    vocabulary: Vocabulary,
    postings: Vec<Vec<Posting>>,
    languages: Vec<String>,
    identifiers: Identifiers,
    /// Each product's place in the list that is given without words.
    places: Vec<Position>,
    /// The same in the order of that list.
    listed: Vec<Position>,
    currencies: Vec<Currency>,
}

impl Index {
    /// Builds the index of `products`, whose ids and variant ids are unique, without
    /// payloads.
    pub fn build(products: Vec<Product>) -> Self {
        let payloads = vec![Vec::new(); products.len()];
        Self::with_payloads(products, payloads, |_| None)
    }

    /// Builds the index of `products`, whose ids and variant ids are unique, each
    /// with its payload; `provided` is what the inventory says of a variant.
    pub fn with_payloads(
        products: Vec<Product>,
        payloads: Vec<Vec<u8>>,
        provided: impl Fn(&VariantId) -> Option<bool>,
    ) -> Self {
        let mut paired: Vec<(Product, Vec<u8>)> = products.into_iter().zip(payloads).collect();
        paired.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        let (mut products, payloads): (Vec<Product>, Vec<Vec<u8>>) = paired.into_iter().unzip();
        let mut stocked = HashMap::new();
        for (ordinal, product) in (0_u32..).zip(&mut products) {
            for (at, variant) in product.variants.iter().enumerate() {
                if let (None, Some(available)) = (&variant.availability, provided(&variant.id)) {
                    stocked.insert((ordinal, at), available);
                }
            }
            product.apply_stock(&provided);
        }
        let mut collector = Collector::default();
        let mut terms = Vec::with_capacity(products.len());
        let mut standings = Vec::with_capacity(products.len());
        let mut places = Vec::with_capacity(products.len());
        let mut currencies = BTreeSet::new();
        for (ordinal, product) in (0_u32..).zip(&products) {
            terms.push(collector.product(ordinal, product));
            let available = product.variants.iter().any(Variant::is_available);
            let ratings = product.rating.as_ref().and_then(|rating| rating.count).unwrap_or(0);
            standings.push(rank::standing(available, ratings));
            places.push(Position::new(rank::browse_score(available, ratings), ordinal));
            for variant in &product.variants {
                currencies.extend(variant.prices.iter().map(|price| price.currency));
            }
        }
        let mut listed = places.clone();
        listed.sort_unstable();
        let Collector { mut vocabulary, mut postings, languages, .. } = collector;
        vocabulary.finish();
        postings.resize_with(vocabulary.len(), Vec::new);
        for list in &mut postings {
            list.shrink_to_fit();
        }
        Self {
            identifiers: Identifiers::new(&products),
            products,
            payloads,
            stocked,
            terms,
            standings,
            vocabulary,
            postings,
            languages,
            places,
            listed,
            currencies: currencies.into_iter().collect(),
        }
    }

    /// How many products there are.
    pub fn len(&self) -> usize {
        self.products.len()
    }

    /// Whether there is no product at all.
    pub fn is_empty(&self) -> bool {
        self.products.is_empty()
    }

    /// The product with an ordinal that this index gave.
    ///
    /// # Panics
    ///
    /// When `ordinal` is not below [`Self::len`].
    pub fn product(&self, ordinal: u32) -> &Product {
        &self.products[ordinal as usize]
    }

    /// What the product was added with.
    ///
    /// # Panics
    ///
    /// Here and below, when `ordinal` is not below [`Self::len`].
    pub fn payload(&self, ordinal: u32) -> &[u8] {
        &self.payloads[ordinal as usize]
    }

    /// Whether the variant can be bought (rule C14); no when there is no such one.
    pub fn is_available(&self, ordinal: u32, variant: usize) -> bool {
        self.product(ordinal).variants.get(variant).is_some_and(Variant::is_available)
    }

    /// What the inventory says of a variant of which the feed says nothing.
    pub fn provided(&self, ordinal: u32, variant: usize) -> Option<bool> {
        self.stocked.get(&(ordinal, variant)).copied()
    }

    /// Whether the variant passes `filter`; no when there is no such one.
    pub fn passes(&self, filter: &Filter, ordinal: u32, variant: usize) -> bool {
        let product = self.product(ordinal);
        product.variants.get(variant).is_some_and(|variant| filter.passes(product, variant))
    }

    /// All products in the order of their ids, which is that of their ordinals.
    pub fn products(&self) -> impl ExactSizeIterator<Item = &Product> {
        self.products.iter()
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

    /// What `id` names (rule C9): a product id, else a variant id, else all that
    /// have it as sku, barcode, handle or URL; each product and variant once, in
    /// order. A handle or URL that a product shares with its variants names the
    /// product. Empty when nothing has it.
    pub fn resolve(&self, id: &str) -> Vec<Resolved> {
        let named = self.identifiers.named(&self.products, id);
        named.into_iter().map(|(_, meant)| meant).collect()
    }

    /// One page of the products that match (rules C1 to C7).
    ///
    /// With words, a product matches when it has all of them; when none in the
    /// whole catalog does, fewer are required and [`Hits::relaxed`] says which
    /// were not. An identifier as the whole text finds what it names first.
    /// Without words, all products match. Of these, those remain of which some
    /// variant passes the filter.
    pub fn search(&self, query: &Query<'_>) -> Hits {
        match query.text.map(str::trim).filter(|text| !text.is_empty() && *text != "*") {
            Some(text) => self.find(text, query),
            None => self.list(query),
        }
    }

    fn list(&self, query: &Query<'_>) -> Hits {
        let page = if query.filter.is_empty() {
            page::cut_ordered(&self.listed, query.after, query.limit)
        } else {
            // In the order of ordinals, which is that of memory.
            let matching = self.products.iter().zip(&self.places);
            let matching = matching.filter(|(product, _)| query.filter.matches(product));
            page::cut(matching.map(|(_, &place)| place).collect(), query.after, query.limit)
        };
        self.hits(&page, query.filter, Vec::new(), |_, _| 0)
    }

    fn find(&self, text: &str, query: &Query<'_>) -> Hits {
        let named = self.identified(text);
        let mut identified: Vec<u32> = named.iter().map(|named| named.ordinal).collect();
        identified.dedup();
        let plan = Plan::new(&self.vocabulary, text);
        let language = query.language.and_then(|tag| collect::language_of(&self.languages, tag));
        let words =
            Words { postings: &self.postings, products: &self.terms, standings: &self.standings };
        let ranking = rank::rank(words, &plan, language, &identified);
        let matches = ranking
            .found
            .into_iter()
            .filter(|&(_, at)| query.filter.is_empty() || query.filter.matches(self.product(at)))
            .map(|(score, ordinal)| Position::new(score, ordinal))
            .collect();
        let page = page::cut(matches, query.after, query.limit);
        self.hits(&page, query.filter, ranking.relaxed, |ordinal, variant| {
            if named.contains(&Resolved { ordinal, variant: Some(variant) }) {
                return u64::MAX;
            }
            let variants = &self.terms[ordinal as usize].variants;
            variants.get(variant).map_or(0, |terms| rank::fit(&plan, &ranking.telling, terms))
        })
    }

    /// What `text` names as a whole. Handles do not count here: many are plain
    /// words, which are better looked for as words.
    fn identified(&self, text: &str) -> Vec<Resolved> {
        let named = self.identifiers.named(&self.products, text);
        named
            .into_iter()
            .filter(|&(kind, _)| kind != Kind::Handle)
            .map(|(_, meant)| meant)
            .collect()
    }

    fn hits(
        &self,
        page: &Page,
        filter: &Filter,
        relaxed: Vec<String>,
        fit: impl Fn(u32, usize) -> u64,
    ) -> Hits {
        let hit = |place: &Position| {
            let ordinal = place.ordinal();
            let product = self.product(ordinal);
            let passing = product.variants.iter().enumerate();
            let passing = passing.filter(|(_, v)| filter.is_empty() || filter.passes(product, v));
            let mut variants: Vec<usize> = passing.map(|(at, _)| at).collect();
            variants.sort_by_cached_key(|&at| {
                (std::cmp::Reverse(fit(ordinal, at)), !product.variants[at].is_available())
            });
            Hit { ordinal, variants }
        };
        Hits {
            total: page.total,
            hits: page.places.iter().map(hit).collect(),
            next: page.next,
            relaxed,
        }
    }
}
