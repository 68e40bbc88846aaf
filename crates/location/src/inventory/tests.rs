//! DESIGN 5 on stock, and rule L7.

use super::*;
use crate::place::{Location, LocationFacts};
use catalog::{LanguageTag, Localized};
use proptest::prelude::*;
use proptest::sample::select;
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

/// Products with their variants, numbered in this order.
struct Catalog(Vec<(&'static str, Vec<&'static str>)>);

impl Items for Catalog {
    fn product(&self, id: &str) -> Option<Range<u32>> {
        let at = self.0.iter().position(|(own, _)| *own == id)?;
        let start: usize = self.0[..at].iter().map(|(_, variants)| variants.len()).sum();
        Some(start as u32..(start + self.0[at].1.len()) as u32)
    }

    fn variant(&self, id: &str) -> Option<u32> {
        let at = self.0.iter().flat_map(|(_, variants)| variants).position(|own| *own == id)?;
        Some(at as u32)
    }
}

/// A shirt in two sizes, a mug that is its own only variant, and a lamp one of
/// whose variants has the id of another product.
fn items() -> Catalog {
    Catalog(vec![
        ("shirt", vec!["shirt-m", "shirt-l"]),
        ("mug", vec!["mug"]),
        ("bulb", vec!["bulb-e14", "bulb-e27"]),
        ("lamp", vec!["lamp-s", "bulb"]),
    ])
}

fn variant(id: &str) -> u32 {
    items().variant(id).unwrap()
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
    Inventory::build(lines, &places, &items(), &[StockStatus::InStock])
}

fn with(inventory: &Inventory, item: &str) -> Vec<u32> {
    inventory.locations_with(items().meant(item)).iter().collect()
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
        let at = |ordinal| inventory.variants_at(ordinal).iter().collect::<Vec<_>>();
        assert_eq!(at(0), [variant("shirt-l")]);
        assert_eq!(at(1), [variant("shirt-l")]);
        assert_eq!(at(2), [] as [u32; 0]);
        assert_eq!(at(9), [] as [u32; 0], "beyond the last Location");
        assert_eq!(inventory.provided_anywhere(variant("shirt-m")), Some(false));
        assert_eq!(inventory.provided_anywhere(variant("shirt-l")), Some(true));
        assert_eq!(inventory.provided_anywhere(variant("mug")), None);
    }
}

#[test]
fn a_variants_own_stock_wins_over_an_empty_product() {
    let (inventory, _) = build(vec![none("a", "shirt"), some("a", "shirt-m")]);
    assert_eq!(with(&inventory, "shirt-m"), [0]);
    assert_eq!(with(&inventory, "shirt-l"), [] as [u32; 0]);
    assert_eq!(inventory.provided_anywhere(variant("shirt-l")), Some(false));
}

