//! `shopkeeper index`: build the index on disk, saying how far it has come.

use super::{ConfigArgument, Ending, check, complain};
use crate::store::generation::{BuildError, Generations};
use crate::store::{self, LoadError, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the bar is drawn.
const DRAWN_EVERY: Duration = Duration::from_millis(200);

/// How often a line is written where there is no terminal.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// What the bar shows.
const BAR: &str = "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";

/// The arguments of `shopkeeper index`.
#[derive(Debug, clap::Args)]
pub(super) struct Index {
    #[command(flatten)]
    config: ConfigArgument,
}

impl Index {
    pub(super) fn run(self) -> Ending {
        let config = match self.config.load() {
            Ok(config) => config,
            Err(error) => return error.into(),
        };
        let progress = Arc::new(Progress::default());
        let started = Instant::now();
        let mut loaded = None;
        let built = watched(&progress, || {
            Generations::of(&config).build(|directory| {
                let loaded = loaded.insert(store::build(&config, &progress, Some(directory))?);
                Ok::<_, LoadError>(loaded.contents())
            })
        });
        let ending = loaded.as_ref().map(check::report);
        match (built, ending) {
            (Ok(generation), ending) => {
                complain(format_args!(
                    "index {} built in {:.1} s in {}",
                    generation.name,
                    started.elapsed().as_secs_f64(),
                    generation.dir.display()
                ));
                ending.unwrap_or(Ending::Done)
            }
            // The feeds are at fault, not the command.
            (Err(error @ BuildError::Changed { .. }), _) => {
                complain(error);
                Ending::Bad
            }
            (Err(error), _) => error.into(),
        }
    }
}

/// Does `work` while another thread shows `progress` on standard error.
fn watched<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if std::io::stderr().is_terminal() {
                draw(progress, &is_done);
            } else {
                write(progress, &is_done);
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn draw(progress: &Progress, is_done: &mpsc::Receiver<()>) {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(BAR) {
        bar.set_style(style);
    }
    while is_done.recv_timeout(DRAWN_EVERY) == Err(RecvTimeoutError::Timeout) {
        let (read, total) = (progress.read_bytes(), progress.total_bytes());
        bar.set_length(total);
        bar.set_position(read);
        bar.set_message(stage(read, total));
    }
    bar.finish_and_clear();
}

fn write(progress: &Progress, is_done: &mpsc::Receiver<()>) {
    let started = Instant::now();
    while is_done.recv_timeout(WRITTEN_EVERY) == Err(RecvTimeoutError::Timeout) {
        complain(line(progress.read_bytes(), progress.total_bytes(), started.elapsed()));
    }
}

const fn stage(read: u64, total: u64) -> &'static str {
    if read < total { "reading the feeds" } else { "building the index" }
}

/// Where the build is after `elapsed`, in one line.
fn line(read: u64, total: u64, elapsed: Duration) -> String {
    const MEGABYTE: f64 = 1e6;
    let stage = stage(read, total);
    // Precise enough for a line of progress.
    let (read, total) = (read as f64, total as f64);
    let rate = read / elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut line = format!(
        "{stage}: {:.1} of {:.1} MB, {:.1} MB/s",
        read / MEGABYTE,
        total / MEGABYTE,
        rate / MEGABYTE
    );
    if read > 0.0 && read < total {
        line.push_str(&format!(", {:.0} s left", ((total - read) / rate).ceil()));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_how_fast_and_how_long() {
        let after = Duration::from_secs(5);
        assert_eq!(
            line(50_000_000, 200_000_000, after),
            "reading the feeds: 50.0 of 200.0 MB, 10.0 MB/s, 15 s left"
        );
        assert_eq!(line(0, 200_000_000, after), "reading the feeds: 0.0 of 200.0 MB, 0.0 MB/s");
        assert_eq!(
            line(200_000_000, 200_000_000, after),
            "building the index: 200.0 of 200.0 MB, 40.0 MB/s"
        );
        assert_eq!(line(0, 0, Duration::ZERO), "building the index: 0.0 of 0.0 MB, 0.0 MB/s");
    }

    #[test]
    fn the_work_s_result_comes_back_without_waiting_for_the_next_line() {
        let started = Instant::now();
        assert_eq!(watched(&Progress::default(), || 7), 7);
        assert!(started.elapsed() < WRITTEN_EVERY);
    }
}
