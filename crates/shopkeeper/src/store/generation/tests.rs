//! Builds, switches and what stands in their way.

use super::*;
use crate::store::configuration_digest;
use std::time::{Duration, SystemTime};

/// A data folder of one test's own, gone at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("shopkeeper-generation-{name}-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&dir);
        Self(dir)
    }

    fn generations(&self) -> Generations {
        Generations::within(self.0.clone())
    }

    /// Everything under the folder of generations.
    fn left(&self) -> Vec<String> {
        tidy::names(&self.0.join(FOLDER)).unwrap().into_iter().collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn contents(number: u8) -> Contents {
    Contents { digest: [number; 32], products: number.into(), ..Contents::default() }
}

/// Fills a folder as an index does: files, and files in folders.
fn fill(folder: &Path, number: u8) -> io::Result<Contents> {
    fs::write(folder.join("terms"), [number; 100])?;
    fs::create_dir(folder.join("columns"))?;
    fs::write(folder.join("columns/price"), [number; 100])?;
    Ok(contents(number))
}

#[test]
fn each_build_is_current_and_the_one_before_is_still_there() {
    let scratch = Scratch::new("switch");
    let generations = scratch.generations();
    assert!(matches!(generations.open(), Err(Staleness::None)));
    let first = generations.build(|folder| fill(folder, 0xab)).unwrap();
    assert_eq!(first.name, "abababababababab-1");
    assert_eq!(generations.open().unwrap(), first);
    let second = generations.build(|folder| fill(folder, 0xab)).unwrap();
    assert_eq!(second.name, "abababababababab-2", "a name is not used again");
    assert_eq!(generations.build(|folder| fill(folder, 1)).unwrap().name, "0101010101010101-3");
    let left = scratch.left();
    assert!(left.contains(&first.name), "{left:?}");
    assert_eq!(fs::read(first.dir.join("columns/price")).unwrap(), [0xab; 100]);
    assert_eq!(generations.open().unwrap().manifest.products, 1);
}

#[test]
fn a_build_that_fails_leaves_the_old_one_and_nothing_else() {
    let scratch = Scratch::new("full");
    let generations = scratch.generations();
    let old = generations.build(|folder| fill(folder, 1)).unwrap();
    let before = scratch.left();
    let full = generations.build(|folder| {
        fill(folder, 2)?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    });
    assert!(matches!(full, Err(BuildError::Content(_))));
    let changing = generations.build(|folder| {
        let changed = vec!["products.jsonl".to_owned()];
        Ok::<_, io::Error>(Contents { changed, ..fill(folder, 3)? })
    });
    assert!(changing.unwrap_err().to_string().starts_with("products.jsonl: changed while"));
    let fault = std::panic::catch_unwind(|| {
        let generations = Generations::within(scratch.0.clone());
        generations.build(|_| -> io::Result<Contents> { panic!("a fault of the index") })
    });
    assert!(fault.is_err());
    assert_eq!(scratch.left(), before);
    assert_eq!(generations.open().unwrap(), old);
    assert_eq!(generations.build(|folder| fill(folder, 2)).unwrap().manifest.products, 2);
}

#[test]
fn the_message_names_the_folder_and_what_to_do() {
    let folder = |kind: io::ErrorKind| {
        let dir = PathBuf::from("/shop/.shopkeeper");
        BuildError::<io::Error>::Folder { dir, source: kind.into() }.to_string()
    };
    let full = folder(io::ErrorKind::StorageFull);
    assert!(full.contains("/shop/.shopkeeper") && full.contains("Make room"), "{full}");
    assert!(folder(io::ErrorKind::PermissionDenied).contains("Let this user write there"));
    let scratch = Scratch::new("file");
    fs::write(&scratch.0, "no folder").unwrap();
    let error = scratch.generations().build(|folder| fill(folder, 1)).unwrap_err();
    fs::remove_file(&scratch.0).unwrap();
    assert!(matches!(error, BuildError::Folder { .. }), "{error}");
}

#[test]
fn two_builds_do_not_run_at_once_and_the_leftovers_of_a_dead_one_go() {
    let scratch = Scratch::new("busy");
    let generations = scratch.generations();
    let built = generations.build(|folder| {
        let second = generations.build(|folder| fill(folder, 2));
        assert!(matches!(second, Err(BuildError::Busy { .. })));
        assert!(folder.is_dir(), "the second does not tidy the first away");
        fill(folder, 1)
    });
    built.unwrap();
    // What a killed process leaves.
    let dead = scratch.0.join(FOLDER).join("building-dead/columns");
    fs::create_dir_all(&dead).unwrap();
    fs::write(scratch.0.join("CURRENT.dead"), "half").unwrap();
    generations.build(|folder| fill(folder, 2)).unwrap();
    assert!(!dead.exists() && !scratch.0.join("CURRENT.dead").exists());
}

#[test]
fn what_is_current_is_usable_until_something_changes() {
    let scratch = Scratch::new("stale");
    fs::create_dir_all(&scratch.0).unwrap();
    let feed = scratch.0.join("products.jsonl");
    fs::write(&feed, "one").unwrap();
    let mut config = Config { folder: scratch.0.clone(), ..Config::default() };
    config.data.dir = "data".to_owned();
    config.catalog.feeds = vec![crate::config::Feed::Path("products.jsonl".to_owned())];
    let generations = Generations::of(&config);
    let reason = |config: &Config| match generations.state(config) {
        State::Usable(_) => "usable".to_owned(),
        State::Stale { reason } => reason.to_string(),
    };
    assert_eq!(reason(&config), "there is no index yet");
    let loaded = crate::store::load(&config).unwrap();
    let built = generations.build(|_| Ok::<_, io::Error>(loaded.contents())).unwrap();
    assert_eq!(reason(&config), "usable");
    assert_eq!(built.name[..16], hex(&loaded.snapshot.generation()), "cursors carry the name");

    // The time alone says nothing.
    let touch = |seconds| {
        let time = SystemTime::now() + Duration::from_secs(seconds);
        File::options().write(true).open(&feed).unwrap().set_modified(time).unwrap();
    };
    touch(60);
    assert_eq!(reason(&config), "usable");
    fs::write(&feed, "two").unwrap();
    touch(120);
    assert_eq!(reason(&config), "products.jsonl changed");
    fs::write(&feed, "longer").unwrap();
    assert_eq!(reason(&config), "products.jsonl changed");
    fs::remove_file(&feed).unwrap();
    assert_eq!(reason(&config), "products.jsonl changed");
    fs::write(&feed, "one").unwrap();
    assert_eq!(reason(&config), "usable");

    let mut other = config.clone();
    other.catalog.max_page += 1;
    other.store.name.push('!');
    assert_eq!(configuration_digest(&other), configuration_digest(&config));
    other.store.currency = "USD".parse().unwrap();
    assert_eq!(reason(&other), "the configuration changed, or the program was updated");

    fs::write(built.dir.join(MANIFEST), r#"{"format_version": 99}"#).unwrap();
    let expected = format!("the index has format 99, this program's is {FORMAT_VERSION}");
    assert_eq!(reason(&config), expected);
    let bare = format!(r#"{{"format_version": {FORMAT_VERSION}}}"#);
    fs::write(built.dir.join(MANIFEST), bare).unwrap();
    assert!(reason(&config).contains("cannot be read"));
    for name in ["../../elsewhere", "0101010101010101-x", ""] {
        fs::write(config.resolve("data/CURRENT"), name).unwrap();
        assert!(reason(&config).contains("no generation's name"), "{name}");
    }
}
