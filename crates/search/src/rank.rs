//! Which products have the words of a query, and how well.
//!
//! A product's score is the sum, over the words that it has, of how telling the
//! word is in this catalog times how weighty the place is where it stands, with
//! a little on top where the words fill much of its title. All arithmetic is in
//! integers, so that the order is the same on every machine and every day.

use crate::collect::{in_language, pair, term_hash};
use crate::index::Index;
use crate::matching::{self, Need, Stand};
use crate::plan::{Part, Plan, Term};
use crate::sieve::Sieve;
use catalog::LanguageTag;
use std::collections::HashSet;

/// Bits of a score, from the top: an identifier was typed, 24 of relevance, can
/// be bought, 6 of popularity.
const IDENTIFIED: u32 = 1 << 31;
const RELEVANCE_MAX: u64 = (1 << 24) - 1;
const RELEVANCE_SHIFT: u32 = 7;
const AVAILABLE: u32 = 1 << 6;
const POPULARITY_MAX: u32 = 63;

/// What a product's standing adds to every score: it breaks ties of relevance.
pub(crate) fn standing(available: bool, ratings: u64) -> u8 {
    let popularity = (u64::BITS - ratings.leading_zeros()).min(POPULARITY_MAX);
    let standing = if available { AVAILABLE | popularity } else { popularity };
    u8::try_from(standing).unwrap_or(u8::MAX)
}

/// The score by which products are listed when nothing was typed: those that can
/// be bought first, then those with more ratings.
pub(crate) fn browse_score(available: bool, ratings: u64) -> u32 {
    let ratings = u32::try_from(ratings).unwrap_or(u32::MAX).min(i32::MAX as u32);
    if available { 1 << 31 | ratings } else { ratings }
}

/// What is asked for.
pub(crate) struct Asked<'a> {
    pub(crate) plan: &'a Plan,
    /// What the buyer is about.
    pub(crate) intent: Option<&'a Plan>,
    /// The buyer's.
    pub(crate) language: Option<&'a LanguageTag>,
    /// Documents that the text names as a whole, sorted.
    pub(crate) identified: &'a [u32],
}

/// A product that is found.
pub(crate) struct Found {
    pub(crate) doc: u32,
    pub(crate) score: u32,
}

/// How products were ranked.
pub(crate) struct Ranking {
    /// The words that were not required, as typed.
    pub(crate) relaxed: Vec<String>,
    /// How telling each term is, for [`Fits`].
    pub(crate) telling: Vec<u32>,
}

/// Tells the products that have all the words of the plan, or, when there are none,
/// as many words as any product has, and of as many the most telling; of these,
/// those that pass the sieve. Products that are identified are found whatever
/// their words, come first, and spare the rest of the words being dropped.
pub(crate) fn rank(
    index: &Index,
    asked: &Asked<'_>,
    sieve: &Sieve<'_>,
    see: &mut dyn FnMut(Found),
) -> Ranking {
    let plan = asked.plan;
    let telling: Vec<u32> = plan
        .terms
        .iter()
        .map(|term| how_telling(index.len(), matching::documents(index, term)))
        .collect();
    for &doc in asked.identified {
        if sieve.passes_document(doc) {
            let words = Words::new(index, asked, &telling, all(&telling));
            let score = words.map_or(standing_of(index, doc), |mut words| words.score_of(doc));
            see(Found { doc, score: score | IDENTIFIED });
        }
    }
    let mut relaxed = Vec::new();
    let required = if !asked.identified.is_empty() || matching::any(index, plan, all(&telling)) {
        (!telling.is_empty()).then(|| all(&telling))
    } else {
        let required = required(&matching::masks(index, plan), &telling);
        relaxed = dropped(plan, required);
        required
    };
    if let Some(mut words) =
        required.and_then(|required| Words::new(index, asked, &telling, required))
    {
        words.each(sieve, &mut |found| {
            if asked.identified.binary_search(&found.doc).is_err() {
                see(found);
            }
        });
    }
    Ranking { relaxed, telling }
}

