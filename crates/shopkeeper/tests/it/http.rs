//! A raw HTTP/1.1 client: what is sent is exactly what a test says.

use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than anything a test waits for on purpose.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request; `Host`, `Connection` and `Content-Length` are added unless given.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    says_length: bool,
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        let (method, path) = (method.to_owned(), path.to_owned());
        Self { method, path, headers: Vec::new(), body: Vec::new(), says_length: true }
    }

    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// A POST of JSON, as the plainest client sends it.
    pub(crate) fn post(path: &str, body: impl Into<Vec<u8>>) -> Self {
        let request = Self::new("POST", path).with("Content-Type", "application/json");
        Self { body: body.into(), ..request }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Leaves `Content-Length` out.
    pub(crate) fn without_length(mut self) -> Self {
        self.says_length = false;
        self
    }

    /// Sends the request on a connection of its own.
    pub(crate) fn send(&self, address: SocketAddr) -> Response {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(&self.to_bytes(address)).unwrap();
        Response::read(&mut stream)
    }

    /// The request as it goes over the wire.
    pub(crate) fn to_bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        let defaults = [
            ("Host", address.to_string()),
            ("Connection", "close".to_owned()),
            ("Content-Length", self.body.len().to_string()),
        ];
        for (name, value) in defaults {
            let wanted = self.says_length || name != "Content-Length";
            if wanted && !self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        [head.as_bytes(), &self.body].concat()
    }
}

impl Response {
    /// Reads until the other side closes.
    pub(crate) fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no HTTP: {:?}", String::from_utf8_lossy(&bytes)));
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(':').unwrap())
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let body = bytes[end + 4..].to_vec();
        let response = Self { status, headers, body };
        if let Some(length) = response.header("content-length") {
            let has_body = status != 304 && !response.body.is_empty();
            assert!(!has_body || length == response.body.len().to_string(), "{head}");
        }
        assert!(response.header("transfer-encoding").is_none(), "{head}");
        response
    }

    /// The value of a header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let (_, value) = found.next()?;
        assert!(found.next().is_none(), "{name} is there twice");
        Some(value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("HTTP {}: {error}: {}", self.status, self.text()))
    }
}
