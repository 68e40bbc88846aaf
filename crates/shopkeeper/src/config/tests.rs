//! What the configuration promises: unknown keys named, precedence, every key reachable.

use super::{Config, ConfigError, variable};
use std::path::Path;

fn read(text: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let environment =
        environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let config = Config::read(text, Path::new("shopkeeper.toml"), environment)?;
    config.check().map(|()| config)
}

#[test]
fn an_empty_file_is_the_defaults() {
    assert_eq!(read("", &[]).unwrap(), Config::default());
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let error = read("[server]\nlistn = \"127.0.0.1:1\"\n", &[]).unwrap_err().to_string();
    assert!(error.contains("listn") && error.contains("line 2"), "{error}");
    let error = read("[sever]\n", &[]).unwrap_err().to_string();
    assert!(error.contains("sever"), "{error}");
}

#[test]
fn the_environment_beats_the_file() {
    let file =
        "[server]\nlisten = \"127.0.0.1:1\"\ndev = false\n[catalog]\nfeeds = [\"a.jsonl\"]\n";
    let config = read(
        file,
        &[
            ("SHOPKEEPER_SERVER_LISTEN", "127.0.0.1:2"),
            ("SHOPKEEPER_SERVER_DEV", "true"),
            ("SHOPKEEPER_CATALOG_FEEDS", "b.jsonl, c.jsonl"),
            ("SHOPKEEPER_LIMITS_REQUESTS_PER_MINUTE", "0"),
            ("SHOPKEEPER_PROTOCOLS_BCP", ""),
        ],
    )
    .unwrap();
    assert_eq!(config.server.listen.port(), 2);
    assert!(config.server.dev);
    let feeds: Vec<_> = config.catalog.feeds.iter().map(super::Feed::path).collect();
    assert_eq!(feeds, ["b.jsonl", "c.jsonl"]);
    assert_eq!(config.limits.requests_per_minute, 0);
    assert!(config.protocols.bcp.is_empty());
}

#[test]
fn every_key_can_be_set_by_its_variable() {
    for (table, key, default) in Config::keys() {
        let same = match &default {
            toml::Value::String(text) => text.clone(),
            toml::Value::Array(items) => {
                items.iter().filter_map(toml::Value::as_str).collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        let name = variable(&table, &key);
        assert_eq!(read("", &[(&name, &same)]).unwrap(), Config::default(), "{name}");
    }
}

#[test]
fn a_bad_value_names_its_variable_or_key() {
    let table = [
        ("", ("SHOPKEEPER_SERVER_DEV", "ja"), "SHOPKEEPER_SERVER_DEV"),
        ("", ("SHOPKEEPER_SERVER_LISTN", "x"), "SHOPKEEPER_SERVER_LISTN"),
        ("", ("SHOPKEEPER_SERVER_LISTEN", "nowhere"), "SHOPKEEPER_SERVER_LISTEN"),
        ("[server]\nallowed_hosts = [\"https://h.example\"]", ("", ""), "allowed_hosts"),
        ("[logs]\nlevel = \"a=b=c\"", ("", ""), "level"),
        ("[platforms]\nregistry = [\"http://a.example/p\"]", ("", ""), "registry"),
        ("[server]\npublic_url = \"http://h/path\"", ("", ""), "public_url"),
        ("[protocols]\nucp = [\"2099-01-01\"]", ("", ""), "2099-01-01"),
        ("[store]\ncurrency = \"reais\"", ("", ""), "reais"),
        ("[catalog]\nmax_batch = 3", ("", ""), "max_batch"),
        ("[catalog]\nfeeds = [{ path = \"a\" }]", ("", ""), "feed is a path"),
        ("[security]\nsignatures = \"always\"", ("", ""), "signatures"),
    ];
    for (file, variable, named) in table {
        let error = read(file, &[variable]).unwrap_err().to_string();
        assert!(error.contains(named), "{file}: {error}");
    }
}

#[test]
fn the_manual_lists_every_key() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let manual = std::fs::read_to_string(manual).expect("docs/configuration.md is there");
    let mut expected = Vec::new();
    for (table, key, default) in Config::keys() {
        expected.push(format!("| `{table}.{key}` | `{default}` |"));
    }
    let missing: Vec<_> = expected.iter().filter(|row| !manual.contains(row.as_str())).collect();
    assert!(
        missing.is_empty(),
        "docs/configuration.md lacks these rows or their defaults: {missing:#?}"
    );
    let rows = manual.lines().filter(|line| line.starts_with("| `") && line.contains('.')).count();
    assert_eq!(rows, expected.len(), "docs/configuration.md lists keys that do not exist");
}
