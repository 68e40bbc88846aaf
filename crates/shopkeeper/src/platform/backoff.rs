//! The memory of failed fetches (rule N3): how long to leave a URL or an origin alone.
//!
//! A failure is remembered for its URL; one that no path of the origin could
//! have avoided (resolution, connection, TLS) for the whole origin. A response
//! that fails (404, too slow, too large) is never held against the origin: a
//! stranger who names bad paths on a platform's host would lock that platform
//! out. The memory is bounded, the least recently met failure is forgotten first.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use lru::LruCache;
use tokio::time::Instant;

/// How long the first failure is remembered; each further one doubles it.
const FIRST: Duration = Duration::from_secs(5);

/// The longest time that a failure is remembered.
const LONGEST: Duration = Duration::from_secs(5 * 60);

/// After this time without a further failure, the next one counts as the first.
const FORGIVEN: Duration = Duration::from_secs(10 * 60);

/// The failures of URLs and origins, each with the time until which it is answered at once.
///
/// URLs and origins share the map: an origin has no slash after its host, a URL always has.
#[derive(Debug)]
pub(super) struct Failures<F> {
    records: LruCache<Arc<str>, Record<F>>,
}

#[derive(Debug)]
struct Record<F> {
    failure: F,
    strikes: u32,
    until: Instant,
}

impl<F: Clone> Failures<F> {
    /// A memory of at most `capacity` failures.
    pub(super) fn new(capacity: NonZeroUsize) -> Self {
        Self { records: LruCache::new(capacity) }
    }

    /// The failure to answer with at once, while its time lasts.
    pub(super) fn current(&mut self, subject: &str, now: Instant) -> Option<F> {
        let record = self.records.get(subject)?;
        (now < record.until).then(|| record.failure.clone())
    }

    /// Remembers a failure, for longer the more of them came in a row; returns for how long.
    pub(super) fn record(&mut self, subject: &Arc<str>, failure: F, now: Instant) -> Duration {
        let strikes = match self.records.peek(&**subject) {
            Some(last) if now < last.until + FORGIVEN => last.strikes.saturating_add(1),
            _ => 1,
        };
        let pause = jittered(pause(strikes));
        self.records.push(Arc::clone(subject), Record { failure, strikes, until: now + pause });
        pause
    }

    /// Forgets the failures of a subject that answered.
    pub(super) fn forgive(&mut self, subject: &str) {
        self.records.pop(subject);
    }
}

fn pause(strikes: u32) -> Duration {
    let doublings = strikes.saturating_sub(1).min(10);
    FIRST.saturating_mul(1 << doublings).min(LONGEST)
}

/// Shortens a pause by up to a tenth, so that stores which failed together do not return together.
fn jittered(pause: Duration) -> Duration {
    let random = getrandom::u32().unwrap_or(0);
    pause.mul_f64(1.0 - 0.1 * f64::from(random) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(capacity: usize) -> Failures<&'static str> {
        Failures::new(NonZeroUsize::new(capacity).unwrap())
    }

    #[test]
    fn rule_n3_pauses_double_from_5_s_to_5_min() {
        let subject: Arc<str> = "https://agent.example/p".into();
        let mut failures = failures(8);
        let mut now = Instant::now();
        for full_s in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
            let pause = failures.record(&subject, "down", now);
            let full = Duration::from_secs(full_s);
            assert!(pause <= full && pause >= full.mul_f64(0.9), "{pause:?} {full:?}");
            assert_eq!(failures.current(&subject, now), Some("down"));
            now += pause;
            assert_eq!(failures.current(&subject, now), None);
        }
        failures.forgive(&subject);
        assert!(failures.record(&subject, "down", now) <= FIRST);
    }

    #[test]
    fn rule_n3_old_failures_do_not_count() {
        let subject: Arc<str> = "https://agent.example/p".into();
        let mut failures = failures(8);
        let now = Instant::now();
        for _ in 0..5 {
            failures.record(&subject, "down", now);
        }
        let later = now + LONGEST + FORGIVEN;
        assert!(failures.record(&subject, "down", later) <= FIRST);
    }

    #[test]
    fn rule_n3_the_memory_is_bounded() {
        let mut failures = failures(2);
        let now = Instant::now();
        for subject in ["a", "b", "c"] {
            failures.record(&subject.into(), subject, now);
        }
        assert_eq!(failures.current("a", now), None);
        assert_eq!(failures.current("b", now), Some("b"));
        assert_eq!(failures.current("c", now), Some("c"));
    }
}
