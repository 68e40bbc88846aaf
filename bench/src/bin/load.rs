//! Measures a server over a generated shop and prints the figures as markdown.
//!
//!     cargo run --release -p bench --bin load -- CONFIG_DIR [--binary target/release/shopkeeper]

use bench::load::bare::Bare;
use bench::load::report::{self, Row};
use bench::load::run::Target;
use bench::load::server::Server;
use bench::load::{LoadError, platform, process};
use bench::queries::Class;
use clap::Parser;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The feed of products that `generate` writes.
const FEED: &str = "products.jsonl";
/// Connections of the second measurement of each class.
const CROWD: usize = 16;

/// Starts a server over a generated shop, asks it class by class and prints what that costs.
#[derive(Debug, Parser)]
struct Arguments {
    /// What `generate` wrote
    config_dir: PathBuf,
    /// The server's program, built for release
    #[arg(long, default_value = "target/release/shopkeeper")]
    binary: PathBuf,
    /// How often all classes are gone through; the table shows the middle round of each
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=99))]
    rounds: u64,
    /// How long each class is asked in a round, at each number of connections
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// How many seconds the server may take to be ready
    #[arg(long, default_value_t = 900)]
    patience: u64,
    /// Also builds a bare tantivy index of the feed and measures the same searches there
    #[arg(long)]
    bare: bool,
    /// Only the classes whose names hold this
    #[arg(long, default_value = "")]
    only: String,
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(text) => {
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<String, LoadError> {
    let mut classes = classes(&arguments.config_dir.join("queries.json"))?;
    classes.retain(|class| class.name.contains(&arguments.only));
    let time = Duration::from_secs(arguments.seconds);
    let patience = Duration::from_secs(arguments.patience);
    let profile = platform::publish()?;
    let server = Server::start(&arguments.binary, &arguments.config_dir, patience)?;
    let started = process::memory(server.pid())?;
    let target = Target { address: server.address, pid: server.pid(), profile };
    let mut rows = Vec::with_capacity(classes.len());
    let mut prepared = Vec::with_capacity(classes.len());
    for class in &classes {
        prepared.push(target.prepare(class)?);
        rows.push(Row {
            name: class.name.clone(),
            alone: Vec::new(),
            crowded: Vec::new(),
            bare: Vec::new(),
        });
    }
    let feed = arguments.config_dir.join(FEED);
    let bare = arguments.bare.then(|| Bare::index(&feed)).transpose()?;
    for round in 1..=arguments.rounds {
        for ((class, prepared), row) in classes.iter().zip(&prepared).zip(&mut rows) {
            let _ = writeln!(io::stderr(), "round {round}: {}", class.name);
            row.alone.push(target.measure(class, prepared, 1, time)?);
            row.crowded.push(target.measure(class, prepared, CROWD, time)?);
            if let Some(bare) = &bare {
                row.bare.extend(bare.measure(class, time)?);
            }
        }
    }
    let ended = process::memory(server.pid())?;
    Ok(format!(
        "{}\n{}\n* Ready {:.1} s after the start: {}.\n* After {} answers, all of them good: {}.\n\
         * The load generator used {:.0} % of the CPU that it and the server used together.\n\
         * A class's rounds differ by up to {:.0} % in CPU; the middle one is shown.\n",
        report::table(&rows, CROWD),
        report::compared(&rows),
        server.start_up.as_secs_f64(),
        report::memory(started),
        report::answers(&rows),
        report::memory(ended),
        report::client_share(&rows),
        report::spread(&rows),
    ))
}

fn classes(path: &Path) -> Result<Vec<Class>, LoadError> {
    let bytes =
        fs::read(path).map_err(|source| LoadError::File { path: path.to_owned(), source })?;
    serde_json::from_slice(&bytes)
        .map_err(|source| LoadError::Queries { path: path.to_owned(), source })
}
