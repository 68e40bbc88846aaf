//! Numbers as JSON writes them and as JSON Schema understands them.
//!
//! JSON Schema calls `10`, `10.0` and `1e1` the same integer, and sets no bound
//! where a schema states none; Rust's integers are stricter. Neither difference
//! may refuse a request that the schema accepts.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// An integer of a request: whatever JSON Schema calls one, held to the range of
/// `i64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Integer(pub i64);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;

        impl Visitor<'_> for Whole {
            type Value = Integer;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an integer")
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Integer, E> {
                Ok(Integer(value))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Integer, E> {
                Ok(Integer(i64::try_from(value).unwrap_or(i64::MAX)))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Integer, E> {
                if value.fract() != 0.0 {
                    return Err(E::invalid_value(de::Unexpected::Float(value), &self));
                }
                Ok(Integer(value as i64))
            }
        }

        deserializer.deserialize_any(Whole)
    }
}

impl JsonSchema for Integer {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Integer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer"})
    }
}

/// Writes a whole number without a fraction: 5, not 5.0.
pub(crate) fn shortest<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Below 2^53 every whole f64 is the very integer it shows.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// [`shortest`], for a member that may be absent.
pub(crate) fn shortest_option<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => shortest(value, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_json_schema_calls_an_integer_is_read() {
        for (text, expected) in [
            ("10", 10),
            ("10.0", 10),
            ("1e1", 10),
            ("-0.0", 0),
            ("-3", -3),
            ("18446744073709551615", i64::MAX),
            ("1e300", i64::MAX),
            ("-1e300", i64::MIN),
            ("123456789012345678901234567890", i64::MAX),
        ] {
            assert_eq!(serde_json::from_str::<Integer>(text).unwrap(), Integer(expected), "{text}");
        }
        for text in ["10.5", "\"10\"", "null", "true", "[]"] {
            assert!(serde_json::from_str::<Integer>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_written_without_a_fraction() {
        #[derive(Serialize)]
        struct Both {
            #[serde(serialize_with = "shortest")]
            a: f64,
            #[serde(serialize_with = "shortest_option")]
            b: Option<f64>,
        }
        let text = |a, b| serde_json::to_string(&Both { a, b }).unwrap();
        assert_eq!(text(5.0, Some(4.5)), r#"{"a":5,"b":4.5}"#);
        assert_eq!(text(0.1, None), r#"{"a":0.1,"b":null}"#);
        assert_eq!(text(1e20, Some(-2.0)), r#"{"a":1e+20,"b":-2}"#);
    }
}
