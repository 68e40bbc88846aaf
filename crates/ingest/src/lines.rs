//! The lines of a feed: decompressed, bounded in length, checked to be UTF-8.
//!
//! A line that cannot be used costs that line; only a file that cannot be read
//! any further ends early. What a line means is the formats' business.

use crate::problem::{Fault, ProblemCode};
use flate2::read::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// The longest line that is read, in bytes; a longer one is refused.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

const BUFFER_BYTES: usize = 64 * 1024;
/// How much of a file is looked at to find out its format.
const HEAD_BYTES: usize = 8 * 1024;
const GZIP_MAGIC: [u8; 2] = [0x1F, 0x8B];
const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// The lines of one feed in order, each with its number from 1.
pub(crate) struct Lines<'r> {
    reader: Box<dyn BufRead + 'r>,
    longest: usize,
    buffer: Vec<u8>,
    number: u64,
    ended: bool,
}

impl<'r> Lines<'r> {
    /// Begins to read; gzip is recognised by its first two bytes.
    pub(crate) fn new(reader: impl Read + 'r) -> Self {
        Self::bounded(reader, MAX_LINE_BYTES)
    }

    fn bounded(mut reader: impl Read + 'r, longest: usize) -> Self {
        let mut head = Vec::new();
        let broken = reader.by_ref().take(2).read_to_end(&mut head).err();
        let compressed = head == GZIP_MAGIC;
        let whole = Cursor::new(head).chain(Broken(broken)).chain(reader);
        let reader: Box<dyn BufRead + 'r> = if compressed {
            Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(whole)))
        } else {
            Box::new(BufReader::with_capacity(BUFFER_BYTES, whole))
        };
        Self { reader, longest, buffer: Vec::new(), number: 0, ended: false }
    }

    /// The beginning of the content, up to [`HEAD_BYTES`], without consuming it.
    pub(crate) fn head(&mut self) -> Vec<u8> {
        let mut head = Vec::new();
        let mut broken = None;
        while head.len() < HEAD_BYTES {
            match self.reader.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => {
                    let taken = bytes.len().min(HEAD_BYTES - head.len());
                    head.extend_from_slice(&bytes[..taken]);
                    self.reader.consume(taken);
                }
                Err(fault) if fault.kind() == io::ErrorKind::Interrupted => {}
                // It shows again, with its line number, when the line is read.
                Err(fault) => {
                    broken = Some(fault);
                    break;
                }
            }
        }
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        let before = Cursor::new(head.clone()).chain(BufReader::new(Broken(broken)));
        self.reader = Box::new(before.chain(rest));
        head
    }

    /// Whether the content begins as XML does.
    pub(crate) fn is_xml(&mut self) -> bool {
        let head = self.head();
        head.strip_prefix(UTF8_BOM).unwrap_or(&head).trim_ascii_start().starts_with(b"<")
    }

    /// The bytes from here on, for formats that are not made of lines; a mark of
    /// UTF-8 at the beginning is left out.
    pub(crate) fn into_reader(mut self) -> Box<dyn BufRead + 'r> {
        let head = self.head();
        let mark = if head.starts_with(UTF8_BOM) { UTF8_BOM.len() } else { 0 };
        self.reader.consume(mark);
        self.reader
    }

    /// The next line without its end, or what is wrong with it; `None` at the
    /// end, and after a fault that leaves nothing more to read.
    pub(crate) fn next(&mut self) -> Option<(u64, Result<&str, Fault>)> {
        if self.ended {
            return None;
        }
        self.number += 1;
        self.buffer.clear();
        let limit = self.longest as u64 + 2;
        match self.reader.by_ref().take(limit).read_until(b'\n', &mut self.buffer) {
            Ok(0) => {
                self.ended = true;
                return None;
            }
            Ok(_) => {}
            Err(fault) => {
                // What was read of this line may lack its end, so it is no row.
                self.ended = true;
                return Some((self.number, Err(unreadable(&fault))));
            }
        }
        let ended = self.buffer.last() == Some(&b'\n');
        if !ended
            && self.buffer.len() as u64 == limit
            && let Err(fault) = self.reader.skip_until(b'\n')
        {
            self.ended = true;
            return Some((self.number, Err(unreadable(&fault))));
        }
        let line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > self.longest {
            let text = format!("the line is longer than {} bytes", self.longest);
            return Some((self.number, Err(Fault::new("", ProblemCode::LineTooLong, text))));
        }
        let first = self.number == 1;
        if first && (line.starts_with(b"\xFF\xFE") || line.starts_with(b"\xFE\xFF")) {
            self.ended = true;
            let text = "the file is UTF-16; save it as UTF-8";
            return Some((1, Err(Fault::new("", ProblemCode::Unreadable, text))));
        }
        let line = if first { line.strip_prefix(UTF8_BOM).unwrap_or(line) } else { line };
        let text = std::str::from_utf8(line).map_err(|fault| {
            let text = format!("the line is not UTF-8 at byte {}", fault.valid_up_to() + 1);
            Fault::new("", ProblemCode::InvalidEncoding, text)
        });
        Some((self.number, text))
    }
}

