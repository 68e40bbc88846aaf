//! Properties of whole walks: every match once, whatever the size of the pages
//! (rules C6, C7, L14).

use crate::app::{TestApp, demo_config, mercado, scratch};
use crate::clients::{Channel, arguments, ask, ask_in};
use crate::profiles;
use crate::random::Random;
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// All results of a search, page after page of random sizes.
fn walk(tool: &str, list: &str, request: &Value, random: &mut Random) -> Vec<Value> {
    let mut found = Vec::new();
    let mut request = request.clone();
    loop {
        request["pagination"]["limit"] = json!(1 + random.below(7));
        let page = ask(mercado(), tool, &request);
        let results = page[list].as_array().unwrap();
        let pagination = &page["pagination"];
        assert!(results.len() as u64 <= request["pagination"]["limit"].as_u64().unwrap());
        found.extend(results.iter().cloned());
        let total = pagination["total_count"].as_u64().unwrap();
        if !pagination["has_next_page"].as_bool().unwrap() {
            assert!(pagination.get("cursor").is_none(), "rule C7");
            assert_eq!(found.len() as u64, total, "rule C7: {request}");
            return found;
        }
        assert!(!results.is_empty() && (found.len() as u64) < total, "{request}");
        request["pagination"]["cursor"] = pagination["cursor"].clone();
    }
}

fn ids(results: &[Value]) -> Vec<&str> {
    results.iter().map(|result| result["id"].as_str().unwrap()).collect()
}

#[test]
fn rule_c7_walking_all_pages_gives_every_product_once() {
    let mut random = Random(7);
    let searches = [
        json!({"query": "*"}),
        json!({"query": "algodão"}),
        json!({"query": "café"}),
        json!({"filters": {"available": true}}),
        json!({"filters": {"categories": ["Grocery", "Footwear", "Books"]}}),
        json!({"filters": {"price": {"min": 5000, "max": 30000}}, "context": {"currency": "BRL"}}),
        json!({"filters": {"location": "loc_centro"}, "context": {"language": "en"}}),
    ];
    for search in searches {
        let mut whole = search.clone();
        whole["pagination"] = json!({"limit": 100});
        let whole = ask(mercado(), "search_catalog", &whole);
        let expected = ids(whole["products"].as_array().unwrap());
        assert!(expected.len() > 3, "{search}: too few to walk");
        for _ in 0..3 {
            let found = walk("search_catalog", "products", &search, &mut random);
            assert_eq!(ids(&found), expected, "{search}");
            assert_eq!(found, *whole["products"].as_array().unwrap(), "{search}");
        }
        let distinct: BTreeSet<_> = expected.iter().collect();
        assert_eq!(distinct.len(), expected.len(), "{search}");
    }
}

#[test]
fn rule_c7_a_page_has_ten_unless_the_request_says_otherwise() {
    let length = |pagination: Value| {
        let request = json!({"query": "*", "pagination": pagination});
        ask(mercado(), "search_catalog", &request)["products"].as_array().unwrap().len()
    };
    assert_eq!(length(json!({})), 10);
    assert_eq!(length(json!({"limit": 1})), 1);
    assert_eq!(length(json!({"limit": 100})), 86);
    assert_eq!(length(json!({"limit": 9_007_199_254_740_991_i64})), 86, "clamped silently");
}

#[test]
fn rule_l14_walking_all_pages_gives_every_place_once() {
    let mut random = Random(14);
    let searches = [
        json!({}),
        json!({"query": "mercado central"}),
        json!({"distance": {"center": {"latitude": -10, "longitude": -50}, "max": 9_000_000}}),
        json!({"filters": {"amenities": ["dev.ucp.amenity.wi_fi"]}}),
        json!({"context": {"address_country": "BR", "address_region": "SP"}}),
    ];
    for search in searches {
        let whole = ask(mercado(), "search_locations", &{
            let mut whole = search.clone();
            whole["pagination"] = json!({"limit": 100});
            whole
        });
        let expected = whole["locations"].as_array().unwrap();
        for _ in 0..4 {
            let found = walk("search_locations", "locations", &search, &mut random);
            assert_eq!(found, *expected, "{search}");
        }
    }
}

