//! The features of a GeoJSON text one by one, whatever the size of the whole:
//! a FeatureCollection, or one Feature a line.
//!
//! A broken feature costs itself: reading goes on at the next line that begins
//! no deeper than it did. Projects that publish store lists write one feature a
//! line, so there nothing else is lost.

use crate::lines::{Lines, MAX_LINE_BYTES, unreadable};
use crate::problem::{Fault, ProblemCode};
use serde::de::IgnoredAny;
use std::io::Read;

const BUFFER_BYTES: usize = 64 * 1024;
/// How a feature begins, without white space.
const FEATURE: &[u8] = br#"{"type":"Feature""#;

/// Reads features.
pub(super) struct Features<'r> {
    bytes: Bytes<'r>,
    place: Place,
    in_collection: bool,
}

/// Where in the text we are.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Outside of everything.
    Top,
    /// Between features of a collection.
    Collection,
    /// Behind the features, in the rest of the collection.
    Tail,
    /// Looking for the next line that begins at most so deep.
    Lost(usize),
    End,
}

impl<'r> Features<'r> {
    pub(super) fn new(lines: Lines<'r>) -> Self {
        Self { bytes: Bytes::new(lines), place: Place::Top, in_collection: false }
    }

    /// The text of the next feature with its first line, or what is wrong with it.
    pub(super) fn next(&mut self) -> Option<(u64, Result<String, Fault>)> {
        loop {
            let step = match self.place {
                Place::End => return None,
                Place::Top => self.top(),
                Place::Collection => self.collection(),
                Place::Tail => self.tail(),
                Place::Lost(indent) => self.lost(indent),
            };
            let (line, read) = match step {
                Ok(None) => continue,
                Ok(Some((line, text))) => (line, Ok(text)),
                Err((line, fault)) => {
                    if fault.ends_feed() {
                        self.place = Place::End;
                    }
                    (line, Err(fault))
                }
            };
            let text = read.and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| {
                    Fault::new("", ProblemCode::InvalidEncoding, "the feature is not UTF-8")
                })
            });
            return Some((line, text));
        }
    }

    fn top(&mut self) -> Step {
        let Some(byte) = self.bytes.after_space()? else {
            self.place = Place::End;
            return Ok(None);
        };
        if byte != b'{' {
            self.place = Place::End;
            let text = "is no GeoJSON: a FeatureCollection or Features are expected";
            return Err((self.bytes.line, Fault::new("", ProblemCode::InvalidJson, text)));
        }
        self.object()
    }

    fn collection(&mut self) -> Step {
        match self.bytes.after_space()? {
            Some(b',') => Ok(None),
            Some(b'{') => self.object(),
            Some(b']') => {
                self.place = Place::Tail;
                Ok(None)
            }
            Some(_) => {
                let line = self.bytes.line;
                self.place = Place::Lost(self.bytes.indent);
                let text = "is no feature; reading goes on at the next line that begins one";
                Err((line, Fault::new("", ProblemCode::InvalidJson, text)))
            }
            None => Err(self.too_early()),
        }
    }

    /// Passes over the members behind the features. What is no JSON there may hide
    /// features, so it is said.
    fn tail(&mut self) -> Step {
        let line = self.bytes.line;
        let mut scan = Scan::begin();
        let mut text = br#"{"features":[]"#.to_vec();
        loop {
            let Some(byte) = self.bytes.next()? else {
                return Err(self.too_early());
            };
            text.push(byte);
            let closed = match scan.byte(byte) {
                Seen::Inside if text.len() <= MAX_LINE_BYTES => continue,
                Seen::Closed => serde_json::from_slice::<IgnoredAny>(&text).is_ok(),
                Seen::Inside | Seen::Broken => false,
            };
            self.place = Place::Top;
            self.in_collection = false;
            if closed {
                return Ok(None);
            }
            let text = "what follows the features is no valid JSON; features in it are not served";
            return Err((line, Fault::new("", ProblemCode::InvalidJson, text)));
        }
    }

    fn lost(&mut self, indent: usize) -> Step {
        loop {
            let Some(byte) = self.bytes.next()? else {
                self.place = Place::End;
                return Ok(None);
            };
            let begins = self.bytes.is_first_of_line && self.bytes.indent <= indent;
            if begins && byte == b'{' {
                return self.object();
            }
            if begins && byte == b']' && self.in_collection {
                self.place = Place::Tail;
                return Ok(None);
            }
        }
    }

    /// Reads an object behind its brace. One at the top that has `features` is
    /// the collection; every other is a feature.
    fn object(&mut self) -> Step {
        let at_top = !self.in_collection;
        self.place = if at_top { Place::Top } else { Place::Collection };
        let (line, indent) = (self.bytes.line, self.bytes.indent);
        let mut text = vec![b'{'];
        let mut line_begins = 0;
        let mut scan = Scan::begin();
        loop {
            let Some(byte) = self.bytes.next()? else {
                return Err(self.too_early());
            };
            text.push(byte);
            let broken = match scan.byte(byte) {
                Seen::Closed => return Ok(Some((line, text))),
                Seen::Inside => false,
                Seen::Broken => true,
            };
            if broken || text.len() > MAX_LINE_BYTES {
                self.place = Place::Lost(indent);
                let fault = if broken {
                    let text = "is no valid JSON; reading goes on at the next line that begins \
                                a feature";
                    Fault::new("", ProblemCode::InvalidJson, text)
                } else {
                    let text = format!("the feature is longer than {MAX_LINE_BYTES} bytes");
                    Fault::new("", ProblemCode::LineTooLong, text)
                };
                return Err((line, fault));
            }
            if at_top && byte == b'[' && scan.opens_features(&text) {
                self.place = Place::Collection;
                self.in_collection = true;
                return Ok(None);
            }
            if byte == b'\n' {
                line_begins = text.len();
            }
            // A feature that was not closed must not swallow the next one.
            let again = line_begins > 0
                && byte == b'"'
                && begins_feature(&text[line_begins..])
                && self.bytes.indent <= indent;
            if again {
                let fault =
                    Fault::new("", ProblemCode::InvalidJson, "is not closed where the next begins");
                self.bytes.push_back(&text[line_begins..]);
                return Err((line, fault));
            }
        }
    }

    fn too_early(&self) -> (u64, Fault) {
        let text = "the file ends in the middle; the features before are served";
        (self.bytes.line, Fault::new("", ProblemCode::Truncated, text))
    }
}

