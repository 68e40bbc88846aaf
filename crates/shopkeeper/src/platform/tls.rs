//! TLS towards platforms: whom to trust, and what went wrong.
//!
//! Certificates are verified as the operating system would, never less strictly,
//! in development neither.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;

/// Makes *ring* the cryptography of every TLS client in the process that chooses none itself.
///
/// [`super::Platforms`] does not need it. Calling it again, or after another choice was made,
/// changes nothing.
pub fn install_crypto() {
    let _chosen_before = ring::default_provider().install_default();
}

/// TLS that verifies servers against the platform's roots.
///
/// The provider is passed explicitly, so that no other part of the process can have chosen it.
/// In development a platform without roots is good enough: plain http needs none, and https is
/// then refused.
pub(super) fn of_platform(dev: bool) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    match Verifier::new(Arc::clone(&provider)) {
        Ok(verifier) => {
            let builder = ClientConfig::builder_with_provider(provider)
                .with_safe_default_protocol_versions()?
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(verifier));
            Ok(http1(builder.with_no_client_auth()))
        }
        Err(error) if dev => {
            tracing::warn!(%error, "no TLS roots: profiles over https will be refused");
            of_roots(provider, RootCertStore::empty())
        }
        Err(error) => Err(error),
    }
}

/// TLS that verifies servers against the given roots.
pub(super) fn of_roots(
    provider: Arc<CryptoProvider>,
    roots: RootCertStore,
) -> Result<ClientConfig, rustls::Error> {
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots);
    Ok(http1(builder.with_no_client_auth()))
}

fn http1(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config
}

/// What TLS found wrong, when that is what an error stems from.
pub(super) fn reason(error: &(dyn StdError + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(tls) = error.downcast_ref::<rustls::Error>() {
            return Some(tls.to_string());
        }
        // The source of an io::Error skips the error that it wraps.
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    None
}
