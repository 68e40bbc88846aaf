//! Fetching from a hostile server on loopback, and refusing without a packet sent.

use std::io::{Read, Write};
use std::sync::mpsc;

use rcgen::CertifiedKey;
use rustls::pki_types::PrivateKeyDer;
use rustls::{RootCertStore, ServerConfig};

use super::super::hostile::{Act, Hostile, Scripted, Silent, respond, send};
use super::*;

const TIMEOUT: Duration = Duration::from_millis(400);

fn fetcher(resolver: Arc<dyn Resolve>, dev: bool) -> Fetcher {
    Fetcher::new(resolver, tls::of_platform(true).unwrap(), TIMEOUT, dev)
}

fn url(text: &str) -> ProfileUrl {
    ProfileUrl::parse(text, true).unwrap()
}

/// Fetches from loopback in development mode.
async fn fetch(text: &str) -> Result<Fetched, FetchFault> {
    fetcher(Scripted::new(&[]), true).fetch(&url(text)).await
}

async fn fetch_script(script: Vec<Act>) -> Result<Fetched, FetchFault> {
    let server = Hostile::start(script).await;
    fetch(&server.url("/p?key=secret")).await
}

async fn vetted(
    resolver: &Arc<Scripted>,
    text: &str,
    dev: bool,
) -> Result<Vec<SocketAddr>, FetchFault> {
    let resolver: Arc<Scripted> = Arc::clone(resolver);
    fetcher(resolver, dev).vetted(&url(text), Instant::now() + TIMEOUT).await
}

#[tokio::test]
async fn rule_n2_a_profile_is_fetched_with_plain_headers() {
    let server = Hostile::start(respond("200 OK", "Cache-Control: max-age=120\r\n", "{}")).await;
    let fetched = fetch(&server.url("/p?v=1")).await.unwrap();
    assert_eq!(fetched, Fetched { body: (*b"{}").into(), lifetime: Duration::from_secs(120) });
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /p?v=1 http/1.1\r\n"), "{request}");
    assert!(request.contains("accept: application/json\r\n"), "{request}");
    assert!(request.contains("accept-encoding: identity\r\n"), "{request}");
    assert!(request.contains(&format!("user-agent: {USER_AGENT}\r\n")), "{request}");
    assert!(!request.contains("referer") && !request.contains("cookie"), "{request}");
}

#[tokio::test]
async fn rule_n2_redirects_are_not_followed() {
    let target = Hostile::start(respond("200 OK", "", "{}")).await;
    for status in ["301 Moved", "302 Found", "304 Not Modified", "307 Temporary", "308 Permanent"] {
        let location = format!("Location: {}\r\n", target.url("/"));
        let fault = fetch_script(respond(status, &location, "")).await.unwrap_err();
        assert!(matches!(fault, FetchFault::Redirected { .. }), "{status} {fault}");
    }
    assert_eq!(target.connections(), 0);
}

#[tokio::test]
async fn rule_n1_other_statuses_are_unreachable() {
    for (line, expected) in [("404 Not Found", 404), ("500 Oops", 500), ("401 No", 401)] {
        let fault = fetch_script(respond(line, "", "{}")).await.unwrap_err();
        assert!(matches!(fault, FetchFault::Status { status, .. } if status == expected));
        assert!(!fault.is_of_origin());
    }
}

