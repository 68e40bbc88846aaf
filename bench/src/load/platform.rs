//! The platform that asks: its profile on loopback, for the server to fetch.

use super::LoadError;
use protocol::dialect::Dialect;
use protocol::profile;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// The dialect that the platform speaks.
pub const DIALECT: Dialect = Dialect::UCP_2026_08_25;

/// Publishes the profile on a free port of loopback, for as long as the process
/// lives; its URL is the answer.
///
/// # Errors
///
/// No port is free.
pub fn publish() -> Result<String, LoadError> {
    let bound = TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener): (SocketAddr, TcpListener) =
        bound.map_err(LoadError::system("publish a profile"))?;
    let body = profile::platform(&DIALECT).to_string();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // Who does not take the answer has to ask again.
            let _ = answer(stream, &body);
        }
    });
    Ok(format!("http://{address}/platform.json"))
}

fn answer(mut stream: TcpStream, body: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(2)))?;
    let mut head = Vec::new();
    let mut buffer = [0; 1024];
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        match stream.read(&mut buffer)? {
            0 => return Ok(()),
            read => head.extend_from_slice(&buffer[..read]),
        }
    }
    // Cached for as long as a server wants to, so that fetching it again is no part
    // of what is measured.
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\
         Cache-Control: public, max-age=86400\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes())
}
