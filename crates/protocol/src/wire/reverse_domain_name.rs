//! `reverse_domain_name.json`: names that belong to whoever owns a domain.

use schemars::json_schema;

/// The pattern of 2026-08-25, which also allows hyphens and leading digits.
pub const PATTERN: &str = r"^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9_])?)+$";

/// The pattern of the 2026-04-08 shape.
pub const OLDER_PATTERN: &str = r"^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+$";

super::definition! {
    /// A reverse-domain name, such as `com.example.gold`.
    ReverseDomainName(_) {
        json_schema!({
            "type": "string",
            "pattern": PATTERN,
            "description": "A name in reverse-domain form, such as com.example.gold.",
        })
    }
}
