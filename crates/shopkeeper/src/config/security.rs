//! `[security]`: signatures of requests and responses.

use serde::{Deserialize, Serialize};

/// What is done about request signatures (rule S6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signatures {
    /// Not looked at.
    Off,
    /// Verified when present.
    Optional,
    /// Every call needs one.
    Required,
}

/// The table `[security]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Security {
    /// What is done about request signatures.
    pub signatures: Signatures,
    /// PEM or JWK file of the store's own key; empty for none.
    pub signing_key: String,
}

impl Default for Security {
    fn default() -> Self {
        Self { signatures: Signatures::Optional, signing_key: String::new() }
    }
}
