//! Follows the pointer to the current generation while the store is served: when
//! another process has built an index, it is served without a restart.

use super::generation::Generations;
use super::{LoadError, Loaded};
use crate::app::App;
use crate::config::Config;
use crate::store;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How often the pointer is looked at.
pub const EVERY: Duration = Duration::from_secs(2);

/// Looks at the pointer once in `every`, and when it names another generation than
/// `served`, has `load` read the data and publishes them. What cannot be read is
/// logged, the data stay what they were, and the next generation is awaited. Also
/// lets go of superseded data in time. Never ends.
pub async fn follow<L, T>(app: Arc<App>, mut served: Option<String>, every: Duration, load: L) -> T
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
        let Some(current) = current.filter(|current| served.as_ref() != Some(current)) else {
            continue;
        };
        tracing::info!(index = current, "another index is current: it is read");
        served = Some(current);
        publish(&app, load.clone()).await;
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

/// Reads the data beside the requests, and publishes them.
async fn publish<L>(app: &Arc<App>, load: L)
where
    L: Fn(&Config) -> Result<Loaded, LoadError> + Send + 'static,
{
    let reader = Arc::clone(app);
    match tokio::task::spawn_blocking(move || load(reader.config())).await {
        Ok(Ok(loaded)) => {
            loaded.log();
            app.publish(loaded.snapshot);
        }
        Ok(Err(error)) => {
            tracing::error!(%error, "the new data cannot be read; the old ones are served");
        }
        Err(error) => {
            tracing::error!(%error, "reading the new data ended in a fault of this program; the old ones are served");
        }
    }
}
