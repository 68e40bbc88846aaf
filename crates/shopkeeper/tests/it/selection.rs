//! get_product on random selections, against the definitions of rules C12 to C14
//! written again, naively, over the answers themselves.

use crate::app::mercado;
use crate::clients::ask;
use crate::random::Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Options = BTreeMap<String, String>;

struct Variant {
    id: String,
    options: Options,
    available: bool,
}

/// A product as a search shows it: all variants, best first.
struct Product {
    id: String,
    axes: Vec<(String, Vec<String>)>,
    variants: Vec<Variant>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn options(list: &Value) -> Options {
    let list = list.as_array().into_iter().flatten();
    list.map(|option| (text(&option["name"]), text(&option["label"]))).collect()
}

fn read(product: &Value) -> Product {
    let axes = product["options"].as_array().into_iter().flatten();
    Product {
        id: text(&product["id"]),
        axes: axes
            .map(|axis| {
                let values = axis["values"].as_array().unwrap();
                (text(&axis["name"]), values.iter().map(|value| text(&value["label"])).collect())
            })
            .collect(),
        variants: product["variants"]
            .as_array()
            .unwrap()
            .iter()
            .map(|variant| Variant {
                id: text(&variant["id"]),
                options: options(&variant["options"]),
                // Rule C14: a variant without availability is available.
                available: variant["availability"]["available"].as_bool().unwrap_or(true),
            })
            .collect(),
    }
}

fn catalog() -> Vec<Product> {
    let request = json!({"query": "*", "pagination": {"limit": 100}});
    let answer = ask(mercado(), "search_catalog", &request);
    answer["products"].as_array().unwrap().iter().map(read).collect()
}

impl Product {
    fn matching(&self, selection: &Options) -> impl Iterator<Item = &Variant> {
        self.variants.iter().filter(move |variant| {
            selection.iter().all(|(name, label)| variant.options.get(name) == Some(label))
        })
    }

    /// Rule C13: what is left of `selected` once some variant has all of it.
    fn effective(&self, selected: &[(String, String)], preferences: &[String]) -> Options {
        let mut left: Vec<&(String, String)> = selected.iter().collect();
        loop {
            let selection: Options = left.iter().map(|entry| (*entry).clone()).collect();
            if self.matching(&selection).next().is_some() {
                return selection;
            }
            let rank = |name: &String| preferences.iter().position(|preferred| preferred == name);
            let unranked = left.iter().rposition(|(name, _)| rank(name).is_none());
            let at = unranked
                .unwrap_or_else(|| (0..left.len()).max_by_key(|&at| rank(&left[at].0)).unwrap());
            left.remove(at);
        }
    }

    fn check(&self, detail: &Value, effective: &Options) {
        let product = &detail["product"];
        assert_eq!(options(&product["selected"]), *effective, "rule C13");
        // Rule C12: all variants of the selection, the first available one first.
        let shown = read(product);
        let mut ids: Vec<&str> = shown.variants.iter().map(|variant| variant.id.as_str()).collect();
        let mut expected: Vec<&str> =
            self.matching(effective).map(|variant| variant.id.as_str()).collect();
        let any = self.matching(effective).any(|variant| variant.available);
        assert_eq!(shown.variants[0].available, any, "rule C12");
        ids.sort_unstable();
        expected.sort_unstable();
        expected.truncate(100);
        assert_eq!(ids, expected, "rule C12");
        // Rule C14.
        let axes = product["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        assert_eq!(axes.len(), self.axes.len(), "rule C12: all options are listed");
        for (axis, (name, labels)) in axes.iter().zip(&self.axes) {
            assert_eq!(axis["name"], **name);
            let values = axis["values"].as_array().unwrap();
            assert_eq!(values.len(), labels.len());
            for (value, label) in values.iter().zip(labels) {
                let mut wanted = effective.clone();
                wanted.insert(name.clone(), label.clone());
                let exists = self.matching(&wanted).next().is_some();
                let available = self.matching(&wanted).any(|variant| variant.available);
                assert_eq!(value["label"], **label);
                assert_eq!(value["exists"], exists, "rule C14: {name} {label} with {effective:?}");
                assert_eq!(
                    value["available"], available,
                    "rule C14: {name} {label} with {effective:?}"
                );
            }
        }
    }
}

#[test]
fn rules_c12_to_c14_random_selections() {
    let products: Vec<Product> =
        catalog().into_iter().filter(|product| !product.axes.is_empty()).collect();
    assert!(products.len() > 50);
    let mut random = Random(13);
    for _ in 0..300 {
        let product = random.pick(&products);
        let mut axes: Vec<&(String, Vec<String>)> = product.axes.iter().collect();
        let mut selected = Vec::new();
        for _ in 0..1 + random.below(axes.len()) {
            let (name, labels) = axes.remove(random.below(axes.len()));
            let label = if random.one_in(12) { "Inexistente" } else { random.pick(labels) };
            selected.push((name.clone(), label.to_owned()));
        }
        if random.one_in(8) {
            selected.insert(
                random.below(selected.len() + 1),
                ("Fase da lua".to_owned(), "Cheia".to_owned()),
            );
        }
        let mut names: Vec<String> = selected.iter().map(|(name, _)| name.clone()).collect();
        let mut preferences = Vec::new();
        while !names.is_empty() && !random.one_in(3) {
            preferences.push(names.remove(random.below(names.len())));
        }
        let request = json!({
            "id": product.id,
            "selected": selected.iter().map(|(name, label)| json!({"name": name, "label": label})).collect::<Vec<_>>(),
            "preferences": preferences,
        });
        let detail = ask(mercado(), "get_product", &request);
        let effective = product.effective(&selected, &preferences);
        let checked = std::panic::catch_unwind(|| product.check(&detail, &effective));
        assert!(checked.is_ok(), "{request}\n{:#}", detail["product"]["selected"]);
    }
}

#[test]
fn rule_c12_every_product_and_every_variant_by_its_id() {
    for product in catalog() {
        let detail = ask(mercado(), "get_product", &json!({"id": product.id}));
        let shown = read(&detail["product"]);
        let any = product.variants.iter().any(|variant| variant.available);
        assert_eq!(shown.variants[0].available, any, "{}", product.id);
        product.check(&detail, &shown.variants[0].options);
        for variant in product.variants.iter().take(3) {
            let detail = ask(mercado(), "get_product", &json!({"id": variant.id}));
            let shown = read(&detail["product"]);
            assert_eq!(shown.variants[0].id, variant.id, "rule C12");
            assert_eq!(options(&detail["product"]["selected"]), variant.options, "rule C12");
        }
    }
}

#[test]
fn the_variant_that_fits_the_words_leads_and_gives_the_media() {
    let request = json!({"query": "tênis vermelho 42"});
    let answer = ask(mercado(), "search_catalog", &request);
    let product = &answer["products"][0];
    assert_eq!(product["variants"][0]["id"], "prod_corredor_pro_vermelho_42");
    let shown = product["media"][0]["url"].as_str().unwrap();
    assert!(shown.ends_with("corredor-pro-vermelho.jpg"), "{shown}");
}
