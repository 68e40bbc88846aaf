//! Measures what a tool call costs outside of the tool: reading the request and
//! writing the answer around about 5 KB of result.
//!
//! `cargo run --release -p mcp --example envelope` prints nanoseconds per call, on
//! one core: the least and the median of 500 short rounds. On a machine with other
//! work to do the least is the figure to keep.

#![allow(clippy::print_stdout, reason = "printing the figures is what the example is for")]

use std::hint::black_box;
use std::time::Instant;

use mcp::{Headers, Outcome, Received, Reply, Server, ServerInfo, Transport};

const ROUNDS: usize = 500;
const CALLS: u32 = 100;

fn main() {
    let server = Server::new(
        ServerInfo {
            name: "shop".into(),
            title: "A shop".into(),
            version: "1.0.0".into(),
            instructions: "Search the shop.".into(),
        },
        Vec::new(),
    );
    let structured = products(5_000);
    let bare = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_catalog","arguments":{"catalog":{"query":"camisa azul","pagination":{"limit":10},"filters":{"categories":["Roupas"],"price":{"min":1000,"max":9000}}},"meta":{"ucp-agent":{"profile":"https://agent.example/profile.json"},"idempotency-key":"e40bfe97-0000-4000-8000-000000000000"}}}}"#;
    let stateless = String::from_utf8_lossy(bare).replace(
        r#""params":{"#,
        r#""params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"agent","version":"1.0"},"io.modelcontextprotocol/clientCapabilities":{}},"#,
    );
    let headers = Headers {
        protocol_version: Some("2026-07-28"),
        method: Some("tools/call"),
        name: Some("search_catalog"),
    };
    println!("result: {} bytes", structured.len());
    measure("bare JSON-RPC", &server, &Transport::Http(Headers::default()), bare, &structured);
    measure(
        "stateless 2026-07-28",
        &server,
        &Transport::Http(headers),
        stateless.as_bytes(),
        &structured,
    );
}

fn measure(name: &str, server: &Server, transport: &Transport<'_>, body: &[u8], structured: &str) {
    let mut per_call_ns: Vec<u128> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..CALLS {
                black_box(call(server, transport, black_box(body), structured));
            }
            start.elapsed().as_nanos() / u128::from(CALLS)
        })
        .collect();
    per_call_ns.sort_unstable();
    let reply = call(server, transport, body, structured);
    let bytes = reply.body.map_or(0, |body| body.len());
    println!(
        "{name}: least {} ns, median {} ns per call, {bytes} bytes out, HTTP {}",
        per_call_ns[0],
        per_call_ns[ROUNDS / 2],
        reply.status
    );
}

fn call(server: &Server, transport: &Transport<'_>, body: &[u8], structured: &str) -> Reply {
    match server.receive(transport, body) {
        Received::Reply(reply) => reply,
        Received::Calls(exchange) => {
            let structured = structured.to_owned();
            exchange.answer(vec![Outcome::Result { structured, is_error: false }])
        }
    }
}

/// A search result of at least `len` bytes.
fn products(len: usize) -> String {
    let mut items = Vec::new();
    let mut text = String::new();
    while text.len() < len {
        let n = items.len();
        items.push(format!(
            r#"{{"id":"p{n}","title":"Camisa de algodão {n}","description":{{"plain":"Manga longa, corte reto."}},"price_range":{{"min":{{"amount":12990,"currency":"BRL"}},"max":{{"amount":15990,"currency":"BRL"}}}},"variants":[{{"id":"v{n}","title":"Azul / M","description":{{"plain":"Azul"}},"price":{{"amount":12990,"currency":"BRL"}},"availability":{{"available":true}}}}]}}"#
        ));
        text = format!(
            r#"{{"ucp":{{"version":"2026-08-25","capabilities":{{}}}},"products":[{}]}}"#,
            items.join(",")
        );
    }
    text
}
