//! `shopkeeper keys new`: makes the key that responses are signed with (rule S7).

use super::{Ending, say};
use clap::{Args, Subcommand, ValueEnum};
use signature::{Algorithm, SigningKey};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The arguments of `keys`.
#[derive(Debug, Args)]
pub(super) struct Keys {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make a private key, in a file that only its owner can read
    New(New),
}

#[derive(Debug, Args)]
struct New {
    /// What the key signs with
    #[arg(long, value_enum, default_value_t = Kind::Es256)]
    algorithm: Kind,
    /// The file to make; it must not exist
    #[arg(value_name = "FILE", default_value = "signing-key.pem")]
    file: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// ECDSA on P-256, which everybody understands
    Es256,
    /// ECDSA on P-384
    Es384,
    /// EdDSA on Curve25519
    Ed25519,
}

impl Keys {
    /// Carries the command out.
    pub(super) fn run(self) -> Ending {
        let Action::New(New { algorithm, file }) = self.action;
        let algorithm = match algorithm {
            Kind::Es256 => Algorithm::Es256,
            Kind::Es384 => Algorithm::Es384,
            Kind::Ed25519 => Algorithm::Ed25519,
        };
        let (key, pem) = match SigningKey::generate(algorithm) {
            Ok(made) => made,
            Err(fault) => return fault.into(),
        };
        if let Err(error) = write(&file, &pem) {
            return Ending::Unusable(format!("{}: {error}", file.display()));
        }
        let name = key.public().kid().unwrap_or_default();
        say(format_args!("{} holds a new private key; keep it secret", file.display()));
        say(format_args!("its public half will be in the store's profiles as {name}"));
        let path = std::path::absolute(&file).unwrap_or(file);
        let path = toml::Value::from(path.display().to_string());
        say(format_args!("\nput this into the configuration:\n\n[security]\nsigning_key = {path}"));
        Ending::Done
    }
}

/// Never over a file that is there: it may be the only copy of a key in use.
fn write(file: &Path, pem: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(file)?;
    file.write_all(pem.as_bytes())?;
    file.sync_all()
}
