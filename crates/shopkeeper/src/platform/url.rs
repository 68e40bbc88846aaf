//! The profile URL: read, vetted, normalised (rule N1).
//!
//! The WHATWG parser behind the `url` crate turns every spelling of a host
//! (decimal, octal, hexadecimal and short IPv4, IPv6 with an IPv4 tail,
//! percent-encoded and internationalised names) into one form; what is vetted
//! here is that form, and it is also what the HTTP client later connects to.
//! Spellings that only this lenient parser takes for an absolute URL are refused
//! before it sees them. Names are resolved elsewhere.

use std::net::IpAddr;

use url::{Host, Url};

use super::address;

/// Longest profile URL accepted, in bytes, before and after normalisation.
const MAX_LENGTH: usize = 2048;

/// A profile URL that may be resolved and, if its addresses are public, fetched.
///
/// No userinfo, no fragment, no trailing dot on the host; https, or http in development.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProfileUrl(Url);

/// Why a text is no acceptable profile URL; the texts are for whoever wrote it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum UrlFault {
    #[error(
        "the profile URL is longer than {MAX_LENGTH} bytes; publish the profile at a shorter one"
    )]
    TooLong,
    #[error(
        "the profile is not an absolute URL such as https://agent.example/profile.json ({reason})"
    )]
    NotAbsolute { reason: String },
    #[error("the profile URL uses the scheme {scheme}; publish the profile over https")]
    NotHttps { scheme: String },
    #[error("the profile URL contains a user name or password; remove the part before the @")]
    Userinfo,
    #[error("the profile URL has no usable host or port")]
    NoHost,
    #[error(
        "the profile host is an address that is not on the public internet; publish the profile \
         on a public https host (loopback is accepted only by a store in development mode)"
    )]
    SpecialAddress,
}

impl ProfileUrl {
    /// Reads and vets a profile URL; `dev` admits loopback hosts and, for names and loopback
    /// addresses, plain http (rules N1, N2).
    ///
    /// A fragment is dropped: it is never sent, so it names the same profile.
    pub(super) fn parse(text: &str, dev: bool) -> Result<Self, UrlFault> {
        if text.len() > MAX_LENGTH {
            return Err(UrlFault::TooLong);
        }
        let authority = authority(text)?;
        let mut url =
            Url::parse(text).map_err(|e| UrlFault::NotAbsolute { reason: e.to_string() })?;
        let https = url.scheme() == "https";
        let plain = url.scheme() == "http" && dev;
        if !https && !plain {
            return Err(UrlFault::NotHttps { scheme: url.scheme().to_owned() });
        }
        if authority.contains('@') {
            return Err(UrlFault::Userinfo);
        }
        url.set_fragment(None);
        drop_trailing_dot(&mut url)?;
        if url.port() == Some(0) {
            return Err(UrlFault::NoHost);
        }
        if url.as_str().len() > MAX_LENGTH {
            return Err(UrlFault::TooLong);
        }
        let url = Self(url);
        match url.address() {
            Some(ip) if !address::admitted(&[ip], dev, https) => Err(UrlFault::SpecialAddress),
            _ => Ok(url),
        }
    }

    /// The normalised URL, which names the profile in caches and registries.
    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The normalised URL for the HTTP client.
    pub(super) fn url(&self) -> &Url {
        &self.0
    }

    /// Says whether the profile is fetched over TLS.
    pub(super) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The host when it is an IP literal.
    pub(super) fn address(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Ipv4(address) => Some(IpAddr::V4(address)),
            Host::Ipv6(address) => Some(IpAddr::V6(address)),
            Host::Domain(_) => None,
        }
    }

    /// The host as text, an IPv6 literal in brackets.
    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The port, the scheme's own when the URL names none.
    pub(super) fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or(443)
    }

    /// Scheme, host and port: what connection faults are charged to.
    pub(super) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The URL without its query, for messages and logs: queries may carry secrets.
    pub(super) fn without_query(&self) -> &str {
        let text = self.0.as_str();
        text.split_once('?').map_or(text, |(before, _)| before)
    }
}

