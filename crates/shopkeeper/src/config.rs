//! The configuration: `shopkeeper.toml`, the environment over it, flags over both.
//!
//! One file per table of the file (DESIGN 4). Every key has a default, so the
//! defaults, serialised, are the complete list of keys with their types: the
//! environment overlay and the check of docs/configuration.md are made from it.

mod catalog;
mod data;
mod feed;
mod inventory;
mod limits;
mod locations;
mod logs;
mod platforms;
mod protocols;
mod security;
mod server;
mod store;
pub(crate) mod text;

pub use catalog::Catalog;
pub use data::Data;
pub use feed::Feed;
pub use inventory::Inventory;
pub use limits::Limits;
pub use locations::Locations;
pub use logs::{LogFormat, Logs};
pub use platforms::{Platforms, Registered, RegisteredEntry};
pub use protocols::Protocols;
pub use security::{Security, Signatures};
pub use server::Server;
pub use store::Store;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the configuration file where none is given.
pub const DEFAULT_FILE: &str = "shopkeeper.toml";

/// The whole configuration, checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Whose store it is.
    pub store: Store,
    /// Where it listens and how platforms see it.
    pub server: Server,
    /// Which protocols and versions it speaks.
    pub protocols: Protocols,
    /// Where it keeps what it builds.
    pub data: Data,
    /// Products.
    pub catalog: Catalog,
    /// Stores.
    pub locations: Locations,
    /// Stock.
    pub inventory: Inventory,
    /// Who may call.
    pub platforms: Platforms,
    /// Signatures.
    pub security: Security,
    /// How much anybody may ask.
    pub limits: Limits,
    /// What is logged, and how.
    pub logs: Logs,
    /// The folder that relative paths start from: the file's own.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}: {source}\nGive the path of a shopkeeper.toml, or write one; examples/mercado/shopkeeper.toml is a start.", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no TOML, has an unknown key or a value of the wrong kind.
    #[error("{}: {text}", path.display())]
    Malformed {
        /// Which file.
        path: PathBuf,
        /// Line, column and what is wrong there.
        text: String,
    },
    /// An environment variable has a value of the wrong kind.
    #[error("environment variable {name}: {text}")]
    Environment {
        /// Which variable.
        name: String,
        /// What is wrong.
        text: String,
    },
    /// A value that cannot be used.
    #[error("[{table}] {key}: {text}")]
    Unusable {
        /// Which table.
        table: &'static str,
        /// Which key.
        key: &'static str,
        /// What is wrong and what to do.
        text: String,
    },
}

impl Config {
    /// Reads `path`, lays the environment over it and checks the result.
    ///
    /// `environment` is every variable with its value; `flags` lays those of the
    /// command line over the result before it is checked.
    ///
    /// # Errors
    ///
    /// The first [`ConfigError`], naming the file, line and key or the variable.
    pub fn load(
        path: &Path,
        environment: impl IntoIterator<Item = (String, String)>,
        flags: impl FnOnce(&mut Self),
    ) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut config = Self { folder, ..Self::read(&text, path, environment)? };
        flags(&mut config);
        config.check()?;
        Ok(config)
    }

    fn read(
        text: &str,
        path: &Path,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let malformed = |error: toml::de::Error| ConfigError::Malformed {
            path: path.to_owned(),
            text: error.to_string(),
        };
        // Read once from the text itself, for errors that know line and column.
        let file: Self = toml::from_str(text).map_err(malformed)?;
        let ours = ours(environment)?;
        match overlay(text, &ours)? {
            None => Ok(file),
            // The file alone was read without a fault, so the environment has it.
            Some(table) => table.try_into().map_err(|error| ConfigError::Environment {
                name: ours.into_keys().collect::<Vec<_>>().join(", "),
                text: error.to_string(),
            }),
        }
    }

    /// Checks what a type alone cannot.
    ///
    /// # Errors
    ///
    /// The first key whose value cannot be used.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.server.check()?;
        self.store.check()?;
        self.protocols.check()?;
        self.catalog.check()?;
        self.locations.check()?;
        self.inventory.check()?;
        self.platforms.check(self.server.dev)?;
        self.limits.check()?;
        self.logs.check()
    }

    /// `path` as seen from the configuration file's folder.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Every key with its default: (table, key, default).
    pub fn keys() -> Vec<(String, String, toml::Value)> {
        // Invariant: the defaults are plain values, which TOML can hold.
        let Ok(toml::Value::Table(tables)) = toml::Value::try_from(Self::default()) else {
            return Vec::new();
        };
        let mut keys = Vec::new();
        for (table, values) in tables {
            if let toml::Value::Table(values) = values {
                keys.extend(values.into_iter().map(|(key, value)| (table.clone(), key, value)));
            }
        }
        keys
    }
}

/// The environment variable of a key.
pub fn variable(table: &str, key: &str) -> String {
    format!("SHOPKEEPER_{}_{}", table.to_uppercase(), key.to_uppercase())
}

/// The variables that are meant for us. One with a table's name and no key of it
/// is an error, as it would be in the file.
fn ours(
    environment: impl IntoIterator<Item = (String, String)>,
) -> Result<BTreeMap<String, String>, ConfigError> {
    let keys = Config::keys();
    let known = |name: &str| keys.iter().any(|(table, key, _)| variable(table, key) == name);
    // What Kubernetes sets for a service that is called like one of our tables.
    let linked = |name: &str| name.contains("_SERVICE_") || name.contains("_PORT");
    let tabled = |name: &str| {
        !linked(name) && keys.iter().any(|(table, ..)| name.starts_with(&variable(table, "")))
    };
    let mut ours = BTreeMap::new();
    for (name, value) in environment {
        if known(&name) {
            ours.insert(name, value);
        } else if tabled(&name) {
            let text = "there is no such key; docs/configuration.md lists them all".to_owned();
            return Err(ConfigError::Environment { name, text });
        }
    }
    Ok(ours)
}

/// The file's tables with the environment's values in place of its own, or
/// `None` when the environment sets nothing.
fn overlay(
    text: &str,
    environment: &BTreeMap<String, String>,
) -> Result<Option<toml::Table>, ConfigError> {
    let mut tables: Option<toml::Table> = None;
    for (table, key, default) in Config::keys() {
        let name = variable(&table, &key);
        let Some(said) = environment.get(&name) else { continue };
        let wrong = |text: String| ConfigError::Environment { name: name.clone(), text };
        let value = match default {
            toml::Value::Boolean(_) => said
                .parse()
                .map(toml::Value::Boolean)
                .map_err(|_| wrong(format!("`{said}` is neither true nor false")))?,
            toml::Value::Integer(_) => said
                .parse()
                .map(toml::Value::Integer)
                .map_err(|_| wrong(format!("`{said}` is no whole number")))?,
            toml::Value::Array(_) => toml::Value::Array(
                said.split(',')
                    .map(str::trim)
                    .filter(|item| !item.is_empty())
                    .map(|item| toml::Value::String(item.to_owned()))
                    .collect(),
            ),
            _ => toml::Value::String(said.clone()),
        };
        let tables = tables.get_or_insert_with(|| text.parse().unwrap_or_default());
        let entry = tables.entry(table).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        if let toml::Value::Table(entry) = entry {
            entry.insert(key, value);
        }
    }
    Ok(tables)
}

#[cfg(test)]
mod tests;
