//! Generations of the index on disk (DESIGN 6): built beside the one that is
//! served, synced, renamed, and switched to by replacing one small file.
//!
//! Under the folder `[data] dir`:
//!
//! ```text
//! CURRENT                        the name of the generation that is served
//! index.lock                     locked while one is built
//! generations/<digest>-<n>/      one generation: manifest.json and the index files
//! generations/<name>.superseded  since when it is served no more
//! generations/building-<random>/ one that is being built
//! ```
//!
//! A crash at any moment leaves the old or the new generation. What the index files
//! are is known to whoever fills the folder, not here.

mod durable;
mod manifest;
mod tidy;

pub(super) use manifest::Stamp;
pub use manifest::{FORMAT_VERSION, Manifest, SourceRecord, Staleness};

use super::feeds::hex;
use crate::config::Config;
use crate::cursor::random_name;
use jiff::Timestamp;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const POINTER: &str = "CURRENT";
const FOLDER: &str = "generations";
const LOCK: &str = "index.lock";
const MANIFEST: &str = "manifest.json";
const BUILDING: &str = "building-";

/// How many bytes of the digest stand in a generation's name: those that cursors
/// carry.
const NAMED_BYTES: usize = 8;

/// The generations in one data folder.
#[derive(Debug, Clone)]
pub struct Generations {
    dir: PathBuf,
}

/// A generation that is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// Its name, as in the pointer file.
    pub name: String,
    /// The folder of its files.
    pub dir: PathBuf,
    /// What it says of itself.
    pub manifest: Manifest,
}

/// Whether there is an index to serve from.
#[derive(Debug)]
pub enum State {
    /// The current generation is of these very feeds.
    Usable(Generation),
    /// It must be built.
    Stale {
        /// Why.
        reason: Staleness,
    },
}

/// What has been built, as whoever filled the folder says.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// [`configuration_digest`](super::configuration_digest) of the configuration.
    pub configuration: String,
    /// SHA-256 of the configuration and the feeds; its first 8 bytes are what
    /// cursors carry.
    pub digest: [u8; 32],
    /// The feeds as they were read.
    pub sources: Vec<SourceRecord>,
    /// The feeds that changed meanwhile; with any, the build is not switched to.
    pub changed: Vec<String>,
    /// How many products.
    pub products: u64,
    /// How many variants.
    pub variants: u64,
    /// How many rows or variants were refused.
    pub refused: u64,
    /// How many problems cost less.
    pub warnings: u64,
    /// When the same feeds will say something else.
    pub turn: Option<Timestamp>,
}

/// Why a generation was not built; the one before stays current.
#[derive(Debug, thiserror::Error)]
pub enum BuildError<E> {
    /// The folder cannot be written.
    #[error("cannot write the index into {}: {source}\n{}", dir.display(), advice(source))]
    Folder {
        /// The data folder.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process is building.
    #[error("another `shopkeeper index` is at work in {}; wait until it has ended", dir.display())]
    Busy {
        /// The data folder.
        dir: PathBuf,
    },
    /// Feeds changed while they were read.
    #[error("{}: changed while it was read; the index is as it was, run it again", paths.join(", "))]
    Changed {
        /// The feeds as the configuration names them.
        paths: Vec<String>,
    },
    /// The folder could not be filled.
    #[error("{0}")]
    Content(E),
}

/// What to do about a folder that cannot be written.
pub fn advice(fault: &io::Error) -> &'static str {
    match fault.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Make room there, or set [data] dir to a folder on a larger disk."
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Let this user write there, or set [data] dir to a folder that it may write."
        }
        _ => "Mend it, or set [data] dir to another folder.",
    }
}

