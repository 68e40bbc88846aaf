//! The rules of the house that a compiler does not know: where files begin and
//! end, where the protocols' words may stand, and which way imports point.

use crate::app::workspace;
use protocol::codes::Code;
use protocol::dialect::{Dialect, Protocol};
use protocol::operation::{AGENT, Operation};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The longest file, unit tests apart.
const MAX_LINES: usize = 800;

/// The longest ARCHITECTURE.md.
const MAX_ARCHITECTURE_LINES: usize = 250;

/// The packages, and which of ours each may use in the program itself.
const IMPORTS: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("mcp", &[]),
    ("catalog", &[]),
    ("search", &["catalog"]),
    ("location", &["catalog"]),
    ("ingest", &["catalog", "location"]),
    ("signature", &[]),
    ("shopkeeper", &["catalog", "ingest", "location", "mcp", "protocol", "search", "signature"]),
];

/// Words of the protocols that are also words of something else, with where and why.
const ALSO_SOMETHING_ELSE: &[(&str, &str, &str)] = &[];

/// A source file of the program.
struct Source {
    krate: String,
    path: PathBuf,
    text: String,
}

/// Every `crates/*/src/**/*.rs`.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for krate in fs::read_dir(workspace().join("crates")).unwrap() {
        let krate = krate.unwrap().path();
        let name = krate.file_name().unwrap().to_str().unwrap().to_owned();
        for path in files(&krate.join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            sources.push(Source { krate: name.clone(), path, text });
        }
    }
    assert!(sources.len() > 50, "the sources are found");
    sources
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

impl Source {
    /// The text without its unit tests, which are last in the file.
    fn program(&self) -> &str {
        let tests = self.text.find("#[cfg(test)]\nmod ");
        &self.text[..tests.unwrap_or(self.text.len())]
    }

    /// The files that only its tests are in.
    fn test_files(&self) -> Vec<PathBuf> {
        let folder = match self.path.file_stem().unwrap().to_str().unwrap() {
            "lib" | "main" => self.path.parent().unwrap().to_owned(),
            _ => self.path.with_extension(""),
        };
        let marked = self.text.split("#[cfg(test)]\nmod ").skip(1);
        let names = marked.filter_map(|rest| rest.split_once(';').map(|(name, _)| name));
        let plain = names.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        plain.map(|name| folder.join(name).with_extension("rs")).collect()
    }

    fn name(&self) -> String {
        let root = workspace().join("crates");
        self.path.strip_prefix(root).unwrap().display().to_string()
    }
}