/// Tells the documents of which some variant passes.
pub(crate) fn each_filtered(index: &Index, sieve: &Sieve<'_>, see: &mut dyn FnMut(u32)) {
    let mut needs = facet_needs(index, sieve);
    if needs.is_empty() {
        let all = 0..u32::try_from(index.len()).unwrap_or(u32::MAX);
        all.filter(|&doc| sieve.passes_document(doc)).for_each(see);
        return;
    }
    matching::each_common(&mut needs, &mut |_, doc| {
        if sieve.passes_document(doc) {
            see(doc);
        }
    });
}

fn facet_needs(index: &Index, sieve: &Sieve<'_>) -> Vec<Need> {
    sieve.groups().iter().map(|group| Need::facets(index, group)).collect()
}

/// The required words of a plan over the postings of an index.
struct Words<'a> {
    index: &'a Index,
    /// Of each required term how telling it is, in the order of `needs`.
    telling: Vec<u32>,
    needs: Vec<Need>,
    /// Pairs of words that follow each other, words in the buyer's language, and
    /// words of the intent: what is worth a little more.
    extras: Vec<(u32, Need)>,
}

impl<'a> Words<'a> {
    fn new(index: &'a Index, asked: &Asked<'_>, telling: &[u32], required: u32) -> Option<Self> {
        let mut chosen = Vec::new();
        for (at, term) in asked.plan.terms.iter().enumerate() {
            if required & (1 << at) != 0 {
                chosen.push((telling[at], Need::term(index, term)));
            }
        }
        let extras = extras(index, asked, telling, required);
        let (telling, needs) = chosen.into_iter().unzip();
        let words = Self { index, telling, needs, extras };
        (!words.needs.is_empty()).then_some(words)
    }

    /// Tells every document that has all the words and passes.
    fn each(&mut self, sieve: &Sieve<'_>, see: &mut dyn FnMut(Found)) {
        let Self { index, telling, needs, extras } = self;
        let words = needs.len();
        let mut all = std::mem::take(needs);
        all.extend(facet_needs(index, sieve));
        matching::each_common(&mut all, &mut |needs, doc| {
            if sieve.passes_document(doc) {
                let score = score(index, telling, &needs[..words], extras, doc);
                see(Found { doc, score });
            }
        });
    }

    /// The score of a document whether or not it has all the words.
    fn score_of(&mut self, doc: u32) -> u32 {
        for need in &mut self.needs {
            need.seek(doc);
        }
        score(self.index, &self.telling, &self.needs, &mut self.extras, doc)
    }
}

fn all(telling: &[u32]) -> u32 {
    u32::MAX.checked_shr(u32::BITS - telling.len().min(32) as u32).unwrap_or(0)
}

fn standing_of(index: &Index, doc: u32) -> u32 {
    u32::from(index.standings.at(doc as usize))
}

/// What is worth more without being required.
fn extras(index: &Index, asked: &Asked<'_>, telling: &[u32], required: u32) -> Vec<(u32, Need)> {
    let mut extras = Vec::new();
    let folded: Vec<&str> = asked.plan.terms.iter().map(|term| term.folded.as_str()).collect();
    for (at, two) in folded.windows(2).enumerate() {
        if required >> at & 0b11 == 0b11
            && let Some(need) = Need::exact(index, &pair(two[0], two[1]))
        {
            extras.push((telling[at].min(telling[at + 1]) / PAIR_PART, need));
        }
    }
    if let Some(language) = asked.language {
        for (at, word) in folded.iter().enumerate() {
            if let Some(need) = Need::exact(index, &in_language(language.primary(), word)) {
                extras.push((telling[at] / LANGUAGE_PART, need));
            }
        }
    }
    for term in asked.intent.iter().flat_map(|intent| &intent.terms).take(MOST_INTENT) {
        let having = matching::documents(index, term);
        // What most products have leans to none of them.
        if having > 0 && having <= index.len() / 2 {
            let telling = how_telling(index.len(), having);
            extras.push((telling / INTENT_PART, Need::term(index, term)));
        }
    }
    extras
}

