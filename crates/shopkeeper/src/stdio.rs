//! MCP over standard input and output: one message a line (rule M11).
//!
//! Nothing but protocol goes to standard output; logs go to standard error.

use crate::app::{App, Caller};
use mcp::Transport;
use std::sync::Arc;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
};

/// Answers the messages on `input` at the endpoint number `index` until it ends.
///
/// # Errors
///
/// The streams cannot be read or written.
pub async fn serve(
    app: &Arc<App>,
    index: usize,
    input: impl tokio::io::AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> std::io::Result<()> {
    let limit = app.config().limits.body_bytes;
    let mut input = BufReader::new(input);
    while let Some(line) = read_line(&mut input, limit).await? {
        let caller = Caller::new(None);
        let reply = match line {
            Line::Message(line) if line.trim_ascii().is_empty() => continue,
            Line::Message(line) => app.exchange(index, &Transport::Stdio, &line, &caller).await,
            Line::TooLong => mcp::oversized(limit),
        };
        if let Some(mut body) = reply.body {
            body.push(b'\n');
            output.write_all(&body).await?;
            output.flush().await?;
        }
    }
    Ok(())
}

enum Line {
    Message(Vec<u8>),
    TooLong,
}

/// The next line, or `None` at the end; of a line beyond `limit` nothing is kept.
async fn read_line(
    input: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> std::io::Result<Option<Line>> {
    let mut line = Vec::new();
    let bound = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    if (&mut *input).take(bound).read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || line.len() <= limit {
        return Ok(Some(Line::Message(line)));
    }
    loop {
        line.clear();
        let read = (&mut *input).take(bound).read_until(b'\n', &mut line).await?;
        if read == 0 || line.ends_with(b"\n") {
            return Ok(Some(Line::TooLong));
        }
    }
}