#[tokio::test]
async fn rule_n2_slow_servers_are_left() {
    let wait = Act::Wait(TIMEOUT * 10);
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{";
    let drip: Vec<Act> = std::iter::once(send(head))
        .chain((0..40).flat_map(|_| [Act::Wait(TIMEOUT / 8), send(" ")]))
        .collect();
    let mut slow_drip = drip.clone();
    slow_drip[0] = send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{");
    for script in [
        vec![wait.clone()],
        vec![send("HTTP/1.1 200 OK\r\nX-A:"), wait.clone()],
        vec![send(head), wait.clone()],
        slow_drip,
    ] {
        let begun = Instant::now();
        let fault = fetch_script(script).await.unwrap_err();
        assert!(matches!(fault, FetchFault::TimedOut { .. }), "{fault:?}");
        assert!(begun.elapsed() < TIMEOUT * 3);
        assert!(!fault.is_of_origin());
    }
}

#[tokio::test]
async fn rule_n2_the_body_is_bounded_while_it_streams() {
    let ends = " ".repeat(MAX_BODY);
    let fetched = fetch_script(respond("200 OK", "", &ends)).await.unwrap();
    assert_eq!(fetched.body.len(), MAX_BODY);

    let declared = vec![
        send(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", MAX_BODY + 1)),
        Act::Wait(TIMEOUT * 10),
    ];
    let until_close =
        vec![send("HTTP/1.1 200 OK\r\n\r\n"), Act::SendForEver(vec![b' '; 16 * 1024])];
    let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
    let chunked = vec![
        send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Act::SendForEver(chunk.into_bytes()),
    ];
    for script in [declared, until_close, chunked] {
        let fault = fetch_script(script).await.unwrap_err();
        assert!(matches!(fault, FetchFault::TooLarge { .. }), "{fault:?}");
    }
}

#[tokio::test]
async fn rule_n1_broken_responses_are_unreachable() {
    for script in [
        vec![send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"ucp\":")],
        vec![send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")],
        vec![send("HTTP/1.1 200 OK\r\nX: ")],
        vec![send("SSH-2.0-OpenSSH_9.6\r\n")],
        vec![send("HTTP/1.1 200 OK\r\n"), Act::SendForEver(b"X-Filler: 0123456789\r\n".to_vec())],
        vec![],
    ] {
        let fault = fetch_script(script).await.unwrap_err();
        assert!(matches!(fault, FetchFault::BadResponse { .. }), "{fault:?}");
    }
}

#[tokio::test]
async fn rule_n2_nothing_is_decompressed() {
    let fault = fetch_script(respond("200 OK", "Content-Encoding: gzip\r\n", "\x1f")).await;
    assert!(matches!(fault, Err(FetchFault::Encoded { .. })), "{fault:?}");
    assert!(fetch_script(respond("200 OK", "Content-Encoding: identity\r\n", "{}")).await.is_ok());
}

#[tokio::test]
async fn rule_n1_a_closed_port_is_unreachable_for_the_whole_origin() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/p", listener.local_addr().unwrap());
    drop(listener);
    let fault = fetch(&closed).await.unwrap_err();
    assert!(matches!(fault, FetchFault::NotConnected { .. }), "{fault:?}");
    assert!(fault.is_of_origin());
}

#[tokio::test]
async fn rule_n2_special_addresses_are_refused_before_anything_connects() {
    let server = Hostile::start(respond("200 OK", "", "{}")).await;
    let here = server.address.to_string();
    let public = "93.184.216.34:443";
    for answer in [
        &[][..],
        &[here.as_str()],
        &[public, here.as_str()],
        &["10.0.0.1:443"],
        &["169.254.169.254:443"],
        &["[::ffff:169.254.169.254]:443"],
        &["[::1]:443", public],
        &["[fd00:ec2::254]:443"],
        &["[64:ff9b::a9fe:a9fe]:443"],
    ] {
        let resolver = Scripted::new(&[answer]);
        let fetcher = fetcher(Arc::<Scripted>::clone(&resolver), false);
        let profile = url(&format!("https://agent.example:{}/p", server.address.port()));
        let fault = fetcher.fetch(&profile).await.unwrap_err();
        assert!(matches!(fault, FetchFault::NotResolved { .. }), "{answer:?} {fault:?}");
        assert_eq!(resolver.asked(), ["agent.example"], "{answer:?}");
        let text = fault.to_string();
        assert!(!answer.iter().any(|a| text.contains(a.trim_end_matches(":443"))), "{text}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn rule_n2_only_vetted_addresses_reach_the_connector() {
    let resolver = Scripted::new(&[&["93.184.216.34:0", "[2606:4700:4700::1111]:0"]]);
    let addresses = vetted(&resolver, "https://agent.example:8443/", false).await.unwrap();
    let texts: Vec<_> = addresses.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["93.184.216.34:8443", "[2606:4700:4700::1111]:8443"]);

    let many: Vec<String> = (1..=40).map(|n| format!("93.184.216.{n}:443")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    let resolver = Scripted::new(&[&many]);
    assert_eq!(vetted(&resolver, "https://a.example/", false).await.unwrap().len(), MAX_ADDRESSES);
    many.push("127.0.0.1:443");
    let resolver = Scripted::new(&[&many]);
    assert!(vetted(&resolver, "https://a.example/", false).await.is_err());
}

#[tokio::test]
async fn rule_n2_a_rebinding_name_is_looked_up_once() {
    let server = Hostile::start(respond("200 OK", "", "{}")).await;
    let here = server.address.to_string();
    let resolver = Scripted::new(&[&[here.as_str()], &["10.0.0.1:80"]]);
    let fetcher = fetcher(Arc::<Scripted>::clone(&resolver), true);
    let profile = url(&format!("http://agent.example:{}/p", server.address.port()));
    assert!(fetcher.fetch(&profile).await.is_ok());
    assert_eq!(resolver.asked().len(), 1);
    let again = fetcher.fetch(&profile).await;
    assert!(matches!(again, Err(FetchFault::NotResolved { .. })), "{again:?}");
    assert_eq!(server.connections(), 1);

    let resolver = Scripted::new(&[&["93.184.216.34:443"], &["127.0.0.1:443"]]);
    let text = "https://agent.example/p";
    assert_eq!(vetted(&resolver, text, false).await.unwrap()[0].to_string(), "93.184.216.34:443");
    assert_eq!(resolver.asked().len(), 1);
    assert!(vetted(&resolver, text, false).await.is_err());
}

#[tokio::test]
async fn rule_n2_development_mode_admits_loopback_only() {
    let text = "http://agent.example:9000/p";
    assert!(vetted(&Scripted::new(&[&["127.0.0.1:0", "[::1]:0"]]), text, true).await.is_ok());
    for answer in [
        &["127.0.0.1:0", "10.0.0.1:0"],
        &["127.0.0.1:0", "93.184.216.34:0"],
        &["93.184.216.34:0", "1.1.1.1:0"],
    ] {
        assert!(vetted(&Scripted::new(&[answer]), text, true).await.is_err(), "{answer:?}");
    }
    let public = Scripted::new(&[&["93.184.216.34:0"]]);
    assert!(vetted(&public, "https://agent.example/p", true).await.is_ok());
}

#[tokio::test]
async fn rule_n1_an_address_in_the_url_asks_no_resolver() {
    let resolver = Scripted::new(&[&["93.184.216.34:443"]]);
    let profile = "https://0177.0.0.1/p";
    let fault = vetted(&resolver, profile, false).await.unwrap_err();
    assert!(matches!(fault, FetchFault::NotResolved { .. }));
    assert!(vetted(&resolver, "https://8.8.8.8/p", false).await.is_ok());
    assert!(resolver.asked().is_empty());
}

#[tokio::test]
async fn rule_n1_a_silent_resolver_is_an_unresolved_host() {
    let begun = Instant::now();
    let fault = fetcher(Arc::new(Silent), false).fetch(&url("https://agent.example/")).await;
    assert!(matches!(fault, Err(FetchFault::NotResolved { .. })), "{fault:?}");
    assert!(begun.elapsed() < TIMEOUT * 3);
}

#[tokio::test]
async fn rule_e4_texts_hold_neither_query_nor_source() {
    let server = Hostile::start(respond("404 Not Found", "", "")).await;
    let text = fetch(&server.url("/p?key=secret#part")).await.unwrap_err().to_string();
    let at = server.url("/p");
    assert_eq!(text, format!("{at} answered HTTP 404; it must answer 200 with the profile"));
}

/// A TLS server for `agent.example` that answers one request; returns its port and certificate.
fn tls_server() -> (u16, rustls::pki_types::CertificateDer<'static>) {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["agent.example".to_owned()]).unwrap();
    let certificate = cert.der().clone();
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (announce, port) = mpsc::channel();
    std::thread::spawn(move || {
        announce.send(listener.local_addr().unwrap().port()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let session = rustls::ServerConnection::new(Arc::new(config)).unwrap();
        let mut stream = rustls::StreamOwned::new(session, stream);
        let mut request = [0; 4096];
        if stream.read(&mut request).is_ok() {
            let _sent = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        }
    });
    (port.recv().unwrap(), certificate)
}

async fn fetch_tls(port: u16, host: &str, tls: ClientConfig) -> Result<Fetched, FetchFault> {
    let here = format!("127.0.0.1:{port}");
    let resolver = Scripted::new(&[&[here.as_str()]]);
    let fetcher = Fetcher::new(resolver, tls, Duration::from_secs(5), true);
    fetcher.fetch(&url(&format!("https://{host}:{port}/p"))).await
}

#[tokio::test]
async fn rule_n2_a_certificate_nobody_vouches_for_is_refused_in_development_too() {
    for host in ["agent.example", "127.0.0.1"] {
        let (port, _) = tls_server();
        let fault = fetch_tls(port, host, tls::of_platform(true).unwrap()).await.unwrap_err();
        assert!(matches!(fault, FetchFault::Tls { .. }), "{fault:?}");
        assert!(fault.is_of_origin());
    }
}

#[tokio::test]
async fn rule_n2_a_trusted_certificate_serves_its_own_name_only() {
    let trusting = |certificate| {
        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        tls::of_roots(Arc::new(rustls::crypto::ring::default_provider()), roots).unwrap()
    };
    let (port, certificate) = tls_server();
    let fetched = fetch_tls(port, "agent.example", trusting(certificate)).await.unwrap();
    assert_eq!(*fetched.body, *b"{}");
    let (port, certificate) = tls_server();
    let fault = fetch_tls(port, "other.example", trusting(certificate)).await.unwrap_err();
    assert!(matches!(fault, FetchFault::Tls { .. }), "{fault:?}");
}

#[tokio::test]
async fn rule_n1_plain_http_behind_an_https_url_is_unreachable() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        let _waited = stream.read(&mut [0; 4096]);
    });
    let fault = fetch(&format!("https://{at}/p")).await.unwrap_err();
    assert!(matches!(fault, FetchFault::Tls { .. }), "{fault:?}");
}

#[tokio::test]
async fn rule_n2_a_handshake_that_stalls_is_no_connection() {
    let server = Hostile::start(respond("200 OK", "", "{}")).await;
    let begun = Instant::now();
    let fault = fetch(&format!("https://{}/p", server.address)).await.unwrap_err();
    assert!(matches!(fault, FetchFault::NotConnected { .. }), "{fault:?}");
    assert!(begun.elapsed() < TIMEOUT * 3);
}
