//! The global budget of outbound fetches for platforms nobody vouched for (rule N3).
//!
//! A token bucket: without it, a stranger who names a new URL in every call makes
//! the store send as many requests to the rest of the world as it receives.
//! Cached profiles and platforms of the registry need no token.

use std::time::Duration;

use tokio::time::Instant;

/// Fetches of unknown platforms per second, in the long run.
const PER_SECOND: f64 = 20.0;

/// Fetches of unknown platforms at once, after a quiet time.
const BURST: f64 = 50.0;

/// A token bucket over the runtime's clock.
#[derive(Debug)]
pub(super) struct Budget {
    tokens: f64,
    counted_at: Instant,
}

impl Budget {
    /// A full bucket.
    pub(super) fn new(now: Instant) -> Self {
        Self { tokens: BURST, counted_at: now }
    }

    /// Takes one fetch out of the budget; when it is spent, says after what time to try again.
    pub(super) fn take(&mut self, now: Instant) -> Result<(), Duration> {
        let elapsed = now.saturating_duration_since(self.counted_at);
        self.tokens = (self.tokens + elapsed.as_secs_f64() * PER_SECOND).min(BURST);
        self.counted_at = now;
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            Ok(())
        } else {
            Err(Duration::from_secs_f64((1.0 - self.tokens) / PER_SECOND))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_n3_a_burst_then_the_steady_rate() {
        let start = Instant::now();
        let mut budget = Budget::new(start);
        let taken = (0..100).filter(|_| budget.take(start).is_ok()).count();
        assert_eq!(taken, 50);
        let wait = budget.take(start).unwrap_err();
        assert!(wait <= Duration::from_millis(50), "{wait:?}");
        assert_eq!(budget.take(start + Duration::from_millis(51)), Ok(()));

        let later = start + Duration::from_secs(2);
        let taken = (0..100).filter(|_| budget.take(later).is_ok()).count();
        assert!((38..=40).contains(&taken), "{taken}");
        let much_later = start + Duration::from_secs(3600);
        let taken = (0..100).filter(|_| budget.take(much_later).is_ok()).count();
        assert_eq!(taken, 50);
    }
}
