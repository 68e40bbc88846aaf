//! Writes a generated catalog, the configuration that serves it and the requests to
//! measure it by.
//!
//!     cargo run --release -p bench --bin generate -- PRODUCTS [--seed N] [--variants 3] OUT_DIR

use bench::generated::{BIG_VARIANTS, Generated, Plan};
use bench::queries;
use clap::Parser;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Requests of each class.
const REQUESTS: usize = 200;

const CONFIG: &str = r#"# A generated shop, to be measured. Paths are relative to this file.

[store]
name = "Loja Gerada"
homepage = "https://loja.example.com.br/"
language = "pt-BR"
country = "BR"
currency = "BRL"

[server]
dev = true

[data]
dir = "data"

[catalog]
feeds = ["products.jsonl"]

[limits]
requests_per_minute = 0
"#;

/// Writes a generated catalog, its configuration and requests to measure it by.
#[derive(Debug, Parser)]
struct Arguments {
    /// How many products, besides one of 200 variants
    #[arg(value_parser = clap::value_parser!(u32).range(1..=9_999_999))]
    products: u32,
    /// The same seed gives the same catalog
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many variants each product has
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=BIG_VARIANTS as i64))]
    variants: u16,
    /// The folder to write to; it is made if need be
    out_dir: PathBuf,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match generate(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}: {error}", arguments.out_dir.display());
            ExitCode::FAILURE
        }
    }
}

fn generate(arguments: &Arguments) -> io::Result<()> {
    let begun = Instant::now();
    let plan = Plan {
        products: arguments.products as usize,
        variants: arguments.variants.into(),
        seed: arguments.seed,
    };
    let catalog = Generated::new(plan);
    let folder: &Path = &arguments.out_dir;
    fs::create_dir_all(folder)?;
    let feed = folder.join("products.jsonl");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&feed)?);
    catalog.write(&mut out)?;
    out.flush()?;
    fs::write(folder.join("shopkeeper.toml"), CONFIG)?;
    let classes = queries::classes(&catalog, REQUESTS);
    fs::write(folder.join("queries.json"), serde_json::to_vec_pretty(&classes)?)?;
    writeln!(
        io::stderr(),
        "{} products, {} MB, in {:.1} s",
        plan.products + 1,
        fs::metadata(&feed)?.len() / 1_000_000,
        begun.elapsed().as_secs_f64()
    )
}
