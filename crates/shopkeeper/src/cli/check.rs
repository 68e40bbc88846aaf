//! `shopkeeper check`: read every feed and say what is wrong with it.

use super::{ConfigArgument, Ending, complain, say};
use crate::store::{self, Loaded};

/// The arguments of `shopkeeper check`.
#[derive(Debug, clap::Args)]
pub(super) struct Check {
    #[command(flatten)]
    config: ConfigArgument,
}

impl Check {
    pub(super) fn run(self) -> Ending {
        let config = match self.config.load() {
            Ok(config) => config,
            Err(error) => return error.into(),
        };
        let loaded = match store::load(&config) {
            Ok(loaded) => loaded,
            Err(error) => return error.into(),
        };
        report(&loaded)
    }
}

/// Prints each problem and the sum.
pub(super) fn report(loaded: &Loaded) -> Ending {
    for problem in &loaded.problems {
        say(problem);
    }
    let (refused, warnings) = loaded.counts();
    complain(format_args!("{}; {refused} refused, {warnings} with a warning", loaded.summary()));
    if refused == 0 { Ending::Done } else { Ending::Bad }
}
