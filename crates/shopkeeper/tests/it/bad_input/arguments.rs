//! Arguments that do not fit: every violation is listed, by path, in the order of
//! the request (rules E2, C1, C5, C10, C13, L4, L8).

use super::{Table, paths};
use crate::app::{TestApp, demo_config, mercado};
use crate::clients::{Answer, Channel, arguments};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};

fn arguments_of(tool: &str, request: &Value) -> Value {
    arguments(tool, request, &profiles::good(Protocol::Ucp, "2026-08-25"))
}

fn code(answer: &Answer) -> &str {
    answer.message["error"]["data"]["code"].as_str().unwrap()
}

#[test]
fn rule_e2_the_member_of_the_request_is_missing_or_of_a_wrong_type() {
    let mut table = Table::new("arguments_member");
    let meta = arguments_of("get_product", &json!({}))["meta"].clone();
    for tool in
        ["search_catalog", "lookup_catalog", "get_product", "search_locations", "lookup_locations"]
    {
        let answer =
            table.call(&format!("{tool} without its member"), tool, &json!({"meta": meta}));
        let member = if tool.ends_with("locations") { "$.location" } else { "$.catalog" };
        assert_eq!(paths(&answer), [member]);
    }
    let flat = json!({"meta": meta, "query": "tênis"});
    table.call("the request beside its member", "search_catalog", &flat);
    for (name, request) in [("null", json!(null)), ("a text", json!("*")), ("a list", json!([]))] {
        table.call(name, "search_catalog", &arguments_of("search_catalog", &request));
    }
    table.call("lookup without ids", "lookup_catalog", &arguments_of("lookup_catalog", &json!({})));
    table.call("get without id", "get_product", &arguments_of("get_product", &json!({})));
    table.finish();
}

#[test]
fn rule_e2_all_violations_at_once_in_the_order_of_the_request() {
    let mut table = Table::new("arguments_many");
    let request = json!({
        "pagination": {"limit": 0, "cursor": 5},
        "query": 7,
        "context": {"currency": 986, "language": ["pt"], "eligibility": ["no name", "com.example.a"]},
        "filters": {
            "price": {"max": "15000", "min": -1},
            "categories": "Footwear",
            "available": false,
            "brand": {"name": "Passada"},
            "tags": [1, "verão", null],
            "rating": {"max": 5},
            "options": {"Cor": "Azul"},
            "location": 12,
        },
        "signals": {"ip": "203.0.113.9"},
    });
    let answer =
        table.call("search_catalog", "search_catalog", &arguments_of("search_catalog", &request));
    let found = paths(&answer);
    assert!(found.len() >= 15, "{found:#?}");
    let top: Vec<&str> = found.iter().map(|path| path.split(['.', '[']).nth(2).unwrap()).collect();
    let mut order = top.clone();
    order.dedup();
    assert_eq!(order, ["pagination", "query", "context", "filters", "signals"], "{found:#?}");
    let request = json!({
        "distance": {"max": "far", "center": {"latitude": 91, "longitude": "west"}},
        "serves": {"point": {"latitude": -23.5}},
        "filters": {"hours": {}, "amenities": ["parking"], "items": ["a", "a"]},
        "pagination": {"limit": 1.5},
    });
    let tool = "search_locations";
    table.call(tool, tool, &arguments_of(tool, &request));
    let request = json!({"ids": ["a", 1, null, ""], "filters": []});
    table.call("lookup_catalog", "lookup_catalog", &arguments_of("lookup_catalog", &request));
    let request =
        json!({"id": 9, "selected": [{"name": "Cor"}, {"label": 1}, "Azul"], "preferences": "Cor"});
    table.call("get_product", "get_product", &arguments_of("get_product", &request));
    let request = json!({"ids": "loc_centro", "context": 1});
    table.call("lookup_locations", "lookup_locations", &arguments_of("lookup_locations", &request));
    table.finish();
}

#[test]
fn rule_c1_a_search_for_nothing() {
    let mut table = Table::new("arguments_empty");
    let nothing = [
        json!({}),
        json!({"query": " \t "}),
        json!({"query": ""}),
        json!({"filters": {}}),
        json!({"filters": {"categories": []}}),
        json!({"filters": {"brand": [], "tags": [], "options": {}}}),
        json!({"filters": {"options": {"Cor": []}}}),
        json!({"filters": {"price": {}}}),
        json!({"filters": {"rating": {}}}),
        json!({"filters": {"ships_to": "BR"}}),
        json!({"context": {"currency": "BRL"}, "pagination": {"limit": 5}}),
    ];
    for request in nothing {
        let answer = table.call(
            &request.to_string(),
            "search_catalog",
            &arguments_of("search_catalog", &request),
        );
        assert_eq!(code(&answer), "invalid_arguments");
    }
    table.finish();
}

