//! `[security]`: signatures of requests and responses.

use super::ConfigError;
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

impl Security {
    /// A merchant who asks for protection that is not there must not be served
    /// without it, so these two refuse to start.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let unusable = |key, text: &str| {
            Err(ConfigError::Unusable { table: "security", key, text: text.to_owned() })
        };
        if self.signatures == Signatures::Required {
            return unusable("signatures", "required signatures are not implemented yet");
        }
        if !self.signing_key.is_empty() {
            return unusable("signing_key", "signing of responses is not implemented yet");
        }
        Ok(())
    }
}
