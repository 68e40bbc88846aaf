//! Lookup by id and alias, rules L9 to L11.

use crate::sample::{facts, ids, places, point};
use location::inventory::{Items, OpenItems};
use location::{Distance, LocationFacts, Places, Refusal, Request};

fn store() -> Places {
    let with_aliases = |id: &str, aliases: &[&str]| LocationFacts {
        aliases: aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        ..facts(id, id)
    };
    places(vec![
        LocationFacts {
            geo: Some(point(0.0, 0.0)),
            ..with_aliases("a", &["downtown", "both", "b"])
        },
        LocationFacts { geo: Some(point(50.0, 0.0)), ..with_aliases("b", &["both", "hub"]) },
        LocationFacts { private: true, ..with_aliases("hub", &["dark", "both"]) },
    ])
}

fn lookup(asked: &[&str], request: &Request, max: usize) -> location::Lookup {
    let asked: Vec<String> = asked.iter().map(|id| (*id).to_owned()).collect();
    store().lookup(None, &asked, request, max).unwrap()
}

#[test]
fn rule_l10_each_location_once_with_every_id_that_named_it() {
    let found = lookup(&["downtown", "a", "b", "a", "both"], &Request::default(), 100);
    assert_eq!(found.found, [(0, vec![0, 1, 4]), (1, vec![2, 4])]);
    assert_eq!(found.not_found, [] as [&str; 0]);
    assert_eq!(found.unprocessed, 0);
    let found = lookup(&["b", "both"], &Request::default(), 100);
    assert_eq!(found.found, [(1, vec![0, 1]), (0, vec![1])]);
}

#[test]
fn rule_l10_a_canonical_id_wins_over_an_alias() {
    let found = lookup(&["b"], &Request::default(), 100);
    assert_eq!(found.found, [(1, vec![0])]);
}

#[test]
fn rule_l9_private_locations_do_not_exist() {
    let found = lookup(&["hub", "dark", "nowhere", "", "hub"], &Request::default(), 100);
    // A public Location is called `hub` too, and what is private is not felt.
    assert_eq!(found.found, [(1, vec![0])]);
    assert_eq!(found.not_found, ["dark", "nowhere", ""]);
}

#[test]
fn rule_l10_filtered_out_is_not_unknown() {
    let distance = Distance { center: point(0.0, 0.0), max_m: 1_000.0 };
    let request = Request { distance: Some(distance), ..Request::default() };
    let found = lookup(&["b", "both", "z"], &request, 100);
    assert_eq!(found.found, [(0, vec![1])]);
    assert_eq!(found.not_found, ["z"]);
}

#[test]
fn rule_l11_takes_the_first_distinct_ids() {
    let found = lookup(&["z", "z", "a", "a", "b", "y"], &Request::default(), 2);
    assert_eq!(found.found, [(0, vec![2])]);
    assert_eq!(found.not_found, ["z"]);
    assert_eq!(found.unprocessed, 2);
    assert_eq!(lookup(&["a", "a", "a"], &Request::default(), 1).unprocessed, 0);
}

#[test]
fn rule_l8_items_without_an_inventory_are_refused_here_too() {
    let mug = OpenItems::from_iter(["mug"]).meant("mug");
    let request = Request { items: Some(vec![mug]), ..Request::default() };
    let refusal = store().lookup(None, &["a".to_owned()], &request, 100).unwrap_err();
    assert_eq!(refusal, Refusal::UnsupportedFilter("items"));
}

#[test]
fn the_first_of_equal_ids_is_kept() {
    let store = places(vec![facts("x", "first"), facts("x", "second"), facts("a", "other")]);
    assert_eq!(store.len(), 2);
    assert_eq!(ids(&store, &[0, 1]), ["a", "x"]);
    assert_eq!(store.location(1).unwrap().name.own(), "first");
    assert!(store.location(2).is_none());
}
