//! Which products have the words of a query, and how well.
//!
//! A product's score is the sum, over the words that it has, of how telling the
//! word is in this catalog times how weighty the place is where it stands, with
//! a little on top where the words fill much of its title. All arithmetic is in
//! integers, so that the order is the same on every machine and every day.

use crate::collect::{LanguageId, NO_LANGUAGE, Posting, ProductTerms};
use crate::plan::{Part, Plan, Term};
use crate::vocabulary::TermId;

/// Bits of a score, from the top: an identifier was typed, 24 of relevance, can
/// be bought, 6 of popularity.
const IDENTIFIED: u32 = 1 << 31;
const RELEVANCE_MAX: u64 = (1 << 24) - 1;
const RELEVANCE_SHIFT: u32 = 7;
const AVAILABLE: u32 = 1 << 6;
const POPULARITY_MAX: u32 = 63;

/// What a product's standing adds to every score: it breaks ties of relevance.
pub(crate) fn standing(available: bool, ratings: u64) -> u32 {
    let popularity = (u64::BITS - ratings.leading_zeros()).min(POPULARITY_MAX);
    if available { AVAILABLE | popularity } else { popularity }
}

/// The score by which products are listed when nothing was typed: those that can
/// be bought first, then those with more ratings.
pub(crate) fn browse_score(available: bool, ratings: u64) -> u32 {
    let ratings = u32::try_from(ratings).unwrap_or(u32::MAX).min(i32::MAX as u32);
    if available { 1 << 31 | ratings } else { ratings }
}

/// What ranking reads of an index.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) postings: &'a [Vec<Posting>],
    pub(crate) products: &'a [ProductTerms],
    /// By product, from [`standing`].
    pub(crate) standings: &'a [u32],
}

/// The products that a query finds.
pub(crate) struct Ranking {
    /// Score and ordinal, in the order of ordinals.
    pub(crate) found: Vec<(u32, u32)>,
    /// The words that were not required, as typed.
    pub(crate) relaxed: Vec<String>,
    /// How telling each term is, for [`fit`].
    pub(crate) telling: Vec<u32>,
}

/// What one product has of the query.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// The terms that it has, a bit each.
    terms: u32,
    /// How many of them stand in its title.
    in_title: u32,
    score: u64,
}

/// Where a term stands in a product: worth and whether in the title.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Stand {
    /// 0 to 8000; 0 is nowhere.
    worth: u16,
    title: bool,
}

impl Stand {
    fn best(self, other: Self) -> Self {
        Self { worth: self.worth.max(other.worth), title: self.title || other.title }
    }

    fn both(self, other: Self) -> Self {
        Self { worth: self.worth.min(other.worth), title: self.title && other.title }
    }
}

/// Finds the products that have all the words of `plan`, or, when there are none,
/// as many words as any product has, and of as many the most telling. Products in
/// `identified` (sorted) are found whatever their words, come first, and spare the
/// rest of the words being dropped.
pub(crate) fn rank(
    words: Words<'_>,
    plan: &Plan,
    language: Option<LanguageId>,
    identified: &[u32],
) -> Ranking {
    let mut tallies = vec![Tally::default(); words.products.len()];
    let mut scratch = vec![Stand::default(); words.products.len()];
    let mut telling = Vec::with_capacity(plan.terms.len());
    for (at, term) in plan.terms.iter().enumerate() {
        let stands = stands_of(words, term, language, &mut scratch);
        let weight = how_telling(words.products.len(), stands.len());
        telling.push(weight);
        for (ordinal, stand) in stands {
            let tally = &mut tallies[ordinal as usize];
            tally.terms |= 1 << at;
            tally.in_title += u32::from(stand.title);
            tally.score += u64::from(weight) * u64::from(stand.worth);
        }
    }
    let required = required(&tallies, &telling, !identified.is_empty());
    let mut found = Vec::new();
    for (ordinal, tally) in (0_u32..).zip(&tallies) {
        let named = identified.binary_search(&ordinal).is_ok();
        if named || required.is_some_and(|required| tally.terms & required == required) {
            let score = score(tally, &words, ordinal as usize);
            found.push((if named { score | IDENTIFIED } else { score }, ordinal));
        }
    }
    Ranking { found, relaxed: dropped(plan, required, identified), telling }
}

fn score(tally: &Tally, words: &Words<'_>, ordinal: usize) -> u32 {
    let title_words = words.products[ordinal].title_words;
    let filled = u64::from(tally.in_title.min(title_words));
    let whole = tally.score + tally.score * filled / (4 * u64::from(title_words));
    // Scaled so that no score of a full query overflows.
    let relevance = (whole / 32).min(RELEVANCE_MAX);
    u32::try_from(relevance).unwrap_or_default() << RELEVANCE_SHIFT | words.standings[ordinal]
}

/// How well the variant with `terms` (sorted) fits the query: the sum of how
/// telling the words are that it has.
pub(crate) fn fit(plan: &Plan, telling: &[u32], terms: &[TermId]) -> u64 {
    let of_part = |part: &Part| {
        let known = part.iter().filter(|(id, _)| terms.binary_search(id).is_ok());
        known.map(|&(_, factor)| u64::from(factor)).max().unwrap_or(0)
    };
    let of_way = |way: &Vec<Part>| way.iter().map(of_part).min().unwrap_or(0);
    let of_term = |term: &Term| term.ways.iter().map(of_way).max().unwrap_or(0);
    plan.terms.iter().zip(telling).map(|(term, &weight)| of_term(term) * u64::from(weight)).sum()
}

