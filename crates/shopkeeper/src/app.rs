//! The running store: endpoints, data, and who may call. HTTP and stdio both
//! hand their bytes to [`App::exchange`]; nothing here knows either of them.

mod call;
mod endpoint;

pub use endpoint::{Endpoint, ProfileDocument};

use crate::config::Config;
use crate::cursor::{self, CursorKey};
use crate::from_wire::arguments::{BrokenSchema, Schemas};
use crate::http::Gate;
use crate::limits::Limits;
use crate::platform::{Evidence, Platforms, Proofs, Settings};
use crate::store::Snapshot;
use crate::store::recent::Recent;
use arc_swap::ArcSwapOption;
use jiff::Timestamp;
use mcp::{Received, Reply, Transport};
use protocol::dialect::Protocol;
use signature::SigningKey;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The whole application behind its transports.
pub struct App {
    config: Config,
    origin: String,
    endpoints: Vec<Endpoint>,
    gate: Gate,
    platforms: Platforms,
    proofs: Proofs,
    signing_key: Option<SigningKey>,
    limits: Limits,
    schemas: Schemas,
    cursors: CursorKey,
    snapshot: ArcSwapOption<Snapshot>,
    recent: Mutex<Recent>,
    clock: Clock,
}

/// Tells the time by which superseded data are forgotten.
type Clock = Box<dyn Fn() -> Instant + Send + Sync>;

/// Why the application cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The HTTP client for platform profiles cannot be made.
    #[error("cannot make the client that fetches platform profiles: {0}")]
    Platforms(String),
    /// The store's own key cannot be used.
    #[error(
        "security.signing_key: {path}: {detail}; make a key with `shopkeeper keys new`, or leave \
         signing_key empty to send unsigned responses"
    )]
    SigningKey {
        /// The file.
        path: String,
        /// What is wrong with it.
        detail: String,
    },
    /// A schema of ours is broken.
    #[error(transparent)]
    Schema(#[from] BrokenSchema),
    /// The system has no randomness.
    #[error("the system gives no random bytes: {0}")]
    Randomness(#[from] getrandom::Error),
}

/// Who sends a message, as far as the transport can tell.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Names this request in logs and in internal errors.
    pub request_id: String,
    /// Where it comes from; `None` on stdio.
    pub address: Option<IpAddr>,
    /// How it proves who it is.
    pub evidence: Evidence,
}

impl Caller {
    /// A caller at `address`, with a new request id. It counts as local until a transport
    /// that others reach says what it shows.
    pub fn new(address: Option<IpAddr>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Unique over restarts without a random source on the hot path.
        let started = Timestamp::now().as_microsecond();
        let request_id = format!("{started:x}-{number:x}");
        Self { request_id, address, evidence: Evidence::Local }
    }
}

impl App {
    /// Makes the application for `config`; `bound` is where it listens, when it
    /// does. It has no data yet: see [`App::publish`].
    ///
    /// # Errors
    ///
    /// [`StartError`]: the system lacks something, or a schema of ours is broken.
    pub fn new(config: Config, bound: Option<SocketAddr>) -> Result<Self, StartError> {
        let origin = config.server.origin(bound.unwrap_or(config.server.listen));
        let server = &config.server;
        let gate = Gate::new(&origin, bound, &server.allowed_origins, &server.allowed_hosts);
        let signing_key = signing_key(&config)?;
        let keys: Vec<_> = signing_key.iter().map(|key| key.public().to_jwk()).collect();
        let endpoints: Vec<_> = Protocol::ALL
            .into_iter()
            .filter_map(|protocol| Endpoint::new(protocol, &config, &origin, &keys))
            .collect();
        let dialects = endpoints.iter().flat_map(|endpoint| endpoint.dialects().iter().copied());
        let schemas = Schemas::compile(dialects)?;
        let platforms = Platforms::new(settings(&config))
            .map_err(|error| StartError::Platforms(error.to_string()))?;
        let data_dir = config.resolve(&config.data.dir);
        let cursors = CursorKey::kept_in(&data_dir).or_else(|error| {
            tracing::warn!(%error, dir = %data_dir.display(), "the cursor key cannot be kept: cursors end with this process");
            CursorKey::ephemeral()
        })?;
        let proofs = Proofs::new(config.security.signatures, &config.platforms.registry);
        let limits = Limits::new(config.limits.requests_per_minute);
        let snapshot = ArcSwapOption::empty();
        Ok(Self {
            config,
            origin,
            endpoints,
            gate,
            platforms,
            proofs,
            signing_key,
            limits,
            schemas,
            cursors,
            snapshot,
            recent: Mutex::default(),
            clock: Box::new(Instant::now),
        })
    }

