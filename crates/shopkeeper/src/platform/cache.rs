//! The profile cache: what stands between a call and a fetch (rule N3).
//!
//! Fresh profiles are answered from memory; stale ones too, for a while, as one
//! refresh runs behind them. Callers of a missing profile share one flight, which
//! runs in a task of its own: a caller who gives up strands nobody. Failures are
//! answered from memory while their pause lasts, and strangers share a budget.
//! Everything is bounded: profiles by number and bytes, failures by number,
//! flights in total and per origin.
//!
//! Reading the documents and deciding who is welcome are done elsewhere.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lru::LruCache;
use tokio::sync::watch;
use tokio::time::Instant;

use super::ProfileFailure;
use super::backoff::Failures;
use super::budget::Budget;
use super::document::Document;
use super::fetch::{Fetch, FetchFault, Fetched};
use super::url::ProfileUrl;

/// How long past its freshness a profile may still be served while it is refreshed.
const STALE: Duration = Duration::from_secs(10 * 60);

/// How long a profile is not fetched again for the sake of an unknown key (rule S3).
const KEYS_PAUSE: Duration = Duration::from_secs(60);

/// Most bytes of profile bodies held, whatever their number.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Most fetches of unknown platforms under way at one time.
const MAX_FLIGHTS: usize = 64;

/// Most fetches under way at one time from one origin of unknown platforms: a slow host takes
/// only its share of the flights.
const MAX_FLIGHTS_PER_ORIGIN: usize = 16;

/// Whether a platform is subject to the budget for outbound fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Named in the registry: not subject to it.
    Registered,
    /// Anybody else.
    Unknown,
}

/// A bounded cache of profile documents that fetches what it misses.
pub(super) struct Cache {
    shared: Arc<Shared>,
}

struct Shared {
    fetcher: Arc<dyn Fetch>,
    state: Mutex<State>,
}

struct State {
    held: Held,
    failures: Failures<ProfileFailure>,
    flights: HashMap<Arc<str>, Flight>,
    budget: Budget,
}

struct Flight {
    origin: Arc<str>,
    landing: watch::Receiver<Option<Landing>>,
}

type Landing = Result<Arc<Document>, ProfileFailure>;

enum Answer {
    Now(Landing),
    Later(watch::Receiver<Option<Landing>>),
}

impl Cache {
    /// An empty cache of at most `capacity` profiles, and as many remembered failures.
    pub(super) fn new(fetcher: Arc<dyn Fetch>, capacity: NonZeroUsize) -> Self {
        let state = Mutex::new(State {
            held: Held::new(capacity),
            failures: Failures::new(capacity),
            flights: HashMap::new(),
            budget: Budget::new(Instant::now()),
        });
        Self { shared: Arc::new(Shared { fetcher, state }) }
    }

    /// The document at a URL, from memory or fetched; must be called within a tokio runtime.
    pub(super) async fn document(&self, url: &ProfileUrl, standing: Standing) -> Landing {
        match self.shared.consult(url, standing) {
            Answer::Now(landing) => landing,
            Answer::Later(landing) => Self::landed(landing).await,
        }
    }

    /// The document at a URL that is held already, fetched once more; `None` when that was done
    /// within [`KEYS_PAUSE`], or fails (rule S3).
    pub(super) async fn document_anew(
        &self,
        url: &ProfileUrl,
        standing: Standing,
    ) -> Option<Arc<Document>> {
        Self::landed(self.shared.renew(url, standing)?).await.ok()
    }

