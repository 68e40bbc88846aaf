//! Bad input: every fault has its status, its code and a text that helps, and the
//! server goes on.
//!
//! Each file has one table; a snapshot shows all rows of it, status and body.

mod agents;
mod arguments;
mod cursors;
mod envelope;
mod transport;

use crate::app::{TestApp, mercado};
use crate::clients::{Answer, Channel};
use crate::http::Response;
use crate::print::{pretty, redact};
use protocol::codes::{Code, Layer};
use protocol::dialect::Protocol;
use serde_json::Value;
use std::path::Path;

/// The headers that a row shows where they are there.
const SHOWN: [&str; 4] = ["content-type", "allow", "retry-after", "access-control-allow-origin"];

/// Faults with their answers, one snapshot for all.
struct Table {
    name: &'static str,
    text: String,
}

impl Table {
    const fn new(name: &'static str) -> Self {
        Self { name, text: String::new() }
    }

    /// Adds what HTTP said to the fault `name`.
    fn row(&mut self, name: &str, response: &Response) {
        self.text.push_str(&format!("## {name}\nHTTP {}", response.status));
        for header in SHOWN {
            match response.header(header) {
                Some("application/json") | None => {}
                Some(value) => self.text.push_str(&format!(", {header}: {value}")),
            }
        }
        self.text.push('\n');
        let json = response.header("content-type") == Some("application/json");
        let body = match response.body.as_slice() {
            [] => "nothing\n".to_owned(),
            _ if json => shown(response.json()),
            _ => crate::print::without_run(response.text()),
        };
        self.text.push_str(&body);
        self.text.push('\n');
    }

    /// Calls a tool from every kind of client: all get the same error, under the
    /// status that table E has for it.
    fn call(&mut self, name: &str, tool: &str, arguments: &Value) -> Answer {
        self.call_in(mercado(), Protocol::Ucp, name, tool, arguments)
    }

    fn call_in(
        &mut self,
        store: &TestApp,
        protocol: Protocol,
        name: &str,
        tool: &str,
        arguments: &Value,
    ) -> Answer {
        let answer = Channel::Bare.call(store, protocol, tool, arguments);
        let error = &answer.message["error"];
        assert!(error.is_object(), "{name}: no error but {}", answer.message);
        for channel in Channel::ALL {
            let other = channel.call(store, protocol, tool, arguments);
            assert_eq!(other.message["error"], *error, "{name} on {channel:?}");
            assert!(other.status.is_none_or(|status| Some(status) == answer.status), "{name}");
        }
        let code = error["data"]["code"].as_str().unwrap();
        let row = Code::TABLE
            .iter()
            .find(|row| row.name == code && row.layer == Layer::Transport)
            .unwrap_or_else(|| panic!("{name}: {code} is not in table E"));
        assert_eq!(answer.status, Some(row.http_status), "{name}: rule E1");
        assert_eq!(error["code"].as_i64(), row.json_rpc.map(i64::from), "{name}: rule E1");
        assert_eq!(error["message"], error["data"]["content"], "{name}: rule M10");
        for violation in error["data"]["errors"].as_array().into_iter().flatten() {
            let message = violation["message"].as_str().unwrap();
            let pointer = message.contains("catalog/") || message.contains("location/");
            assert!(!pointer, "{name}: the path is said twice, in two notations: {violation:#}");
        }
        let status = answer.status.unwrap();
        let body = shown(answer.message.clone());
        self.text.push_str(&format!("## {name}\nHTTP {status}\n{body}\n"));
        answer
    }

    /// Compares the table with its snapshot.
    fn finish(self) {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path("snapshots/bad_input");
        settings.bind(|| insta::assert_snapshot!(self.name, self.text));
    }
}

fn shown(mut body: Value) -> String {
    redact(&mut body);
    pretty(&body) + "\n"
}

/// The paths of all violations in an error (rule E2).
fn paths(answer: &Answer) -> Vec<&str> {
    let errors = answer.message["error"]["data"]["errors"].as_array().unwrap();
    errors.iter().map(|error| error["path"].as_str().unwrap()).collect()
}

/// What nothing from outside leads to: a fault of the server itself.
const OUT_OF_REACH: [Code; 1] = [Code::Internal];

/// `lifetime` has those with a time to wait, which differs from run to run, and
/// `signatures` those for which a caller shows who it is.
const ELSEWHERE: [Code; 9] = [
    Code::Unauthorized,
    Code::Forbidden,
    Code::RateLimited,
    Code::Unavailable,
    Code::SignatureMissing,
    Code::SignatureInvalid,
    Code::KeyNotFound,
    Code::DigestMismatch,
    Code::AlgorithmUnsupported,
];

#[test]
fn rule_e1_every_row_within_reach_is_in_some_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots/bad_input");
    let tables: String = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for row in Code::TABLE.iter().filter(|row| row.layer == Layer::Transport) {
        if !OUT_OF_REACH.contains(&row.code) && !ELSEWHERE.contains(&row.code) {
            assert!(tables.contains(&format!("\"code\": \"{}\"", row.name)), "{}", row.name);
        }
    }
    for row in mcp::ERRORS.iter().filter(|row| **row != mcp::INTERNAL_ERROR) {
        assert!(tables.contains(&format!("\"code\": \"{}\"", row.word)), "{}", row.word);
    }
}
