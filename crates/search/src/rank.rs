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

/// Bits of a score, from the top: an identifier was typed, has all the words, 23 of
/// relevance, can be bought, 6 of popularity.
const IDENTIFIED: u32 = 1 << 31;
const WHOLE: u32 = 1 << 30;
const RELEVANCE_MAX: u64 = (1 << 23) - 1;
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
    /// The buyer's.
    pub(crate) language: Option<&'a LanguageTag>,
    /// Words that lift what has them.
    pub(crate) intent: &'a [Part],
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
    /// The words that some product lacks which is found, as typed.
    pub(crate) relaxed: Vec<String>,
    /// Whether a product of the catalog has all the words.
    pub(crate) whole: bool,
    /// How telling each term is, for [`Fits`].
    pub(crate) telling: Vec<u32>,
}

/// Where fewer products than this have all the words, others follow them: as many
/// as stand on a page. It does not depend on the page that is asked for, for all
/// pages are of one list (rule C7), nor on the filter.
const FEW: usize = 10;

/// Tells the products that have all the words of the plan, and, when those are few,
/// after them the ones that lack the less telling words; of these, those that pass
/// the sieve. Products that are identified are found whatever their words, come
/// first, and spare the rest of the words being dropped.
pub(crate) fn rank(
    index: &Index,
    asked: &Asked<'_>,
    sieve: &Sieve<'_>,
    see: &mut dyn FnMut(Found),
) -> Ranking {
    let plan = asked.plan;
    let having: Vec<usize> =
        plan.terms.iter().map(|term| matching::documents(index, term)).collect();
    let telling: Vec<u32> = having.iter().map(|&n| how_telling(index.len(), n)).collect();
    for &doc in asked.identified {
        if sieve.passes_document(doc) {
            let words = Words::new(index, asked, &telling, all(&telling));
            let score = words.map_or(standing_of(index, doc), |mut words| words.score_of(doc));
            see(Found { doc, score: score | IDENTIFIED });
        }
    }
    let mut others = |found: Found| {
        if asked.identified.binary_search(&found.doc).is_err() {
            see(found);
        }
    };
    let known = known(&having);
    if known == 0 {
        return Ranking { relaxed: Vec::new(), whole: false, telling };
    }
    let needs = || chosen(plan, known).map(|(_, term)| Need::term(index, term)).collect::<Vec<_>>();
    let whole = if having.contains(&0) { 0 } else { matching::count(&mut needs(), FEW) };
    let words = || Words::new(index, asked, &telling, known);
    let mut relaxed = Vec::new();
    if whole >= FEW || (whole > 0 && !asked.identified.is_empty()) {
        words().into_iter().for_each(|mut words| words.each(sieve, &mut others));
    } else if asked.identified.is_empty() {
        let lacked = words().and_then(|mut words| {
            let most = if whole > 0 { u64::MAX } else { most_held(&mut needs(), &words.telling) };
            words.each_some(most, sieve, &mut others)
        });
        relaxed = unmet(plan, &having, lacked);
    }
    Ranking { relaxed, whole: whole > 0, telling }
}

/// The terms that some product has, a bit each.
fn known(having: &[usize]) -> u32 {
    let known = (0..).zip(having).filter(|&(_, &documents)| documents > 0);
    known.fold(0, |terms, (at, _)| terms | 1 << at)
}

/// The terms of `plan` that `bits` names, with their places.
fn chosen(plan: &Plan, bits: u32) -> impl Iterator<Item = (usize, &Term)> {
    plan.terms.iter().enumerate().filter(move |(at, _)| bits & (1 << at) != 0)
}

/// The words of `lacked`, and those that no product has; none when nothing was found
/// for their lack.
fn unmet(plan: &Plan, having: &[usize], lacked: Option<u32>) -> Vec<String> {
    let Some(lacked) = lacked else { return Vec::new() };
    let terms = (0..).zip(plan.terms.iter().zip(having));
    let unmet = terms.filter(|&(at, (_, &documents))| documents == 0 || lacked & (1 << at) != 0);
    let unmet: Vec<String> = unmet.map(|(_, (term, _))| term.typed.clone()).collect();
    if unmet.is_empty() { unmet } else { [unmet, plan.beyond.clone()].concat() }
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
    /// Of each term how telling it is, and its bit in the plan, in the order of
    /// `needs`.
    telling: Vec<u32>,
    bits: Vec<u32>,
    needs: Vec<Need>,
    lifts: Lifts,
}

/// What is worth more without being required.
struct Lifts {
    /// Pairs of words that follow each other, and words in the buyer's language.
    extras: Vec<(u32, Need)>,
    hints: Hints,
}

/// The words of the buyer's intent, each with how telling it is, and the most that
/// all of them together may add to a score: less than the title's part in it of the
/// least telling word of the query.
struct Hints {
    words: Vec<(u32, Need)>,
    most: u64,
}

impl Hints {
    fn new(index: &Index, intent: &[Part], telling: &[u32]) -> Self {
        let words = intent.iter().map(|part| {
            let need = Need::part(index, part);
            (how_telling(index.len(), need.size()), need)
        });
        let least = telling.iter().min().copied().unwrap_or(0);
        Self { words: words.collect(), most: u64::from(least) * HINTS_WORTH }
    }

