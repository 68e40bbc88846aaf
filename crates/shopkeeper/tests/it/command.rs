//! The command line: what is printed, and what the exit code says (DESIGN 3).

mod index;
mod stdio;

use crate::app::{mercado, scratch, workspace};
use crate::profiles;
use protocol::dialect::Protocol;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The program, out of reach of the environment's configuration.
fn shopkeeper() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shopkeeper"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHOPKEEPER_")) {
        command.env_remove(name);
    }
    command
}

struct Ended {
    code: i32,
    out: String,
    err: String,
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let Output { status, stdout, stderr } =
        shopkeeper().current_dir(folder).args(arguments).output().unwrap();
    Ended {
        code: status.code().unwrap(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

#[test]
fn the_version() {
    let ended = run(&scratch("version"), &["--version"]);
    let zones = ended.out.strip_prefix("shopkeeper 0.1.0 (time zones ").unwrap();
    let release = zones.strip_suffix(")\n").unwrap();
    assert_eq!(ended.code, 0);
    // A year and a letter: the order of texts is that of releases (rule H5).
    assert!(release >= "2026f", "{release}");
    assert_eq!(run(&scratch("version"), &["sell"]).code, 2);
    assert_eq!(run(&scratch("version"), &[]).code, 2);
}

const CONFIG: &str = r#"
[store]
name = "Quitanda"
language = "pt-BR"
country = "BR"
currency = "BRL"
[catalog]
feeds = ["products.jsonl"]
[locations]
feeds = ["stores.jsonl"]
[inventory]
feeds = ["stock.csv"]
"#;

const PRODUCTS: &str = r#"{"id":"p1","title":"Banana","description":{"plain":"Banana-prata."},"variants":[{"id":"v1","title":"Cacho","description":{"plain":"Um cacho."},"price":{"amount":699,"currency":"BRL"}}]}
{"id":"p2","title":"Sem variantes","description":{"plain":"Nada."},"variants":[]}
{"id":"p3","title":"Torto","description":{"plain":"x"},"variants":[{"id":"v3","title":"t","description":{"plain":"x"},"price":{"amount":-5,"currency":"BRL"}}]}
this is no JSON
{"id":"p1","title":"Outra","description":{"plain":"Repetida."},"variants":[{"id":"v5","title":"t","description":{"plain":"x"},"price":{"amount":1,"currency":"BRL"}}]}
{"id":"p6","title":"Cor","description":{"plain":"x"},"colour":"red","variants":[{"id":"v6","title":"t","description":{"plain":"x"},"price":{"amount":1,"currency":"BRL"}}]}
"#;

const STORES: &str = r#"{"id":"loc_a","name":"Loja A","geo":{"latitude":-23.5,"longitude":-46.6},"hours":[{"day":"monday","opens":"09:00","closes":"09:00"}],"timezone":"America/Sao_Paulo"}
{"id":"loc_b","name":"Loja B","geo":{"latitude":-123.5,"longitude":-46.6}}
"#;

const STOCK: &str = "location_id,item_id,quantity,status
loc_a,v1,3,in_stock
loc_z,v1,3,in_stock
loc_a,v9,3,in_stock
loc_a,v1,lots,in_stock
";

#[test]
fn check_prints_each_problem_with_its_place() {
    let folder = scratch("broken");
    for (name, text) in [
        ("shopkeeper.toml", CONFIG),
        ("products.jsonl", PRODUCTS),
        ("stores.jsonl", STORES),
        ("stock.csv", STOCK),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    // The default file is ./shopkeeper.toml.
    let ended = run(&folder, &["check"]);
    assert_eq!(ended.code, 1, "a row was refused");
    for line in ended.out.lines() {
        let mut parts = line.splitn(4, ':');
        let (file, number) = (parts.next().unwrap(), parts.next().unwrap());
        assert!(folder.join(file).is_file(), "{line}");
        assert!(number.parse::<u32>().is_ok(), "{line}");
        assert!(parts.next().is_some_and(|text| text.starts_with(' ')), "{line}");
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("check", format!("{}--\n{}", ended.out, ended.err)));
}

#[test]
fn check_finds_nothing_wrong_with_the_demo_store() {
    let ended = run(&workspace(), &["check", "examples/mercado/shopkeeper.toml"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, ""), "{}", ended.err);
    assert!(ended.err.contains("86 products with 364 variants"), "{}", ended.err);
}

#[test]
fn a_configuration_that_cannot_be_used() {
    let folder = scratch("unusable");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("key.toml", "[server]\nport = 8080\n");
    write("table.toml", "[shop]\nname = \"x\"\n");
    write("value.toml", "[limits]\nbody_bytes = \"much\"\n");
    write("feed.toml", "[catalog]\nfeeds = [\"nowhere.jsonl\"]\n");
    write("format.toml", "[catalog]\nfeeds = [{ path = \"x.jsonl\", format = \"excel\" }]\n");
    write("x.jsonl", "");
    let table = [
        ("nothing.toml", "nothing.toml"),
        ("key.toml", "port"),
        ("table.toml", "shop"),
        ("value.toml", "body_bytes"),
        ("feed.toml", "nowhere.jsonl"),
        ("format.toml", "excel"),
    ];
    for (file, named) in table {
        for command in ["check", "serve", "stdio"] {
            let mut arguments = vec![command, file];
            if command == "serve" {
                arguments.extend(["--listen", "127.0.0.1:0"]);
            }
            let ended = run(&folder, &arguments);
            assert_eq!(ended.code, 2, "{command} {file}: {}", ended.err);
            assert!(ended.err.contains(named), "{command} {file}: {}", ended.err);
            assert_eq!(ended.out, "", "{command} {file}");
        }
    }
}

#[test]
fn the_environment_stands_above_the_file() {
    let folder = scratch("environment");
    fs::write(folder.join("shopkeeper.toml"), "[catalog]\nfeeds = [\"nowhere.jsonl\"]\n").unwrap();
    fs::write(folder.join("products.jsonl"), PRODUCTS.lines().next().unwrap()).unwrap();
    let output = shopkeeper()
        .current_dir(&folder)
        .arg("check")
        .env("SHOPKEEPER_CATALOG_FEEDS", "products.jsonl")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let output = shopkeeper()
        .current_dir(&folder)
        .arg("check")
        .env("SHOPKEEPER_LIMITS_BODY_BYTES", "much")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("SHOPKEEPER_LIMITS_BODY_BYTES"));
}

#[test]
fn call_is_a_platform_of_its_own() {
    let origin = format!("http://{}", mercado().address);
    let folder = scratch("call");
    let requests = [
        (
            "search_catalog",
            json!({"query": "leitor digital"}),
            "/products/0/id",
            "prod_leitor_paginas",
        ),
        (
            "lookup_catalog",
            json!({"catalog": {"ids": ["LP22"]}}),
            "/products/0/id",
            "prod_leitor_paginas",
        ),
        ("get_product", json!({"id": "LP22"}), "/product/id", "prod_leitor_paginas"),
        ("search_locations", json!({"query": "Botafogo"}), "/locations/0/id", "loc_botafogo"),
        ("lookup_locations", json!({"ids": ["centro"]}), "/locations/0/id", "loc_centro"),
    ];
    for (tool, request, pointer, expected) in requests {
        let ended = run(&folder, &["call", &origin, tool, &request.to_string()]);
        assert_eq!(ended.code, 0, "{tool}: {}", ended.err);
        let answer: Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(answer.pointer(pointer).unwrap(), expected, "{tool}");
    }
    let bcp = ["call", "--protocol", "bcp", &origin, "search_catalog", r#"{"query":"*"}"#];
    let ended = run(&folder, &bcp);
    let answer: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &answer["ucp"]["version"]), (0, &json!("2026-07-28")));
    let published = profiles::good(Protocol::Ucp, "2026-08-25");
    let own = ["call", "--profile", &published, &origin, "get_product", r#"{"id":"LP22"}"#];
    assert_eq!(run(&folder, &own).code, 0);
}

#[test]
fn call_says_by_its_exit_code_how_it_went() {
    let origin = format!("http://{}", mercado().address);
    let folder = scratch("call-codes");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nowhere = format!("http://{nobody}");
    let order = profiles::only(Protocol::Ucp, "2026-08-25", "shopping.order");
    let table: [(&[&str], i32, &str); 8] = [
        (&["call", &origin, "get_product", r#"{"id":"nada"}"#], 1, ""),
        (&["call", &origin, "get_product", r#"{"id":7}"#], 1, "$.catalog.id"),
        (&["call", "--profile", &order, &origin, "get_product", r#"{"id":"LP22"}"#], 1, ""),
        (&["call", &nowhere, "get_product", r#"{"id":"x"}"#], 1, "discovery"),
        (&["call", "--protocol", "bcp", &origin, "search_locations"], 1, "search_locations"),
        (&["call", &origin, "buy"], 2, "search_catalog"),
        (&["call", &origin, "get_product", "{"], 2, "JSON"),
        (&["call", "not a url", "get_product"], 2, "not a url"),
    ];
    for (arguments, code, named) in table {
        let ended = run(&folder, arguments);
        assert_eq!(ended.code, code, "{arguments:?}: {}", ended.err);
        assert!(ended.err.contains(named), "{arguments:?}: {}", ended.err);
    }
}

#[test]
fn keys_new_makes_a_key_for_its_owner_alone_and_never_over_another() {
    let folder = scratch("keys");
    for algorithm in ["es256", "es384", "ed25519"] {
        let made = run(&folder, &["keys", "new", "--algorithm", algorithm, algorithm]);
        assert_eq!(made.code, 0, "{}", made.err);
        assert!(made.out.contains("signing_key = "), "{}", made.out);
        let pem = fs::read(folder.join(algorithm)).unwrap();
        assert!(signature::SigningKey::from_text(&pem).is_ok());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.join(algorithm).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        let again = run(&folder, &["keys", "new", algorithm]);
        assert_eq!(again.code, 2);
        assert_eq!(fs::read(folder.join(algorithm)).unwrap(), pem);
    }
    fs::write(folder.join("wrong.pem"), "no key").unwrap();
    let feeds = "[store]\nname = \"S\"\n[server]\nlisten = \"127.0.0.1:0\"\n";
    let config = format!("{feeds}[security]\nsigning_key = \"wrong.pem\"\n");
    fs::write(folder.join("shopkeeper.toml"), config).unwrap();
    let refused = run(&folder, &["serve"]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("shopkeeper keys new"), "{}", refused.err);
    assert!(refused.err.contains("wrong.pem"), "{}", refused.err);
}
