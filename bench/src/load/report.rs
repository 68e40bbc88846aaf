//! The figures as markdown, ready for docs/performance.md.

use super::process::Memory;
use super::run::Measured;
use std::fmt::Write;
use std::time::Duration;

/// What was found out about one class, round by round.
#[derive(Debug)]
pub struct Row {
    /// The class.
    pub name: String,
    /// At one connection.
    pub alone: Vec<Measured>,
    /// At many.
    pub crowded: Vec<Measured>,
    /// Microseconds of CPU of the bare query, where there is one to compare with.
    pub bare: Vec<f64>,
}

impl Row {
    fn rounds(&self) -> [&[Measured]; 2] {
        [&self.alone, &self.crowded]
    }
}

/// The table of all classes: of each the round that was the middle one by the
/// server's CPU; `crowd` is the number of connections of the second half.
pub fn table(rows: &[Row], crowd: usize) -> String {
    let mut text = format!(
        "| class | body | CPU, 1 conn. | p50 | p99 | CPU, {crowd} conn. | p50 | p99 | client |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for row in rows {
        let name = &row.name;
        let [Some(alone), Some(crowded)] = row.rounds().map(middle) else { continue };
        // Invariant: a String takes whatever is written to it.
        let _ = writeln!(
            text,
            "| {name} | {:.1} KB | {} | {} | {} | {} | {} | {} | {:.0} us |",
            alone.body_bytes as f64 / 1e3,
            micros(alone.server_us),
            millis(alone.p50),
            millis(alone.p99),
            micros(crowded.server_us),
            millis(crowded.p50),
            millis(crowded.p99),
            crowded.client_us,
        );
    }
    text
}

/// What a search may cost at most: its bare query and a third of that for everything
/// that is decided beyond it, and a fixed sum for HTTP, protocol and answer.
const OF_BARE: f64 = 1.3;
const BEYOND_BARE_US: f64 = 60.0;

/// The table of searches beside the bare query of the same run; empty without one.
pub fn compared(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let mut bare = row.bare.clone();
        bare.sort_by(f64::total_cmp);
        let Some((&bare, served)) = bare.get(bare.len() / 2).zip(middle(&row.crowded)) else {
            continue;
        };
        if text.is_empty() {
            text.push_str("| class | bare query | served | served / (1.3 x bare + 60 us) |\n");
            text.push_str("|---|---|---|---|\n");
        }
        let (name, goal) = (&row.name, OF_BARE * bare + BEYOND_BARE_US);
        let (bare, us) = (micros(bare), micros(served.server_us));
        // Invariant: a String takes whatever is written to it.
        let _ = writeln!(text, "| {name} | {bare} | {us} | {:.2} |", served.server_us / goal);
    }
    text
}

/// The load generator's part of the CPU that it and the server used, in percent.
pub fn client_share(rows: &[Row]) -> f64 {
    let sum = |of: fn(&Measured) -> f64| -> f64 {
        rows.iter()
            .flat_map(Row::rounds)
            .flatten()
            .map(|measured| of(measured) * measured.answers as f64)
            .sum()
    };
    let (client, server) = (sum(|measured| measured.client_us), sum(|measured| measured.server_us));
    100.0 * client / (client + server)
}

/// How much more CPU the dearest round of a class took than the cheapest, in percent:
/// of the class where that is most. It tells how far the machine is to be trusted.
pub fn spread(rows: &[Row]) -> f64 {
    let of_one = |rounds: &[Measured]| {
        let all = || rounds.iter().map(|measured| measured.server_us);
        100.0 * (all().fold(0.0, f64::max) / all().fold(f64::INFINITY, f64::min) - 1.0)
    };
    rows.iter().flat_map(Row::rounds).map(of_one).fold(0.0, f64::max)
}

/// Answers of all rounds together.
pub fn answers(rows: &[Row]) -> usize {
    rows.iter().flat_map(Row::rounds).flatten().map(|measured| measured.answers).sum()
}

/// One line about what a process has in memory.
pub fn memory(memory: Memory) -> String {
    let mb = |bytes: u64| bytes / 1_000_000;
    format!(
        "{} MB resident ({} MB anonymous, {} MB of files), {} MB at most",
        mb(memory.resident),
        mb(memory.anonymous),
        mb(memory.of_files),
        mb(memory.peak)
    )
}

/// The middle round by the server's CPU; of an even number the dearer of the two.
fn middle(rounds: &[Measured]) -> Option<Measured> {
    let mut rounds = rounds.to_vec();
    rounds.sort_by(|a, b| a.server_us.total_cmp(&b.server_us));
    rounds.get(rounds.len() / 2).copied()
}

fn micros(us: f64) -> String {
    if us < 10_000.0 { format!("{us:.0} us") } else { format!("{:.1} ms", us / 1e3) }
}

fn millis(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 { format!("{ms:.2} ms") } else { format!("{ms:.0} ms") }
}

#[cfg(test)]
mod tests {
    use super::{Row, answers, client_share, compared, spread, table};
    use crate::load::run::Measured;
    use std::time::Duration;

    #[test]
    fn a_row() {
        let alone = Measured {
            answers: 100,
            server_us: 90.4,
            client_us: 10.0,
            p50: Duration::from_micros(120),
            p99: Duration::from_millis(31),
            body_bytes: 20_450,
        };
        let crowded = Measured { server_us: 20_000.0, client_us: 4.6, ..alone };
        let dear = Measured { server_us: 180.8, ..alone };
        let cheap = Measured { server_us: 60.0, ..alone };
        let rounds = vec![dear, alone, cheap];
        let rows = [Row {
            name: "one word".to_owned(),
            alone: rounds,
            crowded: vec![crowded],
            bare: vec![90.0, 100.0, 1e9],
        }];
        let text = table(&rows, 16);
        let row = text.lines().last().unwrap();
        assert_eq!(
            row,
            "| one word | 20.4 KB | 90 us | 0.12 ms | 31 ms | 20.0 ms | 0.12 ms | 31 ms | 5 us |"
        );
        let compared = compared(&rows);
        let row = compared.lines().last().unwrap();
        assert_eq!(row, "| one word | 100 us | 20.0 ms | 105.26 |");
        assert_eq!(answers(&rows), 400);
        assert!((201.0..202.0).contains(&spread(&rows)), "{}", spread(&rows));
        // 3 x 10.0 + 4.6 of that and 331.2 + 20,000.
        let share = client_share(&rows);
        assert!((0.169..0.171).contains(&share), "{share}");
    }
}