/// Every product of the store, in full, with all of its variants.
fn whole_catalog() -> Vec<Value> {
    let request =
        json!({"query": "*", "pagination": {"limit": 100}, "context": {"currency": "BRL"}});
    ask(mercado(), "search_catalog", &request)["products"].as_array().unwrap().clone()
}

#[test]
fn rule_c6_the_price_range_is_that_of_all_variants() {
    let products = whole_catalog();
    assert_eq!(products.len(), 86);
    for product in &products {
        let variants = product["variants"].as_array().unwrap();
        let amounts = |of: &str| -> Vec<u64> {
            let found = variants.iter().filter_map(|variant| variant[of]["amount"].as_u64());
            found.collect()
        };
        let range = |of: &str| {
            let ends = ["min", "max"].map(|end| product[of][end]["amount"].as_u64());
            (ends[0], ends[1])
        };
        let prices = amounts("price");
        let expected = (prices.iter().min().copied(), prices.iter().max().copied());
        assert_eq!(range("price_range"), expected, "{}", product["id"]);
        // The same range whichever variants an answer shows.
        for variant in variants.iter().take(2) {
            let request = json!({"ids": [variant["id"]], "context": {"currency": "BRL"}});
            let looked_up = ask(mercado(), "lookup_catalog", &request);
            assert_eq!(looked_up["products"][0]["price_range"], product["price_range"]);
            assert_eq!(looked_up["products"][0]["list_price_range"], product["list_price_range"]);
        }
    }
}

#[test]
fn rule_c18_both_protocols_see_the_same_store() {
    let request =
        json!({"query": "*", "pagination": {"limit": 100}, "context": {"currency": "BRL"}});
    let ours = whole_catalog();
    for (protocol, version) in [
        (Protocol::Ucp, "2026-04-08"),
        (Protocol::Bcp, "2026-07-28"),
        (Protocol::Bcp, "2026-04-08"),
    ] {
        let theirs = ask_in(mercado(), protocol, version, "search_catalog", &request);
        let theirs = theirs["products"].as_array().unwrap();
        assert_eq!(ids(theirs), ids(&ours));
        for (one, other) in ours.iter().zip(theirs) {
            assert_eq!(one["price_range"], other["price_range"], "{}", one["id"]);
            assert_eq!(
                ids(one["variants"].as_array().unwrap()),
                ids(other["variants"].as_array().unwrap())
            );
        }
    }
}

/// Rule C9 over random mixes of ids, against a model made from the whole catalog.
#[test]
fn rule_c9_lookups_of_random_mixes() {
    let products = whole_catalog();
    let mut names: Vec<(String, String, Option<String>)> = Vec::new();
    for product in &products {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let id = text(&product["id"]);
        for member in ["id", "handle", "url"] {
            names.push((text(&product[member]), id.clone(), None));
        }
        for variant in product["variants"].as_array().unwrap() {
            let own = text(&variant["id"]);
            names.push((own.clone(), id.clone(), Some(own.clone())));
            names.push((text(&variant["sku"]), id.clone(), Some(own.clone())));
        }
    }
    let mut random = Random(9);
    for round in 0..40 {
        let picked: Vec<(String, String, Option<String>)> =
            (0..1 + random.below(25)).map(|_| random.pick(&names).clone()).collect();
        let mut sent: Vec<String> = picked.iter().map(|(name, ..)| name.clone()).collect();
        let unknown = format!("unknown {round}");
        sent.insert(random.below(sent.len() + 1), unknown.clone());
        sent.push(sent[0].clone());
        let answer = ask(mercado(), "lookup_catalog", &json!({"ids": sent}));
        assert_eq!(
            answer["messages"],
            json!([{"type": "info", "code": "not_found", "content": unknown}])
        );
        let mut inputs = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for product in answer["products"].as_array().unwrap() {
            assert!(seen.insert(product["id"].to_string()), "a product is there twice");
            for variant in product["variants"].as_array().unwrap() {
                assert!(seen.insert(variant["id"].to_string()), "a variant is there twice");
                let own = variant["inputs"].as_array().unwrap();
                assert!(!own.is_empty(), "rule C9");
                for input in own {
                    let name = input["id"].as_str().unwrap();
                    let (_, of, exact) = names.iter().find(|(known, ..)| known == name).unwrap();
                    assert_eq!(product["id"], **of, "{name}");
                    assert_eq!(input["match"], if exact.is_some() { "exact" } else { "featured" });
                    if let Some(exact) = exact {
                        assert_eq!(variant["id"], **exact, "{name}");
                    }
                    assert!(inputs.insert(name.to_owned()), "{name} is there twice");
                }
            }
        }
        let expected: BTreeSet<String> = sent.into_iter().filter(|name| *name != unknown).collect();
        assert_eq!(inputs, expected, "every id that is known led somewhere");
    }
}

