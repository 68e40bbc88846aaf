//! `shopkeeper index`: what it prints, what it leaves, and its exit codes.

use super::{CONFIG, PRODUCTS, STOCK, STORES, run, shopkeeper};
use crate::app::{TestApp, scratch};
use crate::clients::ask;
use serde_json::json;
use shopkeeper::config::Config;
use shopkeeper::store;
use shopkeeper::store::generation::{Generations, State};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn config(folder: &Path) -> Config {
    Config::load(&folder.join("shopkeeper.toml"), [], |_| ()).unwrap()
}

/// A store of which rows are refused, with its data under `dir`.
fn broken_store(name: &str) -> PathBuf {
    let folder = scratch(name);
    for (name, text) in [
        ("shopkeeper.toml", CONFIG),
        ("products.jsonl", PRODUCTS),
        ("stores.jsonl", STORES),
        ("stock.csv", STOCK),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[test]
fn index_prints_what_check_prints_and_builds_all_the_same() {
    let folder = broken_store("index-broken");
    let (checked, indexed) = (run(&folder, &["check"]), run(&folder, &["index"]));
    assert_eq!((indexed.code, &indexed.out), (1, &checked.out), "{}", indexed.err);
    assert!(indexed.err.starts_with(&checked.err), "{}", indexed.err);
    let State::Usable(generation) = Generations::of(&config(&folder)).state(&config(&folder))
    else {
        panic!("the index is usable")
    };
    assert!(indexed.err.contains(&generation.name), "{}", indexed.err);
    let manifest = generation.manifest;
    assert_eq!((manifest.products, manifest.variants), (2, 2));
    assert_eq!(manifest.refused as usize + manifest.warnings as usize, checked.out.lines().count());
    let paths: Vec<_> = manifest.sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["products.jsonl", "stores.jsonl", "stock.csv"]);
    assert_eq!(manifest.sources[0].bytes, PRODUCTS.len() as u64);

    let row = PRODUCTS.lines().next().unwrap();
    fs::write(folder.join("products.jsonl"), format!("{row}\n")).unwrap();
    fs::write(folder.join("shopkeeper.toml"), CONFIG.split("[locations]").next().unwrap()).unwrap();
    let indexed = run(&folder, &["index"]);
    assert_eq!((indexed.code, indexed.out.as_str()), (0, ""), "{}", indexed.err);
}

#[test]
fn synonyms_are_a_part_of_the_index() {
    let folder = broken_store("index-synonyms");
    let named = CONFIG.replace("[locations]", "synonyms = \"words.txt\"\n[locations]");
    let named = named.replace("[store]", "[server]\ndev = true\n[store]");
    fs::write(folder.join("shopkeeper.toml"), named).unwrap();
    let checked = run(&folder, &["check"]);
    assert_eq!(checked.code, 2);
    assert!(checked.err.contains("[catalog] synonyms: cannot open words.txt"), "{}", checked.err);

    let words = folder.join("words.txt");
    fs::write(&words, "banana, plátano\nalone\n").unwrap();
    let indexed = run(&folder, &["index"]);
    assert!(indexed.out.contains("words.txt:2: "), "{}", indexed.out);
    let generations = Generations::of(&config(&folder));
    let State::Usable(generation) = generations.state(&config(&folder)) else {
        panic!("the index is usable")
    };
    // From the index, and not from the file, which may have changed meanwhile.
    fs::write(&words, "banana, pera\n").unwrap();
    let State::Stale { reason } = generations.state(&config(&folder)) else {
        panic!("other synonyms")
    };
    assert_eq!(reason.to_string(), "words.txt changed");
    let store = TestApp::closed(config(&folder));
    store.app.publish(store::open(&config(&folder), &generation).unwrap().snapshot);
    for (query, found) in [("plátanos", 1), ("pera", 0)] {
        let answer = ask(&store, "search_catalog", &json!({"query": query}));
        assert_eq!(answer["pagination"]["total_count"], found, "{query}");
    }
}

#[test]
fn an_index_that_cannot_be_built_is_exit_2_and_says_where() {
    let folder = broken_store("index-unwritable");
    fs::write(folder.join(".shopkeeper"), "a file in the way").unwrap();
    let indexed = run(&folder, &["index"]);
    assert_eq!(indexed.code, 2);
    assert!(indexed.err.contains(".shopkeeper: "), "{}", indexed.err);
    assert!(indexed.err.contains("[data] dir"), "{}", indexed.err);

    let folder = broken_store("index-busy");
    fs::create_dir_all(folder.join(".shopkeeper")).unwrap();
    let lock = fs::File::create(folder.join(".shopkeeper/index.lock")).unwrap();
    lock.lock().unwrap();
    let indexed = run(&folder, &["index"]);
    assert_eq!(indexed.code, 2);
    assert!(indexed.err.contains("another `shopkeeper index`"), "{}", indexed.err);
    lock.unlock().unwrap();
    assert_eq!(run(&folder, &["index"]).code, 1, "the lock is free again");
}

/// A feed that is a pipe holds the command up until the other one has changed.
#[cfg(unix)]
#[test]
fn feeds_that_change_are_exit_1_and_no_index() {
    let folder = broken_store("index-changing");
    fs::remove_file(folder.join("stock.csv")).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("stock.csv")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no mkfifo");
        return;
    }
    let mut index = shopkeeper();
    index.current_dir(&folder).arg("index").stdout(Stdio::piped()).stderr(Stdio::piped());
    let index = index.spawn().unwrap();
    let pipe = fs::File::options().write(true).open(folder.join("stock.csv")).unwrap();
    fs::write(folder.join("products.jsonl"), "").unwrap();
    drop(pipe);
    let ended = index.wait_with_output().unwrap();
    let (out, err) =
        (String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap());
    assert_eq!(ended.status.code(), Some(1), "{err}");
    assert!(out.ends_with("products.jsonl:1: changed while it was read; run it again\n"), "{out}");
    assert!(err.contains("the index is as it was"), "{err}");
    assert!(Generations::of(&config(&folder)).open().is_err());
}
