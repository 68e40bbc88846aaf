//! A search and its answer, as the rest of the program sees them.

use crate::filter::Filter;
use crate::page::Position;
use crate::synonyms::Synonyms;
use catalog::LanguageTag;

/// What to search for.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The buyer's words; `None`, blank and `*` mean everything.
    pub text: Option<&'a str>,
    /// The buyer's language: its texts count a little more, none are left out.
    pub language: Option<&'a LanguageTag>,
    /// What the buyer is about, in their words: it lifts products that say the same
    /// a little, and neither adds nor removes any.
    pub intent: Option<&'a str>,
    /// What stands for words besides themselves.
    pub synonyms: Option<&'a Synonyms>,
    /// What a variant must satisfy.
    pub filter: &'a Filter,
    /// Where the page before ended; `None` for the first page.
    pub after: Option<Position>,
    /// How many products to return at most; 0 counts as 1.
    pub limit: usize,
}

impl<'a> Query<'a> {
    /// Everything that passes `filter`: the first page, of one product.
    pub const fn new(filter: &'a Filter) -> Self {
        Self {
            text: None,
            language: None,
            intent: None,
            synonyms: None,
            filter,
            after: None,
            limit: 1,
        }
    }
}

/// One page of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hits {
    /// How many products match, on all pages together; exact (rule C7).
    pub total: u64,
    /// The products of this page, best first.
    pub hits: Vec<Hit>,
    /// Where this page ends; present exactly when more matches follow.
    pub next: Option<Position>,
    /// Words of the query, as typed, that products of the answer lack, on whatever
    /// page; in the query's order. Products that have all the words come first.
    pub relaxed: Vec<String>,
    /// Whether some product of the catalog has all the words.
    pub whole: bool,
}

/// A product that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Which product, for [`crate::Index::payload`].
    pub ordinal: u32,
    /// Indices of its variants that pass the filter (rule C4), never empty: those
    /// that fit the words best, then those that can be bought, then feed order.
    pub variants: Vec<usize>,
}
