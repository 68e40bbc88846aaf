//! A strict JSON reader: no duplicate keys, no nesting beyond 128, never a crash.
//!
//! serde_json lets the last of two equal keys win, which would let a proxy and this
//! server read one request differently, and its own depth limit cannot be told
//! from a syntax error. So values are built here, over its tokenizer (rule M6).
//! A duplicate key is noted rather than fatal: reading goes on, and the error
//! reply can still carry the request's id.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use thiserror::Error;

/// How many arrays and objects may stand inside each other.
pub const MAX_DEPTH: u32 = 128;

/// Why a text cannot be read at all.
#[derive(Debug, Error)]
pub(crate) enum JsonError {
    /// Not UTF-8, the only encoding of JSON on the wire.
    #[error("it is not UTF-8 from byte {0} on")]
    Utf8(usize),
    /// More than [`MAX_DEPTH`] levels.
    #[error("it nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// Broken syntax, something after the value, or a number beyond all range.
    #[error("{0}")]
    Syntax(#[from] serde_json::Error),
}

/// What a reader of values reports besides the value.
#[derive(Default)]
pub(crate) struct Notes {
    too_deep: Cell<bool>,
    duplicate: RefCell<Option<String>>,
}

impl Notes {
    /// The first duplicate key since the last call.
    pub(crate) fn take_duplicate(&self) -> Option<String> {
        self.duplicate.borrow_mut().take()
    }

    /// Reports a key that its object already had.
    pub(crate) fn note_duplicate(&self, key: &str) {
        self.duplicate.borrow_mut().get_or_insert_with(|| key.to_owned());
    }
}

/// Reads a whole text by `seed`, which must report to `notes`.
pub(crate) fn read<'de, S>(bytes: &'de [u8], notes: &Notes, seed: S) -> Result<S::Value, JsonError>
where
    S: DeserializeSeed<'de>,
{
    let text = str::from_utf8(bytes).map_err(|error| JsonError::Utf8(error.valid_up_to()))?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // The limit is [`Depth`]'s, which is exact and can be told from bad syntax.
    deserializer.disable_recursion_limit();
    seed.deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value))
        .map_err(|error| if notes.too_deep.get() { JsonError::TooDeep } else { error.into() })
}

/// How many containers surround the value about to be read.
#[derive(Clone, Copy)]
pub(crate) struct Depth<'r> {
    notes: &'r Notes,
    levels: u32,
}

impl<'r> Depth<'r> {
    /// Outside of everything.
    pub(crate) fn outside(notes: &'r Notes) -> Self {
        Self { notes, levels: 0 }
    }

    /// Where to report.
    pub(crate) fn notes(self) -> &'r Notes {
        self.notes
    }

    /// Enters one array or object.
    pub(crate) fn enter<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.levels < MAX_DEPTH {
            return Ok(Self { levels: self.levels + 1, ..self });
        }
        self.notes.too_deep.set(true);
        Err(E::custom("too deep"))
    }
}

/// Builds one value.
#[derive(Clone, Copy)]
pub(crate) struct Strict<'r>(pub(crate) Depth<'r>);

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inside = Strict(self.0.enter()?);
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(inside)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inside = Strict(self.0.enter()?);
        let mut members = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(inside)?;
            if members.contains_key(&key) {
                self.0.notes.note_duplicate(&key);
            } else {
                members.insert(key, value);
            }
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strict(text: &[u8]) -> (Result<Value, JsonError>, Option<String>) {
        let notes = Notes::default();
        let value = read(text, &notes, Strict(Depth::outside(&notes)));
        (value, notes.take_duplicate())
    }

    #[test]
    fn it_reads_what_serde_json_reads() {
        let texts = [
            r#"{"b":[1,-2,3.5,1e2,18446744073709551615,-0.0,123456789012345678901234],"a":{"":null}}"#,
            r#""\u00e9\ud83d\ude00 é \"""#,
            " [ true , false , null ] ",
            "7",
        ];
        for text in texts {
            let (value, duplicate) = strict(text.as_bytes());
            assert_eq!(value.unwrap(), serde_json::from_str::<Value>(text).unwrap());
            assert_eq!(duplicate, None);
        }
    }

    #[test]
    fn rule_m6_duplicate_keys_are_noted_at_any_depth_and_the_first_value_stays() {
        let (value, duplicate) = strict(br#"{"a":[{"x":1,"y":2,"x":3}],"y":0}"#);
        assert_eq!(value.unwrap().to_string(), r#"{"a":[{"x":1,"y":2}],"y":0}"#);
        assert_eq!(duplicate.as_deref(), Some("x"));
        let (_, escaped) = strict(br#"{"a":1,"\u0061":2}"#);
        assert_eq!(escaped.as_deref(), Some("a"));
    }

    #[test]
    fn rule_m6_depth_128_is_read_and_129_is_refused() {
        let nested = |levels: usize| {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            let objects = format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
            [format!("{open}{close}"), objects]
        };
        for text in nested(128) {
            assert!(strict(text.as_bytes()).0.is_ok());
        }
        for text in nested(129) {
            assert!(matches!(strict(text.as_bytes()).0, Err(JsonError::TooDeep)));
        }
        for byte in ["[", r#"{"a":"#, "[[{\"a\":"] {
            let megabyte = byte.repeat(1024 * 1024 / byte.len());
            assert!(matches!(strict(megabyte.as_bytes()).0, Err(JsonError::TooDeep)));
        }
    }

    #[test]
    fn rule_m6_what_is_not_json_is_a_syntax_error() {
        let texts: [&[u8]; 10] = [
            b"",
            b"  ",
            b"{",
            b"{]",
            b"nul",
            b"[1,]",
            b"{\"a\":1} x",
            b"\"\\ud800\"",
            b"01",
            b"1e400",
        ];
        for text in texts {
            assert!(matches!(strict(text).0, Err(JsonError::Syntax(_))), "{text:?}");
        }
        assert!(matches!(strict(b"\"abc\xff\"").0, Err(JsonError::Utf8(4))));
    }
}
