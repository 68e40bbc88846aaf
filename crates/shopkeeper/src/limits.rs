//! How often anybody may call: one bucket for each platform at each address, so
//! that nobody can use up the calls of a platform by naming its profile.

use crate::failure::Failure;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use protocol::codes::Code;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use url::{Position, Url};

/// After so many admissions, buckets that are full again are forgotten, so that
/// addresses and URLs made up by a stranger do not fill the memory.
const SWEEP_EVERY: u32 = 4096;

/// The limit on tool calls, or none.
pub(crate) struct Limits(Option<Buckets>);

struct Buckets {
    callers: DefaultKeyedRateLimiter<u64>,
    admissions: AtomicU32,
}

impl Limits {
    /// At most `per_minute` calls a minute for each key; 0 is no limit.
    pub(crate) fn new(per_minute: u32) -> Self {
        Self(NonZeroU32::new(per_minute).map(|per_minute| {
            let quota = Quota::per_minute(per_minute);
            Buckets { callers: RateLimiter::keyed(quota), admissions: AtomicU32::new(0) }
        }))
    }

    /// Counts a call of the platform whose profile is at `url`, from `address`; one
    /// without an address comes over stdio and is not counted. Calls of an address
    /// that name no URL count together.
    ///
    /// # Errors
    ///
    /// The platform has called too often; the failure says when it may again.
    pub(crate) fn admit(&self, url: Option<&Url>, address: Option<IpAddr>) -> Result<(), Failure> {
        let (Some(buckets), Some(address)) = (&self.0, address) else { return Ok(()) };
        buckets.sweep();
        let mut hasher = DefaultHasher::new();
        // Queries and fragments would make one platform look like many.
        let profile = url.map(|url| &url[..Position::AfterPath]);
        (profile, key_of(address)).hash(&mut hasher);
        buckets.callers.check_key(&hasher.finish()).map_err(|not_until| {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            let seconds = wait.as_secs() + 1;
            let content = format!("too many requests from your platform; try again in {seconds} s");
            Failure::passing(Code::RateLimited, content, seconds)
        })
    }
}

impl Buckets {
    fn sweep(&self) {
        if self.admissions.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.callers.retain_recent();
        }
    }
}

/// One bucket for the /64 that an IPv6 client commands, since it can call from
/// any address of it.
fn key_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if address.to_ipv4_mapped().is_none() => {
            let mut segments = address.segments();
            segments[4..].fill(0);
            IpAddr::from(segments)
        }
        other => other.to_canonical(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, key_of};
    use crate::failure::Failure;
    use std::net::IpAddr;
    use url::Url;

    const A: &str = "https://a.example/p";

    fn admit(limits: &Limits, url: &str, address: Option<IpAddr>) -> Result<(), Failure> {
        limits.admit(Some(&Url::parse(url).unwrap()), address)
    }

    #[test]
    fn a_limit_is_for_each_platform_at_each_address_and_says_when_to_return() {
        let limits = Limits::new(2);
        let (mine, yours) = (Some([127, 0, 0, 1].into()), Some([127, 0, 0, 2].into()));
        assert!(admit(&limits, A, mine).is_ok());
        assert!(admit(&limits, "https://A.example/p?x=1#y", mine).is_ok());
        let Err(Failure::Transport(failure)) = admit(&limits, A, mine) else {
            panic!("the third call within a minute is over the limit")
        };
        assert!((1..=31).contains(&failure.retry_after_s.unwrap()));
        assert!(admit(&limits, A, yours).is_ok(), "a stranger cannot use up a platform's calls");
        assert!(admit(&limits, "https://b.example/p", mine).is_ok());
        assert!((0..10).all(|_| admit(&limits, A, None).is_ok()));
    }

    #[test]
    fn zero_is_no_limit() {
        let limits = Limits::new(0);
        assert!((0..10_000).all(|_| admit(&limits, A, Some([10, 0, 0, 1].into())).is_ok()));
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        let table = [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("192.0.2.7", "192.0.2.7"),
        ];
        for (address, key) in table {
            assert_eq!(key_of(address.parse().unwrap()), key.parse::<IpAddr>().unwrap());
        }
    }
}
