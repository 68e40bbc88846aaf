//! The platform profile that `shopkeeper call` goes by.

use super::business::CallError;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use protocol::dialect::Dialect;
use protocol::profile;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::Url;

const PATH: &str = "/agent.json";

/// A profile that a business can fetch, as long as this value lives.
pub(super) struct OwnProfile {
    url: Url,
    server: Option<JoinHandle<()>>,
}

impl OwnProfile {
    /// One that somebody else publishes.
    pub(super) const fn published(url: Url) -> Self {
        Self { url, server: None }
    }

    /// Publishes a profile that speaks `dialect`, on a free port of loopback.
    pub(super) async fn publish(dialect: &Dialect) -> Result<Self, CallError> {
        let setup = |error: std::io::Error| {
            CallError::Setup(format!("cannot publish a profile on loopback: {error}"))
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(setup)?;
        let address = listener.local_addr().map_err(setup)?;
        let body = profile::platform(dialect).to_string();
        let headers = [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "public, max-age=60"),
        ];
        let router = Router::new().route(PATH, get(move || async move { (headers, body) }));
        let server = tokio::spawn(crate::http::serve(listener, router, std::future::pending()));
        let url = Url::parse(&format!("http://{address}{PATH}"))
            .map_err(|error| CallError::Setup(error.to_string()))?;
        Ok(Self { url, server: Some(server) })
    }

    pub(super) const fn url(&self) -> &Url {
        &self.url
    }
}

impl Drop for OwnProfile {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}