/// A word of the intent is worth this part of one of the query.
const INTENT_PART: u32 = 4;
/// The most words of an intent that count.
const MOST_INTENT: usize = 8;
/// A pair of words is worth this part of the less telling one.
const PAIR_PART: u32 = 2;
/// A word in the buyer's language is worth this part more.
const LANGUAGE_PART: u32 = 10;

/// `needs` stand at `doc` or behind it; extras are moved there.
fn score(
    index: &Index,
    telling: &[u32],
    needs: &[Need],
    extras: &mut [(u32, Need)],
    doc: u32,
) -> u32 {
    let (mut sum, mut in_title) = (0_u64, 0_u64);
    for (&telling, need) in telling.iter().zip(needs) {
        let Stand { worth, title } = need.stand_at(doc);
        sum += u64::from(telling) * u64::from(worth);
        in_title += u64::from(title);
    }
    for (telling, need) in extras {
        need.seek(doc);
        sum += u64::from(*telling) * u64::from(need.stand_at(doc).worth);
    }
    let title_words = u64::from(index.title_words.at(doc as usize)).max(1);
    let whole = sum + sum * in_title.min(title_words) / (4 * title_words);
    // Scaled so that no score of a full query overflows.
    let relevance = (whole / 32).min(RELEVANCE_MAX);
    u32::try_from(relevance).unwrap_or_default() << RELEVANCE_SHIFT | standing_of(index, doc)
}

/// How well variants fit a query.
pub(crate) struct Fits {
    /// Of each term how telling it is, and the ways to have it.
    terms: Vec<(u64, Vec<WayHashes>)>,
}

/// The alternatives of each part of a way, by their hashes, with their factors.
type WayHashes = Vec<Vec<(u32, u64)>>;

impl Fits {
    pub(crate) fn new(plan: &Plan, telling: &[u32]) -> Self {
        let part = |part: &Part| -> Vec<(u32, u64)> {
            part.iter().map(|(term, factor)| (term_hash(term), u64::from(*factor))).collect()
        };
        let ways = |term: &Term| -> Vec<WayHashes> {
            term.ways.iter().map(|way| way.iter().map(part).collect()).collect()
        };
        let terms = plan.terms.iter().zip(telling);
        Self { terms: terms.map(|(term, &told)| (u64::from(told), ways(term))).collect() }
    }

    /// How well the variant with these terms fits: the sum of how telling the
    /// words are that it has.
    pub(crate) fn fit(&self, terms: impl Iterator<Item = u32>) -> u64 {
        let had: HashSet<u32> = terms.collect();
        if had.is_empty() {
            return 0;
        }
        let of_part = |part: &Vec<(u32, u64)>| {
            part.iter().filter(|(term, _)| had.contains(term)).map(|&(_, f)| f).max().unwrap_or(0)
        };
        // A part that all variants have tells nothing against one of them.
        let of_way = |way: &WayHashes| way.iter().map(of_part).max().unwrap_or(0);
        let of_term = |ways: &Vec<WayHashes>| ways.iter().map(of_way).max().unwrap_or(0);
        self.terms.iter().map(|(telling, ways)| of_term(ways) * telling).sum()
    }
}

/// The terms that a product must have, a bit each: as many as any product has;
/// `None` when no product has any.
fn required(masks: &[u32], telling: &[u32]) -> Option<u32> {
    let mut best: Option<(u32, u64, u32)> = None;
    for &terms in masks.iter().filter(|terms| **terms != 0) {
        if best.is_some_and(|(.., reversed)| reversed.reverse_bits() == terms) {
            continue;
        }
        let had = (0..).zip(telling).filter(|&(at, _)| terms & (1 << at) != 0);
        let weight = had.map(|(_, &weight)| u64::from(weight)).sum();
        // Of equals, the words typed first.
        best = best.max(Some((terms.count_ones(), weight, terms.reverse_bits())));
    }
    best.map(|(.., reversed)| reversed.reverse_bits())
}

