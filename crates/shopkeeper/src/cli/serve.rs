//! `shopkeeper serve`: the store over HTTP until it is told to stop.

use super::{ConfigArgument, Ending, runtime, say, start_logs};
use crate::app::App;
use crate::config::Config;
use crate::http::{self, ServeError};
use crate::store::follow::{self, Served};
use crate::store::{self, Started};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The arguments of `shopkeeper serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    #[command(flatten)]
    config: ConfigArgument,
    /// Address and port to listen on, in place of server.listen; port 0 takes a free one
    #[arg(long, value_name = "ADDR")]
    listen: Option<SocketAddr>,
    /// Local development: accept platform profiles on loopback, over http too
    #[arg(long)]
    dev: bool,
}

impl Serve {
    pub(super) fn run(self) -> Ending {
        let flags = |config: &mut Config| {
            config.server.listen = self.listen.unwrap_or(config.server.listen);
            config.server.dev |= self.dev;
        };
        let config = match self.config.load_with(flags) {
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
        let ending = runtime.block_on(serve(config));
        // Feeds that are still being read must not keep the process alive.
        runtime.shutdown_background();
        match ending {
            Ok(()) => Ending::Done,
            Err(text) => Ending::Unusable(text),
        }
    }
}

async fn serve(config: Config) -> Result<(), String> {
    let address = config.server.listen;
    let listener = TcpListener::bind(address)
        .await
        .map_err(|source| ServeError { address, source }.to_string())?;
    if config.server.dev && !address.ip().is_loopback() {
        tracing::warn!(%address, "server.dev lets anybody who reaches this server make it fetch from its own machine; never on a public address");
    }
    let bound = listener.local_addr().map_err(|error| error.to_string())?;
    let app = Arc::new(App::new(config, Some(bound)).map_err(|error| error.to_string())?);
    // Health checks are answered while a long feed is still being read.
    let (done, loading) = oneshot::channel::<Result<Served, String>>();
    {
        let app = Arc::clone(&app);
        tokio::task::spawn_blocking(move || {
            let _ = done.send(open(&app));
        });
    }
    let following = Arc::clone(&app);
    let failure = async move {
        match loading.await {
            Ok(Ok(served)) => {
                let reviving = Arc::clone(&following);
                tokio::task::spawn_blocking(move || follow::revive(&reviving));
                follow::follow(following, served, follow::EVERY, store::newest).await
            }
            Ok(Err(error)) => error,
            Err(_) => "reading the feeds ended in a fault of this program; see the log".to_owned(),
        }
    };
    let (report, reported) = oneshot::channel();
    let stop = async move {
        tokio::select! {
            () = asked_to_stop() => tracing::info!("stopping: requests in flight may finish"),
            error = failure => { let _ = report.send(error); }
        }
    };
    http::serve(listener, http::router(&app), stop).await;
    match reported.await {
        Ok(error) => Err(error),
        Err(_) => Ok(()),
    }
}

/// Reads the data and serves them.
fn open(app: &App) -> Result<Served, String> {
    let started = store::start(app.config()).map_err(|error| error.to_string())?;
    let Started { loaded, generation } = started;
    loaded.log();
    let (summary, turn) = (loaded.summary(), loaded.turn);
    app.publish(loaded.snapshot);
    announce(app, &summary);
    Ok(Served { generation, turn })
}

/// Ends when the process is asked to: by SIGTERM, or by SIGINT from a terminal.
async fn asked_to_stop() {
    let interrupt = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "SIGINT cannot be awaited");
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            terminate.recv().await;
        }
        Err(error) => {
            tracing::error!(%error, "SIGTERM cannot be awaited");
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending::<()>().await;
}

/// Tells the person at the terminal what is served where, and how to try it.
fn announce(app: &App, summary: &str) {
    say(format_args!("{} is open: {summary}", app.config().store.name));
    for endpoint in app.endpoints() {
        let protocol = endpoint.protocol();
        let versions: Vec<_> = endpoint.dialects().iter().map(|dialect| dialect.version).collect();
        say(format_args!(
            "  {} {}\n    profile   {origin}{}\n    endpoint  {origin}{}",
            protocol.name().to_uppercase(),
            versions.join(", "),
            protocol.well_known_path(),
            protocol.mcp_path(),
            origin = app.origin(),
        ));
    }
    if let Some(line) = app.curl_line() {
        say(format_args!("\nTry it:\n  {line}"));
    }
}
