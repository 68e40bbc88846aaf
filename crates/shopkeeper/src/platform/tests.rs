//! Platforms end to end: a URL in, a platform or a failure out, over loopback.

use super::hostile::{Hostile, Scripted, profile, respond};
use super::*;

fn settings() -> Settings {
    Settings {
        dev: true,
        cache_entries: 8,
        fetch_timeout: Duration::from_millis(2000),
        registry: Vec::new(),
        require_registered: false,
    }
}

fn platforms(settings: Settings) -> Platforms {
    Platforms::with_resolver(settings, Scripted::new(&[])).unwrap()
}

async fn ask(platforms: &Platforms, url: &str) -> Result<Arc<Platform>, ProfileFailure> {
    ask_at(platforms, url, Protocol::Ucp).await
}

async fn ask_at(
    platforms: &Platforms,
    url: &str,
    protocol: Protocol,
) -> Result<Arc<Platform>, ProfileFailure> {
    let supported: Vec<&'static Dialect> = Dialect::of(protocol).collect();
    platforms.platform(url, protocol, &supported).await
}

#[tokio::test]
async fn rule_n3_a_profile_used_at_both_endpoints_is_fetched_once() {
    let server = Hostile::start(respond("200 OK", "", &profile("2026-04-08"))).await;
    let platforms = platforms(settings());
    let url = server.url("/p");
    for protocol in Protocol::ALL {
        let platform = ask_at(&platforms, &url, protocol).await.unwrap();
        assert_eq!(platform.dialect.protocol, protocol);
    }
    let same = format!("{url}#fragment");
    ask(&platforms, &same).await.unwrap();
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn rule_n2_a_malformed_profile_is_not_fetched_for_every_call() {
    for body in ["<html>", "[]", r#"{"ucp":{}}"#, ""] {
        let server = Hostile::start(respond("200 OK", "Cache-Control: no-store\r\n", body)).await;
        let platforms = platforms(settings());
        for _ in 0..3 {
            let failure = ask(&platforms, &server.url("/p")).await.unwrap_err();
            assert!(matches!(failure, ProfileFailure::Malformed { .. }), "{failure:?}");
        }
        assert_eq!(server.connections(), 1);
    }
}

#[tokio::test]
async fn rule_n4_an_unknown_version_names_those_supported() {
    let server = Hostile::start(respond("200 OK", "", &profile("2099-01-01"))).await;
    let failure = ask(&platforms(settings()), &server.url("/p")).await.unwrap_err();
    let ProfileFailure::VersionUnsupported { found, supported } = &failure else {
        panic!("{failure:?}")
    };
    assert_eq!(found, "2099-01-01");
    assert!(!supported.is_empty());
    assert!(supported.iter().all(|version| failure.to_string().contains(version)));
}

#[tokio::test]
async fn rule_n1_failures_of_url_and_of_fetching() {
    let platforms = platforms(settings());
    for url in ["", "...", "http://10.0.0.1/p", "https://u@agent.example/", "https://no.example/"] {
        let failure = ask(&platforms, url).await.unwrap_err();
        assert!(matches!(failure, ProfileFailure::InvalidUrl { .. }), "{url} {failure:?}");
    }
    let server = Hostile::start(respond("500 Oops", "", "")).await;
    let failure = ask(&platforms, &server.url("/p")).await.unwrap_err();
    assert!(matches!(failure, ProfileFailure::Unreachable { .. }), "{failure:?}");
}

#[tokio::test]
async fn rule_n2_outside_development_loopback_is_refused_unasked() {
    let server = Hostile::start(respond("200 OK", "", &profile("2026-08-25"))).await;
    let here = server.address.to_string();
    let resolver = Scripted::new(&[&[here.as_str()]]);
    let settings = Settings { dev: false, ..settings() };
    let platforms = match Platforms::with_resolver(settings, resolver) {
        Ok(platforms) => platforms,
        Err(fault) => {
            eprintln!("skipped: {fault}");
            return;
        }
    };
    let port = server.address.port();
    for url in [
        server.url("/p"),
        format!("https://{here}/p"),
        format!("https://agent.example:{port}/p"),
        format!("https://localhost.:{port}/p"),
    ] {
        let failure = ask(&platforms, &url).await.unwrap_err();
        assert!(matches!(failure, ProfileFailure::InvalidUrl { .. }), "{url} {failure:?}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn rule_n3_the_registry_may_be_required() {
    let server = Hostile::start(respond("200 OK", "", &profile("2026-08-25"))).await;
    let registered = server.url("/registered");
    let settings =
        Settings { registry: vec![registered.clone()], require_registered: true, ..settings() };
    let platforms = platforms(settings);
    let failure = ask(&platforms, &server.url("/stranger")).await.unwrap_err();
    assert_eq!(failure, ProfileFailure::NotTrusted);
    assert_eq!(server.connections(), 0);
    assert!(ask(&platforms, &registered).await.is_ok());
    let failure = ask(&platforms, "nonsense").await.unwrap_err();
    assert!(matches!(failure, ProfileFailure::InvalidUrl { .. }));
}

#[tokio::test]
async fn rule_n1_a_registered_url_must_be_acceptable() {
    let settings = Settings { registry: vec!["http://agent.example@x/".to_owned()], ..settings() };
    let fault = Platforms::with_resolver(settings, Scripted::new(&[])).unwrap_err();
    assert!(matches!(fault, SetupFault::Registry { .. }), "{fault:?}");
    assert!(fault.to_string().contains("http://agent.example@x/"));
}

#[tokio::test]
async fn rule_n3_a_cached_profile_costs_next_to_nothing() {
    let server = Hostile::start(respond("200 OK", "", &profile("2026-08-25"))).await;
    let platforms = platforms(settings());
    let url = server.url("/p");
    ask(&platforms, &url).await.unwrap();
    let supported: Vec<&'static Dialect> = Dialect::of(Protocol::Ucp).collect();
    let rounds = 20_000;
    let begun = std::time::Instant::now();
    for _ in 0..rounds {
        platforms.platform(&url, Protocol::Ucp, &supported).await.unwrap();
    }
    let each = begun.elapsed() / rounds;
    println!("a cached profile: {each:?}");
    // An unoptimised build on a busy machine; optimised it is well under 2 us.
    assert!(each < Duration::from_micros(50), "{each:?}");
}
