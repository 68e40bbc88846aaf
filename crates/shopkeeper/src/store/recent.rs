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

struct Kept {
    snapshot: Arc<Snapshot>,
    superseded: Instant,
}

impl Recent {
    /// Keeps `before`, which `after` supersedes at `now`.
    pub(crate) fn keep(&mut self, before: Arc<Snapshot>, after: &Snapshot, now: Instant) {
        self.prune(now);
        // Data that come back are current again; the same data are kept once.
        let (old, new) = (before.generation(), after.generation());
        self.kept.retain(|kept| ![old, new].contains(&kept.snapshot.generation()));
        if old != new {
            self.kept.push(Kept { snapshot: before, superseded: now });
        }
        let over = self.kept.len().saturating_sub(MOST);
        self.kept.drain(..over);
    }

    /// The snapshot of `generation`, while it is kept.
    pub(crate) fn find(&mut self, generation: Generation, now: Instant) -> Option<Arc<Snapshot>> {
        self.prune(now);
        let found = self.kept.iter().find(|kept| kept.snapshot.generation() == generation);
        found.map(|kept| Arc::clone(&kept.snapshot))
    }

    /// Lets go of what is older than cursors may be.
    pub(crate) fn prune(&mut self, now: Instant) {
        self.kept.retain(|kept| now.saturating_duration_since(kept.superseded) <= KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(number: u8) -> Arc<Snapshot> {
        let generation = [number; 8];
        Arc::new(Snapshot { generation, catalog: None, places: None, inventory: None })
    }

    #[test]
    fn rule_c7_superseded_data_are_kept_ten_minutes() {
        let start = Instant::now();
        let at = |minutes: u64| start + Duration::from_mins(minutes);
        let mut recent = Recent::default();
        recent.keep(snapshot(1), &snapshot(2), at(0));
        recent.keep(snapshot(2), &snapshot(3), at(5));
        assert!(recent.find([3; 8], at(5)).is_none(), "the current one is not superseded");
        assert!(recent.find([1; 8], at(10)).is_some());
        assert!(recent.find([1; 8], at(10) + Duration::from_nanos(1)).is_none());
        assert!(recent.find([2; 8], at(15)).is_some());
        recent.prune(at(16));
        assert!(recent.kept.is_empty());
    }

    #[test]
    fn the_memory_for_superseded_data_is_bounded_and_holds_each_once() {
        let now = Instant::now();
        let mut recent = Recent::default();
        for number in 0..100 {
            recent.keep(snapshot(number), &snapshot(number + 1), now);
        }
        assert_eq!(recent.kept.len(), MOST);
        assert!(recent.find([99; 8], now).is_some() && recent.find([83; 8], now).is_none());
        // Back to 99 and the same again.
        recent.keep(snapshot(100), &snapshot(99), now);
        recent.keep(snapshot(99), &snapshot(99), now);
        assert!(recent.find([99; 8], now).is_none() && recent.find([100; 8], now).is_some());
    }
}
