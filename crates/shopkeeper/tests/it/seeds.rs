//! The examples of the two seed documents, replayed with the demo store's data,
//! shape for shape.
//!
//! Every request of an example is sent with ids and words of the demo store; every
//! member that the example's response has must be in ours, with a value of the same
//! type, and equal where the value is the protocol's own word.

use crate::app::mercado;
use crate::clients::Channel;
use crate::http::Request;
use crate::profiles;
use crate::published::{skip, spec};
use protocol::dialect::Protocol;
use serde_json::{Value, json};

/// Values of these members are words of the protocol and must be equal.
const WORDS: [&str; 10] = [
    "version",
    "spec",
    "schema",
    "transport",
    "status",
    "type",
    "code",
    "severity",
    "match",
    "taxonomy",
];

/// What of the seeds stands for what of the demo store, in this order.
const TRANSLATIONS: &[(&str, &str)] = &[
    ("\"https://platform.example/profiles/v2026-01/shopping-agent.json\"", "[profile]"),
    ("\"https://platform.example/profiles/v2026-01/agent.json\"", "[profile]"),
    ("\"prod_abc123\"", "\"prod_corredor_pro\""),
    ("\"var_xyz789\"", "\"var_trilha_verde_43\""),
    ("\"blue running shoes\"", "\"tênis\""),
    ("\"Color\"", "\"Cor\""),
    ("\"Size\"", "\"Tamanho\""),
    ("\"Blue\"", "\"Azul\""),
    // Small enough for another page.
    ("\"limit\":20", "\"limit\":2"),
];

/// The JSON documents in a text, in their order.
fn documents(text: &str) -> Vec<Value> {
    // The one place where an example leaves something out.
    let text = text.replace("[ ... ]", "[]");
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("{") {
        rest = &rest[at..];
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(document)) => {
                rest = &rest[stream.byte_offset()..];
                found.push(document);
            }
            _ => rest = &rest[1..],
        }
    }
    found
}

fn read(file: &str) -> Option<Vec<Value>> {
    let path = spec().join("seeds").join(file);
    if path.is_file() {
        return Some(documents(&std::fs::read_to_string(path).unwrap()));
    }
    skip(file);
    None
}

/// Sends an example's request as a platform of `protocol` would.
fn replay(protocol: Protocol, version: &str, request: &Value) -> Value {
    let mut text = request.to_string();
    for (theirs, ours) in TRANSLATIONS {
        let ours = match *ours {
            "[profile]" => json!(profiles::good(protocol, version)).to_string(),
            ours => ours.to_owned(),
        };
        text = text.replace(theirs, &ours);
    }
    let response = Request::post(protocol.mcp_path(), text).send(mercado().address);
    assert_eq!(response.status, 200, "{}", response.text());
    response.json()
}

/// What of `theirs` is missing or different in `ours`.
fn compare(theirs: &Value, ours: Option<&Value>, path: &str, faults: &mut Vec<String>) {
    let Some(ours) = ours else {
        return faults.push(format!("{path} is missing"));
    };
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            for (name, member) in theirs {
                let path = format!("{path}.{name}");
                compare(member, ours.get(name), &path, faults);
                if WORDS.contains(&name.as_str())
                    && member.is_string()
                    && ours.get(name) != Some(member)
                {
                    faults.push(format!("{path} is {:?} and not {member}", ours.get(name)));
                }
            }
        }
        (Value::Array(theirs), Value::Array(ours)) => {
            for (at, item) in theirs.iter().enumerate() {
                let path = format!("{path}[{at}]");
                // Any of ours will do: a list of examples is no order.
                let tries = ours.iter().map(|ours| {
                    let mut faults = Vec::new();
                    compare(item, Some(ours), &path, &mut faults);
                    faults
                });
                match tries.min_by_key(Vec::len) {
                    Some(least) => faults.extend(least),
                    None => faults.push(format!("{path}: our list is empty")),
                }
            }
        }
        (Value::String(_), Value::String(_))
        | (Value::Number(_), Value::Number(_))
        | (Value::Bool(_), Value::Bool(_)) => {}
        _ => faults.push(format!("{path} is {ours} and not {theirs}")),
    }
}

fn assert_shape(theirs: &Value, ours: &Value, what: &str) {
    let mut faults = Vec::new();
    compare(theirs, Some(ours), "$", &mut faults);
    assert!(faults.is_empty(), "{what}:\n{}\n{ours:#}", faults.join("\n"));
}

