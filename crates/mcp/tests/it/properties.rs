//! What holds for every body, whoever wrote it.

use mcp::{Reply, Server, Transport};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::support::{META, http, modern, send, server};

/// Bodies that are nearly right, to cut and twist.
fn seeds() -> Vec<String> {
    let call = format!(
        r#""method":"tools/call","params":{{"name":"search","arguments":{{"a":[1,{{"b":null}}]}},{META}}}"#
    );
    vec![
        format!(r#"{{"jsonrpc":"2.0","id":1,{call}}}"#),
        format!(r#"[{{"jsonrpc":"2.0","id":"x",{call}}},{{"jsonrpc":"2.0","method":"n"}},3]"#),
        r#"{"jsonrpc":"2.0","id":1.5,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#.into(),
        r#"{"jsonrpc":"2.0","id":-0,"method":"tools/list","params":{"cursor":"é\u00e9\n"}}"#.into(),
        r#"{"id":1,"error":{"code":1,"message":"m"},"jsonrpc":"2.0"}"#.into(),
    ]
}

fn transports() -> [Transport<'static>; 5] {
    [
        http(None),
        http(Some("2025-03-26")),
        http(Some("nonsense")),
        modern("tools/call", Some("search")),
        Transport::Stdio,
    ]
}

/// A reply; its id may be a number that no Rust type holds.
#[derive(Deserialize)]
struct Answer<'a> {
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    result: Option<Value>,
    error: Option<Value>,
}

/// What is true of any reply.
fn check(reply: &Reply) {
    assert!((200..600).contains(&reply.status));
    let Some(body) = &reply.body else {
        assert!([202, 400].contains(&reply.status));
        return;
    };
    assert!(!body.contains(&b'\n'));
    let answers: Vec<Answer<'_>> = match body.first() {
        Some(b'[') => serde_json::from_slice(body).unwrap(),
        _ => vec![serde_json::from_slice(body).unwrap()],
    };
    for Answer { jsonrpc, id, result, error } in answers {
        assert_eq!(jsonrpc, "2.0");
        assert!(!id.get().starts_with(['{', '[', 't', 'f']));
        assert_ne!(result.is_some(), error.is_some());
        if let Some(error) = error {
            assert_eq!(error["message"], error["data"]["content"], "rule M10");
        }
    }
}

fn send_everywhere(server: &Server, body: &[u8]) {
    for transport in transports() {
        check(&send(server, &transport, body));
    }
}

/// Any JSON value, not too large.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(any::<String>(), inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The JSON text of an id: strings with escapes, and numbers of every spelling.
fn any_id() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|id| json!(id).to_string()),
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,4})?",
        Just(r#""\u00e9\/\ud83d\ude00""#.to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn rule_m6_no_bytes_make_it_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
        send_everywhere(&server(), &body);
    }

    #[test]
    fn rule_m6_no_twisted_message_makes_it_panic(
        seed in prop::sample::select(seeds()),
        cut in any::<prop::sample::Index>(),
        length in 0usize..6,
        patch in prop::sample::select(vec!["", "\"", "{", "}", "[", "]", ",", ":", "null", "\\", "1e999", "\"id\":2,", "\u{0}", "é"]),
    ) {
        let mut body = seed.into_bytes();
        let start = cut.index(body.len());
        let end = (start + length).min(body.len());
        body.splice(start..end, patch.bytes());
        send_everywhere(&server(), &body);
    }

    #[test]
    fn any_message_shaped_json_is_answered(
        method in prop::sample::select(vec!["ping", "initialize", "tools/list", "tools/call", "server/discover", "x"]),
        params in any_json(),
        id in any_json(),
    ) {
        let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        send_everywhere(&server(), body.to_string().as_bytes());
    }

    #[test]
    fn rule_m6_ids_come_back_verbatim(id in any_id(), method in prop::sample::select(vec!["ping", "no/such", "tools/call"])) {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{method}","id": {id} }}"#);
        let reply = send(&server(), &http(None), body.as_bytes());
        let text = String::from_utf8(reply.body.unwrap()).unwrap();
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
        prop_assert!(text.starts_with(&expected), "{}", text);
    }

    #[test]
    fn rule_m9_the_text_block_is_the_structured_content(arguments in any_json(), stateless in any::<bool>()) {
        let mut params = json!({"name": "search", "arguments": arguments});
        if stateless {
            let meta: Value = serde_json::from_str(&format!("{{{META}}}")).unwrap();
            params["_meta"] = meta["_meta"].clone();
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let transport = if stateless { modern("tools/call", Some("search")) } else { http(None) };
        let reply = send(&server(), &transport, body.to_string().as_bytes());
        let reply: Value = serde_json::from_slice(&reply.body.unwrap()).unwrap();
        let result = &reply["result"];
        let text = result["content"][0]["text"].as_str().unwrap();
        let parsed: Value = serde_json::from_str(text).unwrap();
        prop_assert_eq!(&parsed, &result["structuredContent"]);
        prop_assert_eq!(&parsed["tool"], "search");
        prop_assert_eq!(result.get("resultType").is_some(), stateless);
    }
}
