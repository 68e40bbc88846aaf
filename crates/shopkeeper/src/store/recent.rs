//! Snapshots that were superseded a short while ago: whoever is walking through
//! pages finishes the walk in the data that it began in (rule C7).

use super::{KEPT_MINUTES, Snapshot};
use crate::cursor::Generation;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a superseded snapshot answers cursors of its own.
const KEPT: Duration = Duration::from_mins(KEPT_MINUTES as u64);

/// How many are kept at most, whatever their age: the memory of a store whose data
/// change every few seconds is bounded too.
const MOST: usize = 16;

/// The superseded snapshots, oldest first.
#[derive(Default)]
pub(crate) struct Recent {
    kept: Vec<Kept>,
}

/// A snapshot and until when its cursors are honoured.
pub(crate) struct Kept {
    snapshot: Arc<Snapshot>,
    until: Instant,
}

impl Recent {
    /// Keeps `before`, which `after` supersedes at `now`, and gives what is not kept
    /// any more: to let go of it takes its time, and is not to be done under a lock.
    pub(crate) fn keep(
        &mut self,
        before: Arc<Snapshot>,
        after: &Snapshot,
        now: Instant,
    ) -> Vec<Kept> {
        let mut old = self.prune(now);
        // Data that come back are current again; the same data are kept once.
        let (left, new) = (before.generation(), after.generation());
        let again = |kept: &mut Kept| [left, new].contains(&kept.snapshot.generation());
        old.extend(self.kept.extract_if(.., again));
        let before = Kept { snapshot: before, until: now + KEPT };
        if left == new {
            old.push(before)
        } else {
            self.kept.push(before)
        }
        let over = self.kept.len().saturating_sub(MOST);
        old.extend(self.kept.drain(..over));
        old
    }

    /// Takes up what was superseded `age` ago, before this process began, and gives what
    /// is not kept, as [`Self::keep`] does.
    pub(crate) fn restore(
        &mut self,
        snapshot: Arc<Snapshot>,
        age: Duration,
        current: Generation,
        now: Instant,
    ) -> Vec<Kept> {
        let kept = Kept { snapshot, until: now + KEPT.saturating_sub(age) };
        let generation = kept.snapshot.generation();
        if age > KEPT || generation == current || self.find(generation, now).is_some() {
            return vec![kept];
        }
        let at = self.kept.partition_point(|other| other.until <= kept.until);
        self.kept.insert(at, kept);
        let over = self.kept.len().saturating_sub(MOST);
        self.kept.drain(..over).collect()
    }

    /// The snapshot of `generation`, while its cursors are honoured.
    pub(crate) fn find(&self, generation: Generation, now: Instant) -> Option<Arc<Snapshot>> {
        let found = self
            .kept
            .iter()
            .find(|kept| kept.snapshot.generation() == generation && !kept.is_old(now));
        found.map(|kept| Arc::clone(&kept.snapshot))
    }

    /// Gives what is older than cursors may be, as [`Self::keep`] does.
    pub(crate) fn prune(&mut self, now: Instant) -> Vec<Kept> {
        self.kept.extract_if(.., |kept| kept.is_old(now)).collect()
    }
}

impl Kept {
    fn is_old(&self, now: Instant) -> bool {
        now > self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_wire::record::Languages;
    use location::inventory::OpenItems;
    use search::Synonyms;

    fn snapshot(number: u8) -> Arc<Snapshot> {
        let generation = [number; 8];
        Arc::new(Snapshot {
            generation,
            catalog: None,
            languages: Languages::default(),
            synonyms: Synonyms::default(),
            places: None,
            inventory: None,
            open_items: OpenItems::default(),
        })
    }

    #[test]
    fn rule_c7_superseded_data_are_kept_ten_minutes() {
        let start = Instant::now();
        let at = |minutes: u64| start + Duration::from_mins(minutes);
        let mut recent = Recent::default();
        assert!(recent.keep(snapshot(1), &snapshot(2), at(0)).is_empty());
        assert!(recent.keep(snapshot(2), &snapshot(3), at(5)).is_empty());
        assert!(recent.find([3; 8], at(5)).is_none(), "the current one is not superseded");
        assert!(recent.find([1; 8], at(10)).is_some());
        assert!(recent.find([1; 8], at(10) + Duration::from_nanos(1)).is_none());
        assert!(recent.find([2; 8], at(15)).is_some());
        assert_eq!(recent.prune(at(16)).len(), 2);
        assert!(recent.kept.is_empty());
    }

    #[test]
    fn what_was_superseded_before_a_restart_is_kept_for_the_rest_of_its_time() {
        let start = Instant::now();
        let at = |minutes: u64| start + Duration::from_mins(minutes);
        let minutes = Duration::from_mins;
        let mut recent = Recent::default();
        let mut restore = |number, age| recent.restore(snapshot(number), age, [9; 8], at(0)).len();
        assert_eq!(
            [restore(1, minutes(4)), restore(2, minutes(9)), restore(3, minutes(0))],
            [0; 3]
        );
        assert_eq!(restore(1, minutes(1)), 1, "it is there already");
        assert_eq!(restore(9, minutes(1)), 1, "it is the current one");
        assert_eq!(restore(4, minutes(11)), 1, "its time is over");
        let found = |recent: &Recent, now: u64| {
            (1..=4)
                .filter(|&number| recent.find([number; 8], at(now)).is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(found(&recent, 1), [1, 2, 3]);
        assert_eq!(found(&recent, 2), [1, 3]);
        assert_eq!(found(&recent, 7), [3]);
        assert_eq!(recent.prune(at(11)).len(), 3);
    }

    #[test]
    fn the_memory_for_superseded_data_is_bounded_and_holds_each_once() {
        let now = Instant::now();
        let mut recent = Recent::default();
        for number in 0..100 {
            let forgotten = recent.keep(snapshot(number), &snapshot(number + 1), now);
            assert_eq!(forgotten.len(), usize::from(usize::from(number) >= MOST));
        }
        assert_eq!(recent.kept.len(), MOST);
        assert!(recent.find([99; 8], now).is_some() && recent.find([83; 8], now).is_none());
        // Back to 99 and the same again.
        assert_eq!(recent.keep(snapshot(100), &snapshot(99), now).len(), 1);
        assert_eq!(recent.keep(snapshot(99), &snapshot(99), now).len(), 1);
        assert_eq!(recent.kept.len(), MOST);
        assert!(recent.find([99; 8], now).is_none() && recent.find([100; 8], now).is_some());
    }
}