type Step = Result<Option<(u64, Vec<u8>)>, (u64, Fault)>;

/// Whether a line so far, without white space, is how features begin.
fn begins_feature(line: &[u8]) -> bool {
    // Longer than any way of spacing it out.
    line.len() < 64 && line.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(FEATURE.iter())
}

enum Seen {
    Inside,
    Closed,
    Broken,
}

/// Follows brackets and strings of one object.
struct Scan {
    closers: Vec<u8>,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    fn begin() -> Self {
        Self { closers: vec![b'}'], in_string: false, escaped: false }
    }

    fn byte(&mut self, byte: u8) -> Seen {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                // JSON has no line breaks in strings.
                b'\n' => return Seen::Broken,
                _ => {}
            }
            return Seen::Inside;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' => self.closers.push(b'}'),
            b'[' => self.closers.push(b']'),
            b'}' | b']' => {
                if self.closers.pop() != Some(byte) {
                    return Seen::Broken;
                }
                if self.closers.is_empty() {
                    return Seen::Closed;
                }
            }
            _ => {}
        }
        Seen::Inside
    }

    /// Whether the bracket that ends `text` opens the member `features` of the
    /// outermost object.
    fn opens_features(&self, text: &[u8]) -> bool {
        let before = text.strip_suffix(b"[").unwrap_or(text).trim_ascii_end();
        let name = before.strip_suffix(b":").map(<[u8]>::trim_ascii_end);
        self.closers.len() == 2 && name.is_some_and(|name| name.ends_with(br#""features""#))
    }
}

/// The bytes of a file with their lines.
struct Bytes<'r> {
    reader: Box<dyn Read + 'r>,
    buffer: Vec<u8>,
    at: usize,
    /// Of the byte that was read last, from 1.
    line: u64,
    ended_line: bool,
    /// White space before the first byte of the line that is none.
    indent: usize,
    counting_indent: bool,
    is_first_of_line: bool,
}

impl<'r> Bytes<'r> {
    fn new(lines: Lines<'r>) -> Self {
        Self {
            reader: lines.into_reader(),
            buffer: Vec::new(),
            at: 0,
            line: 1,
            ended_line: false,
            indent: 0,
            counting_indent: true,
            is_first_of_line: false,
        }
    }