fn dropped(plan: &Plan, required: Option<u32>) -> Vec<String> {
    let Some(required) = required else { return Vec::new() };
    let terms = (0..).zip(&plan.terms);
    let missing = terms.filter(|&(at, _)| required & (1 << at) == 0);
    missing.map(|(_, term)| term.typed.clone()).chain(plan.beyond.iter().cloned()).collect()
}

/// How telling a word is that `having` of `all` products have: 16 in all of them,
/// 64 more each time that half as many have it.
fn how_telling(all: usize, having: usize) -> u32 {
    16 + log2_64ths(2 * all as u64 + 2).saturating_sub(log2_64ths(2 * having as u64 + 1))
}

/// The binary logarithm of `number` (at least 1) in steps of 1/64, rounded down.
fn log2_64ths(number: u64) -> u32 {
    let number = number.max(1);
    let whole = number.ilog2();
    let mut mantissa = u128::from(number) << (63 - whole);
    let mut log = whole;
    for _ in 0..6 {
        mantissa = (mantissa * mantissa) >> 63;
        let bit = u32::from(mantissa >> 64 != 0);
        mantissa >>= bit;
        log = log << 1 | bit;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_64th() {
        for number in [1_u64, 2, 3, 5, 10, 1000, 123_456, 1 << 40, u64::MAX] {
            let exact = (number as f64).log2() * 64.0;
            let ours = f64::from(log2_64ths(number));
            assert!((exact - 1.001..=exact + 0.001).contains(&ours), "{number}: {ours} {exact}");
        }
    }

    #[test]
    fn rarer_words_tell_more() {
        assert!((16..=17).contains(&how_telling(1000, 1000)));
        assert!(how_telling(1000, 1) > how_telling(1000, 10));
        assert!(how_telling(1000, 10) > how_telling(1000, 500));
        assert!(how_telling(1, 1) >= 16);
    }

    #[test]
    fn a_full_query_of_the_rarest_words_stays_within_its_bits() {
        let most = u64::from(how_telling(u32::MAX as usize, 1)) * 8000 * 32;
        assert!((most + most / 4) / 32 <= RELEVANCE_MAX * 2, "clamped at worst, never wrapped");
        assert_eq!(
            (RELEVANCE_MAX as u32) << RELEVANCE_SHIFT >> RELEVANCE_SHIFT,
            RELEVANCE_MAX as u32
        );
        assert_eq!(((RELEVANCE_MAX as u32) << RELEVANCE_SHIFT) & IDENTIFIED, 0);
        assert!(u32::from(standing(true, u64::MAX)) < 1 << RELEVANCE_SHIFT);
    }

    #[test]
    fn standing_and_browsing_put_the_available_first() {
        assert!(standing(true, 0) > standing(false, u64::MAX));
        assert!(standing(true, 100) > standing(true, 10));
        assert!(browse_score(true, 0) > browse_score(false, u64::MAX));
        assert!(browse_score(true, 11) > browse_score(true, 10));
        assert_eq!(browse_score(false, u64::MAX), i32::MAX as u32);
    }

    #[test]
    fn as_many_words_as_possible_are_required_then_the_most_telling() {
        assert_eq!(required(&[0b111, 0b011], &[1, 1, 1]), Some(0b111));
        assert_eq!(required(&[0b011, 0b101, 0b100], &[5, 1, 9]), Some(0b101));
        assert_eq!(required(&[0b011, 0b100], &[1, 1, 99]), Some(0b011), "number before weight");
        assert_eq!(required(&[0b110, 0b011], &[4, 4, 4]), Some(0b011), "the words typed first");
        assert_eq!(required(&[0, 0], &[4, 4]), None);
        assert_eq!(required(&[0], &[]), None);
        assert_eq!((all(&[]), all(&[1]), all(&[1; 32])), (0, 1, u32::MAX));
    }
}
