//! Load against a server of this test's own: pages are walked, bad answers are found
//! out, and a program that is no server is no reason to wait.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use bench::generated::{Generated, Plan};
use bench::load::LoadError;
use bench::load::bare::Bare;
use bench::load::run::Target;
use bench::load::server::Server;
use bench::queries::{Class, classes};
use protocol::operation::Operation;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// What is answered to a request, the how many-eth it is.
type Answering = dyn Fn(&Value, usize) -> (u16, Value) + Send + Sync;

fn server(answering: impl Fn(&Value, usize) -> (u16, Value) + Send + Sync + 'static) -> Target {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let answering: Arc<Answering> = Arc::new(answering);
    let asked = Arc::new(AtomicUsize::new(0));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (answering, asked) = (Arc::clone(&answering), Arc::clone(&asked));
            thread::spawn(move || converse(stream.unwrap(), &*answering, &asked));
        }
    });
    let profile = "http://127.0.0.1:9/platform.json".to_owned();
    Target { address, pid: std::process::id(), profile }
}

fn converse(stream: TcpStream, answering: &Answering, asked: &AtomicUsize) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap();
        let number = asked.fetch_add(1, Ordering::SeqCst);
        let (status, content) = answering(&message["params"]["arguments"]["catalog"], number);
        let body = json!({"result": {"structuredContent": content}}).to_string();
        let head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n\r\n", body.len());
        if writer.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// Page after page of one product each, as many as the query says.
fn paged(request: &Value) -> Value {
    let page: usize =
        request["pagination"]["cursor"].as_str().map_or(1, |cursor| cursor.parse().unwrap());
    let pages: usize = request["query"].as_str().unwrap().parse().unwrap();
    let pagination = match page < pages {
        true => json!({"has_next_page": true, "cursor": (page + 1).to_string()}),
        false => json!({"has_next_page": false}),
    };
    json!({"products": [{"id": format!("p{page}")}], "pagination": pagination})
}

fn class(page: usize, queries: &[&str]) -> Class {
    let requests = queries.iter().map(|query| json!({ "query": query })).collect();
    Class {
        name: "some".to_owned(),
        tool: Operation::SearchCatalog.tool().to_owned(),
        page,
        forgiving: false,
        requests,
    }
}

#[test]
fn the_bare_baseline_asks_what_the_server_is_asked() {
    let catalog = Generated::new(Plan { products: 300, variants: 3, seed: 1 });
    let folder = tempfile::tempdir().unwrap();
    let feed = folder.path().join("products.jsonl");
    let mut file = std::fs::File::create(&feed).unwrap();
    catalog.write(&mut file).unwrap();
    let bare = Bare::index(&feed).unwrap();
    let mut searches = 0;
    for class in classes(&catalog, 5) {
        let measured = bare.measure(&class, Duration::from_millis(5)).unwrap();
        let is_search = class.tool == Operation::SearchCatalog.tool();
        assert_eq!(measured.is_some(), is_search, "{}", class.name);
        searches += usize::from(is_search);
    }
    assert_eq!(searches, 6);
    let nothing = bare.measure(&class(1, &["xyzzyplugh"]), SHORT).unwrap_err();
    assert!(nothing.to_string().contains("finds nothing"), "{nothing}");
}

const SHORT: Duration = Duration::from_millis(50);

#[test]
fn a_page_is_walked_to_and_measured() {
    let target = server(|request, _| (200, paged(request)));
    let class = class(5, &["5", "2", "9"]);
    let prepared = target.prepare(&class).unwrap();
    assert_eq!(prepared.len(), 2, "the query of two pages is left out");
    for connections in [1, 4] {
        let measured = target.measure(&class, &prepared, connections, SHORT).unwrap();
        assert!(measured.answers > 0);
        assert!(measured.p50 <= measured.p99);
        assert!((60..200).contains(&measured.body_bytes), "{}", measured.body_bytes);
    }
}

#[test]
fn a_class_that_finds_nothing_is_an_error() {
    let target = server(|request, _| (200, paged(request)));
    let refused = target.prepare(&class(5, &["4"])).unwrap_err();
    assert!(refused.to_string().contains("5 pages"), "{refused}");
    let target = server(|_, _| (200, json!({"products": []})));
    let refused = target.prepare(&class(1, &["sofá"])).unwrap_err();
    assert!(refused.to_string().contains("no products") && refused.to_string().contains("sofá"));
}

#[test]
fn an_answer_that_turns_bad_under_load_is_an_error() {
    for bad in [(429, json!({"products": [1]})), (200, json!({"products": []}))] {
        let target = server(move |request, number| match number {
            0..3 => (200, paged(request)),
            _ => bad.clone(),
        });
        let class = class(1, &["1"]);
        let prepared = target.prepare(&class).unwrap();
        let measured = target.measure(&class, &prepared, 2, Duration::from_secs(60));
        assert!(matches!(measured, Err(LoadError::Answer { .. })), "{measured:?}");
    }
}

#[test]
fn an_answer_that_differs_and_is_good_is_good() {
    let target = server(|_, number| (200, json!({"products": [{"id": number}]})));
    let class = class(1, &["1"]);
    let prepared = target.prepare(&class).unwrap();
    assert!(target.measure(&class, &prepared, 1, SHORT).unwrap().answers > 1);
}

#[test]
fn a_program_that_is_no_server() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-server");
    std::fs::create_dir_all(&folder).unwrap();
    let patience = Duration::from_secs(60);
    let ended = Server::start(Path::new("/bin/false"), &folder, patience).unwrap_err();
    assert!(matches!(ended, LoadError::Server { .. }), "{ended}");
    let missing = Server::start(&folder.join("nothing"), &folder, patience).unwrap_err();
    assert!(matches!(missing, LoadError::File { .. }), "{missing}");
}
