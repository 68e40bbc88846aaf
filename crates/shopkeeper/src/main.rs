//! The `shopkeeper` command: arguments in, an exit code out. What it does is in
//! the library.

use clap::Parser;
use shopkeeper::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    Cli::parse().run()
}
