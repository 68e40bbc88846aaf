//! The `ucp` member of every result: which version was spoken and which
//! capabilities were negotiated (rules N6, N7).
//!
//! The member has this name in every dialect, BCP included (rule P2). Which
//! capabilities are relevant to an operation is [`crate::negotiate::relevant`]'s
//! to say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::dialect::Dialect;
use crate::negotiate::Active;

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The result carries what was asked for; implied when the member is absent.
    Success,
    /// The result carries messages alone.
    Error,
}

/// The envelope of a result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ucp<'a> {
    /// The version that was used, `YYYY-MM-DD`.
    pub version: &'a str,
    /// Absent on success, as the binding documents write it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// The negotiated capabilities that bear on the operation, in the order of their names.
    pub capabilities: Capabilities<'a>,
}

/// Negotiated capabilities, written as a map of name to `[{"version": ...}]` (rule N6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capabilities<'a>(pub &'a Active);

impl<'a> Ucp<'a> {
    /// The envelope of a result that carries what was asked for.
    pub const fn success(dialect: &Dialect, relevant: &'a Active) -> Self {
        Self { version: dialect.version, status: None, capabilities: Capabilities(relevant) }
    }

    /// The envelope of a result that carries messages alone.
    pub const fn error(dialect: &Dialect, relevant: &'a Active) -> Self {
        let status = Some(Status::Error);
        Self { version: dialect.version, status, capabilities: Capabilities(relevant) }
    }

    /// The envelope of a result that says that nothing relevant was negotiated (rule N7).
    pub const fn incompatible(dialect: &Dialect) -> Self {
        static NONE: Active = BTreeMap::new();
        Self::error(dialect, &NONE)
    }
}

impl Serialize for Capabilities<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Negotiated<'a> {
            version: &'a str,
        }
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, entry) in self.0 {
            map.serialize_entry(name, &[Negotiated { version: &entry.version }])?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::negotiate::Entry;

    #[test]
    fn rule_n6_a_capability_is_written_with_its_version_alone() {
        let active = Active::from([
            ("dev.ucp.shopping.catalog.search".to_owned(), Entry::new("2026-08-25")),
            ("com.example.stock".to_owned(), Entry::extending("2026-01-01", &["dev.ucp.x"])),
        ]);
        let text = serde_json::to_string(&Ucp::success(&Dialect::UCP_2026_08_25, &active)).unwrap();
        assert_eq!(
            text,
            r#"{"version":"2026-08-25","capabilities":{"com.example.stock":[{"version":"2026-01-01"}],"dev.ucp.shopping.catalog.search":[{"version":"2026-08-25"}]}}"#
        );
    }

    #[test]
    fn rule_n7_nothing_in_common_is_an_error_with_no_capabilities() {
        assert_eq!(
            json!(Ucp::incompatible(&Dialect::BCP_2026_07_28)),
            json!({"version": "2026-07-28", "status": "error", "capabilities": {}})
        );
    }
}
