//! Who is calling, badly said: meta and the profile it names (rules N1 to N4, N8).

use super::Table;
use crate::app::{TestApp, demo_config, mercado};
use crate::clients::{Channel, arguments};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use shopkeeper::config::Registered;

const TOOL: &str = "search_catalog";

fn good_request() -> Value {
    json!({"query": "*", "pagination": {"limit": 1}})
}

#[test]
fn rule_n1_the_profile_is_missing_or_no_url() {
    let mut table = Table::new("agents_url");
    let metas = [
        ("meta missing", None),
        ("meta null", Some(json!(null))),
        ("meta a text", Some(json!("..."))),
        ("meta a list", Some(json!([]))),
        ("meta empty", Some(json!({}))),
        ("ucp-agent null", Some(json!({"ucp-agent": null}))),
        ("ucp-agent a text", Some(json!({"ucp-agent": "https://platform.example/profile.json"}))),
        ("profile missing", Some(json!({"ucp-agent": {}}))),
        ("profile null", Some(json!({"ucp-agent": {"profile": null}}))),
        ("profile a number", Some(json!({"ucp-agent": {"profile": 7}}))),
    ];
    for (name, meta) in metas {
        let mut arguments = json!({"catalog": good_request()});
        if let Some(meta) = meta {
            arguments["meta"] = meta;
        }
        table.call(name, TOOL, &arguments);
    }
    let no_arguments =
        Channel::Bare.send(mercado(), Protocol::Ucp, "tools/call", json!({"name": TOOL}));
    assert_eq!(no_arguments.status, Some(400));
    assert_eq!(no_arguments.message["error"]["data"]["code"], "invalid_profile_url");
    let urls = [
        "...",
        "",
        "platform.example/profile.json",
        "/profile.json",
        "ftp://platform.example/profile.json",
        "http://platform.example/profile.json",
        "https://agent:secret@platform.example/profile.json",
        "https://",
        "https://10.0.0.1/profile.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:192.168.0.1]/profile.json",
        "https://[fd00::1]/profile.json",
        "https://platform.invalid/profile.json",
        "data:application/json,{}",
    ];
    for url in urls {
        let answer = table.call(url, TOOL, &arguments(TOOL, &good_request(), url));
        assert_eq!(answer.message["error"]["data"]["code"], "invalid_profile_url", "{url}");
    }
    table.finish();
}

#[test]
fn rule_n2_what_is_at_the_url_is_no_profile() {
    let mut table = Table::new("agents_profile");
    let pages = [
        ("bad/missing", "profile_unreachable"),
        ("bad/error", "profile_unreachable"),
        ("bad/redirect", "profile_unreachable"),
        ("bad/too-large", "profile_unreachable"),
        ("bad/slow", "profile_unreachable"),
        ("bad/html", "profile_malformed"),
        ("bad/empty", "profile_malformed"),
        ("bad/list", "profile_malformed"),
        ("bad/no-ucp", "profile_malformed"),
        ("bad/version-none", "profile_malformed"),
        ("bad/version-draft", "profile_malformed"),
        ("bad/capabilities-array", "profile_malformed"),
        ("bad/services-array", "profile_malformed"),
        ("bad/version-2099", "version_unsupported"),
    ];
    for (page, code) in pages {
        let arguments = arguments(TOOL, &good_request(), &profiles::url(page));
        let answer = table.call(page, TOOL, &arguments);
        assert_eq!(answer.message["error"]["data"]["code"], code, "{page}");
    }
    // A port that was free a moment ago.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let answer = table.call(
        "nobody listens",
        TOOL,
        &arguments(TOOL, &good_request(), &format!("http://{gone}/profile.json")),
    );
    assert_eq!(answer.message["error"]["data"]["code"], "profile_unreachable");
    table.finish();
}

