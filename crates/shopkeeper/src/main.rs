//! The `shopkeeper` command: arguments in, an exit code out. What it does is in
//! the library.

use clap::Parser;
use mimalloc::MiMalloc;
use shopkeeper::cli::Cli;
use std::process::ExitCode;

/// Products are read on one thread and let go on another, by the million.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    Cli::parse().run()
}