#[test]
fn private_locations_count_for_shipping() {
    let (inventory, _) = build(vec![some("hub", "mug")]);
    assert_eq!(inventory.provided_anywhere(variant("mug")), Some(true));
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
fn one_id_can_be_of_a_product_and_of_a_variant_of_another() {
    let (inventory, faults) = build(vec![some("a", "bulb"), some("b", "lamp"), none("b", "bulb")]);
    assert_eq!(faults, []);
    assert_eq!(with(&inventory, "bulb-e14"), [0]);
    assert_eq!(with(&inventory, "lamp-s"), [1]);
    assert_eq!(with(&inventory, "bulb"), [0], "asked for, it means the product");
    assert_eq!(inventory.locations_with(single(variant("bulb"))).iter().collect::<Vec<_>>(), [0]);
    let (_, faults) = build(vec![some("a", "bulb"), some("a", "bulb")]);
    assert_eq!(faults.len(), 1);
}

#[test]
fn without_a_catalog_every_item_is_known() {
    let items: OpenItems = ["shirt", "anything", "shirt", ""].into_iter().collect();
    let lines = vec![(9, some("b", "anything")), (10, some("a", "shirt"))];
    let places = places(&["a", "b"]);
    let (inventory, faults) = Inventory::build(lines, &places, &items, &[StockStatus::InStock]);
    assert_eq!(faults, []);
    let with = |item| inventory.locations_with(items.meant(item)).iter().collect::<Vec<_>>();
    assert_eq!(with("anything"), [1]);
    assert_eq!(with("shirt"), [0]);
    assert_eq!(with("shirt-m"), [] as [u32; 0]);
    assert_eq!(items.variant("shirt"), Some(1));
    assert_eq!(items.variant(""), None);
    assert_eq!(inventory.provided_anywhere(0), Some(true));
    assert_eq!(inventory.provided_anywhere(2), None);
}

#[test]
fn variants_of_several_blocks_are_found_again() {
    /// Every number is a variant's id, and `dozen N` a product from there on.
    struct Numbers;
    impl Items for Numbers {
        fn product(&self, id: &str) -> Option<Range<u32>> {
            let start: u32 = id.strip_prefix("dozen ")?.parse().ok()?;
            Some(start..start + 12)
        }
        fn variant(&self, id: &str) -> Option<u32> {
            id.parse().ok()
        }
    }
    let far = u32::MAX - 1;
    let border = 3 * BLOCK - 6;
    let lines = [
        some("a", &far.to_string()),
        some("b", &format!("dozen {border}")),
        none("b", &border.to_string()),
        some("hub", "0"),
    ];
    let lines = lines.into_iter().enumerate();
    let places = places(&["a", "b", "hub"]);
    let (inventory, faults) = Inventory::build(lines, &places, &Numbers, &[StockStatus::InStock]);
    assert_eq!(faults, []);
    let with = |variants| inventory.locations_with(variants).iter().collect::<Vec<_>>();
    assert_eq!(with(0..u32::MAX), [0, 1, 2]);
    assert_eq!(with(far..u32::MAX), [0]);
    assert_eq!(with(1..border + 1), [] as [u32; 0]);
    for number in border + 1..border + 12 {
        assert_eq!(with(single(number)), [1], "{number}");
    }
    assert_eq!(with(border + 12..far), [] as [u32; 0]);
    assert_eq!(inventory.variants_at(1).len(), 11);
}

const WHERE: [&str; 3] = ["a", "b", "hub"];
const WHAT: [&str; 10] =
    ["shirt", "shirt-m", "shirt-l", "mug", "bulb", "bulb-e14", "bulb-e27", "lamp", "lamp-s", "hat"];

proptest! {
    /// The rules read line by line, over products, their variants, an id that is
    /// both and one that is neither.
    #[test]
    fn rule_l7_equals_a_scan_of_the_lines(
        lines in prop::collection::vec((select(&WHERE[..]), select(&WHAT[..]), 0_u64..2), 0..40),
    ) {
        let Catalog(catalog) = items();
        let stock = lines.iter().map(|(at, item, left)| line(at, item, Some(*left), StockStatus::InStock));
        let (inventory, faults) = build(stock.collect());
        let last = |at: &str, item: &str| {
            let line = lines.iter().rev().find(|line| line.0 == at && line.1 == item);
            line.map(|line| line.2 > 0)
        };
        let mut number = 0;
        for (product, variants) in &catalog {
            let mut anywhere: Vec<u32> = Vec::new();
            for variant in variants {
                let said = WHERE.map(|at| last(at, variant).or_else(|| last(at, product)));
                for (ordinal, said) in (0..).zip(said) {
                    let provides = inventory.variants_at(ordinal).contains(number);
                    prop_assert_eq!(provides, said == Some(true), "{} at {}", variant, ordinal);
                    anywhere.extend(provides.then_some(ordinal));
                }
                let named = said.iter().any(Option::is_some);
                let expected = named.then(|| said.contains(&Some(true)));
                prop_assert_eq!(inventory.provided_anywhere(number), expected, "{}", variant);
                number += 1;
            }
            anywhere.sort_unstable();
            anywhere.dedup();
            prop_assert_eq!(with(&inventory, product), anywhere, "{}", product);
        }
        let seen = |at: usize| lines[..at].iter().any(|l| (l.0, l.1) == (lines[at].0, lines[at].1));
        let wrong = (0..lines.len()).filter(|at| lines[*at].1 == "hat" || seen(*at));
        let tags: Vec<usize> = faults.iter().map(|fault| fault.tag).collect();
        prop_assert_eq!(tags, wrong.collect::<Vec<_>>());
    }
}
