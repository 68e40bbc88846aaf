//! From host names to addresses: the seam that tests replace.
//!
//! Resolution stands apart from the HTTP client so that the addresses can be
//! vetted before anything connects, and so that tests can answer for any name
//! without a packet leaving the machine. Vetting is done by the fetcher.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;

/// Resolves host names to socket addresses.
///
/// Implementations need not filter anything: every answer is vetted (rule N2).
pub trait Resolve: Send + Sync {
    /// Resolves `host`, a name without trailing dot and never an IP literal, for `port`.
    ///
    /// An error or an empty answer means that the host does not resolve;
    /// [`io::ErrorKind::ResourceBusy`] that it could not be tried at present.
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>>;
}

/// Most look-ups of the operating system's resolver at one time.
///
/// A look-up blocks a thread and cannot be cancelled; slow name servers of a stranger must not
/// use up the threads that everything else blocks on.
const MAX_LOOKUPS: usize = 64;

/// The operating system's resolver.
#[derive(Debug)]
pub struct SystemResolver {
    lookups: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { lookups: Arc::new(Semaphore::new(MAX_LOOKUPS)) }
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(
        &'a self,
        host: &'a str,
        port: u16,
    ) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let permit = Arc::clone(&self.lookups).try_acquire_owned();
        let host = host.to_owned();
        Box::pin(async move {
            let permit = permit.map_err(|_| io::Error::from(io::ErrorKind::ResourceBusy))?;
            let lookup = move || {
                let addresses = (host.as_str(), port).to_socket_addrs().map(Iterator::collect);
                drop(permit);
                addresses
            };
            tokio::task::spawn_blocking(lookup).await.map_err(io::Error::other)?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_system_resolves_localhost_to_loopback() {
        let addresses = SystemResolver::default().resolve("localhost", 8080).await.unwrap();
        assert!(!addresses.is_empty());
        assert!(addresses.iter().all(|a| a.ip().is_loopback() && a.port() == 8080));
    }

    #[tokio::test]
    async fn lookups_are_bounded() {
        let resolver = SystemResolver { lookups: Arc::new(Semaphore::new(0)) };
        let error = resolver.resolve("localhost", 80).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
    }
}