/// A reader that has failed already.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// What it means that a file cannot be read any further.
pub(crate) fn unreadable(fault: &io::Error) -> Fault {
    match fault.kind() {
        io::ErrorKind::UnexpectedEof => {
            let text = "the compressed file ends too early; the rows before are served";
            Fault::new("", ProblemCode::Truncated, text)
        }
        _ => {
            let text = format!("the file cannot be read any further: {fault}");
            Fault::new("", ProblemCode::Unreadable, text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn all(mut lines: Lines<'_>) -> Vec<(u64, Result<String, ProblemCode>)> {
        let mut seen = Vec::new();
        while let Some((number, line)) = lines.next() {
            seen.push((number, line.map(str::to_owned).map_err(|fault| fault.code)));
        }
        seen
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn ends_of_lines_and_the_mark_are_no_content() {
        let lines = all(Lines::new(&b"\xEF\xBB\xBFa\r\n\nb\n c"[..]));
        let expected = ["a", "", "b", " c"].map(|text| Ok(text.to_owned()));
        assert_eq!(lines, (1..).zip(expected).collect::<Vec<_>>());
        assert!(all(Lines::new(&b""[..])).is_empty());
    }

    #[test]
    fn a_bad_line_costs_that_line() {
        let lines = all(Lines::bounded(&b"ok\n\xFF\nlonger than six\nsixsix\r\nsevenly"[..], 6));
        let expected = vec![
            (1, Ok("ok".to_owned())),
            (2, Err(ProblemCode::InvalidEncoding)),
            (3, Err(ProblemCode::LineTooLong)),
            (4, Ok("sixsix".to_owned())),
            (5, Err(ProblemCode::LineTooLong)),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn gzip_is_read_member_after_member() {
        let mut bytes = gzip(b"\xEF\xBB\xBFa\n");
        bytes.extend(gzip(b"b\n"));
        assert_eq!(all(Lines::new(&bytes[..])), [(1, Ok("a".to_owned())), (2, Ok("b".to_owned()))]);
    }

    #[test]
    fn a_cut_gzip_keeps_the_whole_lines_before() {
        // Noise compresses badly, so that the cut falls inside the content.
        let noise = (0..20_000_u32).map(|n| format!("{:x}\n", n.wrapping_mul(2_654_435_761)));
        let content: String = noise.collect();
        let bytes = gzip(content.as_bytes());
        for cut in [bytes.len() / 2, bytes.len() - 9, bytes.len() - 1] {
            let mut lines = all(Lines::new(&bytes[..cut]));
            let (_, last) = lines.pop().unwrap();
            assert_eq!(last, Err(ProblemCode::Truncated));
            assert!(lines.len() > 5_000);
            let kept = lines.into_iter().map(|(_, line)| line.unwrap());
            assert!(kept.zip(content.lines()).all(|(kept, sent)| kept == sent));
        }
        let whole_header_missing = all(Lines::new(&bytes[..5]));
        assert_eq!(whole_header_missing, [(1, Err(ProblemCode::Truncated))]);
    }

    #[test]
    fn what_cannot_be_read_is_one_fault() {
        assert_eq!(all(Lines::new(&b"\xFF\xFEa\0\n\0"[..])), [(1, Err(ProblemCode::Unreadable))]);
        let mut lines = Lines::new(Broken(Some(io::Error::other("gone"))));
        assert!(lines.head().is_empty());
        let (_, fault) = lines.next().unwrap();
        assert_eq!(fault.unwrap_err().text, "the file cannot be read any further: gone");
        assert!(lines.next().is_none());
    }
}
