//! Walking postings: which documents have everything that is needed, and where
//! in them it stands.

use crate::facets::FacetId;
use crate::index::Index;
use crate::plan::{Factor, Part, Term};
use crate::terms::Class;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::{DocSet, TERMINATED};

/// The most lists of one need that are walked side by side; more are laid
/// together first.
const SIDE_BY_SIDE: usize = 6;

/// What a word is worth by the class of its best place.
const fn worth_of(class: u32) -> u16 {
    match class {
        0 => 0,
        1 => 100,
        2 => 300,
        3 => 500,
        _ => 800,
    }
}

/// Where a term stands in a document: worth and whether in the title.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Stand {
    /// 0 to 800; 0 is nowhere.
    pub(crate) worth: u16,
    pub(crate) title: bool,
}

impl Stand {
    fn new(class: u32, factor: Factor) -> Self {
        let worth = u32::from(worth_of(class)) * u32::from(factor) / 100;
        let title = class == Class::Title as u32;
        Self { worth: u16::try_from(worth).unwrap_or(u16::MAX), title }
    }

    fn best(self, other: Self) -> Self {
        Self { worth: self.worth.max(other.worth), title: self.title || other.title }
    }

    fn both(self, other: Self) -> Self {
        Self { worth: self.worth.min(other.worth), title: self.title && other.title }
    }
}

/// Something that a document must have, walked in the order of documents.
pub(crate) enum Need {
    /// Any of these lists.
    Lists(Vec<(SegmentPostings, Factor)>),
    /// These documents.
    Laid { documents: Vec<(u32, Stand)>, at: usize },
}

impl Need {
    /// That a document has `term`.
    pub(crate) fn term(index: &Index, term: &Term) -> Self {
        if let [way] = term.ways.as_slice()
            && let [part] = way.as_slice()
        {
            return Self::part(index, part);
        }
        let ways = term.ways.iter().map(|way| {
            let parts = way.iter().map(|part| laid(lists(index, part)));
            parts.reduce(|one, other| merge(&one, &other, true)).unwrap_or_default()
        });
        let documents = ways.reduce(|one, other| merge(&one, &other, false));
        Self::Laid { documents: documents.unwrap_or_default(), at: 0 }
    }

    /// That a document has one of the alternatives of `part`.
    pub(crate) fn part(index: &Index, part: &Part) -> Self {
        Self::any_of(lists(index, part))
    }

    /// That a document has exactly `term`; `None` when none has.
    pub(crate) fn exact(index: &Index, term: &str) -> Option<Self> {
        Some(Self::Lists(vec![(index.terms.postings(term)?, 100)]))
    }

    /// That a document has one of `facets`.
    pub(crate) fn facets(index: &Index, facets: &[FacetId]) -> Self {
        let postings = facets.iter().filter_map(|&facet| index.terms.with_facet(facet));
        Self::any_of(postings.map(|postings| (postings, 100)).collect())
    }

    fn any_of(lists: Vec<(SegmentPostings, Factor)>) -> Self {
        match lists.len() <= SIDE_BY_SIDE {
            true => Self::Lists(lists),
            false => Self::Laid { documents: laid(lists), at: 0 },
        }
    }

    /// How many documents there are at most.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Lists(lists) => lists.iter().map(|(list, _)| list.doc_freq() as usize).sum(),
            Self::Laid { documents, .. } => documents.len(),
        }
    }

    /// Moves to the first document not before `target` and tells it.
    pub(crate) fn seek(&mut self, target: u32) -> u32 {
        match self {
            Self::Lists(lists) => {
                let mut first = TERMINATED;
                for (list, _) in lists {
                    let doc = if list.doc() < target { list.seek(target) } else { list.doc() };
                    first = first.min(doc);
                }
                first
            }
            Self::Laid { documents, at } => {
                let rest = documents.get(*at..).unwrap_or_default();
                // Near ones are frequent: gallop, then halve.
                let mut reach = 1;
                while rest.get(reach - 1).is_some_and(|&(doc, _)| doc < target) {
                    reach *= 2;
                }
                let within = &rest[..reach.min(rest.len())];
                *at += within.partition_point(|&(doc, _)| doc < target);
                documents.get(*at).map_or(TERMINATED, |&(doc, _)| doc)
            }
        }
    }

    /// Whether `doc`, to which it was moved, has it.
    pub(crate) fn is_at(&self, doc: u32) -> bool {
        match self {
            Self::Lists(lists) => lists.iter().any(|(list, _)| list.doc() == doc),
            Self::Laid { documents, at } => {
                documents.get(*at).is_some_and(|&(found, _)| found == doc)
            }
        }
    }

    /// Where it stands in `doc`, to which it was moved.
    pub(crate) fn stand_at(&self, doc: u32) -> Stand {
        match self {
            Self::Lists(lists) => lists
                .iter()
                .filter(|(list, _)| list.doc() == doc)
                .map(|(list, factor)| Stand::new(list.term_freq(), *factor))
                .fold(Stand::default(), Stand::best),
            Self::Laid { documents, at } => match documents.get(*at) {
                Some(&(found, stand)) if found == doc => stand,
                _ => Stand::default(),
            },
        }
    }
}

/// Tells every document that has all of `needs`, in order; they stand at it.
pub(crate) fn each_common(needs: &mut [Need], see: &mut dyn FnMut(&[Need], u32)) {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&at| needs[at].size());
    let Some((&first, others)) = order.split_first() else { return };
    let mut target = 0;
    'documents: loop {
        let doc = needs[first].seek(target);
        if doc == TERMINATED {
            return;
        }
        for &other in others {
            let next = needs[other].seek(doc);
            if next != doc {
                if next == TERMINATED {
                    return;
                }
                target = next;
                continue 'documents;
            }
        }
        see(needs, doc);
        target = doc + 1;
    }
}

