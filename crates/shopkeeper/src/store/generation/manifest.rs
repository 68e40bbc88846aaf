//! What a generation says of itself, and whether that is still so.

use super::super::feeds::hex;
use crate::config::{Config, text};
use crate::store::configuration_digest;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The layout of a generation's files; another one means a rebuild.
pub const FORMAT_VERSION: u32 = 2;

/// `manifest.json`, the last file written into a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub format_version: u32,
    /// SHA-256 of the configuration and the feeds, in hexadecimal.
    pub digest: String,
    /// [`configuration_digest`] when it was built.
    pub configuration: String,
    /// When it was built.
    #[serde(with = "text")]
    pub created: Timestamp,
    /// The feeds that it was built from.
    pub sources: Vec<SourceRecord>,
    /// How many products it has.
    pub products: u64,
    /// How many variants they have.
    pub variants: u64,
    /// How many rows or variants of the feeds were refused.
    pub refused: u64,
    /// How many problems cost less.
    pub warnings: u64,
    /// When the same feeds will say something else: as a sale begins, or has ended.
    #[serde(with = "text::optional")]
    pub turn: Option<Timestamp>,
}

/// A feed as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// The table of the configuration that names it.
    pub table: String,
    /// The path as the configuration has it.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// The digest of its bytes, in hexadecimal.
    pub sha256: String,
}

/// What tells two states of a file apart without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct Stamp {
    pub(in crate::store) bytes: u64,
    pub(in crate::store) modified_ns: i64,
}

/// Why an index cannot be served as it is.
#[derive(Debug, thiserror::Error)]
pub enum Staleness {
    /// Nobody has built one.
    #[error("there is no index yet")]
    None,
    /// It is named and not there, or damaged.
    #[error("the index {name} cannot be read: {source}")]
    Unreadable {
        /// Its name.
        name: String,
        /// What the system says.
        source: io::Error,
    },
    /// Another program's.
    #[error("the index has format {found}, this program's is {FORMAT_VERSION}")]
    Format {
        /// What it has.
        found: u32,
    },
    /// Other keys, or another version of the program.
    #[error("the configuration changed, or the program was updated")]
    Configuration,
    /// Another feed than the one it was built from.
    #[error("{path} changed")]
    Source {
        /// As the configuration names it.
        path: String,
    },
    /// The same feeds say something else by now.
    #[error("a sale began or ended at {at}")]
    Turned {
        /// When.
        at: Timestamp,
    },
}

impl Manifest {
    /// Whether it is of this program, of `config` and of the feeds as they are. A
    /// feed of the same size and time is the same; where the time alone differs its
    /// bytes decide.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub(super) fn check(&self, config: &Config) -> Result<(), Staleness> {
        if self.format_version != FORMAT_VERSION {
            return Err(Staleness::Format { found: self.format_version });
        }
        if self.configuration != configuration_digest(config) {
            return Err(Staleness::Configuration);
        }
        if let Some(at) = self.turn.filter(|&at| at <= Timestamp::now()) {
            return Err(Staleness::Turned { at });
        }
        match self.sources.iter().find(|source| !source.is_at(&config.resolve(&source.path))) {
            None => Ok(()),
            Some(source) => Err(Staleness::Source { path: source.path.clone() }),
        }
    }
}

impl SourceRecord {
    /// Whether the file at `path` is the one that was read.
    fn is_at(&self, path: &Path) -> bool {
        let Some(stamp) = fs::metadata(path).ok().and_then(|metadata| Stamp::of(&metadata)) else {
            return false;
        };
        stamp.bytes == self.bytes
            && (stamp.modified_ns == self.modified_ns
                || sha256(path).is_ok_and(|sha256| sha256 == self.sha256))
    }
}

impl Stamp {
    /// `None` of anything but a file: a pipe has no size, a second reading is
    /// another one.
    pub(in crate::store) fn of(metadata: &Metadata) -> Option<Self> {
        if !metadata.is_file() {
            return None;
        }
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified_ns = modified.map_or(0, |time| time.as_nanos());
        let modified_ns = i64::try_from(modified_ns).unwrap_or(i64::MAX);
        Some(Self { bytes: metadata.len(), modified_ns })
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut digest = Digesting(Sha256::new());
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(hex(&digest.0.finalize()))
}

/// Takes bytes and keeps their digest.
struct Digesting(Sha256);

impl io::Write for Digesting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
