//! One fetch of a profile from a host that a stranger named (rule N2).
//!
//! In order: resolve, vet every address, connect to a vetted address and no
//! other, ask once, read a bounded body. One deadline covers it all. The client
//! is built per fetch around the vetted addresses, so a second look-up (DNS
//! rebinding), a pooled connection, a proxy from the environment or a redirect
//! cannot lead elsewhere. Caching, backing off and rationing are the cache's.

use std::error::Error as StdError;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, AGE, CACHE_CONTROL, CONTENT_ENCODING, HeaderMap};
use reqwest::{Client, Response, StatusCode, dns};
use rustls::ClientConfig;
use tokio::time::{Instant, timeout_at};

use super::resolve::Resolve;
use super::url::ProfileUrl;
use super::{address, freshness, tls};

/// Largest profile accepted, in bytes (rule N2 asks for no less than 128 KiB).
const MAX_BODY: usize = 256 * 1024;

/// Most vetted addresses that one fetch tries.
const MAX_ADDRESSES: usize = 8;

const USER_AGENT: &str = concat!("shopkeeper/", env!("CARGO_PKG_VERSION"));

/// Fetches profiles; the cache knows no more of it than this.
pub(super) trait Fetch: Send + Sync {
    /// Fetches a profile once.
    fn fetch<'a>(&'a self, url: &'a ProfileUrl) -> BoxFuture<'a, Result<Fetched, FetchFault>>;
}

/// What a successful fetch brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fetched {
    /// The body of a 2xx response, complete, at most 256 KiB; not yet known to be JSON.
    pub(super) body: Box<[u8]>,
    /// How long the profile stays fresh.
    pub(super) lifetime: Duration,
}

/// Why a fetch brought nothing; the texts are for the developer of the platform.
///
/// They name the origin where no path of it could have fared better, the URL otherwise, and never
/// an address or a query.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FetchFault {
    #[error(
        "the profile host {host} does not resolve to public addresses (in time); publish the \
         profile on a public https host (loopback is accepted only by a store in development mode)"
    )]
    NotResolved { host: String },
    #[error("no connection to {origin}; check that it accepts connections from the internet")]
    NotConnected { origin: String },
    #[error(
        "the TLS connection to {origin} failed ({reason}); check its certificate chain and name"
    )]
    Tls { origin: String, reason: String },
    #[error("{at} did not send the whole profile within {timeout_ms} ms")]
    TimedOut { at: String, timeout_ms: u128 },
    #[error("{at} answered {status}, and redirects are not followed; send the profile's final URL")]
    Redirected { at: String, status: u16 },
    #[error("{at} answered HTTP {status}; it must answer 200 with the profile")]
    Status { at: String, status: u16 },
    #[error("the profile at {at} is larger than {MAX_BODY} bytes; make it smaller")]
    TooLarge { at: String },
    #[error("{at} compressed the profile, which was not asked for; send it uncompressed")]
    Encoded { at: String },
    #[error("{at} did not answer with a complete HTTP response")]
    BadResponse { at: String },
    #[error("the store resolves too many host names at present; try again")]
    ResolverBusy,
    #[error("the store could not fetch the profile")]
    Internal,
}

impl FetchFault {
    /// Says whether every path of the origin would have failed alike.
    pub(super) fn is_of_origin(&self) -> bool {
        matches!(self, Self::NotResolved { .. } | Self::NotConnected { .. } | Self::Tls { .. })
    }
}

/// Fetches over the network.
pub(super) struct Fetcher {
    resolver: Arc<dyn Resolve>,
    tls: ClientConfig,
    timeout: Duration,
    dev: bool,
}

impl Fetcher {
    /// A fetcher with `timeout` for a whole fetch, resolution included; `dev` admits loopback.
    pub(super) fn new(
        resolver: Arc<dyn Resolve>,
        tls: ClientConfig,
        timeout: Duration,
        dev: bool,
    ) -> Self {
        Self { resolver, tls, timeout, dev }
    }

    /// The addresses that may be connected to: all of the host's, after one look-up, if each of
    /// them may (rules N1, N2).
    async fn vetted(
        &self,
        url: &ProfileUrl,
        deadline: Instant,
    ) -> Result<Vec<SocketAddr>, FetchFault> {
        let fault = || FetchFault::NotResolved { host: url.host().to_owned() };
        let mut addresses = match url.address() {
            Some(ip) => vec![SocketAddr::new(ip, url.port())],
            None => match timeout_at(deadline, self.resolver.resolve(url.host(), url.port())).await
            {
                Ok(Ok(addresses)) => addresses,
                Ok(Err(e)) if e.kind() == io::ErrorKind::ResourceBusy => {
                    tracing::warn!(host = url.host(), "too many host names are being resolved");
                    return Err(FetchFault::ResolverBusy);
                }
                Ok(Err(error)) => {
                    tracing::debug!(host = url.host(), %error, "profile host does not resolve");
                    return Err(fault());
                }
                Err(_) => {
                    tracing::debug!(host = url.host(), "profile host does not resolve in time");
                    return Err(fault());
                }
            },
        };
        let ips: Vec<IpAddr> = addresses.iter().map(SocketAddr::ip).collect();
        if !address::admitted(&ips, self.dev, url.is_https()) {
            let uses: Vec<_> = ips.iter().filter_map(|ip| address::special_use(*ip)).collect();
            tracing::debug!(host = url.host(), ?ips, ?uses, "profile host refused");
            return Err(fault());
        }
        addresses.truncate(MAX_ADDRESSES);
        for address in &mut addresses {
            address.set_port(url.port());
        }
        Ok(addresses)
    }

