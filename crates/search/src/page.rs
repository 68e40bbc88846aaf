//! Places in an ordered answer, and the cutting of a page out of it.
//!
//! Matches are ordered by score, the best first, and then by ordinal, which is
//! the order of product ids. Both fit one number, so a page is cut without
//! sorting what is not on it, and the place where it ends needs no state.

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

/// The `limit` best of `matches` after `after`, in order; `matches` in any order.
pub(crate) fn cut(mut matches: Vec<Position>, after: Option<Position>, limit: usize) -> Page {
    let total = matches.len() as u64;
    if let Some(after) = after {
        matches.retain(|&place| place > after);
    }
    let limit = limit.max(1);
    let more = matches.len() > limit;
    if more {
        matches.select_nth_unstable(limit);
        matches.truncate(limit);
    }
    matches.sort_unstable();
    let next = if more { matches.last().copied() } else { None };
    Page { total, places: matches, next }
}

/// The same for `ordered`, which is in order already.
pub(crate) fn cut_ordered(ordered: &[Position], after: Option<Position>, limit: usize) -> Page {
    let start = after.map_or(0, |after| ordered.partition_point(|&place| place <= after));
    let rest = &ordered[start..];
    let places = rest[..rest.len().min(limit.max(1))].to_vec();
    let next = if places.len() < rest.len() { places.last().copied() } else { None };
    Page { total: ordered.len() as u64, places, next }
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
        fn rule_c7_both_cuts_walk_every_match_once(
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
                let page = cut(places.clone(), after, limit);
                let same = cut_ordered(&ordered, after, limit);
                prop_assert_eq!(page.total, places.len() as u64);
                prop_assert_eq!(same.total, page.total);
                prop_assert_eq!(&same.places, &page.places);
                prop_assert_eq!(same.next, page.next);
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