/// The part between `//` and the path, of a text that RFC 3986 too would take for an absolute URL.
fn authority(text: &str) -> Result<&str, UrlFault> {
    let fault = |reason: &str| UrlFault::NotAbsolute { reason: reason.to_owned() };
    if text.chars().any(|c| c <= ' ' || c == '\x7f' || c == '\\') {
        return Err(fault("it contains a space, a control character or a backslash"));
    }
    let Some((_, rest)) = text.split_once("://") else {
        return Err(fault("it has no scheme followed by ://"));
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() { Err(fault("empty host")) } else { Ok(authority) }
}

/// `agent.example.` and `agent.example` are one host to the resolver, so one profile to us.
fn drop_trailing_dot(url: &mut Url) -> Result<(), UrlFault> {
    let Some(Host::Domain(name)) = url.host() else {
        return if url.has_host() { Ok(()) } else { Err(UrlFault::NoHost) };
    };
    let bare = name.strip_suffix('.').unwrap_or(name);
    if bare.split('.').any(str::is_empty) {
        return Err(UrlFault::NoHost);
    }
    if bare.len() < name.len() {
        let bare = bare.to_owned();
        url.set_host(Some(&bare)).map_err(|_| UrlFault::NoHost)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<String, UrlFault> {
        ProfileUrl::parse(text, false).map(|url| url.as_str().to_owned())
    }

    fn dev(text: &str) -> Result<String, UrlFault> {
        ProfileUrl::parse(text, true).map(|url| url.as_str().to_owned())
    }

    #[test]
    fn rule_n1_good_urls_are_normalised() {
        for (text, normal) in [
            ("https://agent.example/p.json", "https://agent.example/p.json"),
            ("HTTPS://Agent.Example", "https://agent.example/"),
            ("https://agent.example:443/p", "https://agent.example/p"),
            ("https://agent.example:8443/p?v=1", "https://agent.example:8443/p?v=1"),
            ("https://agent.example./p", "https://agent.example/p"),
            ("https://agent.example/p#keys", "https://agent.example/p"),
            ("https://caf\u{e9}.example/p", "https://xn--caf-dma.example/p"),
            ("https://8.8.8.8/p", "https://8.8.8.8/p"),
            ("https://[2606:4700:4700::1111]/p", "https://[2606:4700:4700::1111]/p"),
        ] {
            assert_eq!(parse(text).as_deref(), Ok(normal), "{text}");
        }
    }

    #[test]
    fn rule_n1_not_a_url() {
        for text in [
            "",
            "...",
            "agent.example/p",
            "//agent.example/p",
            "https:agent.example",
            "https:/agent.example",
            "https://",
            "https:///p",
            "https://?x",
            " https://agent.example/",
            "https://agent.example/\n",
            "https://agent\t.example/",
            "https:\\\\agent.example\\p",
            "https://agent.example\\@127.0.0.1/",
            "https://[::1%25eth0]/",
            "https://[fe80::1%eth0]/",
            "https://1.2.3.256/",
            "https://agent.example:99999/",
            "https://a b/",
            "https://a%00b/",
        ] {
            assert!(matches!(parse(text), Err(UrlFault::NotAbsolute { .. })), "{text:?}");
        }
    }

    #[test]
    fn rule_n1_other_schemes() {
        for text in [
            "http://agent.example/p",
            "ftp://agent.example/p",
            "file:///etc/passwd",
            "file://localhost/etc/passwd",
            "data://text/plain",
            "ws://agent.example/",
            "http://127.0.0.1/",
        ] {
            let fault = parse(text);
            assert!(
                matches!(fault, Err(UrlFault::NotHttps { .. } | UrlFault::NotAbsolute { .. })),
                "{text} {fault:?}"
            );
        }
    }

    #[test]
    fn rule_n1_userinfo_and_hosts_without_a_name() {
        for text in ["https://u@agent.example/", "https://u:p@agent.example/", "https://@a.example"]
        {
            assert_eq!(parse(text), Err(UrlFault::Userinfo), "{text}");
        }
        for text in ["https://./", "https://a..example/", "https://a.example../", "https://a:0/"] {
            assert_eq!(parse(text), Err(UrlFault::NoHost), "{text}");
        }
        let at_in_path = "https://agent.example/@me?x=a@b";
        assert_eq!(parse(at_in_path).as_deref(), Ok(at_in_path));
    }

    #[test]
    fn rule_n1_length_is_bounded_before_and_after_normalisation() {
        let base = "https://agent.example/";
        let fits = format!("{base}{}", "a".repeat(MAX_LENGTH - base.len()));
        assert!(parse(&fits).is_ok());
        assert_eq!(parse(&format!("{fits}a")), Err(UrlFault::TooLong));
        let grows = format!("{base}{}", "\u{e9}".repeat(1000));
        assert_eq!(parse(&grows), Err(UrlFault::TooLong));
    }

    #[test]
    fn rule_n2_special_addresses_in_any_spelling() {
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "017700000001",
            "%31%32%37.0.0.1",
            "\u{ff11}27.0.0.1",
            "0",
            "10.0.0.1",
            "169.254.169.254",
            "0xa9fea9fe",
            "2852039166",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:ffff:a9fe:a9fe]",
            "[::127.0.0.1]",
            "[64:ff9b::169.254.169.254]",
            "[2002:7f00:1::]",
            "[fd00:ec2::254]",
            "[fe80::1]",
        ] {
            let text = format!("https://{host}/p");
            assert_eq!(parse(&text), Err(UrlFault::SpecialAddress), "{text}");
        }
    }

    #[test]
    fn rule_n2_development_mode() {
        for text in [
            "http://127.0.0.1:9000/p",
            "http://[::1]:9000/p",
            "https://127.0.0.1/p",
            "http://localhost:9000/p",
            "https://agent.example/p",
        ] {
            assert_eq!(dev(text).as_deref(), Ok(text));
        }
        for text in [
            "http://10.0.0.1/p",
            "http://8.8.8.8/p",
            "https://192.168.0.1/p",
            "http://0.0.0.0:9000/p",
            "http://[::ffff:127.0.0.1]/p",
        ] {
            assert_eq!(dev(text), Err(UrlFault::SpecialAddress), "{text}");
        }
        assert!(matches!(dev("ftp://127.0.0.1/"), Err(UrlFault::NotHttps { .. })));
    }

    #[test]
    fn parts_for_others() {
        let url = ProfileUrl::parse("https://Agent.example/p?key=secret", false).unwrap();
        assert_eq!(url.without_query(), "https://agent.example/p");
        assert_eq!(url.origin(), "https://agent.example");
        assert_eq!((url.host(), url.port(), url.is_https()), ("agent.example", 443, true));
        assert_eq!(url.address(), None);
        let url = ProfileUrl::parse("http://[::1]:9000/", true).unwrap();
        assert_eq!((url.host(), url.port(), url.is_https()), ("[::1]", 9000, false));
        assert_eq!(url.address(), Some("::1".parse().unwrap()));
    }
}