/// The order of checks: tool name, profile, version, capability, arguments.
#[test]
fn rule_e2_the_first_fault_in_the_order_of_checks_is_told() {
    let mut table = Table::new("agents_order");
    let nonsense = json!({"query": 7});
    let code = |answer: crate::clients::Answer| {
        answer.message["error"]["data"]["code"].as_str().unwrap().to_owned()
    };
    let bad_all = arguments(TOOL, &nonsense, "...");
    assert_eq!(
        code(table.call("unknown tool, no profile", "buy_catalog", &bad_all)),
        "unknown_tool"
    );
    assert_eq!(
        code(table.call("no profile, bad arguments", TOOL, &bad_all)),
        "invalid_profile_url"
    );
    let future = arguments(TOOL, &nonsense, &profiles::url("bad/version-2099"));
    assert_eq!(
        code(table.call("unknown version, bad arguments", TOOL, &future)),
        "version_unsupported"
    );
    let order = profiles::only(Protocol::Ucp, "2026-08-25", "shopping.order");
    let answer =
        Channel::Bare.call(mercado(), Protocol::Ucp, TOOL, &arguments(TOOL, &nonsense, &order));
    assert_eq!(answer.structured()["messages"][0]["code"], "capabilities_incompatible");
    table.finish();
}

/// A profile of one protocol at the endpoint of the other.
#[test]
fn rule_n4_a_version_of_the_other_protocol_is_not_supported() {
    let mut table = Table::new("agents_protocol");
    let ucp = arguments(TOOL, &good_request(), &profiles::good(Protocol::Ucp, "2026-08-25"));
    let bcp = arguments(TOOL, &good_request(), &profiles::good(Protocol::Bcp, "2026-07-28"));
    let store = mercado();
    table.call_in(store, Protocol::Bcp, "UCP 2026-08-25 at the BCP endpoint", TOOL, &ucp);
    table.call_in(store, Protocol::Ucp, "BCP 2026-07-28 at the UCP endpoint", TOOL, &bcp);
    table.finish();
}

#[test]
fn rule_n3_a_store_for_registered_platforms_alone() {
    let mut table = Table::new("agents_registry");
    let known = profiles::good(Protocol::Ucp, "2026-08-25");
    let stranger = profiles::url("good/ucp/2026-08-25.json?stranger");
    let mut config = demo_config("registered");
    config.platforms.registry = vec![Registered::Profile(known.clone())];
    config.platforms.require_registered = true;
    let store = TestApp::open(config);
    let welcome = arguments(TOOL, &good_request(), &known);
    let answer = Channel::Bare.call(&store, Protocol::Ucp, TOOL, &welcome);
    assert!(answer.structured()["products"].is_array());
    let refused = arguments(TOOL, &good_request(), &stranger);
    let answer = table.call_in(&store, Protocol::Ucp, "a stranger", TOOL, &refused);
    assert_eq!(answer.message["error"]["data"]["code"], "profile_not_trusted");
    assert_eq!(profiles::hits(&stranger), 0, "nothing is fetched for a stranger");
    table.finish();
}

#[test]
fn rule_n3_a_profile_is_fetched_once() {
    let store = TestApp::open(demo_config("cached"));
    let profile = profiles::url("good/ucp/2026-08-25.json?cached");
    let request = arguments(TOOL, &good_request(), &profile);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    Channel::Bare.call(&store, Protocol::Ucp, TOOL, &request).structured();
                }
            });
        }
    });
    assert_eq!(profiles::hits(&profile), 1);
    let bad = profiles::url("bad/html?cached");
    for _ in 0..5 {
        let answer = Channel::Bare.call(
            &store,
            Protocol::Ucp,
            TOOL,
            &arguments(TOOL, &good_request(), &bad),
        );
        assert_eq!(answer.message["error"]["data"]["code"], "profile_malformed");
    }
    assert_eq!(profiles::hits(&bad), 1, "what is no profile is not asked for again and again");
    let gone = profiles::url("bad/missing?backoff");
    for _ in 0..5 {
        let answer = Channel::Bare.call(
            &store,
            Protocol::Ucp,
            TOOL,
            &arguments(TOOL, &good_request(), &gone),
        );
        assert_eq!(answer.message["error"]["data"]["code"], "profile_unreachable");
    }
    assert_eq!(profiles::hits(&gone), 1, "failures are backed off");
}