    /// The same application by another clock.
    #[must_use]
    pub fn with_clock(self, clock: impl Fn() -> Instant + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), ..self }
    }

    /// Puts `snapshot` in the place of the data served so far. Requests under way
    /// keep the one they began with, and cursors of it are honoured for ten minutes
    /// more (rule C7).
    pub fn publish(&self, snapshot: Snapshot) {
        let snapshot = Arc::new(snapshot);
        // Kept first, so that no request finds it neither here nor there.
        let mut recent = self.recent();
        let before = self.snapshot();
        let forgotten = before.map(|before| recent.keep(before, &snapshot, (self.clock)()));
        self.snapshot.store(Some(snapshot));
        drop(recent);
        drop(forgotten);
    }

    /// Honours the cursors of data that were superseded `age` ago, before this process
    /// began, for the rest of their time.
    pub fn restore(&self, superseded: Snapshot, age: Duration) {
        let Some(current) = self.snapshot() else { return };
        let (superseded, now) = (Arc::new(superseded), (self.clock)());
        let forgotten = self.recent().restore(superseded, age, current.generation(), now);
        drop(forgotten);
    }

    /// Lets go of superseded data that no cursor can ask for any more.
    pub fn forget_old_data(&self) {
        let forgotten = self.recent().prune((self.clock)());
        drop(forgotten);
    }

    /// The data that answer a request with `cursor`: those it was given for, while
    /// they are kept, else the current ones, which then refuse it.
    fn snapshot_for(&self, cursor: Option<&str>) -> Option<Arc<Snapshot>> {
        let current = self.snapshot()?;
        let claimed = cursor.and_then(cursor::claimed_generation);
        let kept = claimed
            .filter(|claimed| *claimed != current.generation())
            .and_then(|claimed| self.recent().find(claimed, (self.clock)()));
        Some(kept.unwrap_or(current))
    }

    fn recent(&self) -> MutexGuard<'_, Recent> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The configuration.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The origin as platforms see it.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// A command that tries the store, when it accepts a profile of its own making.
    pub fn curl_line(&self) -> Option<String> {
        self.endpoints.iter().find_map(|endpoint| endpoint.curl_line(&self.origin))
    }

    /// One endpoint for each protocol that is on.
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// The data that is served, once there is some.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.load_full()
    }

    /// Judges who calls.
    pub(crate) const fn proofs(&self) -> &Proofs {
        &self.proofs
    }

    /// The key that responses are signed with, when there is one.
    pub(crate) const fn signing_key(&self) -> Option<&SigningKey> {
        self.signing_key.as_ref()
    }

    pub(crate) const fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Answers one message, or a batch of them, at the endpoint number `index`.
    pub async fn exchange(
        &self,
        index: usize,
        transport: &Transport<'_>,
        body: &[u8],
        caller: &Caller,
    ) -> Reply {
        let endpoint = &self.endpoints[index];
        match endpoint.mcp().receive(transport, body) {
            Received::Reply(reply) => reply,
            Received::Calls(exchange) => {
                let mut outcomes = Vec::with_capacity(exchange.calls().len());
                for call in exchange.calls() {
                    outcomes.push(self.call(endpoint, call, caller).await);
                }
                exchange.answer(outcomes)
            }
        }
    }
}

/// The store's own key, when the configuration names one (rule S7).
fn signing_key(config: &Config) -> Result<Option<SigningKey>, StartError> {
    let file = &config.security.signing_key;
    if file.is_empty() {
        return Ok(None);
    }
    let path = config.resolve(file);
    let unusable =
        |detail: String| StartError::SigningKey { path: path.display().to_string(), detail };
    let text = std::fs::read(&path).map_err(|error| unusable(error.to_string()))?;
    SigningKey::from_text(&text).map(Some).map_err(|fault| unusable(fault.to_string()))
}

fn settings(config: &Config) -> Settings {
    let platforms = &config.platforms;
    Settings {
        dev: config.server.dev,
        cache_entries: platforms.profile_cache,
        fetch_timeout: Duration::from_millis(platforms.fetch_timeout_ms),
        registry: platforms.registry.iter().map(|known| known.profile().to_owned()).collect(),
        require_registered: platforms.require_registered,
    }
}
