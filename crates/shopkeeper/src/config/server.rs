//! `[server]`: where it listens, and how platforms see it.

use super::{ConfigError, text};
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// The table `[server]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Address and port to listen on; port 0 takes a free one.
    #[serde(with = "text")]
    pub listen: SocketAddr,
    /// Origin as platforms see it, without a path; empty: `http://` and the
    /// address that it listens on.
    pub public_url: String,
    /// Local development: platform profiles on loopback are accepted, over http too.
    pub dev: bool,
    /// Browser origins that may call, besides loopback and the public one.
    pub allowed_origins: Vec<String>,
    /// Host names that a request may name, besides loopback, the public one and
    /// the listen address.
    pub allowed_hosts: Vec<String>,
    /// Answer every JSON-RPC error with HTTP 200, for old clients that lose the
    /// body of others.
    pub rpc_errors_always_200: bool,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: String::new(),
            dev: false,
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            rpc_errors_always_200: false,
        }
    }
}

impl Server {
    /// The origin that endpoints in profiles are built on, without a trailing
    /// slash; `bound` is the address that the server really listens on.
    pub fn origin(&self, bound: SocketAddr) -> String {
        if !self.public_url.is_empty() {
            return self.public_url.trim_end_matches('/').to_owned();
        }
        if bound.ip().is_unspecified() {
            return format!("http://127.0.0.1:{}", bound.port());
        }
        format!("http://{bound}")
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if !self.public_url.is_empty() {
            check_origin("public_url", &self.public_url)?;
        }
        self.allowed_origins
            .iter()
            .try_for_each(|origin| check_origin("allowed_origins", origin))?;
        let wrong = self.allowed_hosts.iter().find(|host| crate::http::host_header(host).is_none());
        wrong.map_or(Ok(()), |host| {
            let text = format!("`{host}` is no host name, such as inside.example");
            Err(ConfigError::Unusable { table: "server", key: "allowed_hosts", text })
        })
    }
}

fn check_origin(key: &'static str, origin: &str) -> Result<(), ConfigError> {
    let bare = url::Url::parse(origin).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    });
    if bare {
        return Ok(());
    }
    let text = format!(
        "`{origin}` is no origin: scheme, host and port alone, such as https://loja.example.com.br"
    );
    Err(ConfigError::Unusable { table: "server", key, text })
}
