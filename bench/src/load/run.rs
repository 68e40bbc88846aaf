//! Asking: every request once to see that it is answered well, then all of them
//! round and round against the clock.

use super::client::{self, Client};
use super::platform::DIALECT;
use super::{LoadError, process};
use crate::queries::Class;
use protocol::operation::{AGENT, META, Operation, PROFILE};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// How much of a bad answer an error shows, in characters.
const EXCERPT: usize = 300;

/// A request with the answer that was found to be good.
#[derive(Debug)]
pub struct Prepared {
    bytes: Vec<u8>,
    asked: Value,
    answer: Vec<u8>,
}

/// What a class cost at some number of connections.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Answers, all of them good.
    pub answers: usize,
    /// Microseconds of the server's CPU for each.
    pub server_us: f64,
    /// Microseconds of the load generator's CPU for each.
    pub client_us: f64,
    /// Half the answers came in this time.
    pub p50: Duration,
    /// Ninety-nine of a hundred answers came in this time.
    pub p99: Duration,
    /// Mean length of a body, in bytes.
    pub body_bytes: usize,
}

/// The server under load, as its platform sees it.
#[derive(Debug)]
pub struct Target {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its process.
    pub pid: u32,
    /// The platform's profile.
    pub profile: String,
}

impl Target {
    /// Asks each request of `class` once, walks to the page that is wanted, and
    /// keeps what is answered; requests that have fewer pages are left out.
    ///
    /// # Errors
    ///
    /// An answer is no success, or has no products; no request has that many pages.
    pub fn prepare(&self, class: &Class) -> Result<Vec<Prepared>, LoadError> {
        let mut client = self.connect()?;
        let mut prepared = Vec::new();
        for request in &class.requests {
            prepared.extend(self.walk(&mut client, class, request)?);
        }
        if prepared.is_empty() {
            let what = format!("no request has {} pages", class.page);
            return Err(refused(class, what, &Value::Null, b""));
        }
        Ok(prepared)
    }

    /// Asks on `connections` at a time for `time`; each answer is compared with the
    /// one that was found good, byte by byte, and looked into if it differs.
    ///
    /// # Errors
    ///
    /// As [`Target::prepare`].
    pub fn measure(
        &self,
        class: &Class,
        prepared: &[Prepared],
        connections: usize,
        time: Duration,
    ) -> Result<Measured, LoadError> {
        let ready = Barrier::new(connections + 1);
        let (asked, server_s, client_s) = thread::scope(|scope| {
            let askers: Vec<_> = (0..connections)
                .map(|number| {
                    let begin = number * prepared.len() / connections;
                    let ready = &ready;
                    scope.spawn(move || {
                        let client = self.connect();
                        ready.wait();
                        ask(client?, class, prepared, begin, time)
                    })
                })
                .collect();
            let own = std::process::id();
            let before = (process::cpu_seconds(self.pid), process::cpu_seconds(own));
            ready.wait();
            let asked: Vec<_> = askers.into_iter().map(thread::ScopedJoinHandle::join).collect();
            let after = (process::cpu_seconds(self.pid), process::cpu_seconds(own));
            Ok::<_, LoadError>((asked, after.0? - before.0?, after.1? - before.1?))
        })?;
        let mut latencies = Vec::new();
        let mut bytes = 0;
        for joined in asked {
            let part = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            latencies.extend(part.latencies);
            bytes += part.bytes;
        }
        latencies.sort_unstable();
        let answers = latencies.len();
        Ok(Measured {
            answers,
            server_us: server_s * 1e6 / answers as f64,
            client_us: client_s * 1e6 / answers as f64,
            p50: percentile(&latencies, 50),
            p99: percentile(&latencies, 99),
            body_bytes: bytes / answers.max(1),
        })
    }

    fn connect(&self) -> Result<Client, LoadError> {
        Client::connect(self.address).map_err(LoadError::system("connect to the server"))
    }

    /// The page of `request` that `class` is about; `None` where it has fewer.
    fn walk(
        &self,
        client: &mut Client,
        class: &Class,
        request: &Value,
    ) -> Result<Option<Prepared>, LoadError> {
        let mut asked = request.clone();
        for page in 1.. {
            let bytes = self.call(class, &asked);
            let answer = client.send(&bytes).map_err(LoadError::system("ask the server"))?;
            let good = good_answer(answer.status, answer.body);
            let content = good.map_err(|what| refused(class, what, &asked, answer.body))?;
            if page == class.page {
                return Ok(Some(Prepared { bytes, asked, answer: answer.body.to_vec() }));
            }
            match content.pointer("/pagination/cursor") {
                Some(cursor) => asked["pagination"] = json!({ "cursor": cursor }),
                None => break,
            }
        }
        Ok(None)
    }

