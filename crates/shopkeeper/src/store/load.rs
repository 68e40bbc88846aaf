//! From the configuration's feeds to a snapshot, with everything that is wrong
//! with them.

use super::Snapshot;
use super::catalog::{self, Draft, Named};
use super::feeds::{self, FeedReader, Feeds, Progress};
use super::generation::{self, Contents, Generation, Generations, SourceRecord, Staleness, State};
use super::stock::Stock;
use crate::config::Config;
use crate::to_wire::record::{Languages, encode};
use ::catalog::{LanguageTag, Product};
use ingest::{
    Defaults, FeedKind, Problem, Reading, Record, Severity, Source, Turn, UnsupportedFormat,
};
use jiff::Timestamp;
use location::Location;
use location::inventory::{Items, OpenItems};
use location::places::Places;
use search::Synonyms;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// A snapshot with what was wrong with its feeds.
pub struct Loaded {
    /// What is served.
    pub snapshot: Snapshot,
    /// In the order of the feeds and their rows; then the feeds that changed while
    /// they were read.
    pub problems: Vec<Problem>,
    /// How many Locations have a time zone found from their coordinates.
    pub zones_derived: u64,
    /// The feeds as they were.
    pub sources: Vec<SourceRecord>,
    /// The feeds that changed while they were read, as the configuration names
    /// them. With any, the snapshot is a mix, which nobody should be served.
    pub changed: Vec<String>,
    /// How many problems refused something, and how many are warnings; of a
    /// generation that was opened, those of its building.
    counts: (usize, usize),
    /// When the same feeds will say something else, as a sale begins or has ended.
    pub turn: Option<Timestamp>,
    configuration: String,
    digest: [u8; 32],
}

