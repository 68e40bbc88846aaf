//! What HTTP alone can get wrong: hosts, origins, methods, sizes, paths (rules M2,
//! M6, M7, M13).

use super::Table;
use crate::app::mercado;
use crate::clients::arguments;
use crate::http::{Request, Response};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::json;
use std::io::{Read, Write};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn send(request: &Request) -> Response {
    request.send(mercado().address)
}

fn ping() -> Request {
    Request::post("/ucp/mcp", PING)
}

#[test]
fn rule_m7_hosts_and_origins() {
    let mut table = Table::new("transport_origin");
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "file://"] {
        let response = send(&ping().with("Origin", origin));
        assert_eq!(response.status, 403, "{origin}");
        table.row(&format!("Origin: {origin}"), &response);
    }
    for host in ["evil.example", "127.0.0.1.evil.example:80"] {
        let response = send(&ping().with("Host", host));
        assert_eq!(response.status, 403, "{host}");
        table.row(&format!("Host: {host}"), &response);
    }
    let response =
        send(&Request::new("OPTIONS", "/ucp/mcp").with("Origin", "https://evil.example"));
    assert_eq!(response.status, 403);
    table.row("OPTIONS, Origin: https://evil.example", &response);
    table.finish();
    for origin in ["http://localhost:6274", "http://127.0.0.1", "http://[::1]:3000"] {
        let response = send(&ping().with("Origin", origin));
        assert_eq!(response.status, 200, "{origin}");
        assert_eq!(response.header("access-control-allow-origin"), Some(origin));
    }
    assert_eq!(send(&ping().with("Host", "localhost")).status, 200);
}

#[test]
fn rule_m2_preflight_of_a_browser() {
    let request = Request::new("OPTIONS", "/ucp/mcp")
        .with("Origin", "http://localhost:6274")
        .with("Access-Control-Request-Method", "POST")
        .with(
            "Access-Control-Request-Headers",
            "content-type, mcp-protocol-version, mcp-method, mcp-name, ucp-agent",
        );
    let response = send(&request);
    assert_eq!(response.status, 204);
    assert_eq!(response.header("access-control-allow-origin"), Some("http://localhost:6274"));
    let allowed = response.header("access-control-allow-headers").unwrap().to_ascii_lowercase();
    for header in ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "ucp-agent"] {
        assert!(allowed.split(", ").any(|known| known == header), "{header}: {allowed}");
    }
    assert!(response.header("access-control-allow-methods").unwrap().contains("POST"));
}

#[test]
fn rule_m2_methods_and_media_types() {
    let mut table = Table::new("transport_method");
    for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
        let response = send(&Request::new(method, "/ucp/mcp"));
        assert_eq!(response.status, 405, "{method}");
        table.row(method, &response);
    }
    for accept in ["text/html", "text/event-stream", "application/json;q=0"] {
        let response = send(&ping().with("Accept", accept));
        assert_eq!(response.status, 406, "{accept}");
        table.row(&format!("Accept: {accept}"), &response);
    }
    table.finish();
    for accept in
        ["*/*", "application/json", "application/json, text/event-stream", "application/*"]
    {
        assert_eq!(send(&ping().with("Accept", accept)).status, 200, "{accept}");
    }
    for kind in ["text/plain", "application/json; charset=utf-8"] {
        let request = Request::new("POST", "/ucp/mcp").with("Content-Type", kind);
        let response = send(&request);
        assert!(response.status == 400 || response.status == 415, "{kind}: {}", response.status);
    }
}

#[test]
fn rule_m6_a_body_over_the_limit() {
    let mut table = Table::new("transport_size");
    let padded = |length: usize| {
        let frame = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":""}}"#;
        let padding = "x".repeat(length - frame.len());
        Request::post("/ucp/mcp", frame.replace("\"\"", &format!("\"{padding}\"")))
    };
    let response = send(&padded(2 << 20));
    assert_eq!(response.status, 413);
    assert_eq!(response.json()["error"]["code"], -32600);
    table.row("2 MiB", &response);
    assert_eq!(send(&padded((1 << 20) + 1)).status, 413);
    assert_eq!(send(&padded(1 << 20)).status, 200, "1 MiB is not above the limit");
    table.finish();
}

/// A body whose length is not said beforehand is counted as it comes.
#[test]
fn rule_m6_a_body_in_chunks() {
    let chunked = |body: &str| {
        let text = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
        let request = Request::post("/ucp/mcp", text).with("Transfer-Encoding", "chunked");
        send(&request.without_length())
    };
    assert_eq!(chunked(PING).status, 200);
    assert_eq!(chunked(&" ".repeat(2 << 20)).status, 413);
}

#[test]
fn requests_share_a_connection() {
    let address = mercado().address;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let first = ping().with("Connection", "keep-alive").to_bytes(address);
    let last = ping().to_bytes(address);
    stream.write_all(&[first.as_slice(), &first, &last].concat()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 3, "{text}");
    assert_eq!(text.matches(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).count(), 3, "{text}");
}

#[test]
fn rule_m13_paths() {
    let mut table = Table::new("transport_path");
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "lookup_locations",
        "arguments": arguments("lookup_locations", &json!({"ids": ["loc_noronha"]}), &profile),
    }})
    .to_string();
    let answers: Vec<Response> = ["/ucp/mcp", "/mcp", "/api/ucp/mcp"]
        .into_iter()
        .map(|path| send(&Request::post(path, call.clone())))
        .collect();
    for answer in &answers {
        assert_eq!((answer.status, answer.text()), (200, answers[0].text()));
    }
    assert!(answers[0].text().contains("loc_noronha"));
    for path in
        ["/", "/ucp", "/ucp/mcp/", "/UCP/mcp", "/.well-known/ucp/2026-01-01", "/api/bcp/mcp"]
    {
        let response = send(&Request::post(path, PING));
        assert_eq!(response.status, 404, "{path}");
        table.row(path, &response);
    }
    table.finish();
}

/// An old client that loses error bodies can be given 200 for everything.
#[test]
fn rule_e1_an_operator_can_flatten_the_statuses() {
    let mut config = crate::app::demo_config("flattened");
    config.server.rpc_errors_always_200 = true;
    let store = crate::app::TestApp::open(config);
    let answer = Request::post("/ucp/mcp", "{").send(store.address);
    assert_eq!((answer.status, answer.json()["error"]["code"].as_i64()), (200, Some(-32700)));
    let quiet = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(Request::post("/ucp/mcp", quiet).send(store.address).status, 202);
}
