//! HTTP/1.1 over one connection that is kept: as little as a client can do.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than any answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longer than any head of an answer.
const MAX_HEAD: usize = 64 * 1024;

/// A connection.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    address: SocketAddr,
    /// What has been read of the present answer, and room for more.
    buffer: Vec<u8>,
}

/// An answer, as long as the connection is not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The whole body.
    pub body: &'a [u8],
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    ///
    /// Nobody listens there.
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self { stream, address, buffer: vec![0; 256 * 1024] })
    }

    /// The status of `GET path`.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn get(&mut self, path: &str) -> io::Result<u16> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        self.send(request.as_bytes()).map(|answer| answer.status)
    }

    /// Sends a request that is ready as it stands, and reads the answer.
    ///
    /// # Errors
    ///
    /// The connection breaks, is silent for 30 s, or speaks something other than
    /// HTTP/1.1 with a Content-Length.
    pub fn send(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.stream.write_all(request)?;
        let mut filled = 0;
        let (status, head, length) = loop {
            filled += self.read_after(filled)?;
            if let Some(end) = head_end(&self.buffer[..filled]) {
                let (status, length) = head_facts(&self.buffer[..end])
                    .ok_or_else(|| unreadable("a head without a status or Content-Length"))?;
                break (status, end, length);
            }
            if filled > MAX_HEAD {
                return Err(unreadable("a head without an end"));
            }
        };
        let whole = head + length;
        if self.buffer.len() <= whole {
            self.buffer.resize(whole + 1, 0);
        }
        while filled < whole {
            filled += self.read_after(filled)?;
        }
        if filled > whole {
            return Err(unreadable("more than the Content-Length"));
        }
        Ok(Answer { status, body: &self.buffer[head..whole] })
    }

    fn read_after(&mut self, filled: usize) -> io::Result<usize> {
        match self.stream.read(&mut self.buffer[filled..])? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            read => Ok(read),
        }
    }
}

/// A POST of JSON, ready to be sent again and again.
pub fn post(address: SocketAddr, path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn head_end(read: &[u8]) -> Option<usize> {
    read.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

/// Status and Content-Length of a head.
fn head_facts(head: &[u8]) -> Option<(u16, usize)> {
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim())
    })?;
    Some((status, length.parse().ok()?))
}

fn unreadable(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::{Client, head_facts};
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    #[test]
    fn heads() {
        let head = b"HTTP/1.1 200 OK\r\nX: y\r\nCONTENT-length: 17\r\n\r\n";
        assert_eq!(head_facts(head), Some((200, 17)));
        assert_eq!(head_facts(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), None);
        assert_eq!(head_facts(b"SSH-2.0\r\n\r\n"), None);
    }

    #[test]
    fn an_answer_in_pieces_and_one_larger_than_the_buffer() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let large = "x".repeat(1_000_000);
        let sent = large.clone();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut read = [0; 512];
            assert!(stream.read(&mut read).unwrap() > 0);
            for piece in ["HTTP/1.1 404 No\r\nConte", "nt-Length: 3\r\n\r\na", "bc"] {
                stream.write_all(piece.as_bytes()).unwrap();
                stream.flush().unwrap();
                thread::sleep(std::time::Duration::from_millis(5));
            }
            assert!(stream.read(&mut read).unwrap() > 0);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", sent.len());
            stream.write_all((head + &sent).as_bytes()).unwrap();
            // And then no more.
        });
        let mut client = Client::connect(address).unwrap();
        let answer = client.send(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!((answer.status, answer.body), (404, b"abc".as_slice()));
        let answer = client.send(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!((answer.status, answer.body), (200, large.as_bytes()));
        server.join().unwrap();
        assert!(client.get("/").is_err());
    }
}