/// Why the feeds cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A feed that the configuration names is not there.
    #[error(
        "{key}: cannot open {path}: {source}\nMend the path (it is relative to the configuration file), or take it out."
    )]
    Open {
        /// The key that names it.
        key: &'static str,
        /// The path as the configuration has it.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A feed's format is said, and is none that is read.
    #[error("{key}: {path}: {source}")]
    Format {
        /// The key that names it.
        key: &'static str,
        /// The path as the configuration has it.
        path: String,
        /// What is wrong with the format.
        source: UnsupportedFormat,
    },
    /// The feeds do not hold still.
    #[error(
        "{}: changed while it was read, several times over\nWrite the feed beside and rename it into place, so that it can be read whole.",
        paths.join(", ")
    )]
    Changing {
        /// The feeds as the configuration names them.
        paths: Vec<String>,
    },
    /// The index cannot be built.
    #[error(
        "{0}\nSee that [data] dir lies on a disk with room, and that this user may write there."
    )]
    Build(#[from] search::BuildError),
    /// The index cannot be opened.
    #[error(transparent)]
    Index(#[from] search::OpenError),
    /// A file of a generation cannot be written.
    #[error("cannot write the index into {}: {source}\n{}", dir.display(), generation::advice(source))]
    Write {
        /// The generation's folder.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of a generation cannot be read.
    #[error("cannot read the index in {}: {source}\nBuild it again with `shopkeeper index`.", dir.display())]
    Read {
        /// The generation's folder.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A generation of another configuration.
    #[error("the index was built with another configuration than this server has; start it again")]
    Reconfigured,
    /// A generation that cannot be served.
    #[error(transparent)]
    Stale(#[from] Staleness),
}

impl LoadError {
    pub(super) fn write(dir: &Path, source: io::Error) -> Self {
        Self::Write { dir: dir.to_owned(), source }
    }
}

/// What kind of feeds a table of the configuration has.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) table: &'static str,
    /// The key of the configuration that names them.
    pub(super) key: &'static str,
    /// `None` of synonyms, which have one format.
    pub(super) kind: Option<FeedKind>,
}

impl Kind {
    const CATALOG: Self =
        Self { table: "catalog", key: "[catalog] feeds", kind: Some(FeedKind::Products) };
    const LOCATIONS: Self =
        Self { table: "locations", key: "[locations] feeds", kind: Some(FeedKind::Locations) };
    const INVENTORY: Self =
        Self { table: "inventory", key: "[inventory] feeds", kind: Some(FeedKind::Stock) };
    const SYNONYMS: Self = Self { table: "synonyms", key: "[catalog] synonyms", kind: None };

    /// Whether a generation keeps the feed itself, which is read again when it is
    /// opened: of products it keeps the index.
    pub(super) fn is_read_again(self) -> bool {
        self.table != Self::CATALOG.table
    }
}

/// How often feeds that change are read before [`load_whole`] gives up.
const READINGS: usize = 5;

/// How long whoever writes a feed is given to finish.
const PAUSE: Duration = Duration::from_secs(1);

/// How many problems of one load are logged one by one.
const LOGGED_PROBLEMS: usize = 20;

impl Loaded {
    /// How many problems refused something, and how many are warnings.
    pub const fn counts(&self) -> (usize, usize) {
        self.counts
    }

    /// How much there is, and what was found out for it.
    pub fn summary(&self) -> String {
        let summary = self.snapshot.summary();
        match self.zones_derived {
            0 => summary,
            zones => format!("{summary} ({zones} time zones found from coordinates)"),
        }
    }

    /// What a generation's manifest says of it.
    pub fn contents(&self) -> Contents {
        let (refused, warnings) = self.counts();
        let (products, variants) = self.snapshot.sizes();
        Contents {
            configuration: self.configuration.clone(),
            digest: self.digest,
            sources: self.sources.clone(),
            changed: self.changed.clone(),
            products,
            variants,
            refused: refused as u64,
            warnings: warnings as u64,
            turn: self.turn,
        }
    }

    /// Logs the sum, and the first problems.
    pub fn log(&self) {
        for problem in self.problems.iter().take(LOGGED_PROBLEMS) {
            tracing::warn!("{problem}");
        }
        let (refused, warnings) = self.counts();
        if refused + warnings > LOGGED_PROBLEMS {
            tracing::warn!("more problems with the feeds: `shopkeeper check` prints them all");
        }
        tracing::info!(refused, warnings, "the feeds are read: {}", self.summary());
    }
}

/// Reads every feed of `config` into memory.
///
/// # Errors
///
/// [`LoadError`]: a feed is not there, or is said to be in an unknown format.
pub fn load(config: &Config) -> Result<Loaded, LoadError> {
    build(config, &Arc::default(), None)
}

/// As [`load`], and again when a feed changed while it was read: what it gives is
/// the feeds as they were at one moment.
///
/// # Errors
///
/// As [`load`]; [`LoadError::Changing`] when the feeds changed every time.
pub fn load_whole(config: &Config) -> Result<Loaded, LoadError> {
    let mut loaded = load(config)?;
    for _ in 1..READINGS {
        if loaded.changed.is_empty() {
            break;
        }
        let feeds = loaded.changed.join(", ");
        tracing::warn!(feeds, "changed while it was read; it is read again");
        std::thread::sleep(PAUSE);
        loaded = load(config)?;
    }
    match loaded.changed.is_empty() {
        true => Ok(loaded),
        false => Err(LoadError::Changing { paths: loaded.changed }),
    }
}

/// What a store is started with.
pub struct Started {
    /// The data.
    pub loaded: Loaded,
    /// The name of the generation that they are, when they are one.
    pub generation: Option<String>,
}

/// Opens the current generation when it is of these very feeds, else builds one;
/// where none can be written, the feeds are read into memory. Says in the log which
/// of them it does, and why.
///
/// # Errors
///
/// [`LoadError`]: the feeds cannot be read, or keep changing.
pub fn start(config: &Config) -> Result<Started, LoadError> {
    let generations = Generations::of(config);
    let mut waiting = false;
    for reading in 1.. {
        let reason = match generations.state(config) {
            State::Usable(generation) => match open(config, &generation) {
                Ok(loaded) => {
                    tracing::info!(index = generation.name, "the store starts from the index");
                    return Ok(Started { loaded, generation: Some(generation.name) });
                }
                Err(error) => error.to_string(),
            },
            State::Stale { reason } => reason.to_string(),
        };
        if !waiting {
            tracing::info!(reason, "the index is built");
        }
        let mut built = None;
        let generation = generations.build(|folder| {
            let loaded = built.insert(build(config, &Arc::default(), Some(folder))?);
            Ok::<_, LoadError>(loaded.contents())
        });
        match (generation, built) {
            (Ok(generation), Some(loaded)) => {
                return Ok(Started { loaded, generation: Some(generation.name) });
            }
            (Err(generation::BuildError::Busy { .. }), _) => {
                if !std::mem::replace(&mut waiting, true) {
                    tracing::info!("another process builds the index: it is waited for");
                }
            }
            (Err(generation::BuildError::Changed { paths }), _) if reading >= READINGS => {
                return Err(LoadError::Changing { paths });
            }
            (Err(error @ generation::BuildError::Changed { .. }), _) => {
                tracing::warn!("{error}");
            }
            (Err(generation::BuildError::Content(error)), _) if !error.is_of_the_disk() => {
                return Err(error);
            }
            (Err(error), _) => {
                tracing::warn!("{error}");
                break;
            }
            (Ok(_), None) => break,
        }
        std::thread::sleep(PAUSE);
    }
    tracing::warn!(
        "without an index the products are held in memory, and read again at each start"
    );
    Ok(Started { loaded: load_whole(config)?, generation: generations.current().ok().flatten() })
}

impl LoadError {
    /// Whether the feeds could be read all the same, into memory.
    const fn is_of_the_disk(&self) -> bool {
        matches!(self, Self::Build(_) | Self::Write { .. } | Self::Read { .. } | Self::Index(_))
    }
}

/// Opens a generation that was built before: the products in place, Locations and
/// stock from its own copies of the feeds.
///
/// # Errors
///
/// [`LoadError`]: it was built with another configuration, or is damaged.
pub fn open(config: &Config, generation: &Generation) -> Result<Loaded, LoadError> {
    let Generation { dir, manifest, .. } = generation;
    let configuration = feeds::configuration_digest(config);
    if manifest.configuration != configuration {
        return Err(LoadError::Reconfigured);
    }
    let damaged =
        || LoadError::Read { dir: dir.clone(), source: io::ErrorKind::InvalidData.into() };
    let digest = feeds::unhex(&manifest.digest).ok_or_else(damaged)?;
    let lists = feeds::copies(dir, Kind::LOCATIONS, &config.locations.feeds)?;
    let stocks = feeds::copies(dir, Kind::INVENTORY, &config.inventory.feeds)?;
    let synonyms = feeds::copies(dir, Kind::SYNONYMS, &config.catalog.synonyms_feed())?;
    let (index, languages) = match config.catalog.feeds.is_empty() {
        true => (None, Languages::default()),
        false => catalog::open(dir).map(|(index, languages)| (Some(index), languages))?,
    };
    let defaults = defaults(config);
    let lists = ingest::merge_locations(lists, &defaults);
    let (zones_derived, places) = (lists.zones_derived, Places::build(lists.values));
    let stock = Stock::read(stocks);
    let open_items = open_items(index.is_some(), &stock);
    let inventory = (!config.inventory.feeds.is_empty()).then(|| {
        let items = index.as_ref().map(|index| catalog::CatalogItems(index.items()));
        let items: &dyn Items = items.as_ref().map_or(&open_items, |items| items);
        stock.join(config, &places, items).0
    });
    let count = |count| usize::try_from(count).unwrap_or(usize::MAX);
    Ok(Loaded {
        snapshot: Snapshot {
            generation: named(&digest),
            catalog: index,
            languages,
            synonyms: read_synonyms(synonyms, &mut Vec::new()),
            places: (!config.locations.feeds.is_empty()).then_some(places),
            inventory,
            open_items,
        },
        problems: Vec::new(),
        counts: (count(manifest.refused), count(manifest.warnings)),
        zones_derived,
        sources: manifest.sources.clone(),
        changed: Vec::new(),
        turn: manifest.turn,
        configuration,
        digest,
    })
}

/// Opens the generation that is current now, be its feeds what they may.
///
/// # Errors
///
/// As [`open`]; [`LoadError::Stale`] when there is none.
pub fn newest(config: &Config) -> Result<Loaded, LoadError> {
    open(config, &Generations::of(config).open()?)
}

/// Reads every feed of `config`, telling `progress` how far it has come.
///
/// The files of a generation are written into `directory`, which is empty; without
/// one everything is in memory.
///
/// # Errors
///
/// [`LoadError`]: a feed is not there, or is said to be in an unknown format, or the
/// directory cannot be written.
pub fn build(
    config: &Config,
    progress: &Arc<Progress>,
    directory: Option<&Path>,
) -> Result<Loaded, LoadError> {
    let defaults = defaults(config);
    let mut feeds = Feeds::new(progress, directory)?;
    let products = feeds.open(config, Kind::CATALOG, &config.catalog.feeds)?;
    let lists = feeds.open(config, Kind::LOCATIONS, &config.locations.feeds)?;
    let stocks = feeds.open(config, Kind::INVENTORY, &config.inventory.feeds)?;
    let synonyms = feeds.open(config, Kind::SYNONYMS, &config.catalog.synonyms_feed())?;
    let mut problems = Vec::new();
    let (products, turn) = match config.catalog.feeds.is_empty() {
        true => (None, None),
        false => {
            let (named, turn) = index(products, &defaults, directory, &mut problems)?;
            (Some(named), turn)
        }
    };
    let (places, zones_derived) = places(lists, &defaults, &mut problems);
    let stock = Stock::read(stocks);
    let open_items = open_items(products.is_some(), &stock);
    let inventory = (!config.inventory.feeds.is_empty()).then(|| {
        let items = products.as_ref().map(Named::items);
        let items: &dyn Items = items.as_ref().map_or(&open_items, |items| items);
        let (inventory, faults) = stock.join(config, &places, items);
        problems.extend(faults);
        inventory
    });
    let synonyms = read_synonyms(synonyms, &mut problems);
    let seen = feeds.finish()?;
    let changed = seen.changed.iter().map(|problem| problem.file.clone()).collect();
    problems.extend(seen.changed);
    let (catalog, languages) = match products {
        None => Default::default(),
        Some(products) => {
            let (index, languages) = products.finish(inventory.as_ref())?;
            (Some(index), languages)
        }
    };
    let places = (!config.locations.feeds.is_empty()).then_some(places);
    let configuration = feeds::configuration_digest(config);
    let digest = feeds::digest(&configuration, &seen.sources, turn);
    let generation = named(&digest);
    Ok(Loaded {
        snapshot: Snapshot {
            generation,
            catalog,
            languages,
            synonyms,
            places,
            inventory,
            open_items,
        },
        counts: counted(&problems),
        problems,
        zones_derived,
        sources: seen.sources,
        changed,
        turn,
        configuration,
        digest,
    })
}

fn defaults(config: &Config) -> Defaults {
    // Invariant: the configuration was checked, so its language is a tag; English
    // is what a library user without a checked one gets.
    let language = config.store.language_tag().or_else(|| LanguageTag::new("en"));
    let Some(language) = language else { unreachable!("`en` is a language tag") };
    Defaults { language, currency: config.store.currency }
}

/// How many products go from the reading to the indexing at once, and how many such
/// batches may wait: what is read ahead is bounded.
const BATCH: usize = 128;
const BATCHES: usize = 8;

/// Indexes the products while another thread reads and encodes them: the two take
/// about as long. Also tells when their feeds will say something else.
fn index(
    sources: Vec<Source<FeedReader>>,
    defaults: &Defaults,
    directory: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Result<(Named, Option<Timestamp>), LoadError> {
    let mut draft = Draft::begin(directory)?;
    let mut languages = Languages::default();
    let encoded = &mut languages;
    let (send, batches) = mpsc::sync_channel::<Vec<(Product, Vec<u8>)>>(BATCHES);
    let turn = std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let turn = Turn::default();
            let reading = Reading::from(defaults).noting(&turn);
            let mut batch = Vec::with_capacity(BATCH);
            // Where nobody takes the products any more, the rest is still read for
            // its problems.
            ingest::each_product(sources, reading, &mut |record| match record {
                Record::Problem(problem) => problems.push(problem),
                Record::Value { value, .. } => {
                    let payload = encode(&value, encoded);
                    batch.push((value, payload));
                    if batch.len() == BATCH {
                        let _ = send.send(std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                    }
                }
            });
            let _ = send.send(batch);
            turn.at()
        });
        let mut products = batches.into_iter().flatten();
        products.try_for_each(|(product, payload)| draft.add(&product, &payload))?;
        // A reader that panicked panics on here, as the scope would have it.
        Ok::<_, LoadError>(reader.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    Ok((draft.name(languages)?, turn))
}

fn places(
    lists: Vec<Source<FeedReader>>,
    defaults: &Defaults,
    problems: &mut Vec<Problem>,
) -> (Places, u64) {
    let lists: ingest::Feed<Location> = ingest::merge_locations(lists, defaults);
    problems.extend(lists.problems);
    (Places::build(lists.values), lists.zones_derived)
}

fn read_synonyms<R: io::Read>(sources: Vec<Source<R>>, problems: &mut Vec<Problem>) -> Synonyms {
    let mut synonyms = Synonyms::default();
    for Source { file, reader, .. } in sources {
        let feed = ingest::synonyms(&file, reader);
        problems.extend(feed.problems);
        for (_, group) in &feed.values {
            match group {
                ingest::Synonyms::Equivalent(terms) => synonyms.equivalent(terms),
                ingest::Synonyms::OneWay { from, to } => synonyms.one_way(from, to),
            }
        }
    }
    synonyms
}

/// What the stock calls items where no catalog does.
fn open_items(has_catalog: bool, stock: &Stock) -> OpenItems {
    if has_catalog { OpenItems::default() } else { stock.items().collect() }
}

/// What cursors carry of a digest.
fn named(digest: &[u8; 32]) -> crate::cursor::Generation {
    let mut generation = [0; 8];
    generation.copy_from_slice(&digest[..8]);
    generation
}

fn counted(problems: &[Problem]) -> (usize, usize) {
    let refused = problems.iter().filter(|p| p.severity == Severity::Refused).count();
    (refused, problems.len() - refused)
}
