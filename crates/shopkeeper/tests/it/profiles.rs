//! Platforms on loopback: good profiles of every version, and bad ones of every kind.

use crate::app::runtime;
use protocol::dialect::{Dialect, Protocol};
use protocol::profile;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Longer than a store under test waits for a profile.
const TOO_SLOW: Duration = Duration::from_secs(20);

/// More than a store reads of a profile.
const TOO_LARGE: usize = 300 * 1024;

struct Page {
    status: u16,
    headers: String,
    body: Vec<u8>,
    delay: Duration,
}

/// Where the platforms are.
pub(crate) fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        runtime().block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(answer(stream));
                }
            });
            address
        })
    })
}

/// The URL of a page, such as `bad/html`.
pub(crate) fn url(path: &str) -> String {
    format!("http://{}/{path}", address())
}

/// The profile of a platform that has everything of `version`.
pub(crate) fn good(protocol: Protocol, version: &str) -> String {
    url(&format!("good/{}/{version}.json", protocol.name()))
}

/// The profile of a platform that has one capability of `version` alone, by the
/// last part of its name under the protocol's namespace.
pub(crate) fn only(protocol: Protocol, version: &str, capability: &str) -> String {
    url(&format!("only/{}/{version}/{capability}", protocol.name()))
}

/// The keys in the profiles under `keys/`, by the rest of their path.
static KEYS: Mutex<Option<HashMap<String, Vec<Value>>>> = Mutex::new(None);

/// The profile of a platform named `name` that publishes these keys from now on.
pub(crate) fn with_keys(name: &str, keys: Vec<Value>) -> String {
    KEYS.lock().unwrap().get_or_insert_default().insert(name.to_owned(), keys);
    url(&format!("keys/{name}"))
}

/// How often each target was asked for, its query included.
static HITS: Mutex<Option<HashMap<String, usize>>> = Mutex::new(None);

/// How often the profile at `url` was fetched.
pub(crate) fn hits(url: &str) -> usize {
    let target = url.split('/').skip(3).collect::<Vec<_>>().join("/");
    let hits = HITS.lock().unwrap();
    hits.as_ref().and_then(|hits| hits.get(&target)).copied().unwrap_or(0)
}

async fn answer(mut stream: TcpStream) {
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(read) => head.extend_from_slice(&buffer[..read]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().trim_start_matches('/');
    *HITS.lock().unwrap().get_or_insert_default().entry(target.to_owned()).or_default() += 1;
    let page = page(target.split('?').next().unwrap_or_default());
    tokio::time::sleep(page.delay).await;
    let head = format!(
        "HTTP/1.1 {} X\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n",
        page.status,
        page.body.len(),
        page.headers
    );
    let _ = stream.write_all(&[head.as_bytes(), &page.body].concat()).await;
    let _ = stream.shutdown().await;
}

fn page(path: &str) -> Page {
    let ucp = Dialect::UCP_2026_08_25;
    let good = || profile::platform(&ucp);
    let with = |pointer: &str, value: Value| {
        let mut document = profile::platform(&ucp);
        *document.pointer_mut(pointer).unwrap() = value;
        json_page(&document)
    };
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["good", protocol, file] => dialect(protocol, file.trim_end_matches(".json"))
            .map_or_else(missing, |dialect| json_page(&profile::platform(dialect))),
        ["only", protocol, version, capability] => {
            let Some(dialect) = dialect(protocol, version) else { return missing() };
            let mut document = profile::platform(dialect);
            let name = format!("{}.{capability}", dialect.protocol.namespace());
            let entry = json!([{
                "version": version,
                "spec": format!("{}/{capability}", dialect.artifact(protocol::Artifact::Overview)),
                "schema": dialect.artifact(protocol::Artifact::Overview),
            }]);
            document["ucp"]["capabilities"] = json!({ name: entry });
            json_page(&document)
        }
        ["keys", name] => {
            let mut document = good();
            let keys = KEYS.lock().unwrap();
            document["keys"] = json!(keys.as_ref().and_then(|keys| keys.get(*name)));
            json_page(&document)
        }
        ["bad", "html"] => {
            text_page("text/html", "<!doctype html><title>Agents</title><p>Welcome".to_owned())
        }
        ["bad", "empty"] => text_page("application/json", String::new()),
        ["bad", "list"] => json_page(&json!([good()])),
        ["bad", "no-ucp"] => json_page(&json!({"version": "2026-08-25"})),
        ["bad", "version-none"] => with("/ucp/version", Value::Null),
        ["bad", "version-draft"] => with("/ucp/version", json!("draft")),
        ["bad", "version-2099"] => with("/ucp/version", json!("2099-01-01")),
        ["bad", "capabilities-array"] => {
            with("/ucp/capabilities", json!(["dev.ucp.shopping.catalog.search"]))
        }
        ["bad", "services-array"] => with("/ucp/services", json!([])),
        ["bad", "capabilities-odd"] => with(
            "/ucp/capabilities/dev.ucp.shopping.catalog.search",
            json!({"version": "2026-08-25"}),
        ),
        ["bad", "redirect"] => Page {
            status: 301,
            headers: "Location: /good/ucp/2026-08-25.json\r\n".to_owned(),
            ..json_page(&good())
        },
        ["bad", "slow"] => Page { delay: TOO_SLOW, ..json_page(&good()) },
        ["bad", "too-large"] => {
            let mut document = good();
            document["padding"] = json!("x".repeat(TOO_LARGE));
            json_page(&document)
        }
        ["bad", "error"] => Page { status: 503, ..json_page(&good()) },
        _ => missing(),
    }
}

fn dialect(protocol: &str, version: &str) -> Option<&'static Dialect> {
    let protocol = Protocol::ALL.into_iter().find(|known| known.name() == protocol)?;
    Dialect::find(protocol, version)
}

fn json_page(document: &Value) -> Page {
    text_page("application/json", document.to_string())
}

fn text_page(kind: &str, body: String) -> Page {
    let headers = format!("Content-Type: {kind}\r\n");
    Page { status: 200, headers, body: body.into_bytes(), delay: Duration::ZERO }
}

fn missing() -> Page {
    Page { status: 404, ..text_page("text/plain", "nothing here".to_owned()) }
}
