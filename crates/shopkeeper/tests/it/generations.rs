//! Data that change while they are served: walks that began before, a build that is
//! killed, an index that another process builds (rule C7, DESIGN 6).

use crate::app::{TestApp, demo_config, runtime, scratch, workspace};
use crate::clients::{Channel, arguments, ask};
use crate::profiles;
use crate::random::Random;
use jiff::{SignedDuration, Timestamp};
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use shopkeeper::app::App;
use shopkeeper::config::Config;
use shopkeeper::store::follow::{self, Served};
use shopkeeper::store::generation::{Contents, Generations};
use shopkeeper::store::{self, Started};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The demo store with feeds of its own, which a test may change.
struct Shop {
    folder: PathBuf,
    store: TestApp,
    /// How far the store's clock is ahead, in seconds.
    ahead: Arc<AtomicU64>,
    /// Every line of the product feed as it was at first.
    products: Vec<String>,
    places: Vec<String>,
}

impl Shop {
    fn open(name: &str) -> Self {
        let folder = scratch(name);
        let demo = workspace().join("examples/mercado");
        let mut config = demo_config(name);
        let lines = |file: &str| -> Vec<String> {
            fs::read_to_string(demo.join(file)).unwrap().lines().map(str::to_owned).collect()
        };
        let products = config.catalog.feeds.iter().flat_map(|feed| lines(feed.path())).collect();
        let places = config.locations.feeds.iter().flat_map(|feed| lines(feed.path())).collect();
        config.folder = folder.clone();
        config.data.dir = "data".to_owned();
        config.catalog.feeds = vec![feed("products.jsonl")];
        config.catalog.synonyms.clear();
        config.locations.feeds = vec![feed("stores.jsonl")];
        config.inventory.feeds.clear();
        let ahead = Arc::new(AtomicU64::new(0));
        let clock = {
            let (ahead, start) = (Arc::clone(&ahead), Instant::now());
            move || start + Duration::from_secs(ahead.load(Ordering::SeqCst))
        };
        let store = TestApp::closed_by(config, clock);
        let shop = Self { folder, store, ahead, products, places };
        shop.publish("first", 0);
        shop
    }

    /// Serves the feeds without their first `without` rows, under a mark of their own.
    fn publish(&self, mark: &str, without: usize) {
        let write = |name: &str, rows: &[String]| {
            let rows = &rows[without.min(rows.len() - 1)..];
            fs::write(self.folder.join(name), format!("{}\n", rows.join("\n"))).unwrap();
        };
        write("products.jsonl", &self.products);
        write("stores.jsonl", &self.places);
        let marked = format!("{}\n", product(mark));
        let path = self.folder.join("products.jsonl");
        let feed = fs::read_to_string(&path).unwrap();
        fs::write(&path, feed + &marked).unwrap();
        let loaded = store::load(self.store.app.config()).unwrap();
        assert_eq!(loaded.counts(), (0, 0), "{:?}", loaded.problems.first());
        self.store.app.publish(loaded.snapshot);
    }

    fn pass(&self, seconds: u64) {
        self.ahead.fetch_add(seconds, Ordering::SeqCst);
    }

    /// The code and the message of a call that is refused.
    fn refused(&self, tool: &str, request: &Value) -> Value {
        let profile = profiles::good(Protocol::Ucp, "2026-08-25");
        let arguments = arguments(tool, request, &profile);
        let answer = Channel::Bare.call(&self.store, Protocol::Ucp, tool, &arguments);
        answer.message["error"]["data"].clone()
    }
}

fn feed(path: &str) -> shopkeeper::config::Feed {
    shopkeeper::config::Feed::Path(path.to_owned())
}

fn product(id: &str) -> String {
    let plain = json!({"plain": "x"});
    let variant = json!({"id": format!("v{id}"), "title": id, "description": plain,
        "price": {"amount": 100, "currency": "BRL"}});
    json!({"id": format!("mark-{id}"), "title": id, "description": plain, "variants": [variant]})
        .to_string()
}

const SEARCHES: [(&str, &str); 2] =
    [("search_catalog", "products"), ("search_locations", "locations")];

fn request(tool: &str) -> Value {
    if tool == "search_catalog" { json!({"query": "*"}) } else { json!({}) }
}