/// Ids of all that a search of the products finds, in order.
fn found(search: &Value) -> Vec<String> {
    let mut search = search.clone();
    search["pagination"] = json!({"limit": 100});
    let answer = ask(mercado(), "search_catalog", &search);
    ids(answer["products"].as_array().unwrap()).into_iter().map(str::to_owned).collect()
}

#[test]
fn an_intent_adds_and_removes_nothing_and_a_walk_keeps_it() {
    let plain = json!({"query": "panela"});
    let mut meant = plain.clone();
    meant["context"]["intent"] = json!("um presente de barro para quem cozinha feijão");
    let (without, with) = (found(&plain), found(&meant));
    let set = |ids: &[String]| ids.iter().cloned().collect::<BTreeSet<String>>();
    assert_eq!(set(&without), set(&with));
    let mut random = Random(5);
    let walked = walk("search_catalog", "products", &meant, &mut random);
    assert_eq!(ids(&walked), with);
    // Another intent is another list: its cursor is not honoured.
    meant["pagination"] = json!({"limit": 1});
    let first = ask(mercado(), "search_catalog", &meant);
    meant["pagination"]["cursor"] = first["pagination"]["cursor"].clone();
    assert_eq!(ask(mercado(), "search_catalog", &meant)["products"].as_array().unwrap().len(), 1);
    meant["context"]["intent"] = json!("outra coisa");
    assert_eq!(refused(mercado(), &meant), "invalid_cursor");
}

/// The code of a search of the products that is refused.
fn refused(store: &TestApp, search: &Value) -> Value {
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let arguments = arguments("search_catalog", search, &profile);
    let answer = Channel::Bare.call(store, Protocol::Ucp, "search_catalog", &arguments);
    answer.message["error"]["data"]["code"].clone()
}

#[test]
fn synonyms_are_found_through_the_door_and_a_walk_keeps_its_own() {
    let file = scratch("synonyms").join("synonyms.txt");
    let mut config = demo_config("synonyms");
    config.catalog.synonyms = file.display().to_string();
    std::fs::write(&file, "zorbax, panela\nwibble wobble => queijo\n").unwrap();
    let store = TestApp::open(config);
    let total = |query: &str| {
        let answer = ask(&store, "search_catalog", &json!({"query": query}));
        answer["pagination"]["total_count"].as_u64().unwrap()
    };
    assert_eq!((total("zorbax"), total("zórbax")), (total("panela"), total("panela")));
    assert_eq!(total("wibble wobble"), total("queijo"));
    assert!(total("panela") > 1 && total("queijo") > 0);
    let mut search = json!({"query": "zorbax", "pagination": {"limit": 1}});
    let first = ask(&store, "search_catalog", &search);
    search["pagination"]["cursor"] = first["pagination"]["cursor"].clone();
    ask(&store, "search_catalog", &search);
    std::fs::write(&file, "zorbax, queijo\n").unwrap();
    store.publish();
    // The walk goes on in the data that it began in, their synonyms included (rule C7).
    let on = ask(&store, "search_catalog", &search);
    assert_eq!(on["pagination"]["total_count"], first["pagination"]["total_count"]);
    assert_eq!((total("zorbax"), total("wibble wobble")), (total("queijo"), 0));
}
