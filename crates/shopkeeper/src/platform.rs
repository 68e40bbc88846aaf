//! Who is calling: from the profile URL in a call to what the platform said about itself
//! (rules N1 to N3).
//!
//! The way through the folder is `url` (is it acceptable?), [`Platforms`] (is it
//! welcome?), `cache` (is it known?), `resolve` and `address` (may it be connected
//! to?), `fetch` and `tls` (what is there?), `document` (what does it say?), `proof` (is
//! the call its own?). Negotiating with
//! the result belongs to the `protocol` package; turning a failure into a code
//! and a status belongs to the caller.

mod address;
mod backoff;
mod budget;
mod cache;
mod document;
mod fetch;
mod freshness;
mod proof;
mod resolve;
mod tls;
mod url;

use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use protocol::profile::{Platform, ProfileFault};
use protocol::{Dialect, Protocol};

use self::cache::{Cache, Standing};
use self::fetch::{FetchFault, Fetcher};
pub use self::proof::{Evidence, KeyDigest, ProofFault, Proofs, SignedRequest};
pub use self::resolve::{Resolve, SystemResolver};
pub use self::tls::install_crypto;
use self::url::ProfileUrl;

/// How platforms are identified; the configuration's `[platforms]` and `server.dev`.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Accept profiles on loopback hosts, over plain http too.
    pub dev: bool,
    /// Most profiles held in memory; at least one is.
    pub cache_entries: usize,
    /// Time for a whole fetch: resolution, connection, response.
    pub fetch_timeout: Duration,
    /// Profile URLs of the platforms known beforehand, which are fetched outside the budget.
    pub registry: Vec<String>,
    /// Refuse every platform that is not in the registry.
    pub require_registered: bool,
}

/// The platforms that call, each known by its profile URL.
///
/// One value serves the whole process; share it behind an [`Arc`].
pub struct Platforms {
    cache: Cache,
    registry: HashSet<String>,
    dev: bool,
    require_registered: bool,
}

/// Why platforms cannot be identified at all: a fault of the configuration or the machine.
#[derive(Debug, thiserror::Error)]
pub enum SetupFault {
    /// A registered profile URL that no call could name (rule N1).
    #[error("registered profile {url}: {detail}")]
    Registry {
        /// The URL as configured.
        url: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The machine has no certificates to verify platforms with.
    #[error(
        "no TLS root certificates to verify platforms with ({0}); install the system's \
         ca-certificates, or set SSL_CERT_FILE"
    )]
    TlsRoots(String),
}

/// Why one platform was not identified; the texts are for its developer (rules N1 to N4).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileFailure {
    /// The URL is not acceptable, or its host does not resolve to public addresses (rule N1).
    #[error("{detail}")]
    InvalidUrl {
        /// What happened and what to do.
        detail: String,
    },
    /// The profile could not be had from its URL (rules N1, N2).
    #[error("{detail}")]
    Unreachable {
        /// What happened and what to do.
        detail: String,
    },
    /// What was had is no profile (rule N2).
    #[error("the platform's profile is malformed: {detail}")]
    Malformed {
        /// The member at fault.
        detail: String,
    },
    /// The profile is of a version that this store does not speak (rule N4).
    #[error(
        "the platform's profile is of version {found}, which this store does not support; \
         publish a profile of one of these versions: {}", supported.join(", ")
    )]
    VersionUnsupported {
        /// The version in the profile.
        found: String,
        /// The versions that would do, newest first.
        supported: Vec<&'static str>,
    },
    /// Only registered platforms are served, and this one is not (rule N3).
    #[error(
        "this store serves registered platforms only, and this profile is not registered; ask \
         the merchant to register its exact URL"
    )]
    NotTrusted,
    /// The store fetches too many profiles at present (rule N3).
    #[error("the store is fetching too many profiles; try again in {retry_after_s} s")]
    Busy {
        /// Whole seconds until another try makes sense, at least 1.
        retry_after_s: u64,
    },
}

impl Platforms {
    /// Prepares for identifying platforms, with the system's resolver.
    ///
    /// # Errors
    ///
    /// As [`Platforms::with_resolver`].
    pub fn new(settings: Settings) -> Result<Self, SetupFault> {
        Self::with_resolver(settings, Arc::new(SystemResolver::default()))
    }