    fn next(&mut self) -> Result<Option<u8>, (u64, Fault)> {
        if self.at == self.buffer.len() {
            self.buffer.resize(BUFFER_BYTES, 0);
            self.at = 0;
            let read = loop {
                match self.reader.read(&mut self.buffer) {
                    Err(fault) if fault.kind() == std::io::ErrorKind::Interrupted => {}
                    read => break read,
                }
            };
            match read {
                Ok(count) => self.buffer.truncate(count),
                Err(fault) => {
                    self.buffer.clear();
                    return Err((self.line, unreadable(&fault)));
                }
            }
        }
        let Some(&byte) = self.buffer.get(self.at) else {
            return Ok(None);
        };
        self.at += 1;
        if self.ended_line {
            self.line += 1;
            (self.indent, self.counting_indent) = (0, true);
        }
        self.ended_line = byte == b'\n';
        let is_space = matches!(byte, b' ' | b'\t');
        self.is_first_of_line = self.counting_indent && !is_space;
        self.indent += usize::from(self.counting_indent && is_space);
        self.counting_indent &= is_space;
        Ok(Some(byte))
    }

    /// The next byte that is no white space.
    fn after_space(&mut self) -> Result<Option<u8>, (u64, Fault)> {
        loop {
            match self.next()? {
                Some(byte) if byte.is_ascii_whitespace() => {}
                byte => return Ok(byte),
            }
        }
    }

    /// Lets `text`, the line so far, be read again.
    fn push_back(&mut self, text: &[u8]) {
        self.buffer.splice(..self.at, text.iter().copied());
        self.at = 0;
        (self.ended_line, self.counting_indent, self.indent) = (false, true, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each feature's line with its text, or the code of its fault.
    fn all(text: &str) -> Vec<(u64, String)> {
        let mut features = Features::new(Lines::new(text.as_bytes()));
        let mut seen = Vec::new();
        while let Some((line, read)) = features.next() {
            let bytes = read.unwrap_or_else(|fault| format!("{}", fault.code));
            seen.push((line, bytes));
        }
        seen
    }

    fn seen(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
    }

    #[test]
    fn collections_and_lines() {
        let a = r#"{"type":"Feature","properties":{"x":"]}\"{"}}"#;
        let text = format!(
            "{{\n \"x\": [1, {{}}], \"type\": \"FeatureCollection\", \"features\" : [{a},{a}\n,{a} ], \"y\":[{{}}]}}\n"
        );
        assert_eq!(all(&text), seen(&[(2, a), (2, a), (3, a)]));
        let text = format!("\u{feff}{a}\n\n {a}\n");
        assert_eq!(all(&text), seen(&[(1, a), (3, a)]));
        assert_eq!(all(r#"{"features":[]}"#), seen(&[]));
        assert_eq!(all(""), seen(&[]));
        assert_eq!(all("[1]"), seen(&[(1, "invalid_json")]));
        assert_eq!(all(r#"{"type":"Topology"}"#), seen(&[(1, r#"{"type":"Topology"}"#)]));
    }

    #[test]
    fn a_broken_feature_costs_itself() {
        let good = r#"{"type":"Feature","n":1}"#;
        for bad in [
            r#"{"type":"Feature","n":[}},"#,
            r#"{"type":"Feature","n":"x},"#,
            r#"{"type":"Feature","n":{"a":1},"#,
            r#"null,"#,
            r#"{"type":"Feature","n":[[}"#,
        ] {
            let text = format!("{{\"features\": [\n{good},\n{bad}\n{good}\n]}}");
            let expected = seen(&[(2, good), (3, "invalid_json"), (4, good)]);
            assert_eq!(all(&text), expected, "{bad}");
            if !bad.starts_with('n') {
                let lines = format!("{good}\n{bad}\n{good}\n");
                let expected = seen(&[(1, good), (2, "invalid_json"), (3, good)]);
                assert_eq!(all(&lines), expected, "{bad}");
            }
        }
    }

    #[test]
    fn a_text_that_ends_in_the_middle() {
        let text = r#"{"features": [{"n":1}, {"n":2}, {"n""#;
        assert_eq!(all(text), seen(&[(1, r#"{"n":1}"#), (1, r#"{"n":2}"#), (1, "truncated")]));
        assert_eq!(all(r#"{"features": ["#), seen(&[(1, "truncated")]));
        assert_eq!(all(r#"{"features": [] "#), seen(&[(1, "truncated")]));
        assert_eq!(all("{"), seen(&[(1, "truncated")]));
    }
}
