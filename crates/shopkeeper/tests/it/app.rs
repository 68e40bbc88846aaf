//! The store under test: its real router on a free loopback port.

use shopkeeper::app::App;
use shopkeeper::config::Config;
use shopkeeper::http::{router, serve};
use shopkeeper::store;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A store that listens; it ends with the process unless it is stopped.
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    pub(crate) app: Arc<App>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

/// The runtime that all stores and platforms of this process live on; the tests
/// themselves are plain threads.
pub(crate) fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
    })
}

/// The demo store, started once.
pub(crate) fn mercado() -> &'static TestApp {
    static MERCADO: OnceLock<TestApp> = OnceLock::new();
    MERCADO.get_or_init(|| TestApp::open(demo_config("mercado")))
}

/// The folder of the whole workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for the files of one test, empty.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// The demo store's own configuration, in development mode, without limits and
/// with its data in a folder of this name.
pub(crate) fn demo_config(data: &str) -> Config {
    let path = workspace().join("examples/mercado/shopkeeper.toml");
    let mut config = Config::load(&path, std::iter::empty(), |_| ()).unwrap();
    config.server.dev = true;
    config.limits.requests_per_minute = 0;
    config.platforms.fetch_timeout_ms = 2_000;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("it-data").join(data);
    config.data.dir = folder.to_str().unwrap().to_owned();
    config
}

impl TestApp {
    /// A store that listens and has read its feeds.
    pub(crate) fn open(config: Config) -> Self {
        let store = Self::closed(config);
        store.publish();
        store
    }

    /// A store that listens and has no data yet.
    pub(crate) fn closed(config: Config) -> Self {
        Self::closed_by(config, Instant::now)
    }

    /// As [`TestApp::closed`], by another clock.
    pub(crate) fn closed_by(
        config: Config,
        clock: impl Fn() -> Instant + Send + Sync + 'static,
    ) -> Self {
        runtime().block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let app = Arc::new(App::new(config, Some(address)).unwrap().with_clock(clock));
            let (stop, stopped) = oneshot::channel();
            let serving = tokio::spawn(serve(listener, router(&app), async {
                // A sender that is dropped does not stop the store.
                if stopped.await.is_err() {
                    std::future::pending::<()>().await;
                }
            }));
            Self { address, app, stop, serving }
        })
    }

    /// Reads the feeds and serves them.
    pub(crate) fn publish(&self) {
        let loaded = store::load(self.app.config()).unwrap();
        assert_eq!(loaded.counts(), (0, 0), "{:?}", loaded.problems.first());
        self.app.publish(loaded.snapshot);
    }

    /// Gives the signal to stop and leaves the rest to whoever waits.
    pub(crate) fn ask_to_stop(self) -> JoinHandle<()> {
        self.stop.send(()).unwrap();
        self.serving
    }
}
