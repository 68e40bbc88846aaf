//! Who may reach the MCP endpoint from a browser (rule M7).
//!
//! A page in a browser can be made to call a server on the reader's own machine.
//! Two headers give it away: `Origin`, which it cannot forge, and `Host`, which
//! keeps the attacker's name when his DNS answers with a loopback address.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use std::net::{IpAddr, SocketAddr};
use url::{Host, Url};

/// The hosts and origins that are let through besides loopback.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    hosts: Vec<Host>,
    origins: Vec<String>,
}

impl Gate {
    pub(crate) fn new(
        public_origin: &str,
        bound: Option<SocketAddr>,
        allowed_origins: &[String],
        allowed_hosts: &[String],
    ) -> Self {
        let public = Url::parse(public_origin).ok();
        let hosts = public
            .iter()
            .filter_map(|url| url.host().map(|host| host.to_owned()))
            .chain(bound.map(|address| host_of(address.ip())))
            .chain(allowed_hosts.iter().filter_map(|host| host_header(host)))
            .collect();
        let origins = allowed_origins
            .iter()
            .filter_map(|origin| Url::parse(origin).ok())
            .chain(public)
            .map(|url| url.origin().ascii_serialization())
            .collect();
        Self { hosts, origins }
    }

    /// Whether the `Host` of a request names this server.
    pub(crate) fn admits_host(&self, headers: &HeaderMap) -> bool {
        let Some(value) = sole(headers, &header::HOST) else {
            return !headers.contains_key(header::HOST);
        };
        let Some(host) = value.to_str().ok().and_then(host_header) else { return false };
        is_loopback(&host) || self.hosts.contains(&host)
    }

    /// Whether the `Origin` of a request, when there is one, may call.
    pub(crate) fn admits_origin(&self, headers: &HeaderMap) -> bool {
        let Some(value) = sole(headers, &header::ORIGIN) else {
            return !headers.contains_key(header::ORIGIN);
        };
        let Some(url) = value.to_str().ok().and_then(|origin| Url::parse(origin).ok()) else {
            return false;
        };
        let loopback = matches!(url.scheme(), "http" | "https")
            && url.host().is_some_and(|host| is_loopback(&host.to_owned()));
        loopback || self.origins.contains(&url.origin().ascii_serialization())
    }

    /// The headers that let a browser read the answer to an admitted origin.
    pub(crate) fn cors(&self, headers: &HeaderMap) -> Vec<(HeaderName, HeaderValue)> {
        match headers.get(header::ORIGIN) {
            Some(origin) => vec![
                (header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
                (
                    header::ACCESS_CONTROL_EXPOSE_HEADERS,
                    HeaderValue::from_static("retry-after, x-request-id"),
                ),
                (header::VARY, HeaderValue::from_static("origin")),
            ],
            None => Vec::new(),
        }
    }
}

/// The value of a header that is there once; more than one is no value, since
/// somebody on the way may have read another than we would.
fn sole<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h HeaderValue> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// The host of a `Host` header, without its port.
pub(crate) fn host_header(value: &str) -> Option<Host> {
    let url = Url::parse(&format!("http://{value}/")).ok()?;
    let bare = url.path() == "/" && url.query().is_none() && url.username().is_empty();
    bare.then(|| url.host().map(|host| host.to_owned())).flatten()
}

fn host_of(ip: IpAddr) -> Host {
    match ip {
        IpAddr::V4(ip) => Host::Ipv4(ip),
        IpAddr::V6(ip) => Host::Ipv6(ip),
    }
}

fn is_loopback(host: &Host) -> bool {
    match host {
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost")
        }
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.is_loopback(),
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;
    use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

    fn gate() -> Gate {
        Gate::new(
            "https://loja.example.com.br",
            Some(([10, 1, 2, 3], 8080).into()),
            &["https://app.example".to_owned()],
            &["inside.example".to_owned()],
        )
    }

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn rule_m7_hosts() {
        let table = [
            ("loja.example.com.br", true),
            ("LOJA.example.com.br:443", true),
            ("10.1.2.3:8080", true),
            ("inside.example", true),
            ("127.0.0.1:9", true),
            ("localhost", true),
            ("[::1]:8080", true),
            ("evil.example", false),
            ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("loja.example.com.br@evil.example", false),
            ("", false),
        ];
        for (host, admitted) in table {
            assert_eq!(gate().admits_host(&with(header::HOST, host)), admitted, "{host}");
        }
        assert!(gate().admits_host(&HeaderMap::new()));
        let mut two = with(header::HOST, "localhost");
        two.append(header::HOST, HeaderValue::from_static("evil.example"));
        assert!(!gate().admits_host(&two));
    }

    #[test]
    fn rule_m7_origins() {
        let table = [
            ("https://loja.example.com.br", true),
            ("https://app.example", true),
            ("http://localhost:3000", true),
            ("http://127.0.0.1", true),
            ("http://[::1]:1", true),
            ("http://loja.example.com.br", false),
            ("https://app.example:444", false),
            ("https://evil.example", false),
            ("http://localhost.evil.example", false),
            ("null", false),
            ("", false),
        ];
        for (origin, admitted) in table {
            assert_eq!(gate().admits_origin(&with(header::ORIGIN, origin)), admitted, "{origin}");
        }
        assert!(gate().admits_origin(&HeaderMap::new()));
        let mut two = with(header::ORIGIN, "http://localhost");
        two.append(header::ORIGIN, HeaderValue::from_static("https://evil.example"));
        assert!(!gate().admits_origin(&two));
    }
}
