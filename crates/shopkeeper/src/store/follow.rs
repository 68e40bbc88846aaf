//! Follows the pointer to the current generation while the store is served: when
//! another process has built an index, it is served without a restart. And follows the
//! time: prices are those of now, whatever dates the feeds give them.

use super::generation::Generations;
use super::{LoadError, Loaded, Started};
use crate::app::App;
use crate::config::Config;
use crate::store;
use jiff::Timestamp;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How often the pointer is looked at.
pub const EVERY: Duration = Duration::from_secs(2);

/// After how many looks a sale whose feeds could not be read is tried again: a minute.
const PATIENCE: u32 = 30;

/// What is served, as far as following it goes.
#[derive(Debug, Clone, Default)]
pub struct Served {
    /// The generation, when it is one.
    pub generation: Option<String>,
    /// When its feeds will say something else.
    pub turn: Option<Timestamp>,
}

/// Looks at the pointer once in `every`, and when it names another generation than
/// `served`, has `load` read the data and publishes them. When a sale begins or has
/// ended, the index is built again from the feeds as they are then. What cannot be read
/// is logged, the data stay what they were, and the next generation is awaited, or the
/// feeds are tried again a minute later. Also lets go of superseded data in time. Never
/// ends.
pub async fn follow<L, T>(app: Arc<App>, mut served: Served, every: Duration, load: L) -> T
where
    L: Fn(&Config) -> Result<Loaded, LoadError> + Clone + Send + 'static,
{
    let generations = Generations::of(app.config());
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unreadable = false;
    loop {
        ticks.tick().await;
        // To let go of a large store takes its time.
        let old = Arc::clone(&app);
        tokio::task::spawn_blocking(move || old.forget_old_data());
        let current = match generations.current() {
            Ok(current) => current,
            Err(error) => {
                // Said once, not every two seconds.
                if !std::mem::replace(&mut unreadable, true) {
                    tracing::error!(%error, "it cannot be read which index is current");
                }
                continue;
            }
        };
        unreadable = false;
        // A data folder that was deleted leaves the store as it is.
        if let Some(current) = current.filter(|current| served.generation.as_ref() != Some(current))
        {
            tracing::info!(index = current, "another index is current: it is read");
            served.generation = Some(current);
            let load = load.clone();
            if let Some(loaded) = read(&app, load).await {
                served.turn = publish(&app, loaded);
            }
        } else if let Some(at) = served.turn.filter(|at| *at <= Timestamp::now()) {
            tracing::info!(%at, "a sale began or ended: the feeds are read again");
            match read(&app, store::start).await {
                Some(Started { loaded, generation }) => {
                    served = Served { generation, turn: publish(&app, loaded) };
                }
                None => served.turn = Timestamp::now().checked_add(every * PATIENCE).ok(),
            }
        }
    }
}

/// Takes up the generations that were superseded a short while ago, so that a restart
/// ends nobody's walk through pages (rule C7). What cannot be read, or is of another
/// configuration, is left out: its cursors are refused.
pub fn revive(app: &App) {
    let generations = Generations::of(app.config());
    for (generation, age) in generations.superseded() {
        match store::open(app.config(), &generation) {
            Ok(loaded) => app.restore(loaded.snapshot, age),
            Err(error) => {
                tracing::info!(%error, index = generation.name, "a superseded index is not taken up");
            }
        }
    }
}

/// Reads data beside the requests; what cannot be read is logged.
async fn read<D: Send + 'static>(
    app: &Arc<App>,
    load: impl Fn(&Config) -> Result<D, LoadError> + Send + 'static,
) -> Option<D> {
    let reader = Arc::clone(app);
    match tokio::task::spawn_blocking(move || load(reader.config())).await {
        Ok(Ok(data)) => Some(data),
        Ok(Err(error)) => {
            tracing::error!(%error, "the new data cannot be read; the old ones are served");
            None
        }
        Err(error) => {
            tracing::error!(%error, "reading the new data ended in a fault of this program; the old ones are served");
            None
        }
    }
}

/// Serves the data, and tells when their feeds will say something else.
fn publish(app: &App, loaded: Loaded) -> Option<Timestamp> {
    loaded.log();
    app.publish(loaded.snapshot);
    loaded.turn
}
