//! The files behind the feeds: all opened before any of them is read, digested and
//! counted while they are read, and looked at again afterwards.
//!
//! A build is a picture of the feeds at one moment. A feed that is another file
//! after the reading than before it makes the picture a mix, and that is said. What
//! the bytes mean is `ingest`'s.

use super::generation::{SourceRecord, Stamp};
use super::{LoadError, load::Kind};
use crate::config::{Catalog, Config, Feed, Locations, Store};
use ingest::{Format, Problem, ProblemCode, Severity, Source};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How much of a file is asked for at once, in bytes.
const READ_AT_ONCE: usize = 1 << 18;

/// How far a build has come; read from other threads while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    total: AtomicU64,
    read: AtomicU64,
}

impl Progress {
    /// The size of all feeds as they lie on the disk, in bytes.
    pub fn total_bytes(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// How many of these bytes have been read.
    pub fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// The folder of a generation's own copies of the feeds that are read again when it
/// is opened: those of Locations and stock.
const COPIES: &str = "feeds";

/// The feeds of one build.
pub(super) struct Feeds {
    progress: Arc<Progress>,
    /// The folder of the generation that is built.
    generation: Option<PathBuf>,
    opened: Vec<Opened>,
}

/// What is known of the feeds once they have been read.
pub(super) struct Seen {
    /// In the order in which they were opened.
    pub(super) sources: Vec<SourceRecord>,
    /// One for each feed that changed meanwhile.
    pub(super) changed: Vec<Problem>,
}

struct Opened {
    table: &'static str,
    path: String,
    /// `None` of a pipe or device, which has no state to compare.
    before: Option<Stamp>,
    tracked: Arc<Mutex<Tracked>>,
}

/// An open feed, and what has come out of it.
struct Tracked {
    file: BufReader<File>,
    digest: Sha256,
    read: u64,
    progress: Arc<Progress>,
    copy: Option<BufWriter<File>>,
    /// Why the copy is none.
    copy_fault: Option<io::Error>,
}

/// The bytes of one feed, for a reader to take.
pub(super) struct FeedReader(Arc<Mutex<Tracked>>);

impl Feeds {
    /// Those of a generation in the folder `generation`, or of none.
    pub(super) fn new(
        progress: &Arc<Progress>,
        generation: Option<&Path>,
    ) -> Result<Self, LoadError> {
        if let Some(folder) = generation {
            let made = std::fs::create_dir(folder.join(COPIES));
            made.map_err(|source| LoadError::write(folder, source))?;
        }
        let generation = generation.map(Path::to_owned);
        Ok(Self { progress: Arc::clone(progress), generation, opened: Vec::new() })
    }

    /// Opens the feeds of one table.
    pub(super) fn open(
        &mut self,
        config: &Config,
        kind: Kind,
        feeds: &[Feed],
    ) -> Result<Vec<Source<FeedReader>>, LoadError> {
        let feeds = feeds.iter().enumerate();
        feeds.map(|(at, feed)| self.source(config, kind, at, feed)).collect()
    }

    /// Where the bytes of a feed go that is read again when the generation is opened.
    fn copy(&self, kind: Kind, at: usize) -> Result<Option<BufWriter<File>>, LoadError> {
        let Some(folder) = self.generation.as_deref().filter(|_| kind.is_read_again()) else {
            return Ok(None);
        };
        let file = File::create_new(copy_path(folder, kind, at));
        file.map(BufWriter::new).map(Some).map_err(|source| LoadError::write(folder, source))
    }

    fn source(
        &mut self,
        config: &Config,
        kind: Kind,
        at: usize,
        feed: &Feed,
    ) -> Result<Source<FeedReader>, LoadError> {
        let path = feed.path().to_owned();
        let format = format(kind, feed)?;
        let Kind { table, key, .. } = kind;
        let opened = File::open(config.resolve(&path)).and_then(|file| {
            let metadata = file.metadata()?;
            Ok((file, metadata))
        });
        let (file, metadata) =
            opened.map_err(|source| LoadError::Open { key, path: path.clone(), source })?;
        let before = Stamp::of(&metadata);
        self.progress.total.fetch_add(before.map_or(0, |stamp| stamp.bytes), Ordering::Relaxed);
        let tracked = Arc::new(Mutex::new(Tracked {
            file: BufReader::with_capacity(READ_AT_ONCE, file),
            digest: Sha256::new(),
            read: 0,
            progress: Arc::clone(&self.progress),
            copy: self.copy(kind, at)?,
            copy_fault: None,
        }));
        let reader = FeedReader(Arc::clone(&tracked));
        self.opened.push(Opened { table, path: path.clone(), before, tracked });
        Ok(Source { file: path, reader, format })
    }

    /// Reads what no reader wanted, and compares each feed with itself at the
    /// beginning. The open file is compared and not its name: one that was replaced
    /// by renaming was read whole in its older state.
    ///
    /// # Errors
    ///
    /// A copy for the generation cannot be written.
    pub(super) fn finish(self) -> Result<Seen, LoadError> {
        let folder = self.generation.as_deref().unwrap_or(Path::new(""));
        let mut seen = Seen { sources: Vec::new(), changed: Vec::new() };
        for opened in self.opened {
            let mut tracked = opened.tracked.lock().unwrap_or_else(PoisonError::into_inner);
            // What cannot be read is missing in the sum below.
            let whole = io::copy(&mut *tracked, &mut io::sink()).is_ok();
            let flushed = tracked.copy.as_mut().map_or(Ok(()), Write::flush);
            if let Some(source) = tracked.copy_fault.take().or(flushed.err()) {
                return Err(LoadError::write(folder, source));
            }
            let after = tracked.file.get_ref().metadata().ok().and_then(|m| Stamp::of(&m));
            let torn = opened
                .before
                .is_some_and(|before| after != Some(before) || tracked.read != before.bytes);
            if torn || !whole {
                seen.changed.push(changed(&opened.path));
            }
            seen.sources.push(SourceRecord {
                table: opened.table.to_owned(),
                path: opened.path,
                bytes: tracked.read,
                modified_ns: opened.before.map_or(0, |stamp| stamp.modified_ns),
                sha256: hex(&tracked.digest.clone().finalize()),
            });
        }
        Ok(seen)
    }
}

/// The copies that a generation in `folder` has of the feeds of one table.
pub(super) fn copies(
    folder: &Path,
    kind: Kind,
    feeds: &[Feed],
) -> Result<Vec<Source<BufReader<File>>>, LoadError> {
    let source = |(at, feed): (usize, &Feed)| {
        let opened = File::open(copy_path(folder, kind, at));
        let file = opened.map_err(|source| LoadError::Read { dir: folder.to_owned(), source })?;
        let reader = BufReader::with_capacity(READ_AT_ONCE, file);
        Ok(Source { file: feed.path().to_owned(), reader, format: format(kind, feed)? })
    };
    feeds.iter().enumerate().map(source).collect()
}

fn copy_path(folder: &Path, kind: Kind, at: usize) -> PathBuf {
    folder.join(COPIES).join(format!("{}-{at}", kind.table))
}

/// The format of a feed, where the configuration says it.
fn format(Kind { key, kind, .. }: Kind, feed: &Feed) -> Result<Option<Format>, LoadError> {
    let Some((kind, name)) = kind.zip(feed.format()) else { return Ok(None) };
    let format = Format::from_name(kind, name).map(Some);
    format.map_err(|source| LoadError::Format { key, path: feed.path().to_owned(), source })
}

fn changed(path: &str) -> Problem {
    Problem {
        file: path.to_owned(),
        line: 1,
        field: String::new(),
        code: ProblemCode::ChangedWhileRead,
        severity: Severity::Refused,
        text: "changed while it was read; run it again".to_owned(),
    }
}

impl Read for Tracked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.digest.update(&buffer[..read]);
        if let Some(copy) = &mut self.copy
            && let Err(fault) = copy.write_all(&buffer[..read])
        {
            // Said when all has been read: the feed is not at fault.
            (self.copy, self.copy_fault) = (None, Some(fault));
        }
        self.read += read as u64;
        self.progress.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Read for FeedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer)
    }
}