    async fn landed(mut landing: watch::Receiver<Option<Landing>>) -> Landing {
        let landed = landing.wait_for(Option::is_some).await.ok().and_then(|landed| landed.clone());
        // A flight that vanishes without landing died with its task.
        landed.unwrap_or(Err(ProfileFailure::Busy { retry_after_s: 1 }))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change of the state is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn consult(self: &Arc<Self>, url: &ProfileUrl, standing: Standing) -> Answer {
        let now = Instant::now();
        let mut state = self.lock();
        match state.held.find(url.as_str(), now) {
            Some(Found::Fresh(document)) => return Answer::Now(Ok(document)),
            Some(Found::Stale(document)) => {
                let origin = Arc::from(url.origin());
                let idle = !state.flights.contains_key(url.as_str())
                    && state.failure(url, &origin, now).is_none();
                if idle && state.admit(&origin, standing, now).is_ok() {
                    self.launch(state, url, origin);
                }
                return Answer::Now(Ok(document));
            }
            None => {}
        }
        if let Some(flight) = state.flights.get(url.as_str()) {
            return Answer::Later(flight.landing.clone());
        }
        let origin = Arc::from(url.origin());
        if let Some(failure) = state.failure(url, &origin, now) {
            return Answer::Now(Err(failure));
        }
        match state.admit(&origin, standing, now) {
            Ok(()) => Answer::Later(self.launch(state, url, origin)),
            Err(busy) => Answer::Now(Err(busy)),
        }
    }

    fn renew(
        self: &Arc<Self>,
        url: &ProfileUrl,
        standing: Standing,
    ) -> Option<watch::Receiver<Option<Landing>>> {
        let now = Instant::now();
        let mut state = self.lock();
        if let Some(flight) = state.flights.get(url.as_str()) {
            return Some(flight.landing.clone());
        }
        let origin = Arc::from(url.origin());
        if state.failure(url, &origin, now).is_some() {
            return None;
        }
        let renewed = state.held.profiles.peek(url.as_str())?.renewed;
        if renewed.is_some_and(|renewed| now < renewed + KEYS_PAUSE) {
            return None;
        }
        state.admit(&origin, standing, now).ok()?;
        state.held.profiles.peek_mut(url.as_str())?.renewed = Some(now);
        Some(self.launch(state, url, origin))
    }

    fn launch(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        url: &ProfileUrl,
        origin: Arc<str>,
    ) -> watch::Receiver<Option<Landing>> {
        let (announce, landing) = watch::channel(None);
        let key: Arc<str> = url.as_str().into();
        let flight = Flight { origin: Arc::clone(&origin), landing: landing.clone() };
        state.flights.insert(Arc::clone(&key), flight);
        // A runtime that is stopping drops the task at once, and with it `cleared`,
        // which takes the lock.
        drop(state);
        let cleared = Cleared { shared: Arc::clone(self), key };
        let url = url.clone();
        tokio::spawn(async move {
            let result = cleared.shared.fetcher.fetch(&url).await;
            let landing = cleared.settle(&origin, result);
            drop(cleared);
            announce.send_replace(Some(landing));
        });
        landing
    }
}

/// Takes a flight off the list, also when its task panics or the runtime stops.
struct Cleared {
    shared: Arc<Shared>,
    key: Arc<str>,
}

impl Cleared {
    fn settle(&self, origin: &Arc<str>, result: Result<Fetched, FetchFault>) -> Landing {
        let now = Instant::now();
        let mut state = self.shared.lock();
        match result {
            Ok(Fetched { body, lifetime }) => {
                let document = Arc::new(Document::new(body));
                state.failures.forgive(&self.key);
                state.failures.forgive(origin);
                state.held.insert(Arc::clone(&self.key), Arc::clone(&document), now + lifetime);
                Ok(document)
            }
            Err(fault) => {
                let failure = ProfileFailure::from(&fault);
                if !matches!(failure, ProfileFailure::Busy { .. }) {
                    let subject = if fault.is_of_origin() { origin } else { &self.key };
                    let pause = state.failures.record(subject, failure.clone(), now);
                    tracing::debug!(subject = %origin, ?pause, %fault, "profile fetch backed off");
                }
                Err(failure)
            }
        }
    }
}

impl Drop for Cleared {
    fn drop(&mut self) {
        self.shared.lock().flights.remove(&self.key);
    }
}

impl State {
    fn failure(&mut self, url: &ProfileUrl, origin: &str, now: Instant) -> Option<ProfileFailure> {
        self.failures.current(url.as_str(), now).or_else(|| self.failures.current(origin, now))
    }

    /// Lets a fetch begin, or says when to try again.
    fn admit(
        &mut self,
        origin: &str,
        standing: Standing,
        now: Instant,
    ) -> Result<(), ProfileFailure> {
        if standing == Standing::Registered {
            return Ok(());
        }
        let here = self.flights.values().filter(|flight| *flight.origin == *origin).count();
        if self.flights.len() >= MAX_FLIGHTS || here >= MAX_FLIGHTS_PER_ORIGIN {
            return Err(ProfileFailure::Busy { retry_after_s: 1 });
        }
        self.budget.take(now).map_err(|wait| ProfileFailure::Busy {
            retry_after_s: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
        })
    }
}

/// The profiles in memory, the least recently used dropped first.
struct Held {
    profiles: LruCache<Arc<str>, Profile>,
    bytes: usize,
}

struct Profile {
    document: Arc<Document>,
    fresh_until: Instant,
    /// When it was last fetched for the sake of an unknown key.
    renewed: Option<Instant>,
}

enum Found {
    Fresh(Arc<Document>),
    Stale(Arc<Document>),
}

impl Held {
    fn new(capacity: NonZeroUsize) -> Self {
        Self { profiles: LruCache::new(capacity), bytes: 0 }
    }

    fn find(&mut self, url: &str, now: Instant) -> Option<Found> {
        let profile = self.profiles.get(url)?;
        let document = || Arc::clone(&profile.document);
        if now < profile.fresh_until {
            Some(Found::Fresh(document()))
        } else if now < profile.fresh_until + STALE {
            Some(Found::Stale(document()))
        } else {
            None
        }
    }

    fn insert(&mut self, url: Arc<str>, document: Arc<Document>, fresh_until: Instant) {
        self.bytes += document.size();
        let renewed = self.profiles.peek(&url).and_then(|held| held.renewed);
        let gone = self.profiles.push(url, Profile { document, fresh_until, renewed });
        self.forget(gone);
        while self.bytes > MAX_BYTES && self.profiles.len() > 1 {
            let gone = self.profiles.pop_lru();
            self.forget(gone);
        }
    }

    fn forget(&mut self, gone: Option<(Arc<str>, Profile)>) {
        self.bytes -= gone.map_or(0, |(_, profile)| profile.document.size());
    }
}

#[cfg(test)]
mod tests;
