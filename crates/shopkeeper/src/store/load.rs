//! From the configuration's feeds to a snapshot, with everything that is wrong
//! with them.

use super::Snapshot;
use super::feeds::{self, FeedReader, Feeds, Progress};
use super::generation::{Contents, SourceRecord};
use crate::config::Config;
use catalog::{LanguageTag, Product, ProductId, VariantId};
use ingest::{Defaults, FeedKind, Problem, ProblemCode, Severity, Source, UnsupportedFormat};
use location::inventory::{Inventory, Items, StockFault, StockLine, StockReason};
use location::places::Places;
use search::Index;
use std::path::Path;
use std::sync::Arc;
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
    configuration: String,
    digest: [u8; 32],
}

/// Why the feeds cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A feed that the configuration names is not there.
    #[error(
        "[{table}] feeds: cannot open {path}: {source}\nMend the path (it is relative to the configuration file), or take it out."
    )]
    Open {
        /// The table that names it.
        table: &'static str,
        /// The path as the configuration has it.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A feed's format is said, and is none that is read.
    #[error("[{table}] feeds: {path}: {source}")]
    Format {
        /// The table that names it.
        table: &'static str,
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
}

/// What kind of feeds a table of the configuration has.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) table: &'static str,
    pub(super) kind: FeedKind,
}

impl Kind {
    const CATALOG: Self = Self { table: "catalog", kind: FeedKind::Products };
    const LOCATIONS: Self = Self { table: "locations", kind: FeedKind::Locations };
    const INVENTORY: Self = Self { table: "inventory", kind: FeedKind::Stock };
}

/// How often feeds that change are read before [`load_whole`] gives up.
const READINGS: usize = 5;

/// How long whoever writes a feed is given to finish.
const PAUSE: Duration = Duration::from_secs(1);

/// How many problems of one load are logged one by one.
const LOGGED_PROBLEMS: usize = 20;

impl Loaded {
    /// How many problems refused something, and how many are warnings.
    pub fn counts(&self) -> (usize, usize) {
        let refused = |problem: &&Problem| problem.severity == Severity::Refused;
        let refused = self.problems.iter().filter(refused).count();
        (refused, self.problems.len() - refused)
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
            products: products as u64,
            variants: variants as u64,
            refused: refused as u64,
            warnings: warnings as u64,
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

/// Reads every feed of `config`, telling `progress` how far it has come.
///
/// The products are held in memory: nothing is written into the directory.
///
/// # Errors
///
/// [`LoadError`]: a feed is not there, or is said to be in an unknown format.
pub fn build(
    config: &Config,
    progress: &Arc<Progress>,
    _directory: Option<&Path>,
) -> Result<Loaded, LoadError> {
    // Invariant: the configuration was checked, so its language is a tag; English
    // is what a library user without a checked one gets.
    let language = config.store.language_tag().or_else(|| LanguageTag::new("en"));
    let Some(language) = language else { unreachable!("`en` is a language tag") };
    let defaults = Defaults { language, currency: config.store.currency };
    let mut feeds = Feeds::new(progress);
    let products = feeds.open(config, Kind::CATALOG, &config.catalog.feeds)?;
    let lists = feeds.open(config, Kind::LOCATIONS, &config.locations.feeds)?;
    let stocks = feeds.open(config, Kind::INVENTORY, &config.inventory.feeds)?;

    let mut products = ingest::merge_products(products, &defaults);
    let mut problems = std::mem::take(&mut products.problems);
    let lists = ingest::merge_locations(lists, &defaults);
    problems.extend(lists.problems);
    let zones_derived = lists.zones_derived;
    let places = Places::build(lists.values);
    let inventory = (!config.inventory.feeds.is_empty()).then(|| {
        let catalog = (!config.catalog.feeds.is_empty()).then_some(products.values.as_slice());
        inventory(config, stocks, &places, catalog, &mut problems)
    });
    let seen = feeds.finish();
    let changed = seen.changed.iter().map(|problem| problem.file.clone()).collect();
    problems.extend(seen.changed);
    if let Some(inventory) = &inventory {
        for product in &mut products.values {
            product.apply_stock(|variant| inventory.provided_anywhere(variant));
        }
    }
    let catalog = (!config.catalog.feeds.is_empty()).then(|| Index::build(products.values));
    let places = (!config.locations.feeds.is_empty()).then_some(places);
    let configuration = feeds::configuration_digest(config);
    let digest = feeds::digest(&configuration, &seen.sources);
    let mut generation = [0; 8];
    generation.copy_from_slice(&digest[..8]);
    Ok(Loaded {
        snapshot: Snapshot { generation, catalog, places, inventory },
        problems,
        zones_derived,
        sources: seen.sources,
        changed,
        configuration,
        digest,
    })
}

/// Joins the stock feeds with the Locations and products that they are about.
fn inventory(
    config: &Config,
    stocks: Vec<Source<FeedReader>>,
    places: &Places,
    catalog: Option<&[Product]>,
    problems: &mut Vec<Problem>,
) -> Inventory {
    let mut lines: Vec<(usize, StockLine)> = Vec::new();
    let mut origins: Vec<(usize, u64)> = Vec::new();
    let mut found: Vec<(usize, Problem)> = Vec::new();
    let files: Vec<String> = stocks.iter().map(|stock| stock.file.clone()).collect();
    for (index, Source { file, reader, format }) in stocks.into_iter().enumerate() {
        let feed = ingest::stock(&file, reader, format);
        found.extend(feed.problems.into_iter().map(|problem| (index, problem)));
        for (line, stock) in feed.values {
            lines.push((origins.len(), stock));
            origins.push((index, line));
        }
    }
    let providable = config.inventory.providable_statuses();
    let items = catalog.map(|products| products.iter().map(item_ids).collect::<Items>());
    let (inventory, faults) = Inventory::build(lines, places, items.as_ref(), &providable);
    found.extend(faults.iter().map(|fault| {
        let (index, line) = origins[fault.tag];
        (index, stock_problem(&files[index], line, fault))
    }));
    // Faults of a line itself and of what it names, in the order of the lines.
    found.sort_by_key(|(index, problem)| (*index, problem.line));
    problems.extend(found.into_iter().map(|(_, problem)| problem));
    inventory
}

/// The ids of a product and its variants, which stock lines and filters name.
fn item_ids(product: &Product) -> (ProductId, Vec<VariantId>) {
    (product.id.clone(), product.variants.iter().map(|variant| variant.id.clone()).collect())
}

fn stock_problem(file: &str, line: u64, fault: &StockFault) -> Problem {
    let (field, code) = match fault.reason {
        StockReason::UnknownLocation(_) => ("location_id", ProblemCode::UnknownReference),
        StockReason::UnknownItem(_) => ("item_id", ProblemCode::UnknownReference),
        StockReason::Repeated { .. } => ("", ProblemCode::Repeated),
    };
    let severity = if fault.reason.is_warning() { Severity::Warning } else { Severity::Refused };
    Problem {
        file: file.to_owned(),
        line,
        field: field.to_owned(),
        code,
        severity,
        text: fault.reason.to_string(),
    }
}
