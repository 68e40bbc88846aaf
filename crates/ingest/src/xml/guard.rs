//! A reader for the XML parser: it counts lines, gives an item only so much
//! room, and puts [`NO_UTF_8`] where bytes are no UTF-8, for the parser would
//! stop there.

use crate::lines::MAX_LINE_BYTES;
use std::io::{self, BufRead, Read};

/// A character that no XML may have.
pub(super) const NO_UTF_8: char = '\u{1}';

const BUFFER_BYTES: usize = 64 * 1024;

/// The bytes of a feed on their way to the parser.
pub(super) struct Guard<'r> {
    reader: Box<dyn BufRead + 'r>,
    buffer: Vec<u8>,
    /// What is next in the buffer.
    at: usize,
    /// Where the buffer stops being whole characters.
    whole: usize,
    line: u64,
    /// How many bytes may still be read before [`Guard::allow`] is called again.
    room: usize,
}

impl<'r> Guard<'r> {
    pub(super) const fn new(reader: Box<dyn BufRead + 'r>) -> Self {
        Self { reader, buffer: Vec::new(), at: 0, whole: 0, line: 1, room: MAX_LINE_BYTES }
    }

    /// The line that has been reached, from 1.
    pub(super) const fn line(&self) -> u64 {
        self.line
    }

    /// Lets the next item, or whatever stands between items, be read.
    pub(super) const fn allow(&mut self) {
        self.room = MAX_LINE_BYTES;
    }

    /// Reads on when every whole character is used up.
    fn refill(&mut self) -> io::Result<()> {
        while self.at == self.whole {
            self.buffer.drain(..self.whole);
            (self.at, self.whole) = (0, 0);
            let kept = self.buffer.len();
            self.buffer.resize(kept + BUFFER_BYTES, 0);
            let read = self.reader.read(&mut self.buffer[kept..]);
            self.buffer.truncate(kept + *read.as_ref().unwrap_or(&0));
            let ended = read? == 0;
            self.mend(ended);
            if ended {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Finds out how far the buffer is whole characters, other bytes replaced.
    fn mend(&mut self, ended: bool) {
        while let Err(fault) = std::str::from_utf8(&self.buffer[self.whole..]) {
            self.whole += fault.valid_up_to();
            let bad = match fault.error_len() {
                Some(bad) => bad,
                None if ended => self.buffer.len() - self.whole,
                // The rest of the character is yet to come.
                None => return,
            };
            self.buffer[self.whole..self.whole + bad].fill(NO_UTF_8 as u8);
        }
        self.whole = self.buffer.len();
    }
}

impl BufRead for Guard<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        let bytes = &self.buffer[self.at..self.whole];
        if self.room == 0 && !bytes.is_empty() {
            let text = format!("an item is longer than {MAX_LINE_BYTES} bytes");
            return Err(io::Error::other(text));
        }
        Ok(&bytes[..bytes.len().min(self.room)])
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.whole - self.at);
        let read = &self.buffer[self.at..self.at + count];
        self.line += read.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.room = self.room.saturating_sub(count);
        self.at += count;
    }
}

impl Read for Guard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.fill_buf()?;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    #[test]
    fn characters_stay_whole_whatever_the_chunks() {
        let text = "aé€😀\n".repeat(50);
        for size in 1..9 {
            let reader = BufReader::with_capacity(size, Cursor::new(text.as_bytes()));
            let mut guard = Guard::new(Box::new(reader));
            let mut read = String::new();
            guard.read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
            assert_eq!(guard.line(), 51);
        }
    }

    #[test]
    fn other_bytes_are_replaced_one_for_one() {
        let mut guard = Guard::new(Box::new(Cursor::new(b"a\xFFb\xE2\x82c\xC3".to_vec())));
        let mut read = String::new();
        guard.read_to_string(&mut read).unwrap();
        assert_eq!(read, "a\u{1}b\u{1}\u{1}c\u{1}");
    }
}
