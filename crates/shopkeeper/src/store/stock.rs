//! The stock feeds, joined with the Locations and items that they are about.

use crate::config::Config;
use ingest::{Problem, ProblemCode, Severity, Source};
use location::inventory::{Inventory, Items, StockFault, StockLine, StockReason};
use location::places::Places;
use std::io::Read;

/// The lines of all stock feeds, and where they come from.
#[derive(Default)]
pub(super) struct Stock {
    /// Each with the tag by which `origins` knows it.
    lines: Vec<(usize, StockLine)>,
    files: Vec<String>,
    /// Of each line, by its tag: the file and the line there.
    origins: Vec<(usize, u64)>,
    problems: Vec<(usize, Problem)>,
}

impl Stock {
    /// Reads the feeds.
    pub(super) fn read<R: Read>(sources: Vec<Source<R>>) -> Self {
        let mut stock = Self::default();
        for (index, Source { file, reader, format }) in sources.into_iter().enumerate() {
            let feed = ingest::stock(&file, reader, format);
            stock.problems.extend(feed.problems.into_iter().map(|problem| (index, problem)));
            for (line, said) in feed.values {
                stock.lines.push((stock.origins.len(), said));
                stock.origins.push((index, line));
            }
            stock.files.push(file);
        }
        stock
    }

    /// What the lines call items.
    pub(super) fn items(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(_, line)| line.item.as_str())
    }

    /// The inventory, and everything that is wrong with the feeds in the order of
    /// their lines.
    pub(super) fn join(
        self,
        config: &Config,
        places: &Places,
        items: &dyn Items,
    ) -> (Inventory, Vec<Problem>) {
        let Self { lines, files, origins, mut problems } = self;
        let providable = config.inventory.providable_statuses();
        let (inventory, faults) = Inventory::build(lines, places, items, &providable);
        problems.extend(faults.iter().map(|fault| {
            let (index, line) = origins[fault.tag];
            (index, problem(&files[index], line, fault))
        }));
        problems.sort_by_key(|(index, problem)| (*index, problem.line));
        (inventory, problems.into_iter().map(|(_, problem)| problem).collect())
    }
}

fn problem(file: &str, line: u64, fault: &StockFault) -> Problem {
    let (field, code) = match fault.reason {
        StockReason::UnknownLocation(_) => ("location_id", ProblemCode::UnknownReference),
        StockReason::UnknownItem(_) => ("item_id", ProblemCode::UnknownReference),
        StockReason::Repeated { .. } => ("", ProblemCode::Repeated),
    };
    let severity = if fault.reason.is_warning() { Severity::Warning } else { Severity::Refused };
    Problem {
        file: file.to_owned(),
        line,
        field: field.to_owned(),
        code,
        severity,
        text: fault.reason.to_string(),
    }
}