/// The terms that a product must have, a bit each; `None` when no product has
/// any. `strict` asks for all of them whether or not there is such a product.
fn required(tallies: &[Tally], telling: &[u32], strict: bool) -> Option<u32> {
    if telling.is_empty() {
        return None;
    }
    let all = u32::MAX >> (u32::BITS as usize - telling.len());
    if strict {
        return Some(all);
    }
    let mut best: Option<(u32, u64, u32)> = None;
    for terms in tallies.iter().map(|tally| tally.terms).filter(|&terms| terms != 0) {
        if terms == all {
            return Some(all);
        }
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

fn dropped(plan: &Plan, required: Option<u32>, identified: &[u32]) -> Vec<String> {
    let Some(required) = required.filter(|_| identified.is_empty()) else {
        return Vec::new();
    };
    let terms = (0..).zip(&plan.terms);
    let missing = terms.filter(|&(at, _)| required & (1 << at) == 0);
    missing.map(|(_, term)| term.typed.clone()).chain(plan.beyond.iter().cloned()).collect()
}

/// The products that have `term`, in order, and how it stands in them.
fn stands_of(
    words: Words<'_>,
    term: &Term,
    language: Option<LanguageId>,
    scratch: &mut [Stand],
) -> Vec<(u32, Stand)> {
    let ways = term.ways.iter().map(|way| {
        let parts = way.iter().map(|part| stands_of_part(words.postings, part, language, scratch));
        parts.reduce(|one, other| merge(&one, &other, true)).unwrap_or_default()
    });
    ways.reduce(|one, other| merge(&one, &other, false)).unwrap_or_default()
}

/// `scratch` is all nowhere before and after.
fn stands_of_part(
    postings: &[Vec<Posting>],
    part: &Part,
    language: Option<LanguageId>,
    scratch: &mut [Stand],
) -> Vec<(u32, Stand)> {
    let mut touched = Vec::new();
    for &(id, factor) in part {
        for posting in &postings[id as usize] {
            // Of ten parts, a text in another language loses one.
            let spoken = language.is_none_or(|language| {
                posting.language == language || posting.language == NO_LANGUAGE
            });
            let worth = u16::from(posting.weight) * factor / 10 * if spoken { 10 } else { 9 };
            let stand = &mut scratch[posting.ordinal as usize];
            if stand.worth == 0 {
                touched.push(posting.ordinal);
            }
            *stand = stand.best(Stand { worth, title: posting.is_title() });
        }
    }
    touched.sort_unstable();
    let take = |ordinal: u32| (ordinal, std::mem::take(&mut scratch[ordinal as usize]));
    touched.into_iter().map(take).collect()
}

/// Two ordered lists made one: what is in both of them, or in either.
fn merge(one: &[(u32, Stand)], other: &[(u32, Stand)], both: bool) -> Vec<(u32, Stand)> {
    let mut merged = Vec::new();
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    loop {
        match (one.peek().copied(), other.peek().copied()) {
            (Some(&(a, stand)), Some(&(b, with))) if a == b => {
                merged.push((a, if both { stand.both(with) } else { stand.best(with) }));
                one.next();
                other.next();
            }
            (Some(entry @ &(a, _)), next) if next.is_none_or(|&(b, _)| a < b) => {
                merged.extend((!both).then_some(*entry));
                one.next();
            }
            (_, Some(entry)) => {
                merged.extend((!both).then_some(*entry));
                other.next();
            }
            (_, None) => return merged,
        }
    }
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
        assert!(standing(true, u64::MAX) < 1 << RELEVANCE_SHIFT);
    }

    #[test]
    fn standing_and_browsing_put_the_available_first() {
        assert!(standing(true, 0) > standing(false, u64::MAX));
        assert!(standing(true, 100) > standing(true, 10));
        assert!(browse_score(true, 0) > browse_score(false, u64::MAX));
        assert!(browse_score(true, 11) > browse_score(true, 10));
        assert_eq!(browse_score(false, u64::MAX), i32::MAX as u32);
    }

    fn tallies(terms: &[u32]) -> Vec<Tally> {
        terms.iter().map(|&terms| Tally { terms, ..Tally::default() }).collect()
    }

    #[test]
    fn as_many_words_as_possible_are_required_then_the_most_telling() {
        let required = |terms: &[u32], telling: &[u32]| required(&tallies(terms), telling, false);
        assert_eq!(required(&[0b111, 0b011], &[1, 1, 1]), Some(0b111));
        assert_eq!(required(&[0b011, 0b101, 0b100], &[5, 1, 9]), Some(0b101));
        assert_eq!(required(&[0b011, 0b100], &[1, 1, 99]), Some(0b011), "number before weight");
        assert_eq!(required(&[0b110, 0b011], &[4, 4, 4]), Some(0b011), "the words typed first");
        assert_eq!(required(&[0, 0], &[4, 4]), None);
        assert_eq!(required(&[0], &[]), None);
    }

    #[test]
    fn merging_keeps_the_order() {
        let stand = |worth| Stand { worth, title: worth > 5 };
        let one = [(1, stand(3)), (4, stand(9)), (7, stand(2))];
        let other = [(0, stand(1)), (4, stand(4)), (9, stand(8))];
        let both = [(4, Stand { worth: 4, title: false })];
        assert!(merge(&one, &other, true) == both);
        let either: Vec<(u32, u16)> =
            merge(&one, &other, false).into_iter().map(|(at, stand)| (at, stand.worth)).collect();
        assert_eq!(either, [(0, 1), (1, 3), (4, 9), (7, 2), (9, 8)]);
    }
}
