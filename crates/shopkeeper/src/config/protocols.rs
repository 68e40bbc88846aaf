//! `[protocols]`: which protocols are spoken, in which versions.

use super::ConfigError;
use protocol::dialect::{Dialect, Protocol};
use serde::{Deserialize, Serialize};

/// The table `[protocols]`: the first version of a list is the current one, the
/// rest are its supported older ones; an empty list turns the protocol off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Protocols {
    /// Versions of UCP.
    pub ucp: Vec<String>,
    /// Versions of BCP.
    pub bcp: Vec<String>,
}

impl Default for Protocols {
    fn default() -> Self {
        let all = |protocol| {
            let known = Dialect::ALL.iter().filter(|dialect| dialect.protocol == protocol);
            known.map(|dialect| dialect.version.to_owned()).collect()
        };
        Self { ucp: all(Protocol::Ucp), bcp: all(Protocol::Bcp) }
    }
}

impl Protocols {
    /// The versions of `protocol` that are on, the current one first.
    pub fn dialects(&self, protocol: Protocol) -> Vec<&'static Dialect> {
        let versions = self.versions(protocol);
        versions.iter().filter_map(|version| Dialect::find(protocol, version)).collect()
    }

    fn versions(&self, protocol: Protocol) -> &[String] {
        match protocol {
            Protocol::Ucp => &self.ucp,
            Protocol::Bcp => &self.bcp,
        }
    }

    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for protocol in Protocol::ALL {
            let key = protocol.name();
            let unusable = |text| ConfigError::Unusable { table: "protocols", key, text };
            let versions = self.versions(protocol);
            for (index, version) in versions.iter().enumerate() {
                if Dialect::find(protocol, version).is_none() {
                    let known = Self::default().versions(protocol).join(", ");
                    return Err(unusable(format!("`{version}` is not known; known are {known}")));
                }
                if versions[..index].contains(version) {
                    return Err(unusable(format!("`{version}` is there twice")));
                }
            }
        }
        if self.ucp.is_empty() && self.bcp.is_empty() {
            let text = "every protocol is off, so there is nothing to serve".to_owned();
            return Err(ConfigError::Unusable { table: "protocols", key: "ucp", text });
        }
        Ok(())
    }
}