impl Generations {
    /// Those of the data folder `dir`, which need not exist yet.
    pub const fn within(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Those of the data folder of `config`.
    pub fn of(config: &Config) -> Self {
        Self::within(config.resolve(&config.data.dir))
    }

    /// The name of the current generation, if there is one.
    ///
    /// # Errors
    ///
    /// The pointer file is there and cannot be read.
    pub fn current(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(self.dir.join(POINTER)) {
            Ok(text) => Ok(Some(text.trim().to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the current generation is of this program, of `config` and of its
    /// feeds as they are now; why not is the caller's to log.
    pub fn state(&self, config: &Config) -> State {
        match self.usable(config) {
            Ok(generation) => State::Usable(generation),
            Err(reason) => State::Stale { reason },
        }
    }

    fn usable(&self, config: &Config) -> Result<Generation, Staleness> {
        let generation = self.open()?;
        generation.manifest.check(config)?;
        Ok(generation)
    }

    /// The current generation, whether or not it is of the feeds as they are.
    ///
    /// # Errors
    ///
    /// There is none, or it cannot be read, or is of another format.
    pub fn open(&self) -> Result<Generation, Staleness> {
        let unreadable =
            |name: &str, source| Staleness::Unreadable { name: name.to_owned(), source };
        let name = self.current().map_err(|source| unreadable(POINTER, source))?;
        self.named(name.ok_or(Staleness::None)?)
    }

    /// The generations that were superseded at most ten minutes ago, each with how long
    /// ago; one that cannot be read is left out.
    pub fn superseded(&self) -> Vec<(Generation, Duration)> {
        let kept = tidy::still_kept(&self.folder(), Timestamp::now()).unwrap_or_default();
        kept.into_iter().filter_map(|(name, age)| Some((self.named(name).ok()?, age))).collect()
    }

    fn named(&self, name: String) -> Result<Generation, Staleness> {
        let unreadable =
            |name: &str, source| Staleness::Unreadable { name: name.to_owned(), source };
        // A pointer that was written by hand leads nowhere else.
        if number(&name).is_none() {
            let source = io::Error::new(io::ErrorKind::InvalidData, "this is no generation's name");
            return Err(unreadable(&name, source));
        }
        let dir = self.folder().join(&name);
        let text = fs::read(dir.join(MANIFEST)).map_err(|source| unreadable(&name, source))?;
        let manifest = read_manifest(&text, &name)?;
        Ok(Generation { name, dir, manifest })
    }

    /// Builds a generation and makes it the current one. `content` is given an empty
    /// folder to write the index files into.
    ///
    /// # Errors
    ///
    /// [`BuildError`]; the current generation is then what it was, and what was
    /// written is removed.
    pub fn build<E>(
        &self,
        content: impl FnOnce(&Path) -> Result<Contents, E>,
    ) -> Result<Generation, BuildError<E>> {
        let folder_fault = |source| BuildError::Folder { dir: self.dir.clone(), source };
        let folder = self.folder();
        fs::create_dir_all(&folder).map_err(folder_fault)?;
        let lock = File::create(self.dir.join(LOCK)).map_err(folder_fault)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(BuildError::Busy { dir: self.dir.clone() });
            }
            Err(TryLockError::Error(source)) => return Err(folder_fault(source)),
        }
        tidy::leftovers(&self.dir, &folder).map_err(folder_fault)?;
        let site = Site::new(&folder).map_err(folder_fault)?;
        let contents = content(site.path()).map_err(BuildError::Content)?;
        if !contents.changed.is_empty() {
            return Err(BuildError::Changed { paths: contents.changed });
        }
        let generation = self.switch(site, contents).map_err(folder_fault)?;
        // The index is built: what cannot be removed today is removed another day.
        if let Err(error) = tidy::superseded(&folder, Some(&generation.name), Timestamp::now()) {
            tracing::warn!(%error, "superseded generations of the index cannot be removed");
        }
        Ok(generation)
    }

    /// Completes what lies at `site` and points to it.
    fn switch(&self, site: Site, contents: Contents) -> io::Result<Generation> {
        let folder = self.folder();
        let digest = hex(&contents.digest);
        let mut names = tidy::names(&folder)?;
        // It may name one that somebody deleted, and another must not be called so.
        names.extend(self.current().ok().flatten());
        let last = names.iter().filter_map(|name| number(name)).max();
        let name = format!("{}-{}", &digest[..2 * NAMED_BYTES], last.unwrap_or(0) + 1);
        let manifest = Manifest {
            format_version: FORMAT_VERSION,
            digest,
            configuration: contents.configuration,
            created: Timestamp::now(),
            sources: contents.sources,
            products: contents.products,
            variants: contents.variants,
            refused: contents.refused,
            warnings: contents.warnings,
            turn: contents.turn,
        };
        let text = serde_json::to_vec_pretty(&manifest)?;
        durable::write_new(&site.path().join(MANIFEST), &text)?;
        durable::sync_tree(site.path())?;
        let site = site.renamed(folder.join(&name))?;
        durable::sync_folder(&folder)?;
        if let Err(error) = durable::replace(&self.dir, POINTER, &format!("{name}\n")) {
            // Renamed and not synced: what the pointer names must stay.
            if self.current().is_ok_and(|current| current.as_ref() == Some(&name)) {
                site.keep();
            }
            return Err(error);
        }
        Ok(Generation { name, dir: site.keep(), manifest })
    }

    fn folder(&self) -> PathBuf {
        self.dir.join(FOLDER)
    }
}

/// The number at the end of a generation's name; `None` of any other name.
fn number(name: &str) -> Option<u64> {
    let (digest, number) = name.split_once('-')?;
    let is_digest = digest.len() == 2 * NAMED_BYTES
        && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    if is_digest && digits { number.parse().ok() } else { None }
}

fn read_manifest(text: &[u8], name: &str) -> Result<Manifest, Staleness> {
    /// What a manifest of any format has.
    #[derive(serde::Deserialize)]
    struct Any {
        format_version: u32,
    }
    let unreadable = |source: serde_json::Error| Staleness::Unreadable {
        name: name.to_owned(),
        source: source.into(),
    };
    let Any { format_version } = serde_json::from_slice(text).map_err(unreadable)?;
    if format_version != FORMAT_VERSION {
        return Err(Staleness::Format { found: format_version });
    }
    serde_json::from_slice(text).map_err(unreadable)
}

/// A folder that is removed again unless it is kept.
struct Site {
    path: Option<PathBuf>,
}

impl Site {
    fn new(folder: &Path) -> io::Result<Self> {
        let path = folder.join(format!("{BUILDING}{}", random_name()?));
        fs::create_dir(&path)?;
        Ok(Self { path: Some(path) })
    }

    fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    fn renamed(mut self, to: PathBuf) -> io::Result<Self> {
        fs::rename(self.path(), &to)?;
        self.path = Some(to);
        Ok(self)
    }

    fn keep(mut self) -> PathBuf {
        self.path.take().unwrap_or_default()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(path) = &self.path
            && let Err(error) = fs::remove_dir_all(path)
        {
            tracing::warn!(%error, dir = %path.display(), "a build that failed cannot be removed; the next build will");
        }
    }
}

#[cfg(test)]
mod tests;
