//! `shopkeeper stdio`: the store over standard input and output.

use super::{ConfigArgument, Ending, runtime, start_logs};
use crate::app::App;
use crate::config::Config;
use crate::stdio;
use crate::store::follow::{self, Served};
use crate::store::{self, Started};
use protocol::dialect::Protocol;
use std::sync::Arc;

/// The arguments of `shopkeeper stdio`.
#[derive(Debug, clap::Args)]
pub(super) struct Stdio {
    #[command(flatten)]
    config: ConfigArgument,
    /// Which protocol to speak: ucp or bcp; without it the first that is on
    #[arg(long, value_name = "NAME", value_parser = protocol_named)]
    protocol: Option<Protocol>,
}

pub(super) fn protocol_named(name: &str) -> Result<Protocol, String> {
    Protocol::ALL
        .into_iter()
        .find(|protocol| protocol.name() == name)
        .ok_or_else(|| format!("`{name}` is neither ucp nor bcp"))
}

impl Stdio {
    pub(super) fn run(self) -> Ending {
        let config = match self.config.load() {
            Ok(config) => config,
            Err(error) => return error.into(),
        };
        if let Err(text) = start_logs(&config) {
            return Ending::Unusable(text);
        }
        let runtime = match runtime() {
            Ok(runtime) => runtime,
            Err(error) => return error.into(),
        };
        let ending = runtime.block_on(serve(config, self.protocol));
        // A read of standard input that is still under way must not keep the
        // process alive.
        runtime.shutdown_background();
        match ending {
            Ok(()) => Ending::Done,
            Err(text) => Ending::Unusable(text),
        }
    }
}

async fn serve(config: Config, protocol: Option<Protocol>) -> Result<(), String> {
    let started = store::start(&config).map_err(|error| error.to_string())?;
    let Started { loaded, generation } = started;
    loaded.log();
    let app = Arc::new(App::new(config, None).map_err(|error| error.to_string())?);
    let served = Served { generation, turn: loaded.turn };
    app.publish(loaded.snapshot);
    let index = match protocol {
        None => 0,
        Some(protocol) => app
            .endpoints()
            .iter()
            .position(|endpoint| endpoint.protocol() == protocol)
            .ok_or_else(|| format!("{} is turned off in [protocols]", protocol.name()))?,
    };
    // A session may outlive the data that it began with.
    tokio::spawn(follow::follow::<_, ()>(Arc::clone(&app), served, follow::EVERY, store::newest));
    stdio::serve(&app, index, tokio::io::stdin(), tokio::io::stdout())
        .await
        .map_err(|error| error.to_string())
}
