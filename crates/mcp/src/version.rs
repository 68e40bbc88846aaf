//! The revisions of MCP that are served, as data.
//!
//! Everything that differs between revisions and is not a matter of era stands in
//! this table, so that the next revision is one more row. Which era a request
//! belongs to is decided in [`crate::era`].

use crate::era::Era;

/// One dated revision of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The date that names it, as it goes over the wire.
    pub name: &'static str,
    /// How its requests are framed.
    pub era: Era,
    /// Whether a body may be a JSON-RPC batch (rule M5): 2025-03-26 alone.
    pub batches: bool,
}

/// Every revision served, newest first: the order in which `server/discover`
/// and error -32022 list them.
pub const REVISIONS: [Revision; 5] = [
    Revision { name: FIRST_STATELESS, era: Era::Stateless, batches: false },
    Revision { name: LATEST_LIFECYCLE, era: Era::Lifecycle, batches: false },
    Revision { name: "2025-06-18", era: Era::Lifecycle, batches: false },
    Revision { name: "2025-03-26", era: Era::Lifecycle, batches: true },
    Revision { name: "2024-11-05", era: Era::Lifecycle, batches: false },
];

/// The revision that did away with `initialize`; a later header means the same era (rule M1).
pub const FIRST_STATELESS: &str = "2026-07-28";

/// What `initialize` answers to a version that is not served in its era (rule M3).
pub const LATEST_LIFECYCLE: &str = "2025-11-25";

/// The revision of that name, if it is served.
pub(crate) fn revision(name: &str) -> Option<&'static Revision> {
    REVISIONS.iter().find(|revision| revision.name == name)
}

/// The names of all revisions served, newest first.
///
/// The lifecycle ones are listed too: a client that knows both eras picks from
/// this list, and one without the stateless revision learns that it may `initialize`.
pub(crate) fn names() -> Vec<&'static str> {
    REVISIONS.iter().map(|revision| revision.name).collect()
}

/// The names of the revisions of one era, newest first.
pub(crate) fn names_of(era: Era) -> Vec<&'static str> {
    let of_era = REVISIONS.iter().filter(|revision| revision.era == era);
    of_era.map(|revision| revision.name).collect()
}

/// Whether this name is a date no earlier than the first stateless revision (rule M1).
pub(crate) fn is_stateless(name: &str) -> bool {
    // ISO dates of one shape sort as text.
    is_date(name) && name >= FIRST_STATELESS
}

fn is_date(name: &str) -> bool {
    name.len() == FIRST_STATELESS.len()
        && name.bytes().zip(FIRST_STATELESS.bytes()).all(|(byte, model)| match model {
            b'-' => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_newest_first_and_agrees_with_its_constants() {
        assert!(REVISIONS.is_sorted_by(|a, b| a.name > b.name));
        let newest_of = |era| REVISIONS.iter().find(|r| r.era == era).map(|r| r.name);
        assert_eq!(newest_of(Era::Lifecycle), Some(LATEST_LIFECYCLE));
        let oldest = REVISIONS.iter().rev().find(|r| r.era == Era::Stateless);
        assert_eq!(oldest.map(|r| r.name), Some(FIRST_STATELESS));
        for revision in REVISIONS {
            assert_eq!(is_stateless(revision.name), revision.era == Era::Stateless);
        }
    }

    #[test]
    fn rule_m1_only_a_date_from_the_first_stateless_one_on_is_stateless() {
        for later in ["2026-07-28", "2026-07-29", "2099-01-01"] {
            assert!(is_stateless(later), "{later}");
        }
        for other in
            ["2026-07-27", "2025-11-25", "v999.0.0", "", "2026-07-280", "9999", "é026-07-2"]
        {
            assert!(!is_stateless(other), "{other}");
        }
    }
}
