//! Requests that nobody wrote: good ones with values from the edge and beyond put
//! in at random. Whatever comes, the answer is a conformant one and never a fault of
//! the server's.

use crate::answers;
use crate::app::mercado;
use crate::clients::{Channel, arguments};
use crate::profiles;
use crate::random::Random;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde_json::{Value, json};

const REQUESTS: usize = 500;

/// A request with every member that the tool knows.
fn full(operation: Operation) -> Value {
    let context = json!({
        "address_country": "BR", "address_region": "SP", "postal_code": "01310-100",
        "language": "pt-BR", "currency": "BRL", "intent": "presente", "eligibility": ["com.example.gold"],
    });
    let signals = json!({"dev.ucp.buyer_ip": "203.0.113.9"});
    let filters = json!({
        "categories": ["Footwear"], "price": {"min": 1, "max": 90000}, "available": true,
        "brand": ["Passada"], "tags": ["corrida"], "condition": "new", "rating": {"min": 4.5},
        "options": {"Cor": ["Azul"]}, "location": "loc_centro",
    });
    let center = json!({"latitude": -23.55, "longitude": -46.63});
    let places = json!({
        "hours": {"open_at": "2026-10-05T12:00:00-03:00"},
        "amenities": ["dev.ucp.amenity.wi_fi"], "items": ["prod_leitor_paginas"],
    });
    let serves = json!({"address": {"address_country": "BR", "postal_code": "01310-100"}});
    match operation {
        Operation::SearchCatalog => json!({
            "query": "tênis azul", "filters": filters, "context": context, "signals": signals,
            "attribution": {"utm_source": "x"}, "pagination": {"limit": 3},
        }),
        Operation::LookupCatalog => json!({
            "ids": ["prod_corredor_pro", "LP22"], "filters": filters, "context": context, "signals": signals,
        }),
        Operation::GetProduct => json!({
            "id": "prod_corredor_pro", "selected": [{"name": "Cor", "label": "Azul"}],
            "preferences": ["Cor", "Tamanho"], "filters": {"available": true}, "context": context,
        }),
        Operation::SearchLocations => json!({
            "query": "centro", "distance": {"center": center, "max": 5000}, "serves": serves,
            "filters": places, "context": context, "pagination": {"limit": 2},
        }),
        Operation::LookupLocations => json!({
            "ids": ["loc_centro", "centro"], "distance": {"center": center, "max": 5000},
            "serves": {"point": center}, "filters": places, "context": context,
        }),
    }
}

/// Values that are seldom meant.
fn odd(random: &mut Random) -> Value {
    let long = "ã".repeat(20_000);
    let values = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(-0.0),
        json!(1e308),
        json!(5e-324),
        json!(9_007_199_254_740_991_i64),
        json!(9_007_199_254_740_992_i64),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(""),
        json!(" "),
        json!("\u{0}\u{1f}\u{7f}\u{feff}"),
        json!("👩‍👩‍👧 ﷽ \u{202e}abc İstanbul ß ŉ"),
        json!(long),
        json!("*"),
        json!("'); DROP TABLE products; --"),
        json!("../../etc/passwd"),
        json!("2026-02-29T23:59:60Z"),
        json!("9999-12-31T23:59:59+23:59"),
        json!("-0001-01-01T00:00:00Z"),
        json!("AZSSeMd482hgf___fwAAAB_61fS1gr9ISWJjUh9rPZtO"),
        json!([]),
        json!({}),
        json!([[[[]]]]),
        json!({"": {"": ""}}),
        json!(vec!["x"; 500]),
        json!(["a", "a"]),
        json!("XXX"),
        json!("zz-ZZ-zz-ZZ-zz"),
    ];
    random.pick(&values).clone()
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Object(members) => members.values().map(count).sum(),
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        _ => 0,
    }
}

/// The value number `at`, counted from the outside in.
fn nth<'a>(value: &'a mut Value, at: &mut usize) -> Option<&'a mut Value> {
    if *at == 0 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, at)),
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, at)),
        _ => None,
    }
}

fn spoil(request: &mut Value, random: &mut Random) {
    let at = 1 + random.below(count(request) - 1);
    let place = nth(request, &mut { at }).unwrap();
    match place {
        Value::Object(members) if random.one_in(2) => {
            let names: Vec<String> = members.keys().cloned().collect();
            if random.one_in(2) && !names.is_empty() {
                members.shift_remove(random.pick(&names));
            } else {
                let name = *random.pick(&["x", "", "com.example.x", "a b", "price", "__proto__"]);
                members.insert(name.to_owned(), odd(random));
            }
        }
        Value::Array(items) if random.one_in(2) => items.push(odd(random)),
        place => *place = odd(random),
    }
}

#[test]
fn whatever_comes_the_answer_is_conformant() {
    let mut random = Random(2026);
    let (mut answered, mut refused) = (0, 0);
    for _ in 0..REQUESTS {
        let dialect = random.pick(&Dialect::ALL);
        let dialect = Dialect::find(dialect.protocol, dialect.version).unwrap();
        let operation = *random.pick(dialect.operations());
        let mut request = full(operation);
        for _ in 0..1 + random.below(2) {
            spoil(&mut request, &mut random);
        }
        let profile = profiles::good(dialect.protocol, dialect.version);
        let arguments = arguments(operation.tool(), &request, &profile);
        let channel = *random.pick(&[Channel::Bare, Channel::Bare, Channel::StdioStateless]);
        let answer = channel.call(mercado(), dialect.protocol, operation.tool(), &arguments);
        assert!(answer.status.is_none_or(|status| status == 200), "{request}\n{}", answer.message);
        let error = &answer.message["error"];
        if error.is_null() {
            answers::checked(&answer, operation, dialect, mercado());
            answered += 1;
        } else {
            assert_eq!(error["code"], -32602, "{request}\n{error:#}");
            let violations = error["data"]["errors"].as_array().unwrap();
            assert!(!violations.is_empty(), "{request}\n{error:#}");
            for violation in violations {
                let path = violation["path"].as_str().unwrap();
                let member = format!("$.{}", operation.argument());
                assert!(path.starts_with(&member), "{path}: {request}");
            }
            refused += 1;
        }
    }
    assert!(answered > REQUESTS / 8 && refused > REQUESTS / 8, "{answered} {refused}");
}

/// What the outer parts of a call can look like.
#[test]
fn whatever_is_around_a_request() {
    let mut random = Random(6);
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    for _ in 0..200 {
        let mut arguments = arguments("get_product", &json!({"id": "LP22"}), &profile);
        let mut params = json!({"name": "get_product"});
        spoil(&mut arguments, &mut random);
        if random.one_in(4) {
            arguments = odd(&mut random);
        }
        params["arguments"] = arguments;
        let answer = Channel::Bare.send(mercado(), Protocol::Ucp, "tools/call", params.clone());
        let status = answer.status.unwrap();
        assert!([200, 400].contains(&status), "{params}\n{}", answer.message);
        let message = answer.message["error"]["message"].as_str();
        assert_eq!(message.is_some(), answer.message.get("result").is_none(), "{params}");
    }
}
