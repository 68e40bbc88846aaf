//! `[platforms]`: who may call, and how their profiles are fetched.

use super::ConfigError;
use crate::platform::KeyDigest;
use serde::{Deserialize, Serialize};

/// The table `[platforms]`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Platforms {
    /// Platforms that are known beforehand; their profiles are fetched outside
    /// the budget for strangers (rule N3).
    pub registry: Vec<Registered>,
    /// Refuse every platform that is not in the registry.
    pub require_registered: bool,
    /// How many platform profiles are remembered.
    pub profile_cache: usize,
    /// Longest time for fetching a profile, name resolution included, in milliseconds.
    pub fetch_timeout_ms: u64,
}

/// A platform that is known beforehand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a platform is a profile URL, or { profile = \"https://...\" }")]
pub enum Registered {
    /// Its profile URL.
    Profile(String),
    /// Its profile URL and key.
    Entry(RegisteredEntry),
}

/// A platform with what it may prove itself by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredEntry {
    /// Its profile URL.
    pub profile: String,
    /// SHA-256 of its API key, in hexadecimal; empty for none.
    #[serde(default)]
    pub api_key_sha256: String,
}

impl Registered {
    /// The profile URL.
    pub fn profile(&self) -> &str {
        match self {
            Self::Profile(profile) => profile,
            Self::Entry(entry) => &entry.profile,
        }
    }

    /// SHA-256 of the API key, in hexadecimal.
    pub fn api_key_sha256(&self) -> Option<&str> {
        match self {
            Self::Entry(entry) if !entry.api_key_sha256.is_empty() => Some(&entry.api_key_sha256),
            _ => None,
        }
    }
}

impl Default for Platforms {
    fn default() -> Self {
        Self {
            registry: Vec::new(),
            require_registered: false,
            profile_cache: 1024,
            fetch_timeout_ms: 3000,
        }
    }
}

impl Platforms {
    pub(super) fn check(&self, dev: bool) -> Result<(), ConfigError> {
        let unusable = |key, text| Err(ConfigError::Unusable { table: "platforms", key, text });
        for platform in &self.registry {
            let url = url::Url::parse(platform.profile());
            if !url.is_ok_and(|url| url.scheme() == "https" || (dev && url.scheme() == "http")) {
                return unusable("registry", format!("`{}` is no https URL", platform.profile()));
            }
            if platform.api_key_sha256().is_some_and(|hex| KeyDigest::from_hex(hex).is_none()) {
                let text =
                    "api_key_sha256 must be 64 hexadecimal digits: printf %s KEY | sha256sum"
                        .to_owned();
                return unusable("registry", text);
            }
        }
        if self.profile_cache == 0 {
            return unusable("profile_cache", "at least 1 is needed".to_owned());
        }
        if self.fetch_timeout_ms == 0 {
            return unusable("fetch_timeout_ms", "at least 1 is needed".to_owned());
        }
        Ok(())
    }
}