/// How many documents have `term`: exact for one word, never less for several.
pub(crate) fn documents(index: &Index, term: &Term) -> usize {
    let of_part = |part: &Part| -> usize {
        let known = part.iter().map(|(term, _)| index.terms.documents_with(term) as usize);
        known.max().unwrap_or(0)
    };
    let of_way = |way: &Vec<Part>| way.iter().map(of_part).min().unwrap_or(0);
    term.ways.iter().map(of_way).max().unwrap_or(0)
}

/// How many documents have all of `needs`, counted up to `most`; the needs are moved.
pub(crate) fn count(needs: &mut [Need], most: usize) -> usize {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&at| needs[at].size());
    let Some((&first, others)) = order.split_first() else { return 0 };
    let (mut counted, mut doc) = (0, needs[first].seek(0));
    'documents: while doc != TERMINATED && counted < most {
        for &other in others {
            let next = needs[other].seek(doc);
            if next != doc {
                doc = if next == TERMINATED { next } else { needs[first].seek(next) };
                continue 'documents;
            }
        }
        counted += 1;
        doc = needs[first].seek(doc + 1);
    }
    counted
}

/// Tells every document that has some of `needs` which weigh at least `least`
/// together, in order, with what they weigh; the needs stand at it or behind it.
///
/// The lightest needs, which all together would not do, are never walked, only
/// looked up: they are the words that most documents have.
pub(crate) fn each_weighing(
    needs: &mut [Need],
    weights: &[u32],
    least: u64,
    see: &mut dyn FnMut(&[Need], u32, u64),
) {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&at| weights[at]);
    let mut light = 0;
    let is_light = |at: &&usize| {
        light += u64::from(weights[**at]);
        light < least
    };
    let optional = order.iter().take_while(is_light).count();
    let (optional, walked) = order.split_at(optional);
    let mut target = 0;
    loop {
        let nearest = walked.iter().map(|&at| needs[at].seek(target)).min();
        let Some(doc) = nearest.filter(|&doc| doc != TERMINATED) else { return };
        let mut weight = 0;
        for &at in walked.iter().chain(optional) {
            if needs[at].seek(doc) == doc {
                weight += u64::from(weights[at]);
            }
        }
        if weight >= least {
            see(needs, doc, weight);
        }
        target = doc + 1;
    }
}

fn lists(index: &Index, part: &Part) -> Vec<(SegmentPostings, Factor)> {
    part.iter().filter_map(|(term, factor)| Some((index.terms.postings(term)?, *factor))).collect()
}

/// The documents of any of `lists`, in order, with the best stand in each.
fn laid(lists: Vec<(SegmentPostings, Factor)>) -> Vec<(u32, Stand)> {
    let mut all = Vec::with_capacity(lists.iter().map(|(list, _)| list.doc_freq() as usize).sum());
    for (mut list, factor) in lists {
        while list.doc() != TERMINATED {
            all.push((list.doc(), Stand::new(list.term_freq(), factor)));
            list.advance();
        }
    }
    all.sort_unstable_by_key(|&(doc, _)| doc);
    all.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = kept.1.best(later.1);
        }
        same
    });
    all
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(worth: u16) -> Stand {
        Stand { worth, title: worth > 5 }
    }

    #[test]
    fn merging_keeps_the_order() {
        let one = [(1, stand(3)), (4, stand(9)), (7, stand(2))];
        let other = [(0, stand(1)), (4, stand(4)), (9, stand(8))];
        let both = [(4, Stand { worth: 4, title: false })];
        assert!(merge(&one, &other, true) == both);
        let either: Vec<(u32, u16)> =
            merge(&one, &other, false).into_iter().map(|(at, stand)| (at, stand.worth)).collect();
        assert_eq!(either, [(0, 1), (1, 3), (4, 9), (7, 2), (9, 8)]);
    }

    #[test]
    fn counting_and_weighing_agree_with_a_scan() {
        let lists: [&[u32]; 3] =
            [&[0, 2, 3, 5, 9, 300, 1000], &[0, 3, 4, 5, 300, 301], &[1, 3, 4, 8, 300, 2000]];
        let needs = || {
            lists.map(|documents| Need::Laid {
                documents: documents.iter().map(|&doc| (doc, stand(1))).collect(),
                at: 0,
            })
        };
        for (most, counted) in [(0, 0), (1, 1), (2, 2), (9, 2)] {
            assert_eq!(count(&mut needs(), most), counted);
        }
        assert_eq!(count(&mut [], 9), 0);
        let weights = [5, 2, 9];
        for least in 1..=17 {
            let mut met = Vec::new();
            each_weighing(&mut needs(), &weights, least, &mut |_, doc, _| met.push(doc));
            let weigh = |doc: &u32| {
                let had = lists.iter().zip(weights).filter(|(list, _)| list.contains(doc));
                had.map(|(_, weight)| u64::from(weight)).sum::<u64>()
            };
            let expected: Vec<u32> = (0..3000).filter(|doc| weigh(doc) >= least).collect();
            assert_eq!(met, expected, "{least}");
        }
    }

    #[test]
    fn walking_needs_meets_exactly_what_is_common() {
        let laid = |documents: &[u32]| Need::Laid {
            documents: documents.iter().map(|&doc| (doc, stand(1))).collect(),
            at: 0,
        };
        let mut needs = [
            laid(&[0, 2, 3, 5, 9, 300, 1000]),
            laid(&[0, 3, 4, 5, 300, 301]),
            laid(&[0, 1, 2, 3, 4, 300]),
        ];
        let mut met = Vec::new();
        each_common(&mut needs, &mut |_, doc| met.push(doc));
        assert_eq!(met, [0, 3, 300]);
    }
}
