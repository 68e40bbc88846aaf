//! Measures relevance by the judged queries; docs/relevance.md explains the figures.
//!
//!     cargo run --release -p bench --bin relevance -- [--worst N]

use bench::relevance::RelevanceError;
use bench::relevance::corpus::{self, Corpus};
use bench::relevance::judged::Half;
use bench::relevance::report::Measured;
use clap::Parser;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures relevance by the judged queries, ours and two baselines.
#[derive(Debug, Parser)]
struct Arguments {
    /// Also list the N worst queries of the tune half
    #[arg(long, default_value_t = 0)]
    worst: usize,
    /// The shared retail catalog
    #[arg(long, default_value_os_t = corpus::retail_path())]
    retail: PathBuf,
    /// The demo store's products
    #[arg(long, default_value_os_t = corpus::mercado_path())]
    mercado: PathBuf,
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<(), RelevanceError> {
    show(&corpus::retail(&arguments.retail)?, arguments.worst)?;
    show(&corpus::mercado(&arguments.mercado)?, arguments.worst)
}

fn show(corpus: &Corpus, worst: usize) -> Result<(), RelevanceError> {
    let measured = Measured::new(corpus)?;
    let mut out = io::stdout().lock();
    writeln!(out, "nDCG@10 / recall@50 / without an answer\n")?;
    for half in [Half::Tune, Half::Report] {
        writeln!(out, "{}", measured.table(half))?;
    }
    for skipped in &measured.skipped {
        writeln!(out, "{skipped}\n")?;
    }
    if worst > 0 {
        writeln!(out, "Worst of {}, tune half:\n{}", corpus.name, measured.worst(worst))?;
    }
    Ok(())
}
