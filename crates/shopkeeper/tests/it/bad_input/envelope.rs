//! Bodies that are no JSON-RPC request, and requests of no known method or tool
//! (rules M4 to M6).

use super::{Table, shown};
use crate::app::mercado;
use crate::clients::{Channel, LIFECYCLE, STATELESS, arguments, raw_stdio};
use crate::http::{Request, Response};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};

fn post(body: impl Into<Vec<u8>>, headers: &[(&str, &str)]) -> Response {
    let mut request = Request::post(Protocol::Ucp.mcp_path(), body);
    for (name, value) in headers {
        request = request.with(name, value);
    }
    request.send(mercado().address)
}

/// A good call with `id` as its JSON text.
fn call_with_id(id: &str) -> String {
    let request = json!({"query": "leitor", "pagination": {"limit": 1}});
    let arguments =
        arguments("search_catalog", &request, &profiles::good(Protocol::Ucp, "2026-08-25"));
    let params = json!({"name": "search_catalog", "arguments": arguments});
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

#[test]
fn rule_m6_bodies_that_are_no_request() {
    let mut table = Table::new("envelope");
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"a":{}{}}}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    let rows: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", vec![]),
        ("not JSON", b"{\"jsonrpc\": \"2.0\", ".to_vec()),
        ("words", b"hello".to_vec()),
        ("not UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}".to_vec()),
        ("two documents", br#"{"jsonrpc":"2.0","id":1,"method":"ping"}{}"#.to_vec()),
        ("a text", br#""tools/list""#.to_vec()),
        ("a number", b"1".to_vec()),
        ("null", b"null".to_vec()),
        ("an empty object", b"{}".to_vec()),
        ("no jsonrpc", br#"{"id":1,"method":"ping"}"#.to_vec()),
        ("jsonrpc 1.0", br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_vec()),
        ("no method", br#"{"jsonrpc":"2.0","id":1}"#.to_vec()),
        ("method a number", br#"{"jsonrpc":"2.0","id":1,"method":7}"#.to_vec()),
        ("params a list", br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}"#.to_vec()),
        ("id null", br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_vec()),
        ("id an object", br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#.to_vec()),
        ("id true", br#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#.to_vec()),
        ("a key twice", br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#.to_vec()),
        (
            "a key twice far inside",
            br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":{"b":1,"b":2}}}}"#.to_vec(),
        ),
        ("200 levels", deep.into_bytes()),
        ("a response", br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_vec()),
        ("unknown method", br#"{"jsonrpc":"2.0","id":1,"method":"prompts/list"}"#.to_vec()),
        ("tools/call without a name", br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#.to_vec()),
        ("tools/list with a cursor", br#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#.to_vec()),
        ("an empty batch", b"[]".to_vec()),
        ("a batch", br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.to_vec()),
    ];
    for (name, body) in rows {
        let response = post(body, &[]);
        assert!(response.status < 500, "{name}: {}", response.text());
        assert!(response.json().get("error").is_some(), "{name}: {}", response.text());
        table.row(name, &response);
    }
    table.finish();
    assert_eq!(post(call_with_id("1"), &[]).status, 200, "the server lives on");
}

#[test]
fn rule_m6_an_id_comes_back_as_it_was_sent() {
    for id in [
        "0",
        "1",
        "-7",
        "\"a\"",
        "\"\"",
        "1.5",
        "1e3",
        "12345678901234567890",
        "123456789012345678901234567890",
        "\"\\u00e9\\n\"",
        "0.1",
    ] {
        let response = post(call_with_id(id), &[]);
        assert_eq!(response.status, 200, "{id}: {}", response.text());
        let sent: Value = serde_json::from_str(id).unwrap();
        assert_eq!(response.json()["id"], sent, "{id}");
        if !id.starts_with('"') {
            assert!(
                response.text().contains(&format!("\"id\":{id},")),
                "{id}: {}",
                response.text()
            );
        }
        let over_stdio =
            raw_stdio(mercado(), Protocol::Ucp, format!("{}\n", call_with_id(id)).as_bytes());
        assert_eq!(over_stdio.trim_end(), response.text(), "{id}");
    }
}

#[test]
fn rule_m4_faults_of_the_stateless_era() {
    let mut table = Table::new("envelope_stateless");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let list = |meta: &Value| {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}})
            .to_string()
    };
    let version = ("MCP-Protocol-Version", STATELESS);
    let method = ("Mcp-Method", "tools/list");
    let mut no_capabilities = meta.clone();
    no_capabilities.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let mut future = meta.clone();
    future["io.modelcontextprotocol/protocolVersion"] = json!("2027-01-01");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"_meta": meta, "name": "search_catalog", "arguments": {}}})
    .to_string();
    let ping =
        json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"_meta": meta}}).to_string();
    type Row<'a> = (&'a str, String, Vec<(&'a str, &'a str)>);
    let rows: Vec<Row<'_>> = vec![
        (
            "no _meta",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
            vec![version, method],
        ),
        ("no client capabilities", list(&no_capabilities), vec![version, method]),
        ("no version header", list(&meta), vec![method]),
        ("no method header", list(&meta), vec![version]),
        (
            "another version in the header",
            list(&meta),
            vec![("MCP-Protocol-Version", LIFECYCLE), method],
        ),
        ("another method in the header", list(&meta), vec![version, ("Mcp-Method", "tools/call")]),
        ("no name header", call.clone(), vec![version, ("Mcp-Method", "tools/call")]),
        (
            "another name in the header",
            call,
            vec![version, ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_product")],
        ),
        (
            "a version of the future",
            list(&future),
            vec![("MCP-Protocol-Version", "2027-01-01"), method],
        ),
        ("ping", ping, vec![version, ("Mcp-Method", "ping")]),
    ];
    for (name, body, headers) in rows {
        table.row(name, &post(body, &headers));
    }
    table.finish();
}