    /// Prepares for identifying platforms, with another resolver than the system's.
    ///
    /// # Errors
    ///
    /// [`SetupFault::Registry`] for the first unacceptable URL in the registry, and, outside
    /// development, [`SetupFault::TlsRoots`] on a machine without root certificates.
    pub fn with_resolver(
        settings: Settings,
        resolver: Arc<dyn Resolve>,
    ) -> Result<Self, SetupFault> {
        let Settings { dev, cache_entries, fetch_timeout, registry, require_registered } = settings;
        let registry = registry
            .into_iter()
            .map(|url| match ProfileUrl::parse(&url, dev) {
                Ok(normal) => Ok(normal.as_str().to_owned()),
                Err(fault) => Err(SetupFault::Registry { url, detail: fault.to_string() }),
            })
            .collect::<Result<_, _>>()?;
        let tls = tls::of_platform(dev).map_err(|error| SetupFault::TlsRoots(error.to_string()))?;
        let fetcher = Arc::new(Fetcher::new(resolver, tls, fetch_timeout, dev));
        let entries = NonZeroUsize::new(cache_entries).unwrap_or(NonZeroUsize::MIN);
        Ok(Self { cache: Cache::new(fetcher, entries), registry, dev, require_registered })
    }

    /// Identifies the platform that names `url` as its profile, at an endpoint of `protocol` that
    /// speaks the `supported` dialects.
    ///
    /// A cached profile is answered without waiting. Must be called within a tokio runtime.
    ///
    /// # Errors
    ///
    /// In this order: [`ProfileFailure::InvalidUrl`] for the text of the URL,
    /// [`ProfileFailure::NotTrusted`], those of fetching ([`ProfileFailure::Busy`],
    /// [`ProfileFailure::InvalidUrl`], [`ProfileFailure::Unreachable`]), those of reading
    /// ([`ProfileFailure::Malformed`], [`ProfileFailure::VersionUnsupported`]).
    pub async fn platform(
        &self,
        url: &str,
        protocol: Protocol,
        supported: &[&'static Dialect],
    ) -> Result<Arc<Platform>, ProfileFailure> {
        let url = ProfileUrl::parse(url, self.dev)
            .map_err(|fault| ProfileFailure::InvalidUrl { detail: fault.to_string() })?;
        let standing = self.standing(&url);
        if self.require_registered && standing != Standing::Registered {
            return Err(ProfileFailure::NotTrusted);
        }
        // In development strangers are the developer's own tests, which may be many.
        let standing = if self.dev { Standing::Registered } else { standing };
        let document = self.cache.document(&url, standing).await?;
        Ok(document.platform(protocol, supported)?)
    }

    /// The platform with its profile fetched anew, because a call names a key that it does not
    /// have. `None` when that was done less than a minute ago, or cannot be done (rule S3).
    pub async fn platform_anew(
        &self,
        url: &str,
        protocol: Protocol,
        supported: &[&'static Dialect],
    ) -> Option<Arc<Platform>> {
        let url = ProfileUrl::parse(url, self.dev).ok()?;
        let document = self.cache.document_anew(&url, self.standing(&url)).await?;
        document.platform(protocol, supported).ok()
    }

    fn standing(&self, url: &ProfileUrl) -> Standing {
        if self.registry.contains(url.as_str()) { Standing::Registered } else { Standing::Unknown }
    }
}

impl fmt::Debug for Platforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Platforms")
            .field("dev", &self.dev)
            .field("registered", &self.registry.len())
            .field("require_registered", &self.require_registered)
            .finish_non_exhaustive()
    }
}

impl From<&FetchFault> for ProfileFailure {
    fn from(fault: &FetchFault) -> Self {
        let detail = fault.to_string();
        match fault {
            FetchFault::NotResolved { .. } => Self::InvalidUrl { detail },
            FetchFault::ResolverBusy => Self::Busy { retry_after_s: 1 },
            _ => Self::Unreachable { detail },
        }
    }
}

impl From<ProfileFault> for ProfileFailure {
    fn from(fault: ProfileFault) -> Self {
        match fault {
            ProfileFault::Malformed(detail) => Self::Malformed { detail },
            ProfileFault::VersionUnsupported { found, supported } => {
                Self::VersionUnsupported { found, supported }
            }
        }
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod hostile;
