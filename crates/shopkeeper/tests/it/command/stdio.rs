//! The program as a child of its client: `shopkeeper stdio` and `shopkeeper serve`.

use super::shopkeeper;
use crate::app::{demo_config, workspace};
use crate::clients::{STATELESS, arguments};
use crate::http::Request;
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A running program, which a test that fails does not leave behind.
struct Program(Child);

impl Deref for Program {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Of one that has ended there is nothing left to kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(arguments: &[&str], data: &str) -> Program {
    let child = shopkeeper()
        .current_dir(workspace())
        .args(arguments)
        .env("SHOPKEEPER_DATA_DIR", demo_config(data).data.dir)
        .env("SHOPKEEPER_LOGS_LEVEL", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    Program(child)
}

/// The exit code, within a time in which every end is graceful.
fn ended(child: &mut Program) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the program did not end");
}

#[test]
fn rule_m11_nothing_but_protocol_on_standard_output() {
    let mut child = start(&["stdio", "examples/mercado/shopkeeper.toml"], "child-stdio");
    let profile = profiles::good(Protocol::Ucp, "2026-08-25");
    let call = |id: u64, meta: Value| {
        let arguments = arguments("get_product", &json!({"id": "LP22"}), &profile);
        let params = json!({"name": "get_product", "arguments": arguments, "_meta": meta});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let stateless = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
        {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut input = child.stdin.take().unwrap();
    for message in [hello, ready, call(2, json!({})), json!("no message"), call(3, stateless)] {
        writeln!(input, "{message}").unwrap();
    }
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(next()["result"]["protocolVersion"], "2025-06-18");
    let lifecycle = next();
    assert_eq!(lifecycle["result"]["structuredContent"]["product"]["id"], "prod_leitor_paginas");
    assert_eq!(next()["error"]["code"], -32600);
    let stateless = next();
    assert_eq!(stateless["id"], 3);
    assert_eq!(stateless["result"]["structuredContent"], lifecycle["result"]["structuredContent"]);
    drop(input);
    assert!(lines.next().is_none(), "nothing more is said");
    assert_eq!(ended(&mut child), Some(0), "it ends with its input");
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert!(log.contains("86 products"), "logs go to standard error: {log}");
}

#[test]
fn rule_m11_the_other_protocol_is_asked_for_by_name() {
    let config = "examples/mercado/shopkeeper.toml";
    let mut child = start(&["stdio", config, "--protocol", "bcp"], "child-bcp");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{list}").unwrap();
    drop(input);
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let answer: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(answer["result"]["tools"].as_array().unwrap().len(), 3, "BCP has no Location");
    assert_eq!(ended(&mut child), Some(0));
}

#[test]
#[cfg(unix)]
fn serve_tells_where_it_is_and_ends_when_it_is_asked_to() {
    let config = "examples/mercado/shopkeeper.toml";
    let mut child = start(&["serve", config, "--listen", "127.0.0.1:0", "--dev"], "child-serve");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = String::new();
    let address: SocketAddr = loop {
        let line = lines.next().expect("it says where it is").unwrap();
        said.push_str(&line);
        said.push('\n');
        if let Some((_, rest)) = line.split_once("endpoint  http://") {
            break rest.split('/').next().unwrap().parse().unwrap();
        }
    };
    assert!(said.contains("/.well-known/ucp"), "{said}");
    assert_eq!(Request::get("/.well-known/ucp").send(address).status, 200);
    let curl = lines.map(Result::unwrap).find(|line| line.contains("curl -s")).unwrap();
    let body = curl.split_once("-d '").unwrap().1.trim_end_matches('\'');
    let answer = Request::post("/ucp/mcp", body).send(address);
    assert_eq!(answer.status, 200, "the line that it prints works: {}", answer.text());
    assert_eq!(
        answer.json()["result"]["structuredContent"]["products"].as_array().unwrap().len(),
        2
    );
    // The shell's own `kill`: a bare system has no program of that name.
    let kill = format!("kill -TERM {}", child.id());
    assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    assert_eq!(ended(&mut child), Some(0), "SIGTERM is a graceful end");
}
