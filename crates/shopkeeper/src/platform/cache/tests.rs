//! The cache over a fetcher that counts, on a clock that the tests turn.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::{BoxFuture, join_all};
use tokio::sync::Semaphore;
use tokio::time::advance;

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// Counts fetches by URL; answers `outcome`, once `gate` lets it.
struct Counting {
    outcome: Mutex<Result<Fetched, FetchFault>>,
    fetched: Mutex<Vec<String>>,
    gate: Semaphore,
}

impl Counting {
    fn new(outcome: Result<Fetched, FetchFault>) -> Arc<Self> {
        let gate = Semaphore::new(Semaphore::MAX_PERMITS);
        Arc::new(Self { outcome: Mutex::new(outcome), fetched: Mutex::default(), gate })
    }

    fn gated(outcome: Result<Fetched, FetchFault>) -> Arc<Self> {
        let gate = Semaphore::new(0);
        Arc::new(Self { outcome: Mutex::new(outcome), fetched: Mutex::default(), gate })
    }

    fn then(&self, outcome: Result<Fetched, FetchFault>) {
        *self.outcome.lock().unwrap() = outcome;
    }

    fn count(&self) -> usize {
        self.fetched.lock().unwrap().len()
    }
}

impl Fetch for Counting {
    fn fetch<'a>(&'a self, url: &'a ProfileUrl) -> BoxFuture<'a, Result<Fetched, FetchFault>> {
        self.fetched.lock().unwrap().push(url.as_str().to_owned());
        Box::pin(async {
            self.gate.acquire().await.unwrap().forget();
            self.outcome.lock().unwrap().clone()
        })
    }
}

fn profile(lifetime: Duration) -> Result<Fetched, FetchFault> {
    sized(10, lifetime)
}

fn sized(bytes: usize, lifetime: Duration) -> Result<Fetched, FetchFault> {
    Ok(Fetched { body: vec![b' '; bytes].into(), lifetime })
}

fn not_found() -> Result<Fetched, FetchFault> {
    Err(FetchFault::Status { at: "https://a.example/p".to_owned(), status: 404 })
}

fn down() -> Result<Fetched, FetchFault> {
    Err(FetchFault::NotConnected { origin: "https://a.example".to_owned() })
}

fn cache(fetcher: &Arc<Counting>, capacity: usize) -> Cache {
    Cache::new(Arc::<Counting>::clone(fetcher), NonZeroUsize::new(capacity).unwrap())
}

fn url(text: &str) -> ProfileUrl {
    ProfileUrl::parse(text, false).unwrap()
}

async fn ask(cache: &Cache, text: &str) -> Landing {
    cache.document(&url(text), Standing::Unknown).await
}

/// Lets spawned tasks run without moving the clock.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

const A: &str = "https://a.example/p";