    fn at(&mut self, doc: u32) -> u64 {
        let mut sum = 0;
        for (telling, need) in &mut self.words {
            need.seek(doc);
            sum += u64::from(*telling) * u64::from(need.stand_at(doc).worth) / HINT_PART;
        }
        sum.min(self.most)
    }
}

/// A word of the intent is worth this part of one of the query.
const HINT_PART: u64 = 16;
/// The worth that all words of the intent have at most together; a title has 300 more
/// than any other place.
const HINTS_WORTH: u64 = 200;

impl<'a> Words<'a> {
    fn new(index: &'a Index, asked: &Asked<'_>, telling: &[u32], required: u32) -> Option<Self> {
        let rows = chosen(asked.plan, required)
            .map(|(at, term)| (telling[at], (1 << at, Need::term(index, term))));
        let extras = extras(index, asked, telling, required);
        let (telling, (bits, needs)): (Vec<u32>, (Vec<u32>, Vec<Need>)) = rows.unzip();
        let hints = Hints::new(index, asked.intent, &telling);
        let words = Self { index, telling, bits, needs, lifts: Lifts { extras, hints } };
        (!words.needs.is_empty()).then_some(words)
    }

    /// Tells every document that has all the words and passes.
    fn each(&mut self, sieve: &Sieve<'_>, see: &mut dyn FnMut(Found)) {
        let Self { index, telling, needs, lifts, .. } = self;
        let words = needs.len();
        let mut all = std::mem::take(needs);
        all.extend(facet_needs(index, sieve));
        matching::each_common(&mut all, &mut |needs, doc| {
            if sieve.passes_document(doc) {
                let score = score(index, telling, &needs[..words], lifts, doc);
                see(Found { doc, score });
            }
        });
    }

    /// Tells every document that passes and whose words tell enough, of all that the
    /// words tell or `most` if that is less; gives the terms that some of them lack,
    /// a bit each, or `None` when there is no such document.
    fn each_some(
        &mut self,
        most: u64,
        sieve: &Sieve<'_>,
        see: &mut dyn FnMut(Found),
    ) -> Option<u32> {
        let Self { index, telling, bits, needs, lifts } = self;
        let all: u64 = telling.iter().map(|&told| u64::from(told)).sum();
        let least = most.min(all.div_ceil(ENOUGH)).max(1);
        let mut lacked = None;
        matching::each_weighing(needs, telling, least, &mut |needs, doc, weight| {
            if !sieve.passes_document(doc) {
                return;
            }
            let lacking = needs.iter().zip(bits.iter()).filter(|(need, _)| !need.is_at(doc));
            let lacking = lacking.fold(0, |terms, (_, bit)| terms | bit);
            lacked = Some(lacked.unwrap_or(0) | lacking);
            let score = score(index, telling, needs, lifts, doc);
            see(Found { doc, score: if weight == all { score | WHOLE } else { score } });
        });
        lacked
    }

    /// The score of a document whether or not it has all the words.
    fn score_of(&mut self, doc: u32) -> u32 {
        for need in &mut self.needs {
            need.seek(doc);
        }
        score(self.index, &self.telling, &self.needs, &mut self.lifts, doc)
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
    extras
}

/// A product that lacks words must have those that tell at least this part of what
/// all tell, as whose denominator it stands here.
const ENOUGH: u64 = 4;
/// A pair of words is worth this part of the less telling one.
const PAIR_PART: u32 = 2;
/// A word in the buyer's language is worth this part more.
const LANGUAGE_PART: u32 = 10;

/// The most that any document's words tell together.
fn most_held(needs: &mut [Need], telling: &[u32]) -> u64 {
    let mut most = 0;
    matching::each_weighing(needs, telling, 1, &mut |_, _, weight| most = most.max(weight));
    most
}

/// `needs` stand at `doc` or behind it; lifts are moved there.
fn score(index: &Index, telling: &[u32], needs: &[Need], lifts: &mut Lifts, doc: u32) -> u32 {
    let (mut sum, mut in_title) = (0_u64, 0_u64);
    for (&telling, need) in telling.iter().zip(needs) {
        let Stand { worth, title } = need.stand_at(doc);
        sum += u64::from(telling) * u64::from(worth);
        in_title += u64::from(title);
    }
    for (telling, need) in &mut lifts.extras {
        need.seek(doc);
        sum += u64::from(*telling) * u64::from(need.stand_at(doc).worth);
    }
    let title_words = u64::from(index.title_words.at(doc as usize)).max(1);
    let whole = sum + sum * in_title.min(title_words) / (4 * title_words) + lifts.hints.at(doc);
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
        let most = u64::from(how_telling(u32::MAX as usize, 1)) * 800 * 32;
        assert!((most + most / 4) / 32 <= RELEVANCE_MAX / 2, "with room for what is worth more");
        assert_eq!(
            (RELEVANCE_MAX as u32) << RELEVANCE_SHIFT >> RELEVANCE_SHIFT,
            RELEVANCE_MAX as u32
        );
        assert_eq!(((RELEVANCE_MAX as u32) << RELEVANCE_SHIFT) & (IDENTIFIED | WHOLE), 0);
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
    fn terms_have_a_bit_each() {
        assert_eq!((all(&[]), all(&[1]), all(&[1; 32])), (0, 1, u32::MAX));
        assert_eq!((known(&[]), known(&[0, 0]), known(&[3, 0, 1])), (0, 0, 0b101));
    }
}
