//! `[data]`: where the program keeps what it builds.

use serde::{Deserialize, Serialize};

/// The table `[data]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Data {
    /// Folder of the program's own files; safe to delete.
    pub dir: String,
}

impl Default for Data {
    fn default() -> Self {
        Self { dir: ".shopkeeper".to_owned() }
    }
}
