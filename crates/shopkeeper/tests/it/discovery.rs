//! The business profiles at their well-known places (rules P1 to P6).

use crate::app::{TestApp, demo_config, mercado};
use crate::http::Request;
use crate::published;
use protocol::dialect::{Dialect, Protocol};
use serde_json::{Value, json};
use shopkeeper::config::Config;
use std::net::SocketAddr;

/// Every profile that the whole demo store serves, with its dialect.
fn places() -> impl Iterator<Item = (&'static Dialect, String)> {
    Protocol::ALL.into_iter().flat_map(|protocol| {
        Dialect::of(protocol).enumerate().map(move |(at, dialect)| {
            let path = match at {
                0 => protocol.well_known_path().to_owned(),
                _ => protocol.leaf_path(dialect.version),
            };
            (dialect, path)
        })
    })
}

fn profile(address: SocketAddr, path: &str) -> Value {
    let response = Request::get(path).send(address);
    assert_eq!(response.status, 200, "{path}");
    response.json()
}

fn names(members: &Value) -> Vec<&str> {
    members.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn rule_p3_the_four_profiles_fit_the_published_schemas() {
    for (dialect, path) in places() {
        let document = profile(mercado().address, &path);
        let ucp = &document["ucp"];
        assert_eq!(ucp["version"], dialect.version, "{path}");
        assert!(ucp["services"].is_object() && ucp["payment_handlers"].is_object(), "{path}");
        let current = Dialect::of(dialect.protocol).next() == Some(dialect);
        assert_eq!(ucp.get("supported_versions").is_some(), current, "rule P3: {path}");
        if let Some(published) = published::of(dialect) {
            let pointer = published::business_profile(dialect);
            let faults = published.faults(pointer, &document);
            assert!(faults.is_empty(), "{path}: {}\n{document:#}", faults.join("\n"));
        }
        let mut shown = document;
        crate::print::redact(&mut shown);
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/profiles");
        let name = format!("{}_{}", dialect.protocol.name(), dialect.version);
        settings.bind(|| insta::assert_snapshot!(name, crate::print::pretty(&shown)));
    }
}

#[test]
fn rule_p3_an_older_version_leads_to_its_leaf() {
    for protocol in Protocol::ALL {
        let current = profile(mercado().address, protocol.well_known_path());
        let supported = current["ucp"]["supported_versions"].as_object().unwrap();
        let older: Vec<_> = Dialect::of(protocol).skip(1).map(|dialect| dialect.version).collect();
        assert_eq!(supported.keys().collect::<Vec<_>>(), older);
        for (version, url) in supported {
            let origin = format!("http://{}", mercado().address);
            let path = url.as_str().unwrap().strip_prefix(&origin).unwrap();
            assert_eq!(profile(mercado().address, path)["ucp"]["version"], **version);
        }
    }
}

#[test]
fn rule_p4_profiles_can_be_cached() {
    for (_, path) in places() {
        let first = Request::get(&path).send(mercado().address);
        let second = Request::get(&path).send(mercado().address);
        assert_eq!(first.body, second.body, "{path}");
        assert_eq!(first.header("content-type"), Some("application/json"));
        assert_eq!(first.header("access-control-allow-origin"), Some("*"));
        let control = first.header("cache-control").unwrap();
        let max_age = control.split("max-age=").nth(1).unwrap().parse::<u64>().unwrap();
        assert!(control.contains("public") && max_age >= 60, "{control}");
        let etag = first.header("etag").unwrap();
        assert!(etag.starts_with('"') && etag.len() > 10, "{etag}");
        let weak = format!("W/{etag}");
        let several = format!("\"other\", {etag}");
        for known in [etag, &weak, &several, "*"] {
            let response = Request::get(&path).with("If-None-Match", known).send(mercado().address);
            assert_eq!((response.status, response.body.len()), (304, 0), "{known}");
            assert_eq!(response.header("etag"), Some(etag));
            assert_eq!(response.header("cache-control"), Some(control));
        }
        let changed =
            Request::get(&path).with("If-None-Match", "\"other\"").send(mercado().address);
        assert_eq!(changed.status, 200);
        let head = Request::new("HEAD", &path).send(mercado().address);
        assert_eq!((head.status, head.body.len(), head.header("etag")), (200, 0, Some(etag)));
        let post = Request::post(&path, "{}").send(mercado().address);
        assert_eq!(post.status, 405);
    }
}

#[test]
fn rule_p4_a_restart_changes_no_byte() {
    let config = || {
        let mut config = demo_config("restarted");
        config.server.public_url = "https://loja.example.com.br/".to_owned();
        config
    };
    let (one, other) = (TestApp::closed(config()), TestApp::closed(config()));
    for (_, path) in places() {
        let first = Request::get(&path).send(one.address);
        let second = Request::get(&path).send(other.address);
        assert_eq!(first.body, second.body, "{path}");
        assert_eq!(first.header("etag"), second.header("etag"), "{path}");
        assert!(
            first.text().contains("\"https://loja.example.com.br/"),
            "rule P3: {}",
            first.text()
        );
        assert!(!first.text().contains("example.com.br//"), "{}", first.text());
    }
}

/// What `config` advertises at `path`: services and capabilities.
fn advertised(config: Config, path: &str) -> (Vec<String>, Vec<String>) {
    let store = TestApp::open(config);
    let document = profile(store.address, path);
    let owned = |member: &str| {
        names(&document["ucp"][member]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    (owned("services"), owned("capabilities"))
}

#[test]
fn rule_p5_only_what_is_configured_is_advertised() {
    let mut no_places = demo_config("no-places");
    no_places.locations.feeds.clear();
    no_places.inventory.feeds.clear();
    let (services, capabilities) = advertised(no_places, "/.well-known/ucp");
    assert_eq!(services, ["dev.ucp.shopping"]);
    assert_eq!(
        capabilities,
        ["dev.ucp.shopping.catalog.search", "dev.ucp.shopping.catalog.lookup"]
    );

    let no_catalog = || {
        let mut config = demo_config("no-catalog");
        config.catalog.feeds.clear();
        config
    };
    let (services, capabilities) = advertised(no_catalog(), "/.well-known/ucp");
    assert_eq!(services, ["dev.ucp.common"]);
    assert_eq!(capabilities, ["dev.ucp.common.location.search", "dev.ucp.common.location.lookup"]);
    let (services, capabilities) = advertised(no_catalog(), "/.well-known/bcp");
    assert!(services.is_empty() && capabilities.is_empty(), "BCP has no Location");
}

#[test]
fn rule_p5_a_store_of_places_alone_has_their_tools_alone() {
    let mut config = demo_config("no-catalog");
    config.catalog.feeds.clear();
    let store = TestApp::open(config);
    let channel = crate::clients::Channel::Bare;
    let listed = channel.send(&store, Protocol::Ucp, "tools/list", json!({}));
    let tools = listed.message["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search_locations", "lookup_locations"]);
    let answer = channel.call(&store, Protocol::Ucp, "search_catalog", &json!({}));
    assert_eq!(answer.message["error"]["data"]["code"], "unknown_tool");
    let found = crate::clients::ask(
        &store,
        "search_locations",
        &json!({"filters": {"items": ["prod_leitor_paginas_unico"]}}),
    );
    assert_eq!(found["locations"].as_array().unwrap().len(), 2);
}

#[test]
fn rule_p1_a_protocol_that_is_off_is_not_there() {
    let mut config = demo_config("one-protocol");
    config.protocols.bcp.clear();
    config.protocols.ucp.truncate(1);
    let store = TestApp::open(config);
    let current = profile(store.address, "/.well-known/ucp");
    assert!(current["ucp"].get("supported_versions").is_none());
    for path in ["/.well-known/bcp", "/.well-known/bcp/2026-04-08", "/.well-known/ucp/2026-04-08"] {
        assert_eq!(Request::get(path).send(store.address).status, 404, "{path}");
    }
    assert_eq!(Request::post("/bcp/mcp", "{}").send(store.address).status, 404);
    let older = crate::profiles::good(Protocol::Ucp, "2026-04-08");
    let arguments = crate::clients::arguments("search_catalog", &json!({"query": "*"}), &older);
    let answer =
        crate::clients::Channel::Bare.call(&store, Protocol::Ucp, "search_catalog", &arguments);
    assert_eq!(answer.message["error"]["data"]["code"], "version_unsupported");
    assert!(answer.message["error"]["message"].as_str().unwrap().contains("2026-08-25"), "rule N4");
}
