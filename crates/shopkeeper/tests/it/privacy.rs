//! Logs tell nothing of buyers (rule L13).

use crate::app::mercado;
use crate::clients::{Channel, arguments};
use crate::profiles;
use crate::random::Random;
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

const REQUESTS: usize = 300;

/// Everything that is logged in this process, at every level.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Logged {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// A request with secrets in it, which are also returned.
fn request(random: &mut Random, secrets: &mut Vec<String>) -> (&'static str, Value) {
    let mut secret = |prefix: &str| {
        let secret = format!("{prefix}{:012x}", random.next() >> 16);
        secrets.push(secret.clone());
        secret
    };
    let words = secret("palavra");
    let signals =
        json!({"dev.ucp.buyer_ip": secret("ip"), "com.example.device": {"id": secret("device")}});
    let attribution = json!({"utm_source": secret("utm"), "click_id": secret("click")});
    let context =
        json!({"intent": secret("intent"), "postal_code": secret("cep"), "language": "pt-BR"});
    let id = secret("id");
    // Seven decimals; no other number in the logs looks like their first three.
    let latitude = -23.0 - (random.below(9_000_000) as f64 + 1_000_000.0) / 1e7;
    let longitude = -46.0 - (random.below(9_000_000) as f64 + 1_000_000.0) / 1e7;
    secrets.extend(
        [latitude, longitude].map(|degrees| format!("{:.3}", (degrees * 1e3).trunc() / 1e3)),
    );
    let center = json!({"latitude": latitude, "longitude": longitude});
    match random.below(8) {
        0 => (
            "search_catalog",
            json!({"query": words, "signals": signals, "attribution": attribution, "context": context}),
        ),
        1 => {
            ("lookup_catalog", json!({"ids": [id], "signals": signals, "attribution": attribution}))
        }
        2 => (
            "get_product",
            json!({"id": id, "selected": [{"name": words, "label": words}], "signals": signals}),
        ),
        3 => (
            "search_locations",
            json!({"query": words, "distance": {"center": center, "max": 5000}, "signals": signals}),
        ),
        4 => ("search_locations", json!({"serves": {"point": center}, "context": context})),
        5 => {
            ("lookup_locations", json!({"ids": [id], "distance": {"center": center, "max": 5000}}))
        }
        // What is refused is not logged either.
        6 => (
            "search_locations",
            json!({"query": 7, "serves": {"point": center, "address": {"postal_code": words}}, "signals": signals}),
        ),
        _ => (
            "search_catalog",
            json!({"query": [words], "pagination": {"cursor": id}, "filters": {"brand": 1}}),
        ),
    }
}

#[test]
fn rule_l13_nothing_of_a_buyer_is_logged() {
    let logged = Logged::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .without_time()
        .with_ansi(false)
        .with_writer(logged.clone())
        .finish();
    // For the whole process: the store answers on threads of its own.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut random = Random(13);
    let mut secrets = Vec::new();
    let profile = format!("{}?session=secret-session", profiles::good(Protocol::Ucp, "2026-08-25"));
    secrets.push("secret-session".to_owned());
    for _ in 0..REQUESTS {
        let (tool, request) = request(&mut random, &mut secrets);
        let arguments = arguments(tool, &request, &profile);
        Channel::Bare.call(mercado(), Protocol::Ucp, tool, &arguments);
    }
    let log = String::from_utf8(logged.0.lock().unwrap().clone()).unwrap();
    let calls = log.lines().filter(|line| line.contains("search_locations")).count();
    assert!(calls > REQUESTS / 5, "calls are logged: {calls}\n{}", &log[..log.len().min(2000)]);
    assert!(log.contains("request_id"), "every line can be found by its request");
    for secret in secrets {
        let told = log.lines().find(|line| line.contains(&secret));
        assert_eq!(told, None, "{secret}");
    }
}
