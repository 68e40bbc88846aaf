//! Places in an ordered answer, and the cutting of a page out of it.
//!
//! Matches are ordered by score, the best first, and then by ordinal, which is
//! the order of product ids. Both fit one number, so a page is cut without
//! sorting what is not on it, and the place where it ends needs no state.

use crate::storage::Column;
use std::collections::BinaryHeap;

/// Place of a match in the order of an answer, for walking its pages.
///
/// It means something only for the query and the index that it came from; the
/// application binds it to them (rule C7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

impl Position {
    /// Length of the byte form.
    pub const LEN: usize = 8;

    /// The place of `ordinal` among matches of `score`; better ones are smaller.
    pub(crate) const fn new(score: u32, ordinal: u32) -> Self {
        Self(((!score as u64) << 32) | ordinal as u64)
    }

    pub(crate) const fn to_number(self) -> u64 {
        self.0
    }

    pub(crate) const fn ordinal(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }

    /// The byte form, to put into a cursor.
    pub const fn to_bytes(self) -> [u8; Self::LEN] {
        self.0.to_be_bytes()
    }

    /// The place that [`Self::to_bytes`] wrote.
    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }
}

/// A page cut out of an answer.
pub(crate) struct Page {
    pub(crate) total: u64,
    pub(crate) places: Vec<Position>,
    pub(crate) next: Option<Position>,
}

/// The `limit` places after `after` of a column that is in order.
pub(crate) fn cut_ordered(ordered: &Column<u64>, after: Option<Position>, limit: usize) -> Page {
    let start = after.map_or(0, |after| ordered.partition_point(|place| place <= after.0));
    let end = (start + limit.max(1)).min(ordered.len());
    let places: Vec<Position> = ordered.range(start, end).map(Position).collect();
    let next = if end < ordered.len() { places.last().copied() } else { None };
    Page { total: ordered.len() as u64, places, next }
}

/// Collects the best of the matches behind a place, and counts them all.
pub(crate) struct Top {
    after: Option<Position>,
    limit: usize,
    total: u64,
    /// Whether some match did not fit.
    more: bool,
    /// The worst of the best is on top.
    best: BinaryHeap<Position>,
}

impl Top {
    pub(crate) fn new(after: Option<Position>, limit: usize) -> Self {
        let limit = limit.max(1);
        let best = BinaryHeap::with_capacity(limit.min(1024) + 1);
        Self { after, limit, total: 0, more: false, best }
    }

    /// Takes a match.
    pub(crate) fn add(&mut self, place: Position) {
        self.total += 1;
        if self.after.is_some_and(|after| place <= after) {
            return;
        }
        if self.best.len() == self.limit {
            self.more = true;
            if self.best.peek().is_none_or(|worst| *worst < place) {
                return;
            }
            self.best.pop();
        }
        self.best.push(place);
    }

    pub(crate) fn page(self) -> Page {
        let places = self.best.into_sorted_vec();
        let next = if self.more { places.last().copied() } else { None };
        Page { total: self.total, places, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn better_scores_come_first_then_smaller_ordinals() {
        let order = [
            Position::new(u32::MAX, 0),
            Position::new(7, 1),
            Position::new(7, 2),
            Position::new(0, 0),
            Position::new(0, u32::MAX),
        ];
        assert!(order.is_sorted());
        assert_eq!(order[2].ordinal(), 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn rule_c7_positions_survive_their_byte_form(score: u32, ordinal: u32) {
            let place = Position::new(score, ordinal);
            prop_assert_eq!(Position::from_bytes(place.to_bytes()), place);
            prop_assert_eq!(place.ordinal(), ordinal);
        }

        #[test]
        fn rule_c7_the_best_walk_every_match_once(
            scores in proptest::collection::vec(0..4_u32, 0..40),
            limits in proptest::collection::vec(0..7_usize, 1..6),
        ) {
            let places: Vec<Position> =
                (0_u32..).zip(&scores).map(|(at, &score)| Position::new(score, at)).collect();
            let mut ordered = places.clone();
            ordered.sort_unstable();
            let mut walked = Vec::new();
            let mut after = None;
            for &limit in limits.iter().cycle() {
                let mut top = Top::new(after, limit);
                places.iter().for_each(|&place| top.add(place));
                let page = top.page();
                prop_assert_eq!(page.total, places.len() as u64);
                prop_assert!(page.places.len() <= limit.max(1));
                walked.extend(page.places);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            prop_assert_eq!(walked, ordered);
        }
    }
}