#[test]
fn every_file_opens_with_what_it_is() {
    let silent: Vec<String> = sources()
        .iter()
        .filter(|source| !source.text.starts_with("//! "))
        .map(Source::name)
        .collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn no_file_is_longer_than_can_be_read() {
    for source in sources() {
        let lines = source.program().lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines", source.name());
    }
    let path = workspace().join("ARCHITECTURE.md");
    if let Ok(text) = fs::read_to_string(path) {
        let lines = text.lines().count();
        assert!(lines <= MAX_ARCHITECTURE_LINES, "ARCHITECTURE.md has {lines} lines");
    }
}

/// Words that mean the protocol wherever they stand.
fn telling() -> BTreeSet<String> {
    let mut words = BTreeSet::from([AGENT.to_owned()]);
    for protocol in Protocol::ALL {
        words.insert(protocol.well_known_path().to_owned());
        words.insert(protocol.mcp_path().to_owned());
        words.insert(protocol.namespace().to_owned());
        words.extend(protocol.mcp_aliases().iter().map(|alias| (*alias).to_owned()));
        words.extend(protocol.agent_headers().iter().map(|header| (*header).to_owned()));
    }
    for dialect in Dialect::ALL {
        words.insert(dialect.version.to_owned());
        words.extend(
            dialect.capabilities().map(|capability| dialect.capability(capability).to_owned()),
        );
    }
    words.extend(mcp::REQUEST_HEADERS.map(str::to_owned));
    words.extend([mcp::TOOLS_CALL, mcp::TOOLS_LIST].map(str::to_owned));
    words.extend(mcp::REVISIONS.iter().map(|revision| revision.name.to_owned()));
    words.extend(Operation::ALL.map(|operation| operation.tool().to_owned()));
    words
}

#[test]
fn the_protocols_words_stand_in_protocol_and_mcp_alone() {
    let telling = telling();
    let codes: BTreeSet<&str> = Code::TABLE.iter().map(|row| row.name).collect();
    let sources = sources();
    let of_tests: BTreeSet<PathBuf> = sources.iter().flat_map(Source::test_files).collect();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in &sources {
        if ["protocol", "mcp"].contains(&source.krate.as_str()) || of_tests.contains(&source.path) {
            continue;
        }
        for literal in literals(source.program()) {
            let lower = literal.to_ascii_lowercase();
            let words = telling.iter().filter(|word| lower.contains(&word.to_ascii_lowercase()));
            let code = codes.get(literal.as_str()).map(|code| (*code).to_owned());
            for word in words.cloned().chain(code) {
                let allowed = |(known, file, _): &&(&str, &str, &str)| {
                    *known == word && source.name() == *file
                };
                if ALSO_SOMETHING_ELSE.iter().find(allowed).is_none() {
                    found
                        .entry(source.name())
                        .or_default()
                        .insert(format!("{word} in {literal:?}"));
                }
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The string literals of a source text, without those in comments.
fn literals(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.starts_with("r\"") || rest.starts_with("r#") && raw_opening(rest).is_some() {
            let hashes = raw_opening(rest).unwrap_or(0);
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &rest[hashes + 2..];
            let length = body.find(&end).unwrap_or(body.len());
            found.push(body[..length].to_owned());
            at += hashes + 2 + length + end.len();
        } else if rest.starts_with('"') {
            let mut end = 1;
            while end < rest.len() && rest.as_bytes()[end] != b'"' {
                end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
            }
            found.push(rest[1..end.min(rest.len())].to_owned());
            at += end + 1;
        } else if rest.starts_with("'\\")
            || rest.starts_with('\'') && rest.chars().nth(2) == Some('\'')
        {
            // A character, not a lifetime.
            let length = rest.char_indices().skip(2).find(|(_, c)| *c == '\'');
            at += length.map_or(1, |(end, _)| end + 1);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// The number of hashes before the quote of a raw string.
fn raw_opening(rest: &str) -> Option<usize> {
    let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
    rest[1 + hashes..].starts_with('"').then_some(hashes)
}

#[test]
fn literals_are_found_and_comments_are_not() {
    let text = r##"let a = "x\"y"; // "no"
        /* "no" */ let b = r#"raw "quoted""#; let c = '"'; let d = "z"; fn f<'a>(s: &'a str) {} "e""##;
    assert_eq!(literals(text), ["x\\\"y", "raw \"quoted\"", "z", "e"]);
}

#[test]
fn imports_point_one_way() {
    let ours: BTreeSet<&str> = IMPORTS.iter().map(|(name, _)| *name).collect();
    let mut packages = BTreeSet::new();
    for entry in fs::read_dir(workspace().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest: toml::Table =
            fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap();
        let name = manifest["package"]["name"].as_str().unwrap().to_owned();
        let (_, allowed) = IMPORTS.iter().find(|(known, _)| *known == name).unwrap();
        for table in ["dependencies", "build-dependencies"] {
            let Some(toml::Value::Table(used)) = manifest.get(table) else { continue };
            for import in used.keys().filter(|used| ours.contains(used.as_str())) {
                assert!(allowed.contains(&import.as_str()), "{name} imports {import}");
            }
        }
        packages.insert(name);
    }
    assert_eq!(packages.iter().map(String::as_str).collect::<BTreeSet<_>>(), ours);
}
