//! `[logs]`: what is logged, and how.

use super::ConfigError;
use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;

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

impl Logs {
    /// What of all that happens is logged.
    ///
    /// # Errors
    ///
    /// The level is neither a level nor a filter.
    pub fn filter(&self) -> Result<EnvFilter, ConfigError> {
        EnvFilter::try_new(&self.level).map_err(|error| ConfigError::Unusable {
            table: "logs",
            key: "level",
            text: format!("`{}`: {error}", self.level),
        })
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        self.filter().map(|_| ())
    }
}