/// Splits examples into the profile, requests and responses.
fn sort(documents: Vec<Value>) -> (Value, Vec<Value>, Vec<Value>) {
    let mut profile = Value::Null;
    let (mut requests, mut responses) = (Vec::new(), Vec::new());
    for document in documents {
        if document.get("method").is_some() {
            requests.push(document);
        } else if document.get("result").is_some() {
            responses.push(document);
        } else if document["ucp"].get("services").is_some() {
            profile = document;
        }
    }
    (profile, requests, responses)
}

fn call(tool: &str, request: &Value) -> Value {
    let agent =
        json!({"ucp-agent": {"profile": "https://platform.example/profiles/v2026-01/agent.json"}});
    json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params":
        {"name": tool, "arguments": {"meta": agent, "catalog": request}}})
}

fn assert_profile(theirs: &Value, protocol: Protocol) {
    let ours = Request::get(protocol.well_known_path()).send(mercado().address).json();
    assert_shape(theirs, &ours, protocol.well_known_path());
    for (name, entries) in theirs["ucp"]["services"].as_object().unwrap() {
        let endpoint = ours["ucp"]["services"][name][0]["endpoint"].as_str().unwrap();
        let path =
            entries[0]["endpoint"].as_str().unwrap().strip_prefix("https://business.example.com");
        assert!(endpoint.ends_with(path.unwrap()), "{endpoint}");
    }
}

#[test]
fn the_catalog_binding_of_bcp() {
    let Some(documents) = read("catalog-mcp-binding-bcp.txt") else { return };
    let (profile, requests, responses) = sort(documents);
    assert_eq!((requests.len(), responses.len()), (4, 6), "the document's own examples");
    assert_profile(&profile, Protocol::Bcp);
    let replay = |request: &Value| replay(Protocol::Bcp, "2026-07-28", request);
    // The first request shows the metadata and has no response beside it.
    assert!(replay(&requests[0])["result"]["structuredContent"]["products"].is_array());
    assert_shape(&responses[0], &replay(&requests[1]), "search");
    assert_shape(&responses[1], &replay(&requests[2]), "lookup");
    let partly = call(
        "lookup_catalog",
        &json!({"ids": ["prod_abc123", "prod_notfound1", "prod_notfound2"]}),
    );
    let answer = replay(&partly);
    assert_shape(&responses[2], &answer, "partial success");
    let content = &responses[2]["result"]["structuredContent"];
    assert_eq!(answer["result"]["structuredContent"]["messages"], content["messages"]);
    assert_shape(&responses[3], &replay(&requests[3]), "get");
    let nothing = call("get_product", &json!({"id": "prod_invalid"}));
    let answer = replay(&nothing);
    assert_shape(&responses[4], &answer, "not found");
    let content = &responses[4]["result"]["structuredContent"];
    assert_eq!(answer["result"]["structuredContent"]["messages"], content["messages"]);
    assert_eq!(answer["result"]["structuredContent"]["ucp"], content["ucp"]);
    let none = call("lookup_catalog", &json!({"ids": ["prod_invalid"]}));
    let content = &responses[5]["result"]["structuredContent"];
    assert_eq!(replay(&none)["result"]["structuredContent"], *content, "all of them not found");
}

#[test]
fn the_location_binding() {
    let Some(documents) = read("location-mcp-binding.txt") else { return };
    let (profile, requests, responses) = sort(documents);
    assert_eq!((requests.len(), responses.len()), (2, 2), "the document's own examples");
    assert_profile(&profile, Protocol::Ucp);
    let replay = |request: &Value| replay(Protocol::Ucp, "2026-08-25", request);
    assert_shape(&responses[0], &replay(&requests[0]), "search");
    let answer = replay(&requests[1]);
    assert_shape(&responses[1], &answer, "lookup");
    let found = &answer["result"]["structuredContent"]["locations"];
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["inputs"], json!([{"id": "loc_downtown"}]), "rule L10: as it was sent");
}

/// Whatever kind of client sends them.
#[test]
fn the_seeds_own_requests_over_every_channel() {
    let Some(documents) = read("location-mcp-binding.txt") else { return };
    let (_, requests, _) = sort(documents);
    for request in requests {
        let plain = replay(Protocol::Ucp, "2026-08-25", &request);
        let tool = request["params"]["name"].as_str().unwrap();
        let mut arguments = request["params"]["arguments"].clone();
        arguments["meta"]["ucp-agent"]["profile"] =
            json!(profiles::good(Protocol::Ucp, "2026-08-25"));
        for channel in Channel::ALL {
            let answer = channel.call(mercado(), Protocol::Ucp, tool, &arguments);
            assert_eq!(*answer.structured(), plain["result"]["structuredContent"], "{channel:?}");
        }
    }
}