#[tokio::test(start_paused = true)]
async fn rule_n3_a_fresh_profile_is_not_fetched_again() {
    let fetcher = Counting::new(profile(MINUTE));
    let cache = cache(&fetcher, 8);
    let first = ask(&cache, A).await.unwrap();
    advance(MINUTE - Duration::from_millis(1)).await;
    let second = ask(&cache, A).await.unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert_eq!(fetcher.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_stale_profile_is_served_while_one_refresh_runs() {
    let fetcher = Counting::gated(profile(MINUTE));
    let cache = cache(&fetcher, 8);
    fetcher.gate.add_permits(1);
    let first = ask(&cache, A).await.unwrap();

    advance(MINUTE).await;
    for _ in 0..10 {
        assert!(Arc::ptr_eq(&first, &ask(&cache, A).await.unwrap()));
        settle().await;
    }
    assert_eq!(fetcher.count(), 2);

    fetcher.gate.add_permits(1);
    settle().await;
    assert!(!Arc::ptr_eq(&first, &ask(&cache, A).await.unwrap()));
    assert_eq!(fetcher.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_failed_refresh_leaves_the_stale_profile_until_the_bound() {
    let fetcher = Counting::new(profile(MINUTE));
    let cache = cache(&fetcher, 8);
    let first = ask(&cache, A).await.unwrap();
    fetcher.then(not_found());

    advance(MINUTE).await;
    let mut passed = Duration::ZERO;
    while passed < STALE {
        assert!(Arc::ptr_eq(&first, &ask(&cache, A).await.unwrap()));
        settle().await;
        advance(Duration::from_secs(1)).await;
        passed += Duration::from_secs(1);
    }
    let tries = fetcher.count() - 1;
    assert!((6..=8).contains(&tries), "{tries} refreshes in ten minutes");
    assert!(matches!(ask(&cache, A).await, Err(ProfileFailure::Unreachable { .. })));
}

#[tokio::test(start_paused = true)]
async fn rule_n3_two_hundred_callers_of_a_cold_profile_make_one_fetch() {
    let fetcher = Counting::gated(profile(MINUTE));
    let cache = Arc::new(cache(&fetcher, 8));
    let callers: Vec<_> = (0..200)
        .map(|_| {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move { ask(&cache, A).await })
        })
        .collect();
    settle().await;
    fetcher.gate.add_permits(1);
    let landings = join_all(callers).await;
    assert!(landings.into_iter().all(|landing| landing.unwrap().is_ok()));
    assert_eq!(fetcher.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_caller_who_gives_up_strands_nobody() {
    let fetcher = Counting::gated(profile(MINUTE));
    let cache = Arc::new(cache(&fetcher, 8));
    let caller = || {
        let cache = Arc::clone(&cache);
        tokio::spawn(async move { ask(&cache, A).await })
    };
    let first = caller();
    settle().await;
    let second = caller();
    settle().await;
    first.abort();
    settle().await;
    fetcher.gate.add_permits(1);
    assert!(second.await.unwrap().is_ok());
    assert_eq!(fetcher.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn rule_m12_a_flight_that_dies_is_taken_off_the_list() {
    struct Dying(AtomicUsize);
    impl Fetch for Dying {
        fn fetch<'a>(&'a self, _: &'a ProfileUrl) -> BoxFuture<'a, Result<Fetched, FetchFault>> {
            let before = self.0.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move {
                assert!(before > 0, "the first fetch dies");
                profile(MINUTE)
            })
        }
    }
    let fetcher = Arc::new(Dying(AtomicUsize::new(0)));
    let cache = Cache::new(fetcher, NonZeroUsize::MIN);
    assert!(matches!(ask(&cache, A).await, Err(ProfileFailure::Busy { retry_after_s: 1 })));
    assert!(ask(&cache, A).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn rule_n3_the_cache_is_bounded_and_drops_the_least_recently_used() {
    let fetcher = Counting::new(profile(MINUTE));
    let cache = cache(&fetcher, 2);
    let (b, c) = ("https://b.example/p", "https://c.example/p");
    for text in [A, b, A, c, A] {
        ask(&cache, text).await.unwrap();
    }
    assert_eq!(fetcher.count(), 3);
    ask(&cache, b).await.unwrap();
    assert_eq!(fetcher.count(), 4);
    assert_eq!(cache.shared.lock().held.profiles.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_the_cache_is_bounded_by_bytes_too() {
    let size = 256 * 1024;
    let fetcher = Counting::new(sized(size, MINUTE));
    let cache = cache(&fetcher, 1024);
    for n in 0..200 {
        ask(&cache, &format!("https://a{n}.example/p")).await.unwrap();
        advance(Duration::from_millis(50)).await;
    }
    let state = cache.shared.lock();
    assert_eq!(state.held.bytes, MAX_BYTES);
    assert_eq!(state.held.profiles.len(), MAX_BYTES / size);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_replacing_a_profile_keeps_the_count_of_bytes() {
    let fetcher = Counting::new(sized(100, MINUTE));
    let cache = cache(&fetcher, 8);
    ask(&cache, A).await.unwrap();
    fetcher.then(sized(7, MINUTE));
    advance(MINUTE + STALE).await;
    ask(&cache, A).await.unwrap();
    assert_eq!(cache.shared.lock().held.bytes, 7);
}

#[tokio::test(start_paused = true)]
async fn rule_n3_failures_are_answered_at_once_and_less_and_less_often_tried() {
    let fetcher = Counting::new(not_found());
    let cache = cache(&fetcher, 8);
    let first = ask(&cache, A).await.unwrap_err();
    for _ in 0..100 {
        assert_eq!(ask(&cache, A).await.unwrap_err(), first);
    }
    assert_eq!(fetcher.count(), 1);
    for (passed_ms, fetched) in [(4400, 1), (600, 2), (8900, 2), (1100, 3), (17_900, 3), (2100, 4)]
    {
        advance(Duration::from_millis(passed_ms)).await;
        assert_eq!(ask(&cache, A).await.unwrap_err(), first);
        assert_eq!(fetcher.count(), fetched);
    }
    fetcher.then(profile(MINUTE));
    advance(5 * MINUTE).await;
    assert!(ask(&cache, A).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_dead_origin_is_left_alone_a_missing_page_is_not_its_fault() {
    let other = "https://a.example/other";
    let fetcher = Counting::new(not_found());
    let pages = cache(&fetcher, 8);
    ask(&pages, A).await.unwrap_err();
    fetcher.then(profile(MINUTE));
    assert!(ask(&pages, other).await.is_ok());
    assert_eq!(fetcher.count(), 2);

    let fetcher = Counting::new(down());
    let origins = cache(&fetcher, 8);
    ask(&origins, A).await.unwrap_err();
    assert!(matches!(ask(&origins, other).await, Err(ProfileFailure::Unreachable { .. })));
    ask(&origins, "https://a.example:8443/p").await.unwrap_err();
    assert_eq!(fetcher.count(), 2);
    fetcher.then(profile(MINUTE));
    advance(Duration::from_secs(5)).await;
    assert!(ask(&origins, other).await.is_ok());
    assert!(ask(&origins, A).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn rule_n3_strangers_share_a_budget_that_known_ones_do_not_need() {
    let fetcher = Counting::new(profile(5 * MINUTE));
    let cache = cache(&fetcher, 1024);
    for n in 0..50 {
        ask(&cache, &format!("https://a{n}.example/p")).await.unwrap();
    }
    let failure = ask(&cache, "https://new.example/p").await.unwrap_err();
    assert_eq!(failure, ProfileFailure::Busy { retry_after_s: 1 });
    assert!(ask(&cache, "https://a0.example/p").await.is_ok());
    let known = url("https://registered.example/p");
    assert!(cache.document(&known, Standing::Registered).await.is_ok());
    assert_eq!(fetcher.count(), 51);
    advance(Duration::from_secs(1)).await;
    assert!(ask(&cache, "https://new.example/p").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_slow_origin_takes_its_share_of_the_flights_only() {
    let fetcher = Counting::gated(profile(MINUTE));
    let cache = Arc::new(cache(&fetcher, 1024));
    let mut waiting = Vec::new();
    for n in 0..20 {
        let cache = Arc::clone(&cache);
        let text = format!("https://slow.example/{n}");
        waiting.push(tokio::spawn(async move { ask(&cache, &text).await }));
    }
    settle().await;
    assert_eq!(fetcher.count(), MAX_FLIGHTS_PER_ORIGIN);
    fetcher.gate.add_permits(MAX_FLIGHTS_PER_ORIGIN + 1);
    assert!(ask(&cache, A).await.is_ok());
    let landings = join_all(waiting).await;
    let served = landings.into_iter().filter(|landing| landing.as_ref().unwrap().is_ok()).count();
    assert_eq!(served, MAX_FLIGHTS_PER_ORIGIN);
    assert!(cache.shared.lock().flights.is_empty());
}

#[tokio::test(start_paused = true)]
async fn rule_n3_a_busy_resolver_is_not_held_against_anybody() {
    let fetcher = Counting::new(Err(FetchFault::ResolverBusy));
    let cache = cache(&fetcher, 8);
    assert_eq!(ask(&cache, A).await.unwrap_err(), ProfileFailure::Busy { retry_after_s: 1 });
    fetcher.then(profile(MINUTE));
    assert!(ask(&cache, A).await.is_ok());
}