#[test]
fn rule_c10_more_ids_than_one_call_may_bring() {
    let mut table = Table::new("arguments_batch");
    let ids: Vec<String> = (0..101).map(|n| format!("id_{n}")).collect();
    let request = json!({"ids": ids});
    let answer = table.call("101 ids", "lookup_catalog", &arguments_of("lookup_catalog", &request));
    assert_eq!(code(&answer), "request_too_large");
    for tool in ["lookup_catalog", "lookup_locations"] {
        let answer = table.call("no ids", tool, &arguments_of(tool, &json!({"ids": []})));
        assert_eq!(code(&answer), "invalid_arguments");
    }
    table.finish();

    let mut ids: Vec<String> = (0..100).map(|n| format!("id_{n}")).collect();
    ids.extend_from_within(..50);
    let arguments = arguments_of("lookup_catalog", &json!({"ids": ids}));
    let answer = Channel::Bare.call(mercado(), Protocol::Ucp, "lookup_catalog", &arguments);
    let messages = answer.structured()["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 100, "100 different ones are not above the maximum");
}

#[test]
fn rule_c13_an_option_is_chosen_twice() {
    let mut table = Table::new("arguments_selected");
    let request = json!({"id": "prod_corredor_pro", "selected": [
        {"name": "Cor", "label": "Azul"}, {"name": "Tamanho", "label": "38"},
        {"name": "Cor", "label": "Verde"}, {"name": "Tamanho", "label": "39"},
    ]});
    let answer = table.call("two twice", "get_product", &arguments_of("get_product", &request));
    assert_eq!(paths(&answer), ["$.catalog.selected[2].name", "$.catalog.selected[3].name"]);
    let request = json!({"id": "nada", "selected": [
        {"name": "Cor", "label": "Azul"}, {"name": "Cor", "label": "Azul"},
    ]});
    table.call("of no product", "get_product", &arguments_of("get_product", &request));
    table.finish();
}

#[test]
fn rule_c5_a_known_filter_of_a_wrong_type() {
    let mut table = Table::new("arguments_filters");
    for filters in [
        json!({"available": false}),
        json!({"available": "yes"}),
        json!({"brand": [1]}),
        json!({"condition": {}}),
        json!({"tags": "verão"}),
        json!({"rating": 4}),
        json!({"rating": {"min": "4"}}),
        json!({"options": ["Cor"]}),
        json!({"location": ["loc_centro"]}),
        json!({"price": {"min": 1.5}}),
        json!({"price": 5}),
        json!({"categories": [{"value": "187"}]}),
    ] {
        let request = json!({"query": "tênis", "filters": filters});
        let answer = table.call(
            &filters.to_string(),
            "search_catalog",
            &arguments_of("search_catalog", &request),
        );
        assert_eq!(code(&answer), "invalid_arguments");
    }
    table.finish();
}

#[test]
fn rules_l3_l4_l5_places_badly_described() {
    let mut table = Table::new("arguments_places");
    let rows = [
        json!({"distance": {"max": 5000}}),
        json!({"distance": {"center": {"latitude": -23.5, "longitude": -46.6}}}),
        json!({"distance": {"center": {"latitude": -23.5, "longitude": -46.6}, "max": -1}}),
        json!({"distance": {"center": {"latitude": -90.5, "longitude": 181}, "max": 1}}),
        json!({"serves": {}}),
        json!({"serves": {"point": {"latitude": 0, "longitude": 0}, "address": {"address_country": "BR"}}}),
        json!({"serves": {"address": {}}}),
        json!({"serves": {"address": {"address_country": "", "postal_code": ""}}}),
        json!({"serves": {"zone": "sul"}}),
        json!({"serves": {"com.example.table": {"seats": 4}}}),
        json!({"serves": {"address": {"address_country": "Atlantis"}}}),
        json!({"serves": {"address": {"address_country": "BR", "address_region": "XX"}}}),
        json!({"serves": {"address": {"address_country": "JP", "postal_code": "100-0001"}}}),
        json!({"filters": {"hours": {"open_at": "2026-10-05T12:00:00"}}}),
        json!({"filters": {"hours": {"open_at": "noon"}}}),
        json!({"filters": {"hours": {"open_at": "2026-02-30T12:00:00Z"}}}),
        json!({"filters": {"items": []}}),
        json!({"filters": {"items": [""]}}),
        json!({"filters": {"items": ["a", "a"]}}),
        json!({"filters": {"amenities": "dev.ucp.amenity.parking"}}),
        json!({"filters": {"amenities": ["parking"]}}),
    ];
    for request in rows {
        let tool = "search_locations";
        table.call(&request.to_string(), tool, &arguments_of(tool, &request));
    }
    table.finish();
}

#[test]
fn rule_l8_a_filter_that_is_not_evaluated_is_refused() {
    let mut table = Table::new("arguments_unsupported");
    let request = json!({"filters": {"wheelchair": true, "dog friendly": 1, "amenities": []}});
    let answer = table.call(
        "unknown filters",
        "search_locations",
        &arguments_of("search_locations", &request),
    );
    assert_eq!(code(&answer), "unsupported_filter");
    assert_eq!(
        paths(&answer),
        ["$.location.filters.wheelchair", "$.location.filters['dog friendly']"]
    );
    let request = json!({"ids": ["loc_centro"], "filters": {"inventory": ["x"]}});
    let answer =
        table.call("in a lookup", "lookup_locations", &arguments_of("lookup_locations", &request));
    assert_eq!(code(&answer), "unsupported_filter");

    let mut config = demo_config("without-stock");
    config.inventory.feeds.clear();
    let store = TestApp::open(config);
    let request = json!({"filters": {"items": ["prod_leitor_paginas"]}});
    let answer = table.call_in(
        &store,
        Protocol::Ucp,
        "items without a stock feed",
        "search_locations",
        &arguments_of("search_locations", &request),
    );
    assert_eq!(code(&answer), "unsupported_filter");
    table.finish();
}

/// A member that is not ours to know is let through (rule M8: objects stay open).
#[test]
fn rule_m8_members_that_nobody_knows_are_no_fault() {
    let request = json!({"query": "*", "surprise": {"a": [1]}, "context": {"mood": "good"}, "pagination": {"limit": 1, "page": 3}});
    let mut arguments = arguments_of("search_catalog", &request);
    arguments["meta"]["idempotency-key"] = json!("6f2a");
    arguments["meta"]["com.example.trace"] = json!({"id": 1});
    arguments["more"] = json!(true);
    let answer = Channel::Bare.call(mercado(), Protocol::Ucp, "search_catalog", &arguments);
    assert_eq!(answer.structured()["products"].as_array().unwrap().len(), 1);
}
