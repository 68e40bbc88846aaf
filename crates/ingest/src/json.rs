//! One JSON text to a value, with nothing lost on the way.
//!
//! An ordinary reader lets the last of two members with one name win, silently;
//! here the text is refused, since nobody can know which was meant.

use crate::problem::{Fault, ProblemCode};
use crate::row::Path;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

/// A JSON value that borrows from its text what needs no change.
///
/// Rows are read by the million and most of a row is names and values that are
/// looked at once, which `serde_json::Value` would copy and hash.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Value<'v> {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    String(Cow<'v, str>),
    Array(Vec<Self>),
    Object(Object<'v>),
}

/// The members of an object in their order, each name once.
pub(crate) type Object<'v> = Vec<(Cow<'v, str>, Value<'v>)>;

impl Value<'_> {
    /// The number; `None` for anything else.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { number.as_f64() } else { None }
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Value<'_>> for serde_json::Value {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::String(text.into_owned()),
            Value::Array(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Object(members) => Self::Object(owned(members)),
        }
    }
}

/// Members that outlive their text.
pub(crate) fn owned<'v>(
    members: impl IntoIterator<Item = (Cow<'v, str>, Value<'v>)>,
) -> Map<String, serde_json::Value> {
    members.into_iter().map(|(name, value)| (name.into_owned(), value.into())).collect()
}

/// An object of more members than this looks for doubles by a hash.
const FEW: usize = 32;

/// The deepest nesting that is read; a deeper text is refused.
const MAX_DEPTH: usize = 100;

/// Reads a whole JSON text.
pub(crate) fn parse(text: &str) -> Result<Value<'_>, Fault> {
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
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value<'de>, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value<'de>, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value<'de>, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value<'de>, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value<'de>, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value<'de>, E> {
        Ok(Value::String(value.to_owned().into()))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Value<'de>, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value<'de>, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value<'de>, A::Error> {
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

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value<'de>, A::Error> {
        let depth = self.deeper()?;
        let mut read: Object<'de> = Vec::new();
        let mut many = HashSet::new();
        while let Some(name) = members.next_key_seed(Name)? {
            let at = Path::Member(&self.at, &name);
            let value = members.next_value_seed(Reader { at, depth, found: self.found })?;
            if read.len() == FEW {
                many.extend(read.iter().map(|(name, _)| name.clone()));
            }
            let is_new = if read.len() < FEW {
                read.iter().all(|(other, _)| *other != name)
            } else {
                many.insert(name.clone())
            };
            if !is_new {
                let text = "is there twice in one object";
                return Err(self.stop(Fault::new(at, ProblemCode::DuplicateKey, text)));
            }
            read.push((name, value));
        }
        Ok(Value::Object(read))
    }
}

/// Reads the name of a member.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(value.to_owned().into())
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(value.into())
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
        let expected: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::Value::from(parse(text).unwrap()), expected);
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
    fn finds_doubles_among_many_members() {
        let members = |count: usize| (0..count).map(|n| format!("\"m{n}\":{n},"));
        for count in [1, FEW - 1, FEW, FEW + 1, 2_000] {
            for double in [0, count - 1] {
                let text = members(count).collect::<String>();
                let said = refused(&format!("{{{text}\"m{double}\":0}}"));
                assert_eq!(said, format!("duplicate_key m{double}: is there twice in one object"));
                assert!(parse(&format!("{{{text}\"other\":0}}")).is_ok());
            }
        }
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
            match (parse(&text), serde_json::from_str::<serde_json::Value>(&text)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(serde_json::Value::from(ours), theirs),
                (Err(fault), Ok(_)) => prop_assert_eq!(fault.code, ProblemCode::DuplicateKey),
                (ours, theirs) => prop_assert_eq!(ours.is_ok(), theirs.is_ok()),
            }
        }
    }
}
