//! `[logs]`: what is logged, and how.

use serde::{Deserialize, Serialize};

/// The form of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The table `[logs]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Logs {
    /// The form of a line.
    pub format: LogFormat,
    /// `error`, `warn`, `info`, `debug` or `trace`, or a filter such as
    /// `info,shopkeeper=debug`.
    pub level: String,
}

impl Default for Logs {
    fn default() -> Self {
        Self { format: LogFormat::Text, level: "info".to_owned() }
    }
}