#[test]
fn rule_m5_faults_of_the_lifecycle_era() {
    let mut table = Table::new("envelope_lifecycle");
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":null,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"nothing"}]"#;
    let rows = [
        ("a version that is none", ping, vec![("MCP-Protocol-Version", "yesterday")]),
        ("a batch with 2025-11-25", batch, vec![("MCP-Protocol-Version", LIFECYCLE)]),
        ("a batch with 2025-03-26", batch, vec![("MCP-Protocol-Version", "2025-03-26")]),
        ("a batch of nothing with 2025-03-26", "[]", vec![("MCP-Protocol-Version", "2025-03-26")]),
    ];
    for (name, body, headers) in rows {
        table.row(name, &post(body, &headers));
    }
    table.finish();
}

#[test]
fn rule_m2_a_notification_is_accepted_and_nothing_is_said() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"anything/else"}"#,
    ] {
        let response = post(body, &[]);
        assert_eq!((response.status, response.body.as_slice()), (202, &b""[..]), "{body}");
    }
}

#[test]
fn rule_m11_stdio_answers_faults_line_by_line_and_goes_on() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let long = format!("\"{}\"", "x".repeat(2 << 20));
    let lines = [
        "",
        "hello",
        "{}",
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        &deep,
        &long,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#,
    ];
    let output = raw_stdio(mercado(), Protocol::Ucp, lines.join("\n").as_bytes());
    let mut text = String::new();
    for line in output.lines() {
        text.push_str(&shown(serde_json::from_str(line).unwrap()));
    }
    let mut table = Table::new("envelope_stdio");
    table.text = text;
    table.finish();
    assert!(output.ends_with("{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"result\":{}}\n"));
}

#[test]
fn rule_e3_an_unknown_tool() {
    let mut table = Table::new("envelope_tool");
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    for tool in ["checkout", "Search_Catalog", "", "search_catalog "] {
        let arguments = arguments("search_catalog", &json!({"query": "*"}), &profile);
        let params = json!({"name": tool, "arguments": arguments});
        let answer = Channel::Bare.send(mercado(), Protocol::Ucp, "tools/call", params);
        assert_eq!(answer.status, Some(200), "rule M4");
        assert_eq!(answer.message["error"]["code"], -32602, "rule E3");
        table.text.push_str(&format!("## {tool:?}\n{}\n", shown(answer.message)));
    }
    let bcp = Channel::Bare.send(
        mercado(),
        Protocol::Bcp,
        "tools/call",
        json!({"name": "search_locations", "arguments": {}}),
    );
    assert_eq!(bcp.message["error"]["data"]["code"], "unknown_tool", "BCP has no Location");
    table.finish();
}
