//! tools/list, initialize, server/discover: what a client reads before it calls.

use crate::app::mercado;
use crate::clients::{Channel, STATELESS};
use crate::profiles;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde_json::{Value, json};

fn tools(channel: Channel, protocol: Protocol, params: Value) -> Vec<Value> {
    let answer = channel.send(mercado(), protocol, "tools/list", params);
    answer.message["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn rule_m8_the_tools_of_each_endpoint_in_their_order() {
    for protocol in Protocol::ALL {
        let expected: Vec<&str> = Operation::ALL
            .into_iter()
            .filter(|operation| Dialect::of(protocol).any(|d| d.operations().contains(operation)))
            .map(Operation::tool)
            .collect();
        for channel in Channel::ALL {
            let listed = tools(channel, protocol, json!({}));
            let names: Vec<_> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
            assert_eq!(names, expected, "{channel:?}");
        }
    }
}

#[test]
fn rule_m8_a_tool_says_all_that_a_client_needs() {
    for protocol in Protocol::ALL {
        for tool in tools(Channel::Bare, protocol, json!({})) {
            let name = tool["name"].as_str().unwrap();
            for text in ["title", "description"] {
                assert!(tool[text].as_str().is_some_and(|text| !text.is_empty()), "{name} {text}");
            }
            let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
            let given = hints.map(|hint| tool["annotations"][hint].as_bool());
            assert_eq!(given, [Some(true), Some(false), Some(true), Some(false)], "{name}");
            for member in ["inputSchema", "outputSchema"] {
                let schema = &tool[member];
                assert_eq!(schema["type"], "object", "{name} {member}");
                assert_self_contained(schema, schema);
                jsonschema::draft202012::meta::validate(schema)
                    .unwrap_or_else(|error| panic!("{name} {member}: {error}"));
            }
            assert!(tool["outputSchema"]["anyOf"].is_array(), "{name}");
            assert_described(&tool["inputSchema"], name);
        }
    }
}

/// Every reference leads into the document itself.
fn assert_self_contained(schema: &Value, root: &Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                let pointer = reference.strip_prefix('#').expect("a reference leads out");
                assert!(root.pointer(pointer).is_some(), "{reference} leads nowhere");
            }
            members.values().for_each(|member| assert_self_contained(member, root));
        }
        Value::Array(items) => items.iter().for_each(|item| assert_self_contained(item, root)),
        _ => {}
    }
}

/// Every property has a text for a language model.
fn assert_described(schema: &Value, place: &str) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                for (name, property) in properties {
                    let text = property["description"].as_str();
                    assert!(text.is_some_and(|text| !text.is_empty()), "{place}.{name}");
                }
            }
            for (name, member) in members {
                assert_described(member, &format!("{place}.{name}"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| assert_described(item, place)),
        _ => {}
    }
}

#[test]
fn rule_m8_listing_needs_no_meta_and_minds_no_bad_one() {
    let plain = tools(Channel::Bare, Protocol::Ucp, json!({}));
    let metas = [
        json!({"arguments": {"meta": {"ucp-agent": {"profile": profiles::url("bad/html")}}}}),
        json!({"arguments": {"meta": null}}),
        json!({"meta": {"ucp-agent": {"profile": "..."}}}),
    ];
    for params in metas {
        assert_eq!(tools(Channel::Bare, Protocol::Ucp, params), plain);
    }
}

#[test]
fn rule_m3_initialize_answers_the_version_that_was_asked_for_when_it_knows_it() {
    let table = [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ];
    for (asked, answered) in table {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
        let answer = Channel::Bare.send(mercado(), Protocol::Ucp, "initialize", params);
        let result = &answer.message["result"];
        assert_eq!(result["protocolVersion"], answered, "{asked}");
        assert_eq!(result["capabilities"], json!({"tools": {}}));
        assert!(result["serverInfo"]["name"].is_string());
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains("Mercado Central") && instructions.contains("minor unit"));
    }
}

#[test]
fn rule_m4_the_stateless_era_says_how_long_an_answer_keeps() {
    for channel in [Channel::Stateless, Channel::StdioStateless] {
        let found = channel.send(mercado(), Protocol::Bcp, "server/discover", json!({}));
        let result = &found.message["result"];
        let versions = result["supportedVersions"].as_array().unwrap();
        assert!(versions.contains(&json!(STATELESS)), "{versions:?}");
        let listed = channel.send(mercado(), Protocol::Bcp, "tools/list", json!({}));
        for result in [result, &listed.message["result"]] {
            assert_eq!(result["resultType"], "complete");
            assert!(result["ttlMs"].is_u64() && result["cacheScope"].is_string(), "{result}");
            let meta = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
            assert!(meta["name"].is_string(), "{result}");
        }
    }
}

#[test]
fn rule_m4_only_the_lifecycle_era_has_ping() {
    for channel in Channel::ALL {
        let answer = channel.send(mercado(), Protocol::Ucp, "ping", json!({}));
        if channel.is_stateless() {
            assert_eq!(answer.message["error"]["code"], -32601, "{channel:?}");
            assert!(answer.status.is_none_or(|status| status == 404));
        } else {
            assert_eq!(answer.message["result"], json!({}), "{channel:?}");
            assert!(answer.status.is_none_or(|status| status == 200));
        }
    }
}