    /// The bytes of a call of the class's tool.
    fn call(&self, class: &Class, request: &Value) -> Vec<u8> {
        let argument = Operation::from_tool(&class.tool).map_or("", Operation::argument);
        let arguments = json!({ META: {AGENT: {PROFILE: self.profile}}, argument: request });
        let message = json!({
            "jsonrpc": "2.0",
            "id": 1,
            "method": mcp::TOOLS_CALL,
            "params": {"name": class.tool, "arguments": arguments},
        });
        client::post(self.address, DIALECT.protocol.mcp_path(), &message.to_string())
    }
}

/// What one connection brought.
struct Part {
    latencies: Vec<Duration>,
    bytes: usize,
}

fn ask(
    mut client: Client,
    class: &Class,
    prepared: &[Prepared],
    begin: usize,
    time: Duration,
) -> Result<Part, LoadError> {
    let mut part = Part { latencies: Vec::with_capacity(1 << 16), bytes: 0 };
    let deadline = Instant::now() + time;
    for request in prepared.iter().cycle().skip(begin) {
        let begun = Instant::now();
        if begun >= deadline {
            break;
        }
        let answer = client.send(&request.bytes).map_err(LoadError::system("ask the server"))?;
        part.latencies.push(begun.elapsed());
        part.bytes += answer.body.len();
        if answer.status != 200 || answer.body != request.answer {
            good_answer(answer.status, answer.body)
                .map_err(|what| refused(class, what, &request.asked, answer.body))?;
        }
    }
    Ok(part)
}

/// What an answer says, or what is wrong with it: it must be a success that has
/// products, or one.
fn good_answer(status: u16, body: &[u8]) -> Result<Value, String> {
    if status != 200 {
        return Err(format!("HTTP status {status}"));
    }
    let mut message: Value =
        serde_json::from_slice(body).map_err(|error| format!("no JSON: {error}"))?;
    if message["result"]["isError"] == true {
        return Err("isError".to_owned());
    }
    let content = message["result"]["structuredContent"].take();
    if content["ucp"]["status"] == "error" {
        return Err("the status is error".to_owned());
    }
    let many = content["products"].as_array().is_some_and(|products| !products.is_empty());
    if !many && !content["product"].is_object() {
        return Err("no products".to_owned());
    }
    Ok(content)
}

fn refused(class: &Class, what: String, request: &Value, body: &[u8]) -> LoadError {
    let answer = String::from_utf8_lossy(body).chars().take(EXCERPT).collect();
    LoadError::Answer { class: class.name.clone(), what, request: request.to_string(), answer }
}

/// The smallest of `sorted` that `percent` of a hundred are not above (nearest rank).
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{good_answer, percentile};
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn percentiles_are_samples() {
        let sorted: Vec<Duration> = (1..=200).map(Duration::from_millis).collect();
        assert_eq!(percentile(&sorted, 50), Duration::from_millis(100));
        assert_eq!(percentile(&sorted, 99), Duration::from_millis(198));
        assert_eq!(percentile(&sorted[..1], 99), Duration::from_millis(1));
        assert_eq!(percentile(&[], 50), Duration::ZERO);
    }

    #[test]
    fn answers_that_are_no_success_are_found_out() {
        let of = |content| json!({"result": {"structuredContent": content}}).to_string();
        let good = of(json!({"ucp": {"status": "success"}, "products": [{"id": "p"}]}));
        assert!(good_answer(200, good.as_bytes()).is_ok());
        let one = of(json!({"product": {"id": "p"}}));
        assert!(good_answer(200, one.as_bytes()).is_ok());
        assert!(good_answer(429, good.as_bytes()).is_err());
        for bad in [
            of(json!({"products": []})),
            of(json!({"ucp": {"status": "error"}, "products": [{"id": "p"}]})),
            json!({"error": {"code": -32602}}).to_string(),
            json!({"result": {"isError": true, "structuredContent": {"products": [1]}}})
                .to_string(),
            "{".to_owned(),
        ] {
            assert!(good_answer(200, bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
