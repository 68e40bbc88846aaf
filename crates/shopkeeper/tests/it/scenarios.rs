//! Scenarios as data: what is asked and what is answered, rule by rule.
//!
//! Each scenario of `scenarios/*.json` is sent by every kind of client; all must get
//! the same content, and it must be what the snapshot says. A scenario is
//!
//! ```json
//! {"name": "...", "rule": ["C9"], "protocol": "ucp", "version": "2026-08-25", "tool": "lookup_catalog",
//!  "request": {"ids": ["..."]}, "page": 1, "expect": {"/products/0/id": "...", "/products#": 1}}
//! ```
//!
//! where `protocol` (ucp), `version` (the protocol's newest) and `page` (the first)
//! may be left out. In `expect` a pointer ending in `#` means a length, and `null`
//! that nothing is there.

use crate::answers;
use crate::app::mercado;
use crate::clients::{Channel, arguments};
use crate::print::{pretty, redact};
use crate::profiles;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::Operation;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    name: String,
    rule: Vec<String>,
    protocol: Option<String>,
    version: Option<String>,
    tool: String,
    request: Value,
    #[serde(default = "first")]
    page: usize,
    #[serde(default)]
    expect: Map<String, Value>,
}

const fn first() -> usize {
    1
}

macro_rules! files {
    ($($name:ident)+) => {
        const FILES: &[&str] = &[$(stringify!($name)),+];
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })+
    };
}

files! {
    browse filters price currency search paging language
    lookup product selection versions brazil
    places distance serves hours amenities items lookup_places
}

/// Every scenario of one file; all are run, whatever becomes of one.
fn run(file: &str) {
    let failed: Vec<String> = read(file)
        .into_iter()
        .filter(|scenario| catch_unwind(AssertUnwindSafe(|| scenario.check())).is_err())
        .map(|scenario| scenario.name)
        .collect();
    assert!(failed.is_empty(), "failed, see above: {}", failed.join(", "));
}

impl Scenario {
    fn dialect(&self) -> &'static Dialect {
        let named = self.protocol.as_deref().unwrap_or("ucp");
        let protocol = Protocol::ALL.into_iter().find(|known| known.name() == named).unwrap();
        match &self.version {
            Some(version) => Dialect::find(protocol, version).unwrap(),
            None => Dialect::of(protocol).next().unwrap(),
        }
    }

    fn check(&self) {
        let answer = self.on(Channel::Bare);
        for channel in Channel::ALL {
            let other = self.on(channel);
            assert_eq!(other, answer, "{}: {channel:?} differs from Bare", self.name);
        }
        for (pointer, expected) in &self.expect {
            let found = match pointer.strip_suffix('#') {
                Some(list) => answer
                    .pointer(list)
                    .and_then(Value::as_array)
                    .map_or(Value::Null, |items| items.len().into()),
                None => answer.pointer(pointer).cloned().unwrap_or_default(),
            };
            assert_eq!(found, *expected, "{}: {pointer} in\n{answer:#}", self.name);
        }
        let mut shown = answer;
        redact(&mut shown);
        let dialect = self.dialect();
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_description(format!(
            "{}: {} {} {}, page {}, {}",
            self.rule.join(" "),
            dialect.protocol.name(),
            dialect.version,
            self.tool,
            self.page,
            self.request
        ));
        settings.set_snapshot_path("snapshots/scenarios");
        settings.bind(|| insta::assert_snapshot!(self.name.clone(), pretty(&shown)));
    }

    /// The content that a client on `channel` gets, on the page that is wanted.
    fn on(&self, channel: Channel) -> Value {
        let (store, dialect) = (mercado(), self.dialect());
        let operation = Operation::from_tool(&self.tool).unwrap();
        let profile = profiles::good(dialect.protocol, dialect.version);
        let mut request = self.request.clone();
        for page in 1.. {
            let arguments = arguments(&self.tool, &request, &profile);
            let answer = channel.call(store, dialect.protocol, &self.tool, &arguments);
            assert!(answer.status.is_none_or(|status| status == 200), "{answer:?}");
            let content = answers::checked(&answer, operation, dialect, store);
            if page == self.page {
                return content.clone();
            }
            request["pagination"]["cursor"] = content["pagination"]["cursor"].clone();
        }
        unreachable!("pages are counted from 1")
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scenarios")
}

fn read(file: &str) -> Vec<Scenario> {
    let path = folder().join(file).with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_file_is_run_and_every_name_is_its_own() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    let mut listed = FILES.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
    let mut names = BTreeSet::new();
    for scenario in FILES.iter().flat_map(|file| read(file)) {
        assert!(names.insert(scenario.name.clone()), "{} is there twice", scenario.name);
    }
    let snapshots = folder().join("../snapshots/scenarios");
    for entry in std::fs::read_dir(snapshots).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(names.contains(name), "{name} is the snapshot of no scenario");
    }
}

/// Several scenarios for each rule of Catalog and Location, and for each tool in each
/// version that has it.
#[test]
fn the_scenarios_cover_the_rules() {
    let all: Vec<Scenario> = FILES.iter().flat_map(|file| read(file)).collect();
    let families = (1..=18).map(|n| format!("C{n}")).chain((1..=14).map(|n| format!("L{n}")));
    // C10 refuses, and L8 too: `bad_input` has them; L13 is about logs: `privacy`.
    let elsewhere = ["C10", "L8", "L13"];
    for rule in families.filter(|rule| !elsewhere.contains(&rule.as_str())) {
        let count = all.iter().filter(|scenario| scenario.rule.contains(&rule)).count();
        assert!(count >= 2, "{rule} has {count} scenarios");
    }
    for dialect in &Dialect::ALL {
        for operation in dialect.operations() {
            let speaks = |scenario: &&Scenario| {
                scenario.dialect() == dialect && scenario.tool == operation.tool()
            };
            let count = all.iter().filter(speaks).count();
            assert!(count >= 2, "{} {} has {count}", dialect.version, operation.tool());
        }
    }
    assert!(all.len() >= 60, "{}", all.len());
}