#[test]
fn rule_c7_a_walk_sees_the_data_that_it_began_in_while_others_are_published() {
    let shop = Shop::open("walks");
    let mut random = Random(77);
    for round in 0..6 {
        for (tool, list) in SEARCHES {
            let mut request = request(tool);
            request["pagination"] = json!({"limit": 100});
            let whole = ask(&shop.store, tool, &request)[list].as_array().unwrap().clone();
            assert!(whole.len() > 6, "too few to walk");
            let (mut found, mut published) = (Vec::new(), 0);
            loop {
                request["pagination"]["limit"] = json!(1 + random.below(9));
                let page = ask(&shop.store, tool, &request);
                found.extend(page[list].as_array().unwrap().iter().cloned());
                assert_eq!(page["pagination"]["total_count"], whole.len(), "{tool}");
                let Some(cursor) = page["pagination"].get("cursor") else { break };
                request["pagination"]["cursor"] = cursor.clone();
                if published < 10 && random.one_in(2) {
                    published += 1;
                    let mark = format!("{round}-{published}-{tool}");
                    shop.publish(&mark, random.below(4));
                    shop.pass(30);
                }
            }
            assert_eq!(found, whole, "{tool}");
        }
    }
}

#[test]
fn rule_c7_ten_minutes_later_a_cursor_is_of_an_older_state() {
    for (tool, list) in SEARCHES {
        let shop = Shop::open(&format!("expiry-{tool}"));
        let mut request = request(tool);
        request["pagination"] = json!({"limit": 3});
        let first = ask(&shop.store, tool, &request);
        request["pagination"]["cursor"] = first["pagination"]["cursor"].clone();
        let second = ask(&shop.store, tool, &request);
        // The ten minutes begin when the data are superseded, not with the cursor.
        shop.pass(3_600);
        shop.publish("later", 5);
        shop.pass(600);
        assert_eq!(ask(&shop.store, tool, &request)[list], second[list]);
        // Changed anywhere, it is refused as ever, in words that tell nothing.
        let cursor = request["pagination"]["cursor"].as_str().unwrap().to_owned();
        for at in 0..cursor.len() {
            let mut changed = cursor.clone();
            let other = if &cursor[at..=at] == "B" { "C" } else { "B" };
            changed.replace_range(at..=at, other);
            let mut forged = request.clone();
            forged["pagination"]["cursor"] = json!(changed);
            let refused = shop.refused(tool, &forged);
            assert_eq!(refused["code"], "invalid_cursor", "{at}");
            assert!(refused.to_string().contains("was changed"), "{refused}");
        }
        shop.pass(1);
        let refused = shop.refused(tool, &request);
        assert_eq!(refused["code"], "invalid_cursor");
        assert!(refused.to_string().contains("older state"), "{refused}");
    }
}

/// An index for whose files a number stands, in every one of them.
fn numbered(folder: &Path, number: u64) -> std::io::Result<Contents> {
    for file in 0..6 {
        fs::write(folder.join(format!("file-{file}")), number.to_string().repeat(2_000))?;
    }
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&number.to_be_bytes());
    Ok(Contents { digest, products: number, ..Contents::default() })
}

/// The variable that says where the child of the next test builds.
const CHILD: &str = "IT_GENERATIONS_CHILD";

#[ignore = "the child of the next test"]
#[test]
fn a_child_that_builds_one_generation_after_the_other() {
    let dir = std::env::var_os(CHILD).unwrap();
    let generations = Generations::within(dir.into());
    let first = generations.open().map_or(0, |found| found.manifest.products);
    // A parent that died leaves no child that builds for ever.
    let until = Instant::now() + Duration::from_secs(60);
    for number in first + 1.. {
        generations.build(|folder| numbered(folder, number)).unwrap();
        if Instant::now() > until {
            return;
        }
    }
}

