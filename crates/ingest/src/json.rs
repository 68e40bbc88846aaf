//! One JSON text to a value, with nothing lost on the way.
//!
//! An ordinary reader lets the last of two members with one name win, silently;
//! here the text is refused, since nobody can know which was meant.

use crate::problem::{Fault, ProblemCode};
use crate::row::Path;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// The deepest nesting that is read; a deeper text is refused.
const MAX_DEPTH: usize = 100;

/// Reads a whole JSON text.
pub(crate) fn parse(text: &str) -> Result<Value, Fault> {
    let found = RefCell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    let seed = Reader { at: Path::Row, depth: 0, found: &found };
    let read = seed.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    read.map_err(|fault| {
        found.take().unwrap_or_else(|| {
            let said = fault.to_string();
            let said = said.split(" at line ").next().unwrap_or_default();
            let text = format!("no valid JSON at column {}: {said}", fault.column());
            Fault::new("", ProblemCode::InvalidJson, text)
        })
    })
}

struct Reader<'a> {
    at: Path<'a>,
    depth: usize,
    found: &'a RefCell<Option<Fault>>,
}

impl Reader<'_> {
    fn stop<E: Error>(&self, fault: Fault) -> E {
        self.found.replace(Some(fault));
        E::custom("refused")
    }

    fn deeper<E: Error>(&self) -> Result<usize, E> {
        if self.depth < MAX_DEPTH {
            return Ok(self.depth + 1);
        }
        let text = format!("nested deeper than {MAX_DEPTH} levels");
        Err(self.stop(Fault::new("", ProblemCode::InvalidJson, text)))
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
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

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let depth = self.deeper()?;
        let mut read = Vec::new();
        loop {
            let at = Path::Item(&self.at, read.len());
            match items.next_element_seed(Reader { at, depth, found: self.found })? {
                Some(item) => read.push(item),
                None => return Ok(Value::Array(read)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let depth = self.deeper()?;
        let mut read = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            let at = Path::Member(&self.at, &name);
            let value = members.next_value_seed(Reader { at, depth, found: self.found })?;
            match read.entry(name) {
                Entry::Vacant(free) => {
                    free.insert(value);
                }
                Entry::Occupied(taken) => {
                    let at = Path::Member(&self.at, taken.key());
                    let text = "is there twice in one object";
                    return Err(self.stop(Fault::new(at, ProblemCode::DuplicateKey, text)));
                }
            }
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        let fault = parse(text).unwrap_err();
        format!("{} {}: {}", fault.code, fault.field, fault.text)
    }

    #[test]
    fn reads_what_serde_json_reads() {
        let text = r#" {"a": [1, -1, 1.5, 1e3, true, null, "é\u0041\n"], "b": {"a": {}}} "#;
        assert_eq!(parse(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn refuses_with_the_place() {
        assert_eq!(
            refused(r#"{"a": [{}, {"b c": 1, "b c": 1}]}"#),
            "duplicate_key a[1][\"b c\"]: is there twice in one object"
        );
        assert_eq!(
            refused("{\"a\": 1,}"),
            "invalid_json : no valid JSON at column 9: trailing comma"
        );
        assert_eq!(
            refused("{} {}"),
            "invalid_json : no valid JSON at column 4: trailing characters"
        );
        assert_eq!(
            refused("1e999"),
            "invalid_json : no valid JSON at column 5: number out of range"
        );
    }

    #[test]
    fn refuses_deep_nesting() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(refused(&nested(MAX_DEPTH + 1)), "invalid_json : nested deeper than 100 levels");
        assert_eq!(refused(&"[".repeat(1_000_000)), "invalid_json : nested deeper than 100 levels");
        assert_eq!(
            refused(&"{\"a\":".repeat(1_000_000)),
            "invalid_json : nested deeper than 100 levels"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn agrees_with_serde_json_on_any_text(text in r#"[\[\]{}",:0-9a.eE+\- \\tn]{0,40}"#) {
            match (parse(&text), serde_json::from_str::<Value>(&text)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
                (Err(fault), Ok(_)) => prop_assert_eq!(fault.code, ProblemCode::DuplicateKey),
                (ours, theirs) => prop_assert_eq!(ours.is_ok(), theirs.is_ok()),
            }
        }
    }
}
