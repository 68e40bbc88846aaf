//! From the configuration's feeds to a snapshot, with everything that is wrong
//! with them.

use super::Snapshot;
use crate::config::{Config, Feed};
use crate::to_wire::record::{Languages, encode};
use catalog::{LanguageTag, Product, ProductId, VariantId};
use ingest::{
    Defaults, FeedKind, Format, Problem, ProblemCode, Severity, Source, UnsupportedFormat,
};
use location::inventory::{Inventory, Items, StockFault, StockLine, StockReason};
use location::places::Places;
use search::Index;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufReader, Read};
use std::rc::Rc;

/// A snapshot with what was wrong with its feeds.
pub struct Loaded {
    /// What is served.
    pub snapshot: Snapshot,
    /// In the order of the feeds and their rows.
    pub problems: Vec<Problem>,
    /// How many Locations have a time zone found from their coordinates.
    pub zones_derived: u64,
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
}

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

/// Reads every feed of `config`.
///
/// # Errors
///
/// [`LoadError`]: a feed is not there, or is said to be in an unknown format.
pub fn load(config: &Config) -> Result<Loaded, LoadError> {
    // Invariant: the configuration was checked, so its language is a tag; English
    // is what a library user without a checked one gets.
    let language = config.store.language_tag().or_else(|| LanguageTag::new("en"));
    let Some(language) = language else { unreachable!("`en` is a language tag") };
    let defaults = Defaults { language, currency: config.store.currency };
    let digest = Rc::new(RefCell::new(seed(config)));
    let open = |table, kind, feeds: &[Feed]| sources(config, &digest, table, kind, feeds);

    let products = open("catalog", FeedKind::Products, &config.catalog.feeds)?;
    let lists = open("locations", FeedKind::Locations, &config.locations.feeds)?;
    let stocks = open("inventory", FeedKind::Stock, &config.inventory.feeds)?;

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
    let mut languages = Languages::default();
    let catalog = (!config.catalog.feeds.is_empty()).then(|| {
        let payloads = products.values.iter().map(|product| encode(product, &mut languages));
        let payloads = payloads.collect();
        let provided = |variant: &VariantId| inventory.as_ref()?.provided_anywhere(variant);
        Index::with_payloads(products.values, payloads, provided)
    });
    let places = (!config.locations.feeds.is_empty()).then_some(places);
    let mut generation = [0; 8];
    generation.copy_from_slice(&digest.borrow().clone().finalize()[..8]);
    Ok(Loaded {
        snapshot: Snapshot { generation, catalog, languages, places, inventory },
        problems,
        zones_derived,
    })
}

/// What shapes answers besides the bytes of the feeds: cursors of another order
/// must not be honoured (rule C7).
fn seed(config: &Config) -> Sha256 {
    let Config { store, catalog, locations, inventory, .. } = config;
    let shapes =
        format!("{} {store:?} {catalog:?} {locations:?} {inventory:?}", env!("CARGO_PKG_VERSION"));
    Sha256::new().chain_update(shapes)
}

type Digested = Rc<RefCell<Sha256>>;

/// Opens the feeds of one table, before any of them is read.
fn sources(
    config: &Config,
    digest: &Digested,
    table: &'static str,
    kind: FeedKind,
    feeds: &[Feed],
) -> Result<Vec<Source<DigestingReader>>, LoadError> {
    feeds
        .iter()
        .map(|feed| {
            let path = feed.path().to_owned();
            let format = feed
                .format()
                .map(|name| Format::from_name(kind, name))
                .transpose()
                .map_err(|source| LoadError::Format { table, path: path.clone(), source })?;
            match File::open(config.resolve(&path)) {
                Ok(file) => Ok(Source {
                    file: path,
                    reader: DigestingReader {
                        file: BufReader::new(file),
                        digest: Rc::clone(digest),
                    },
                    format,
                }),
                Err(source) => Err(LoadError::Open { table, path, source }),
            }
        })
        .collect()
}

/// Joins the stock feeds with the Locations and products that they are about.
fn inventory(
    config: &Config,
    stocks: Vec<Source<DigestingReader>>,
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

/// A file whose bytes are digested as they are read, so that the same feeds make
/// the same generation.
struct DigestingReader {
    file: BufReader<File>,
    digest: Digested,
}

impl Read for DigestingReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        let mut digest = self.digest.borrow_mut();
        digest.update(&buffer[..read]);
        if read == 0 {
            // The end of a feed, so that moving a row to the next one is a change.
            digest.update([0xff]);
        }
        Ok(read)
    }
}
