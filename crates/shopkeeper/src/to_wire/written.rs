//! Parts of an answer that are JSON text already.

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;
use std::io;

/// JSON text in the place of a value, for [`to_string`] to copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written(pub(super) Vec<u8>);

impl Serialize for Written {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// `value` as compact JSON, with the [`Written`] parts of it as they are.
///
/// # Errors
///
/// A value that JSON cannot hold, or a part that is not UTF-8.
pub(crate) fn to_string(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::with_capacity(1024);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Copying))?;
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

/// Copies byte strings, which JSON does not have and no type of the wire is, so
/// that they can stand for text that is JSON already. Nothing parses it again, as
/// `serde_json::value::RawValue` would.
struct Copying;

impl Formatter for Copying {
    fn write_byte_array<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        value: &[u8],
    ) -> io::Result<()> {
        writer.write_all(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_stands_as_it_is() {
        let parts = [Written(br#"{"a": 1 }"#.to_vec()), Written(br#""\u00e9""#.to_vec())];
        assert_eq!(to_string(&parts).unwrap(), r#"[{"a": 1 },"\u00e9"]"#);
        let value = json!({"a": [1, "é\n", null, 0.5], "b": {}});
        assert_eq!(to_string(&value).unwrap(), value.to_string());
        assert!(to_string(&Written(vec![0xff])).is_err());
    }
}