    async fn exchange(
        &self,
        url: &ProfileUrl,
        addresses: &[SocketAddr],
        deadline: Instant,
    ) -> Result<Fetched, FetchFault> {
        // Less than what is left of the whole, so that a host which never
        // answers the connection is told from one that answers slowly.
        let left = deadline.saturating_duration_since(Instant::now());
        let client = self.client(addresses, left.mul_f64(0.75)).map_err(|error| {
            tracing::error!(%error, "no HTTP client for profiles");
            FetchFault::Internal
        })?;
        let response = client
            .get(url.url().clone())
            .header(ACCEPT, "application/json")
            .header(ACCEPT_ENCODING, "identity")
            .send()
            .await
            .map_err(|error| self.request_fault(url, error))?;
        vet_peer(url, &response, addresses)?;
        vet_status(url, response.status())?;
        vet_encoding(url, response.headers())?;
        let lifetime = lifetime(response.headers());
        let body = self.body(url, response).await?;
        Ok(Fetched { body, lifetime })
    }

    fn client(&self, addresses: &[SocketAddr], connect: Duration) -> reqwest::Result<Client> {
        Client::builder()
            .tls_backend_preconfigured(self.tls.clone())
            .dns_resolver(Arc::new(Pinned(addresses.to_vec())))
            .connect_timeout(connect)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .https_only(!self.dev)
            .http1_only()
            .pool_max_idle_per_host(0)
            .referer(false)
            .user_agent(USER_AGENT)
            .build()
    }

    async fn body(
        &self,
        url: &ProfileUrl,
        mut response: Response,
    ) -> Result<Box<[u8]>, FetchFault> {
        let too_large = || FetchFault::TooLarge { at: url.without_query().to_owned() };
        if response.content_length().is_some_and(|length| length > MAX_BODY as u64) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(chunk) =
            response.chunk().await.map_err(|error| self.request_fault(url, error))?
        {
            if body.len() + chunk.len() > MAX_BODY {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.into_boxed_slice())
    }

    fn request_fault(&self, url: &ProfileUrl, error: reqwest::Error) -> FetchFault {
        let error = error.without_url();
        let at = url.without_query();
        tracing::debug!(profile = at, error = &error as &dyn StdError, "profile fetch failed");
        if let Some(reason) = tls::reason(&error) {
            return FetchFault::Tls { origin: url.origin(), reason };
        }
        if error.is_connect() {
            return FetchFault::NotConnected { origin: url.origin() };
        }
        if error.is_timeout() {
            return self.timed_out(url);
        }
        FetchFault::BadResponse { at: at.to_owned() }
    }

    fn timed_out(&self, url: &ProfileUrl) -> FetchFault {
        FetchFault::TimedOut {
            at: url.without_query().to_owned(),
            timeout_ms: self.timeout.as_millis(),
        }
    }
}

impl Fetch for Fetcher {
    fn fetch<'a>(&'a self, url: &'a ProfileUrl) -> BoxFuture<'a, Result<Fetched, FetchFault>> {
        Box::pin(async move {
            let deadline = Instant::now() + self.timeout;
            let addresses = self.vetted(url, deadline).await?;
            timeout_at(deadline, self.exchange(url, &addresses, deadline))
                .await
                .unwrap_or_else(|_| Err(self.timed_out(url)))
        })
    }
}

/// Answers every name with the vetted addresses: the connector can reach no other.
struct Pinned(Vec<SocketAddr>);

impl dns::Resolve for Pinned {
    fn resolve(&self, _: dns::Name) -> dns::Resolving {
        let addresses: dns::Addrs = Box::new(self.0.clone().into_iter());
        Box::pin(std::future::ready(Ok(addresses)))
    }
}

/// The last line of defence: the peer of the connection is one of the vetted addresses.
fn vet_peer(
    url: &ProfileUrl,
    response: &Response,
    addresses: &[SocketAddr],
) -> Result<(), FetchFault> {
    match response.remote_addr() {
        Some(peer) if !addresses.iter().any(|a| a.ip() == peer.ip()) => {
            tracing::error!(origin = url.origin(), %peer, "profile answered by an unvetted address");
            Err(FetchFault::NotConnected { origin: url.origin() })
        }
        _ => Ok(()),
    }
}

fn vet_status(url: &ProfileUrl, status: StatusCode) -> Result<(), FetchFault> {
    let at = url.without_query().to_owned();
    if status.is_success() {
        Ok(())
    } else if status.is_redirection() {
        Err(FetchFault::Redirected { at, status: status.as_u16() })
    } else {
        Err(FetchFault::Status { at, status: status.as_u16() })
    }
}

fn vet_encoding(url: &ProfileUrl, headers: &HeaderMap) -> Result<(), FetchFault> {
    let plain = |value: &reqwest::header::HeaderValue| {
        value.is_empty() || value.as_bytes().eq_ignore_ascii_case(b"identity")
    };
    if headers.get_all(CONTENT_ENCODING).iter().all(plain) {
        Ok(())
    } else {
        Err(FetchFault::Encoded { at: url.without_query().to_owned() })
    }
}

fn lifetime(headers: &HeaderMap) -> Duration {
    let texts = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    freshness::lifetime(texts, headers.get(AGE).and_then(|value| value.to_str().ok()))
}

#[cfg(test)]
mod tests;
