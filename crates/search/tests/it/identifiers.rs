//! Rule C9: what an identifier names.

use crate::world::{Catalog, barcode, facts, products, variant};
use search::Resolved;

fn index() -> Catalog {
    let mut shoe = facts("shoe", "Tênis");
    shoe.handle = Some("tenis".to_owned());
    shoe.url = Some("https://loja.example/tenis".to_owned());
    shoe.variants = vec![variant("shoe-41"), variant("shoe-42")];
    shoe.variants[0].sku = Some("SKU1".to_owned());
    shoe.variants[0].barcodes = vec![barcode("7890"), barcode("SKU1")];
    shoe.variants[0].url = Some("https://loja.example/tenis".to_owned());
    shoe.variants[1].sku = Some("shared".to_owned());
    shoe.variants[1].url = Some("https://loja.example/tenis?v=42".to_owned());
    shoe.variants[1].handle = Some("tenis-42".to_owned());

    let mut hat = facts("hat", "Boné");
    hat.variants = vec![variant("hat-1"), variant("hat-2")];
    hat.variants[0].sku = Some("shared".to_owned());
    hat.variants[0].barcodes = vec![barcode("shoe-41")];
    hat.variants[1].sku = Some("shared".to_owned());
    hat.variants[1].handle = Some("shoe".to_owned());

    let mut odd = facts("odd", "Estranho");
    odd.handle = Some("shared".to_owned());
    odd.variants = vec![variant("hat")];
    Catalog::build(products([shoe, hat, odd]))
}

/// `product` or `product/variant index` of all that `id` names.
fn named(id: &str) -> Vec<String> {
    let index = index();
    let show = |resolved: Resolved| {
        let product = index.product(resolved.ordinal).id.as_str();
        resolved.variant.map_or_else(|| product.to_owned(), |at| format!("{product}/{at}"))
    };
    index.resolve(id).into_iter().map(show).collect()
}

#[test]
fn rule_c9_precedence_table() {
    let table: [(&str, &[&str]); 15] = [
        ("shoe", &["shoe"]),      // product id before another's variant handle
        ("hat", &["hat"]),        // product id before a variant id
        ("shoe-41", &["shoe/0"]), // variant id before a barcode
        ("hat-2", &["hat/1"]),
        ("SKU1", &["shoe/0"]), // sku and barcode of one variant: once
        ("7890", &["shoe/0"]),
        ("shared", &["hat/0", "hat/1", "odd", "shoe/1"]), // all that match
        ("tenis", &["shoe"]),
        ("tenis-42", &["shoe/1"]),
        ("https://loja.example/tenis", &["shoe"]), // shared with its variant
        ("https://loja.example/tenis?v=42", &["shoe/1"]),
        ("SHOE", &[]),
        ("sku1", &[]),
        ("", &[]),
        ("nada", &[]),
    ];
    for (id, expected) in table {
        assert_eq!(named(id), expected, "{id}");
    }
}

#[test]
fn ordinals_follow_ids() {
    let index = index();
    let ids: Vec<&str> = index.products().map(|product| product.id.as_str()).collect();
    assert_eq!(ids, ["hat", "odd", "shoe"]);
    assert_eq!(index.len(), 3);
    assert!(!index.is_empty() && Catalog::build(Vec::new()).is_empty());
}

#[test]
fn a_text_that_names_half_the_catalog_names_nothing() {
    let many = (0..200).map(|at| {
        let mut facts = facts(&format!("p{at:03}"), "Coisa");
        facts.variants = vec![variant(&format!("v{at:03}"))];
        facts.variants[0].sku = Some("N/A".to_owned());
        facts.handle = Some("p007".to_owned());
        facts
    });
    let index = Catalog::build(products(many));
    assert_eq!(index.resolve("N/A"), []);
    assert_eq!(index.resolve("p007"), [Resolved { ordinal: 7, variant: None }]);
    assert_eq!(index.resolve("v199"), [Resolved { ordinal: 199, variant: Some(0) }]);
}