/// A digest of what shapes an index besides the bytes of its feeds: the program's
/// version and the configuration of the data, in hexadecimal. Cursors of another
/// order must not be honoured (rule C7), nor an index of another making served.
pub fn configuration_digest(config: &Config) -> String {
    // The bounds of requests and what buyers call the store shape no index; a key
    // that later work adds does until it is taken out here.
    let store = Store { name: String::new(), homepage: String::new(), ..config.store.clone() };
    let catalog = Catalog { max_batch: 0, max_page: 0, ..config.catalog.clone() };
    let locations = Locations { max_batch: 0, max_page: 0, ..config.locations.clone() };
    let inventory = &config.inventory;
    let shapes =
        format!("{} {store:?} {catalog:?} {locations:?} {inventory:?}", env!("CARGO_PKG_VERSION"));
    hex(&Sha256::digest(shapes))
}

/// The digest of `sources` under a configuration: the same feeds, the same digest, until
/// the moment at which they say something else.
pub(super) fn digest(
    configuration: &str,
    sources: &[SourceRecord],
    turn: Option<Timestamp>,
) -> [u8; 32] {
    let mut digest = Sha256::new().chain_update(configuration);
    for source in sources {
        for part in [&source.table, &source.path, &source.sha256] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
    }
    if let Some(turn) = turn {
        digest.update(turn.as_nanosecond().to_be_bytes());
    }
    digest.finalize().into()
}

/// `bytes` in lower-case hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The 32 bytes that `text` writes in hexadecimal.
pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    (text.len() == 64).then_some(bytes)
}
