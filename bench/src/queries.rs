//! The requests that load is made of, by class, sampled from a generated catalog so
//! that each of them finds something.

use crate::generated::Generated;
use crate::random::Chance;
use crate::words::{COLOURS, capitalised};
use protocol::operation::Operation;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Requests of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Class {
    /// What they have in common, as the reports call it.
    pub name: String,
    /// The tool that they call.
    pub tool: String,
    /// Which page is asked for, walked to by cursor; 1 is the request as it stands.
    pub page: usize,
    /// Whether the words have typing errors.
    #[serde(default)]
    pub forgiving: bool,
    /// What stands in the tool's argument.
    pub requests: Vec<Value>,
}

/// Product types that have enough products for a fifth page.
const FREQUENT: usize = 20;

const TYPING_ERROR: &str = "typing error";

/// `each` requests of every class.
pub fn classes(catalog: &Generated, each: usize) -> Vec<Class> {
    let search = Operation::SearchCatalog.tool();
    let sample = |salt: u64, request: &dyn Fn(&mut Chance) -> Value| -> Vec<Value> {
        let mut chance = Chance::of(catalog.plan.seed, 100 + salt, 0);
        (0..each).map(|_| request(&mut chance)).collect()
    };
    let class = |name: &str, tool: &str, page, requests| Class {
        name: name.to_owned(),
        tool: tool.to_owned(),
        page,
        forgiving: name == TYPING_ERROR,
        requests,
    };
    let types = &catalog.words.types;
    let product = |chance: &mut Chance| chance.below(catalog.plan.products);
    let kind = |chance: &mut Chance| types[catalog.traits(product(chance)).kind].as_str();
    let long = long_types(catalog);
    let typing_errors = match long.is_empty() {
        true => Vec::new(),
        false => sample(4, &|chance| misspelt(catalog, &long, chance)),
    };
    let big = catalog.id(catalog.plan.products);
    vec![
        class("one word", search, 1, sample(1, &|chance| json!({"query": kind(chance)}))),
        class(
            "two words",
            search,
            1,
            sample(2, &|chance| {
                let of = catalog.traits(product(chance));
                json!({"query": format!("{} {}", types[of.kind], of.adjective)})
            }),
        ),
        class(
            "two words, price, category, available",
            search,
            1,
            sample(3, &|chance| filtered(catalog, chance, true)),
        ),
        class(TYPING_ERROR, search, 1, typing_errors),
        class("browse, filters", search, 1, sample(5, &|chance| filtered(catalog, chance, false))),
        class(
            "page 5",
            search,
            5,
            sample(6, &|chance| json!({"query": chance.pick(&types[..FREQUENT])})),
        ),
        class(
            "lookup of 10 ids",
            Operation::LookupCatalog.tool(),
            1,
            sample(7, &|chance| {
                let ids: Vec<String> = (0..10).map(|_| catalog.id(product(chance))).collect();
                json!({ "ids": ids })
            }),
        ),
        class(
            "get_product of 200 variants",
            Operation::GetProduct.tool(),
            1,
            sample(8, &|chance| {
                let selected = json!([{"name": "Cor", "label": chance.pick(&COLOURS)}]);
                json!({"id": big, "selected": selected})
            }),
        ),
    ]
}

/// Price, category and availability, with the words of a title or without, all of
/// them true of a product that can be bought.
fn filtered(catalog: &Generated, chance: &mut Chance, words: bool) -> Value {
    let of = loop {
        let of = catalog.traits(chance.below(catalog.plan.products));
        // One product in seven cannot be bought; a catalog of one may be all of it.
        if of.available || catalog.plan.products < 100 {
            break of;
        }
    };
    let kind = &catalog.words.types[of.kind];
    let mut request = json!({
        "filters": {
            "price": {"min": of.price / 2, "max": of.price * 2},
            "categories": [format!("{} > {}", catalog.words.root(of.kind), capitalised(kind))],
            "available": true,
        },
        "context": {"currency": "BRL"},
    });
    if words {
        request["query"] = json!(format!("{kind} {}", of.adjective));
    }
    request
}

/// Product types of six letters or more, none accented (a letter that only lost its
/// accent is no error to a search), as often as the first products have them.
fn long_types(catalog: &Generated) -> Vec<&str> {
    let first = 0..catalog.plan.products.min(5_000);
    first
        .map(|index| catalog.words.types[catalog.traits(index).kind].as_str())
        .filter(|kind| kind.len() >= 6 && kind.is_ascii())
        .collect()
}

/// One of `types` with a letter wrong, though not the first, so that it is a word
/// that the shop does not know.
fn misspelt(catalog: &Generated, types: &[&str], chance: &mut Chance) -> Value {
    loop {
        let mut letters = chance.pick(types).as_bytes().to_vec();
        let place = 1 + chance.below(letters.len() - 1);
        letters[place] = b'a' + chance.below(26) as u8;
        let wrong = String::from_utf8_lossy(&letters);
        if !catalog.words.knows(&wrong) {
            return json!({ "query": wrong });
        }
    }
}