#[test]
fn a_build_that_is_killed_leaves_the_old_or_the_new_generation() {
    let dir = scratch("killed");
    let generations = Generations::within(dir.clone());
    let mut random = Random(9);
    let mut last = 0;
    let mut leftovers = 0;
    for _ in 0..25 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "generations::a_child_that_builds_one_generation_after_the_other",
            ])
            .env(CHILD, &dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Not before it has built one, however slow the machine is.
        let until = Instant::now() + Duration::from_secs(60);
        while generations.open().map_or(0, |found| found.manifest.products) <= last {
            assert!(Instant::now() < until, "the child builds nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.below(20_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();

        let found = generations.open().unwrap();
        assert!(found.manifest.products > last, "never an older one");
        last = found.manifest.products;
        for file in 0..6 {
            let text = fs::read_to_string(found.dir.join(format!("file-{file}"))).unwrap();
            assert_eq!(text, last.to_string().repeat(2_000), "a mix");
        }
        leftovers += building(&dir);
    }
    assert!(leftovers > 0, "not one build was interrupted");
    let next = generations.build(|folder| numbered(folder, last + 1)).unwrap();
    assert_eq!(generations.open().unwrap(), next);
    assert_eq!(building(&dir), 0);
}

/// How many builds lie unfinished.
fn building(dir: &Path) -> usize {
    let entries = fs::read_dir(dir.join("generations")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("building-")).count()
}

fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_index_that_another_process_builds_is_served_and_a_broken_one_is_not() {
    let shop = Shop::open("followed");
    let total = || {
        ask(&shop.store, "search_catalog", &json!({"query": "*"}))["pagination"]["total_count"]
            .as_u64()
            .unwrap()
    };
    let before = total();
    let app: Arc<App> = Arc::clone(&shop.store.app);
    let every = Duration::from_millis(10);
    let loads = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&loads);
    let load = move |config: &Config| {
        let loaded = store::load_whole(config);
        counted.fetch_add(1, Ordering::SeqCst);
        loaded
    };
    let following = runtime().spawn(follow::follow::<_, ()>(app, Served::default(), every, load));
    let generations = Generations::of(shop.store.app.config());
    let build = |number| generations.build(|folder| numbered(folder, number)).unwrap();
    let feed = shop.folder.join("products.jsonl");
    fs::write(&feed, format!("{}\n", product("alone"))).unwrap();
    std::thread::sleep(5 * every);
    assert_eq!((total(), loads.load(Ordering::SeqCst)), (before, 0), "the pointer decides");
    build(1);
    eventually("the new data are served", || total() == 1);
    fs::remove_file(&feed).unwrap();
    build(2);
    eventually("the broken data are tried", || loads.load(Ordering::SeqCst) == 2);
    std::thread::sleep(5 * every);
    assert_eq!((total(), loads.load(Ordering::SeqCst)), (1, 2), "tried once, and not served");
    fs::write(&feed, format!("{}\n{}\n", product("one"), product("two"))).unwrap();
    build(3);
    eventually("the mended data are served", || total() == 2);
    following.abort();
}

#[test]
fn rule_c7_a_restart_ends_no_walk() {
    let shop = Shop::open("restart");
    let config = shop.store.app.config().clone();
    let index = || {
        let filled = |folder: &Path| {
            store::build(&config, &Arc::default(), Some(folder)).map(|loaded| loaded.contents())
        };
        Generations::of(&config).build(filled).unwrap()
    };
    let first = index();
    let opened = store::open(&config, &first).unwrap();
    shop.store.app.publish(opened.snapshot);
    let page = |store: &TestApp, cursor: Option<&str>| {
        let pagination = json!({"limit": 5, "cursor": cursor});
        let pagination = if cursor.is_some() { pagination } else { json!({"limit": 5}) };
        ask(store, "search_catalog", &json!({"query": "*", "pagination": pagination}))
    };
    let begun = page(&shop.store, None);
    let cursor = begun["pagination"]["cursor"].as_str().unwrap();
    shop.publish("second", 40);
    index();

    let again = Shop { store: TestApp::closed(config.clone()), ..shop };
    again.store.app.publish(store::newest(&config).unwrap().snapshot);
    assert!(page(&again.store, None)["pagination"]["total_count"].as_u64() < Some(60));
    let request = json!({"query": "*", "pagination": {"limit": 5, "cursor": cursor}});
    assert_eq!(again.refused("search_catalog", &request)["code"], "invalid_cursor");
    follow::revive(&again.store.app);
    let second = page(&again.store, Some(cursor));
    assert_eq!(second["pagination"]["total_count"], begun["pagination"]["total_count"]);
    assert_eq!(second["products"].as_array().unwrap().len(), 5);
}

#[test]
fn a_sale_ends_while_the_store_is_open() {
    sale_ends("sale", false);
}

#[test]
fn a_sale_ends_while_its_feed_is_away_and_the_price_follows_when_it_is_back() {
    sale_ends("sale-away", true);
}

