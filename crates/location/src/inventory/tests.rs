//! DESIGN 5 on stock, and rule L7.

use super::*;
use crate::place::{Location, LocationFacts};
use catalog::{LanguageTag, Localized};
use serde_json::Map;

fn places(ids: &[&str]) -> Places {
    let location = |id: &&str| {
        Location::new(LocationFacts {
            id: LocationId::new(id).unwrap(),
            aliases: vec![],
            private: id.starts_with("hub"),
            name: Localized::new(LanguageTag::new("en").unwrap(), (*id).to_owned()),
            address: None,
            geo: None,
            amenities: vec![],
            time_zone: None,
            schedule: None,
            service_areas: vec![],
            extensions: Map::new(),
        })
    };
    Places::build(ids.iter().map(location).collect())
}

/// A shirt in two sizes, and a mug that is its own only variant.
fn items() -> Items {
    let product = |id: &str, variants: &[&str]| {
        let variants = variants.iter().map(|id| variant(id)).collect();
        (ProductId::new(id).unwrap(), variants)
    };
    [product("shirt", &["shirt-m", "shirt-l"]), product("mug", &["mug"])].into_iter().collect()
}

fn variant(id: &str) -> VariantId {
    VariantId::new(id).unwrap()
}

fn line(location: &str, item: &str, quantity: Option<u64>, status: StockStatus) -> StockLine {
    let location = LocationId::new(location).unwrap();
    StockLine { location, item: item.to_owned(), quantity, status }
}

fn some(location: &str, item: &str) -> StockLine {
    line(location, item, Some(1), StockStatus::InStock)
}

fn none(location: &str, item: &str) -> StockLine {
    line(location, item, Some(0), StockStatus::InStock)
}

fn build(lines: Vec<StockLine>) -> (Inventory, Vec<StockFault>) {
    let lines = lines.into_iter().enumerate();
    let places = places(&["a", "b", "hub"]);
    Inventory::build(lines, &places, Some(&items()), &[StockStatus::InStock])
}

fn with(inventory: &Inventory, item: &str) -> Vec<u32> {
    inventory.locations_with(item).iter().collect()
}

#[test]
fn a_line_is_providable_by_status_and_quantity() {
    use StockStatus::{Backorder, InStock, OutOfStock, Preorder};
    let usual: &[StockStatus] = &[InStock];
    let generous: &[StockStatus] = &[InStock, Backorder, Preorder];
    for (quantity, status, providable, expected) in [
        (Some(3), InStock, usual, true),
        (None, InStock, usual, true),
        (Some(0), InStock, usual, false),
        (Some(3), OutOfStock, usual, false),
        (Some(3), OutOfStock, generous, false),
        (None, Backorder, usual, false),
        (Some(0), Backorder, generous, true),
        (Some(0), Preorder, generous, true),
        (Some(0), InStock, generous, false),
        (None, InStock, &[Backorder], false),
        (Some(1), InStock, &[], false),
    ] {
        let line = line("a", "mug", quantity, status);
        assert_eq!(line.is_providable(providable), expected, "{line:?} by {providable:?}");
    }
}

#[test]
fn a_products_line_holds_for_its_variants_and_their_own_wins() {
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let lines = [some("a", "shirt"), none("a", "shirt-m"), some("b", "shirt-l")];
        let (inventory, faults) =
            build(order.iter().map(|&at: &usize| lines[at].clone()).collect());
        assert_eq!(faults, []);
        assert_eq!(with(&inventory, "shirt-m"), [] as [u32; 0]);
        assert_eq!(with(&inventory, "shirt-l"), [0, 1]);
        assert_eq!(with(&inventory, "shirt"), [0, 1]);
        assert!(inventory.provides(0, "shirt") && !inventory.provides(0, "shirt-m"));
        let at =
            |ordinal| inventory.variants_at(ordinal).map(VariantId::as_str).collect::<Vec<_>>();
        assert_eq!(at(0), ["shirt-l"]);
        assert_eq!(at(1), ["shirt-l"]);
        assert_eq!(at(2), [] as [&str; 0]);
        assert_eq!(inventory.provided_anywhere(&variant("shirt-m")), Some(false));
        assert_eq!(inventory.provided_anywhere(&variant("shirt-l")), Some(true));
        assert_eq!(inventory.provided_anywhere(&variant("mug")), None);
        assert!(inventory.names(&variant("shirt-m")) && !inventory.names(&variant("mug")));
    }
}

#[test]
fn a_variants_own_stock_wins_over_an_empty_product() {
    let (inventory, _) = build(vec![none("a", "shirt"), some("a", "shirt-m")]);
    assert_eq!(with(&inventory, "shirt-m"), [0]);
    assert_eq!(with(&inventory, "shirt-l"), [] as [u32; 0]);
    assert_eq!(inventory.provided_anywhere(&variant("shirt-l")), Some(false));
}

#[test]
fn private_locations_count_for_shipping() {
    let (inventory, _) = build(vec![some("hub", "mug")]);
    assert_eq!(inventory.provided_anywhere(&variant("mug")), Some(true));
    assert_eq!(with(&inventory, "mug"), [2]);
}

#[test]
fn the_later_line_wins_with_a_warning() {
    let repeated = |tag| StockFault {
        tag,
        reason: StockReason::Repeated { location: "a".into(), item: "mug".into() },
    };
    let (inventory, faults) = build(vec![some("a", "mug"), none("a", "mug")]);
    assert_eq!(with(&inventory, "mug"), [] as [u32; 0]);
    assert_eq!(faults, [repeated(1)]);
    assert!(faults[0].reason.is_warning());
    let (inventory, faults) = build(vec![none("a", "mug"), some("b", "mug"), some("a", "mug")]);
    assert_eq!(with(&inventory, "mug"), [0, 1]);
    assert_eq!(faults, [repeated(2)]);
}

#[test]
fn unknown_locations_and_items_are_faults() {
    let (inventory, faults) = build(vec![some("z", "mug"), some("a", "hat"), some("a", "mug")]);
    let reasons: Vec<_> = faults.iter().map(|f| (f.tag, f.reason.clone(), f.to_string())).collect();
    assert_eq!(
        reasons,
        [
            (0, StockReason::UnknownLocation("z".into()), "no Location has the id `z`".into()),
            (
                1,
                StockReason::UnknownItem("hat".into()),
                "no product or variant has the id `hat`".into()
            ),
        ]
    );
    assert!(!faults[0].reason.is_warning());
    assert_eq!(with(&inventory, "hat"), [] as [u32; 0]);
    assert_eq!(with(&inventory, ""), [] as [u32; 0]);
    assert_eq!(with(&inventory, "mug"), [0]);
}

#[test]
fn without_a_catalog_every_item_is_known() {
    let lines = vec![(9, some("b", "anything")), (10, some("a", "shirt"))];
    let (inventory, faults) =
        Inventory::build(lines, &places(&["a", "b"]), None, &[StockStatus::InStock]);
    assert_eq!(faults, []);
    assert_eq!(with(&inventory, "anything"), [1]);
    assert_eq!(inventory.provided_anywhere(&variant("anything")), Some(true));
    assert_eq!(with(&inventory, "shirt"), [0]);
    assert_eq!(inventory.provided_anywhere(&variant("shirt-m")), None);
}
