//! From the first request before there is data to the last one after the signal to
//! stop.

use crate::app::{TestApp, demo_config, runtime};
use crate::clients::{Channel, arguments, ask};
use crate::http::{Request, Response};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

#[test]
fn before_the_feeds_are_read_the_store_is_alive_and_not_ready() {
    let store = TestApp::closed(demo_config("loading"));
    let get = |path: &str| Request::get(path).send(store.address);
    assert_eq!(get("/healthz").status, 200);
    assert_eq!(get("/readyz").status, 503);
    assert_eq!(get("/.well-known/ucp").status, 200);
    let listed = Channel::Bare.send(&store, Protocol::Ucp, "tools/list", json!({}));
    assert_eq!(listed.message["result"]["tools"].as_array().unwrap().len(), 5);

    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let arguments = arguments("search_catalog", &json!({"query": "*"}), &profile);
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "search_catalog", "arguments": arguments}});
    let response = Request::post("/ucp/mcp", body.to_string()).send(store.address);
    assert_eq!(response.status, 503, "rule E1");
    let error = response.json()["error"].clone();
    assert_eq!(error["code"], -32000, "rule E1");
    assert_eq!(error["data"]["code"], "unavailable");
    let seconds = error["data"]["retry_after"].as_u64().unwrap();
    assert!(seconds >= 1);
    assert_eq!(response.header("retry-after"), Some(seconds.to_string().as_str()));

    store.publish();
    assert_eq!(get("/readyz").status, 200);
    let found = ask(&store, "search_catalog", &json!({"query": "*", "pagination": {"limit": 1}}));
    assert_eq!(found["products"].as_array().unwrap().len(), 1);
}

#[test]
fn a_request_in_flight_is_answered_after_the_signal_to_stop() {
    let store = TestApp::open(demo_config("stopping"));
    let address = store.address;
    let body = r#"{"jsonrpc":"2.0","id":"late","method":"ping"}"#;
    let bytes = Request::post("/ucp/mcp", body).to_bytes(address);
    let (sent, held_back) = bytes.split_at(bytes.len() - 10);
    let mut late = TcpStream::connect(address).unwrap();
    late.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    late.write_all(sent).unwrap();
    // An answer on another connection shows that the first request has arrived.
    assert_eq!(Request::get("/healthz").send(address).status, 200);
    std::thread::sleep(Duration::from_millis(100));

    let serving = store.ask_to_stop();
    std::thread::sleep(Duration::from_millis(200));
    assert!(!serving.is_finished(), "a request is still on its way");
    let refused = match TcpStream::connect(address) {
        Err(_) => true,
        Ok(mut stream) => {
            let _ = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            !matches!(stream.read(&mut [0; 16]), Ok(1..))
        }
    };
    assert!(refused, "no new connections after the signal");

    late.write_all(held_back).unwrap();
    let response = Response::read(&mut late);
    assert_eq!(response.status, 200);
    assert_eq!(response.json(), json!({"jsonrpc": "2.0", "id": "late", "result": {}}));
    let ended =
        runtime().block_on(async { tokio::time::timeout(Duration::from_secs(10), serving).await });
    assert!(ended.is_ok(), "the store ends once nothing is in flight");
}

#[test]
fn connections_that_ask_for_nothing_do_not_hold_the_store_up() {
    let store = TestApp::open(demo_config("idle"));
    let idle = TcpStream::connect(store.address).unwrap();
    let mut kept = TcpStream::connect(store.address).unwrap();
    kept.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let read = kept.read(&mut [0; 64]).unwrap();
    assert!(read > 0);
    let serving = store.ask_to_stop();
    let ended =
        runtime().block_on(async { tokio::time::timeout(Duration::from_secs(10), serving).await });
    assert!(ended.is_ok(), "idle connections are closed");
    drop((idle, kept));
}

/// Rule E1, the row of rate limits: 429 with the time to wait, for each platform.
#[test]
fn rule_e1_too_many_requests() {
    let mut config = demo_config("limited");
    config.limits.requests_per_minute = 3;
    let store = TestApp::open(config);
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let call = |request| {
        let arguments = arguments("lookup_locations", &request, &profile);
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "lookup_locations", "arguments": arguments}});
        Request::post("/ucp/mcp", body.to_string()).send(store.address)
    };
    for _ in 0..3 {
        assert_eq!(call(json!({"ids": ["loc_noronha"]})).status, 200);
    }
    let refused = call(json!({"ids": ["loc_noronha"]}));
    assert_eq!(refused.status, 429);
    let error = refused.json()["error"].clone();
    assert_eq!(
        (error["code"].as_i64(), &error["data"]["code"]),
        (Some(-32000), &json!("rate_limited"))
    );
    let seconds = error["data"]["retry_after"].as_u64().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(refused.header("retry-after"), Some(seconds.to_string().as_str()));
}
