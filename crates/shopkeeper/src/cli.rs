//! The command line (DESIGN 3): one file per subcommand.
//!
//! Exit codes: 0 done, 1 the data or the answer was bad, 2 usage or configuration.

mod call;
mod check;
mod index;
mod keys;
mod serve;
mod stdio;

use crate::config::{Config, ConfigError, DEFAULT_FILE, LogFormat};
use clap::{Parser, Subcommand};
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Answers AI shopping agents about a store's products and branches, over MCP, in
/// the protocols UCP and BCP.
#[derive(Debug, Parser)]
#[command(name = "shopkeeper", version = VERSION.as_str(), about, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the store over HTTP: profiles, MCP, /healthz, /readyz
    Serve(serve::Serve),
    /// Serve the store over standard input and output
    Stdio(stdio::Stdio),
    /// Read every feed and print each problem as file:line: field: text
    Check(check::Check),
    /// Build the index on disk, with a progress bar
    Index(index::Index),
    /// Be a platform: discover a business, negotiate, call a tool, print the answer
    Call(call::Call),
    /// Make the key that responses are signed with
    Keys(keys::Keys),
}

/// The program's version and that of the time zones in it (rule H5).
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let zones = location::schedule::time_zone_release();
    format!("{} (time zones {zones})", env!("CARGO_PKG_VERSION"))
});

/// Which configuration a subcommand works with.
#[derive(Debug, clap::Args)]
struct ConfigArgument {
    /// The configuration file
    #[arg(value_name = "CONFIG", default_value = DEFAULT_FILE)]
    config: PathBuf,
}

/// How a subcommand ended.
enum Ending {
    /// As wanted.
    Done,
    /// The data or the answer was bad; that has been said.
    Bad,
    /// The command cannot be carried out as it was given.
    Unusable(String),
}

impl Cli {
    /// Carries the command out.
    pub fn run(self) -> ExitCode {
        let ending = match self.command {
            Command::Serve(serve) => serve.run(),
            Command::Stdio(stdio) => stdio.run(),
            Command::Check(check) => check.run(),
            Command::Index(index) => index.run(),
            Command::Call(call) => call.run(),
            Command::Keys(keys) => keys.run(),
        };
        match ending {
            Ending::Done => ExitCode::SUCCESS,
            Ending::Bad => ExitCode::from(1),
            Ending::Unusable(text) => {
                complain(text);
                ExitCode::from(2)
            }
        }
    }
}

impl ConfigArgument {
    fn load(&self) -> Result<Config, ConfigError> {
        self.load_with(|_| ())
    }

    /// The configuration with the command's own flags over it.
    fn load_with(&self, flags: impl FnOnce(&mut Config)) -> Result<Config, ConfigError> {
        let text = |text: std::ffi::OsString| text.into_string().ok();
        let environment =
            std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?)));
        Config::load(&self.config, environment, flags)
    }
}

impl<E: std::error::Error> From<E> for Ending {
    fn from(error: E) -> Self {
        Self::Unusable(error.to_string())
    }
}

/// A line for the person at the terminal; a closed pipe is nobody's fault.
fn say(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// A line about what is wrong.
fn complain(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "shopkeeper: {text}");
}

/// Sends logs to standard error, in the form that the configuration asks for.
fn start_logs(config: &Config) -> Result<(), String> {
    let filter = config.logs.filter().map_err(|error| error.to_string())?;
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let started = match config.logs.format {
        LogFormat::Text => logs.with_target(false).try_init(),
        LogFormat::Json => logs.json().flatten_event(true).with_target(false).try_init(),
    };
    started.map_err(|error| format!("cannot start the logs: {error}"))
}

/// A runtime with as many threads as there are cores.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}
