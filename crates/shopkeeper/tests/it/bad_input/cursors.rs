//! Cursors that cannot be honoured (rule C7).

use super::Table;
use crate::app::{TestApp, demo_config, mercado};
use crate::clients::{arguments, ask, ask_in};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};

/// `request` with the cursor that its first page gives.
fn continued(tool: &str, request: &Value) -> Value {
    let first = ask(mercado(), tool, request);
    let mut next = request.clone();
    next["pagination"]["cursor"] = first["pagination"]["cursor"].clone();
    assert!(next["pagination"]["cursor"].is_string(), "{first:#}");
    next
}

/// `request` with some members replaced.
fn with(request: &Value, members: Value) -> Value {
    let mut changed = request.clone();
    let Value::Object(members) = members else { panic!("members are an object") };
    for (name, member) in members {
        changed[name] = member;
    }
    changed
}

fn own(tool: &str, request: &Value) -> Value {
    arguments(tool, request, &profiles::good(Protocol::Ucp, "2026-08-25"))
}

#[test]
fn rule_c7_a_cursor_of_the_catalog_is_bound_to_its_search() {
    let mut table = Table::new("cursors_catalog");
    let tool = "search_catalog";
    let first = json!({
        "query": "algodão",
        "filters": {"available": true},
        "context": {"currency": "BRL", "language": "pt-BR", "address_country": "BR"},
        "pagination": {"limit": 2},
    });
    let next = continued(tool, &first);
    let cursor = next["pagination"]["cursor"].as_str().unwrap().to_owned();
    let mut tampered = cursor.clone();
    let flipped = if tampered.as_bytes()[20] == b'A' { "B" } else { "A" };
    tampered.replace_range(20..21, flipped);
    let paged = |cursor: Value| with(&first, json!({"pagination": {"cursor": cursor, "limit": 2}}));
    let rows = [
        ("tampered", paged(json!(tampered))),
        ("cut", paged(json!(cursor[..cursor.len() - 1]))),
        ("longer", paged(json!(format!("{cursor}A")))),
        ("empty", paged(json!(""))),
        ("made up", paged(json!("eyJwYWdlIjoxfQ=="))),
        ("of another query", with(&next, json!({"query": "algodao"}))),
        (
            "of another filter",
            with(&next, json!({"filters": {"available": true, "brand": "Fio da Meada"}})),
        ),
        ("of no filter", with(&next, json!({"filters": {}}))),
        (
            "of another currency",
            with(
                &next,
                json!({"context": {"currency": "USD", "language": "pt-BR", "address_country": "BR"}}),
            ),
        ),
        (
            "of another language",
            with(
                &next,
                json!({"context": {"currency": "BRL", "language": "en", "address_country": "BR"}}),
            ),
        ),
        (
            "of another country",
            with(
                &next,
                json!({"context": {"currency": "BRL", "language": "pt-BR", "address_country": "US"}}),
            ),
        ),
    ];
    for (name, request) in rows {
        let answer = table.call(name, tool, &own(tool, &request));
        assert_eq!(answer.message["error"]["data"]["code"], "invalid_cursor", "{name}");
    }
    let older = arguments(tool, &next, &profiles::good(Protocol::Ucp, "2026-04-08"));
    table.call("of another version", tool, &older);
    let bcp = arguments(tool, &next, &profiles::good(Protocol::Bcp, "2026-07-28"));
    table.call_in(mercado(), Protocol::Bcp, "of another protocol", tool, &bcp);
    table.finish();

    // What does not shape the answer may change.
    for change in [
        json!({"pagination": {"cursor": cursor, "limit": 1}}),
        json!({"pagination": {"cursor": cursor, "limit": 50}}),
        json!({"pagination": {"cursor": cursor}}),
        json!({"signals": {"dev.ucp.buyer_ip": "203.0.113.1"}}),
    ] {
        let answer = ask(mercado(), tool, &with(&next, change));
        assert!(answer["products"].is_array(), "{answer:#}");
    }
}

#[test]
fn rule_c7_a_cursor_of_one_version_serves_that_version() {
    for (protocol, version) in [
        (Protocol::Ucp, "2026-04-08"),
        (Protocol::Bcp, "2026-07-28"),
        (Protocol::Bcp, "2026-04-08"),
    ] {
        let mut request = json!({"query": "*", "pagination": {"limit": 85}});
        let first = ask_in(mercado(), protocol, version, "search_catalog", &request);
        request["pagination"]["cursor"] = first["pagination"]["cursor"].clone();
        let last = ask_in(mercado(), protocol, version, "search_catalog", &request);
        assert_eq!(last["products"].as_array().unwrap().len(), 1, "{version}");
    }
}

#[test]
fn rule_l14_a_cursor_of_places_is_bound_to_its_search() {
    let mut table = Table::new("cursors_places");
    let tool = "search_locations";
    let first = json!({
        "query": "mercado central",
        "distance": {"center": {"latitude": -23.55, "longitude": -46.63}, "max": 30_000_000},
        "filters": {"amenities": ["dev.ucp.amenity.wi_fi"]},
        "pagination": {"limit": 2},
    });
    let next = continued(tool, &first);
    let cursor = next["pagination"]["cursor"].clone();
    let rows = [
        ("of another query", with(&next, json!({"query": "mercado"}))),
        (
            "of another distance",
            with(
                &next,
                json!({"distance": {"center": {"latitude": -23.55, "longitude": -46.64}, "max": 30_000_000}}),
            ),
        ),
        (
            "of another target",
            with(&next, json!({"serves": {"address": {"address_country": "PT"}}})),
        ),
        ("of another filter", with(&next, json!({"filters": {"amenities": []}}))),
        ("of another language", with(&next, json!({"context": {"language": "en"}}))),
    ];
    for (name, request) in rows {
        let answer = table.call(name, tool, &own(tool, &request));
        assert_eq!(answer.message["error"]["data"]["code"], "invalid_cursor", "{name}");
    }
    let of_places = json!({"query": "mercado central", "pagination": {"cursor": cursor}});
    table.call("of another tool", "search_catalog", &own("search_catalog", &of_places));
    table.finish();
    let same_number = with(
        &next,
        json!({"distance": {"max": 3e7, "center": {"longitude": -46.63, "latitude": -23.55}}}),
    );
    assert!(ask(mercado(), tool, &same_number)["locations"].is_array(), "spelling does not matter");
}

#[test]
fn rule_c7_a_cursor_outlives_a_restart_and_not_a_change_of_the_feeds() {
    let request = json!({"query": "*", "pagination": {"limit": 3}});
    let next = continued("search_catalog", &request);
    let again = TestApp::open(demo_config("mercado"));
    assert_eq!(
        ask(&again, "search_catalog", &next),
        ask(mercado(), "search_catalog", &next),
        "a store with the same data folder honours it"
    );
    let mut table = Table::new("cursors_feeds");
    let mut config = demo_config("mercado");
    config.inventory.feeds.clear();
    let changed = TestApp::open(config);
    table.call_in(
        &changed,
        Protocol::Ucp,
        "of other feeds",
        "search_catalog",
        &own("search_catalog", &next),
    );
    let stranger = TestApp::open(demo_config("another-key"));
    table.call_in(
        &stranger,
        Protocol::Ucp,
        "of another store",
        "search_catalog",
        &own("search_catalog", &next),
    );
    table.finish();
}