fn sale_ends(name: &str, feed_is_away: bool) {
    let folder = scratch(name);
    let text = "[store]\ncurrency = \"BRL\"\n[server]\ndev = true\n[data]\ndir = \"data\"\n\
                [catalog]\nfeeds = [{ path = \"a.tsv\", format = \"google\" }]\n";
    fs::write(folder.join("shopkeeper.toml"), text).unwrap();
    let end = Timestamp::now() + SignedDuration::from_secs(3);
    let row = format!("a\tBola\tBola.\t10.00 BRL\t8.00 BRL\t2020-01-01T00:00Z/{end}\tin_stock");
    let head = "id\ttitle\tdescription\tprice\tsale_price\tsale_price_effective_date\tavailability";
    fs::write(folder.join("a.tsv"), format!("{head}\n{row}\n")).unwrap();
    let config = Config::load(&folder.join("shopkeeper.toml"), [], |_| ()).unwrap();
    let Started { loaded, generation } = store::start(&config).unwrap();
    assert_eq!(loaded.turn, Some(end + SignedDuration::from_nanos(1)));
    let generations = Generations::of(&config);
    assert_eq!(generations.open().unwrap().manifest.turn, loaded.turn);
    let served = Served { generation: generation.clone(), turn: loaded.turn };
    let store = TestApp::closed(config);
    store.app.publish(loaded.snapshot);
    let price = || {
        let answer = ask(&store, "lookup_catalog", &json!({"ids": ["a"]}));
        answer["products"][0]["variants"][0]["price"]["amount"].as_u64()
    };
    assert_eq!(price(), Some(800), "the sale is on");
    let app = Arc::clone(&store.app);
    let every = Duration::from_millis(20);
    let (feed, away) = (folder.join("a.tsv"), folder.join("away.tsv"));
    if feed_is_away {
        fs::rename(&feed, &away).unwrap();
    }
    let following = runtime().spawn(follow::follow::<_, ()>(app, served, every, store::newest));
    if feed_is_away {
        while Timestamp::now() <= end + SignedDuration::from_millis(300) {
            std::thread::sleep(every);
        }
        assert_eq!(price(), Some(800), "what cannot be read changes nothing");
        fs::rename(&away, &feed).unwrap();
    }
    eventually("the sale has ended", || price() == Some(1000));
    assert!(Timestamp::now() > end);
    following.abort();
    let current = generations.open().unwrap();
    assert_ne!(Some(&current.name), generation.as_ref(), "and the index is another");
    let digest = |name: &str| name.split('-').next().unwrap().to_owned();
    assert_ne!(generation.as_deref().map(digest), Some(digest(&current.name)), "for cursors too");
    assert_eq!(current.manifest.turn, None);
}

/// A feed that is a pipe holds a build up until the test has changed the other one.
#[cfg(unix)]
#[test]
fn a_feed_that_changes_while_it_is_read_is_a_problem_and_no_index() {
    let folder = scratch("changing");
    let config = "[catalog]\nfeeds = [\"a.jsonl\", \"pipe.jsonl\"]\n[data]\ndir = \"data\"\n";
    fs::write(folder.join("shopkeeper.toml"), config).unwrap();
    fs::write(folder.join("a.jsonl"), format!("{}\n", product("a"))).unwrap();
    let made = Command::new("mkfifo").arg(folder.join("pipe.jsonl")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no mkfifo");
        return;
    }
    let config = Config::load(&folder.join("shopkeeper.toml"), [], |_| ()).unwrap();
    #[derive(PartialEq)]
    enum Change {
        None,
        Once,
        /// And the next reading is not held up.
        OnceForAll,
    }
    let write = |change: Change| {
        // Opening waits for the reader, who has opened the feed before it by then.
        let mut pipe = fs::File::options().write(true).open(folder.join("pipe.jsonl")).unwrap();
        let row = format!("{}\n", product("p"));
        if change == Change::OnceForAll {
            fs::write(folder.join("plain"), &row).unwrap();
            fs::rename(folder.join("plain"), folder.join("pipe.jsonl")).unwrap();
        }
        if change != Change::None {
            let feed = fs::read_to_string(folder.join("a.jsonl")).unwrap();
            fs::write(folder.join("a.jsonl"), format!("{feed}{}\n", product("b"))).unwrap();
        }
        pipe.write_all(row.as_bytes()).unwrap();
    };
    let load = |change: Change| {
        std::thread::scope(|scope| {
            scope.spawn(|| write(change));
            store::load(&config).unwrap()
        })
    };
    let quiet = load(Change::None);
    assert!(quiet.changed.is_empty() && quiet.counts() == (0, 0), "{:?}", quiet.problems);
    let torn = load(Change::Once);
    assert_eq!(torn.changed, ["a.jsonl"]);
    let said: Vec<String> = torn.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["a.jsonl:1: changed while it was read; run it again"]);
    assert_eq!(torn.problems[0].code.as_str(), "changed_while_read");
    assert_eq!(torn.counts(), (1, 0), "it is counted as refused");
    let whole = std::thread::scope(|scope| {
        scope.spawn(|| write(Change::OnceForAll));
        store::load_whole(&config).unwrap()
    });
    assert!(whole.changed.is_empty(), "read again, and whole");
    let generations = Generations::of(&config);
    generations.build(|_| Ok::<_, store::LoadError>(torn.contents())).unwrap_err();
    assert!(generations.open().is_err(), "not switched to");
}

#[test]
fn a_build_says_how_far_it_has_come_and_what_it_has_read() {
    let config = demo_config("progress");
    let progress = Arc::default();
    let loaded = store::build(&config, &progress, None).unwrap();
    let sizes = loaded.sources.iter().map(|source| {
        let bytes = fs::metadata(config.resolve(&source.path)).unwrap().len();
        assert_eq!(source.bytes, bytes, "{}", source.path);
        bytes
    });
    let total: u64 = sizes.sum();
    assert!(total > 10_000);
    assert_eq!((progress.read_bytes(), progress.total_bytes()), (total, total));
}
