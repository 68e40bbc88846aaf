//! `[limits]`: how much anybody may ask.

use super::ConfigError;
use serde::{Deserialize, Serialize};

/// The table `[limits]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Tool calls a minute, for each platform profile and for each client
    /// address; 0 is no limit.
    pub requests_per_minute: u32,
    /// Longest request body in bytes.
    pub body_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests_per_minute: 600, body_bytes: 1_048_576 }
    }
}

impl Limits {
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        if self.body_bytes == 0 {
            let text = "a body of 0 bytes holds no request".to_owned();
            return Err(ConfigError::Unusable { table: "limits", key: "body_bytes", text });
        }
        Ok(())
    }
}
