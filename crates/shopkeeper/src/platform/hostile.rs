//! A profile server on loopback that does what its script says, for tests of
//! fetching; and resolvers that answer without asking anybody.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::resolve::Resolve;

/// One step of what the server does once it has read a request.
#[derive(Clone)]
pub(super) enum Act {
    Send(Vec<u8>),
    SendForEver(Vec<u8>),
    Wait(Duration),
}

pub(super) fn send(text: impl Into<Vec<u8>>) -> Act {
    Act::Send(text.into())
}

/// A complete response with further header lines, each ended by CRLF.
pub(super) fn respond(status: &str, headers: &str, body: &str) -> Vec<Act> {
    let length = body.len();
    vec![send(format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"))]
}

/// The least profile that can be read.
pub(super) fn profile(version: &str) -> String {
    format!(r#"{{"ucp":{{"version":"{version}","services":{{}},"payment_handlers":{{}}}}}}"#)
}

pub(super) struct Hostile {
    pub(super) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Hostile {
    /// A server that plays the same script on every connection.
    pub(super) async fn start(script: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            connections: Arc::default(),
            requests: Arc::default(),
        };
        let (connections, requests) =
            (Arc::clone(&server.connections), Arc::clone(&server.requests));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(play(stream, script.clone(), Arc::clone(&requests)));
            }
        });
        server
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// The heads of all requests, as received.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn play(mut stream: TcpStream, script: Vec<Act>, requests: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    requests.lock().unwrap().push(String::from_utf8(head).unwrap());
    for act in script {
        match act {
            Act::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Act::SendForEver(bytes) => while stream.write_all(&bytes).await.is_ok() {},
            Act::Wait(time) => tokio::time::sleep(time).await,
        }
    }
    let _closed = stream.shutdown().await;
}

/// Answers with the first list, then the second, and so on, and counts; the last one stays.
pub(super) struct Scripted {
    answers: Vec<Vec<SocketAddr>>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    pub(super) fn new(answers: &[&[&str]]) -> Arc<Self> {
        let addresses =
            |list: &&[&str]| list.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>();
        Arc::new(Self { answers: answers.iter().map(addresses).collect(), asked: Mutex::default() })
    }

    /// The names asked for, one for each look-up.
    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Resolve for Scripted {
    fn resolve<'a>(&'a self, host: &'a str, _: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let mut asked = self.asked.lock().unwrap();
        let answer = self.answers.get(asked.len()).or(self.answers.last()).cloned();
        asked.push(host.to_owned());
        Box::pin(async { answer.ok_or_else(|| io::Error::other("no such host")) })
    }
}

/// Never answers.
pub(super) struct Silent;

impl Resolve for Silent {
    fn resolve<'a>(&'a self, _: &'a str, _: u16) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        Box::pin(std::future::pending())
    }
}
