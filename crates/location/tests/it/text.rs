//! The text query, rule L2 by example, and the order of results.

use crate::sample::{amenity, city, facts, ids, places, point};
use catalog::LanguageTag;
use location::place::PostalAddress;
use location::{Distance, Hint, LocationFacts, Places, Request};

fn store() -> Places {
    let mut airport = facts("airport", "Loja Aeroporto Galeão");
    airport.address = Some(city("Rio de Janeiro", "RJ", "BR"));
    airport.aliases = vec!["GIG-01".to_owned()];
    airport.name.translate(LanguageTag::new("en").unwrap(), "Galeão Airport Store".to_owned());
    let mut paulista = facts("paulista", "Loja Paulista");
    paulista.address = Some(PostalAddress {
        street_address: Some("Avenida Paulista, 1578".to_owned()),
        postal_code: Some("01310-200".to_owned()),
        ..city("São Paulo", "SP", "BR")
    });
    paulista.amenities = vec![amenity("dev.ucp.amenity.parking", "Estacionamento coberto")];
    let mut campinas = facts("campinas", "Loja Campinas");
    campinas.address = Some(city("Campinas", "São Paulo", "Brasil"));
    let mut hub = facts("hub", "Depósito Secreto");
    hub.private = true;
    places(vec![airport, paulista, campinas, hub])
}

fn found(text: &str) -> Vec<String> {
    let store = store();
    let request = Request { text: Some(text.to_owned()), ..Request::default() };
    ids(&store, &store.search(None, &request).unwrap())
}

#[test]
fn rule_l2_a_telling_word_narrows() {
    for (text, expected) in [
        ("paulista", &["paulista"][..]),
        ("PAULISTA!", &["paulista"]),
        // A word that all of them match tells nothing either.
        ("paulista brazil", &["paulista"]),
        ("galeao", &["airport"]),
        ("airport", &["airport"]),
        ("loja com estacionamento perto de mim", &["paulista"]),
        ("1578", &["paulista"]),
        ("01310200", &["paulista"]),
        ("gig", &["airport"]),
        // The city before the state of the same name.
        ("são paulo", &["paulista", "campinas"]),
        ("lojas em sp", &["campinas", "paulista"]),
        ("rio de janeiro", &["airport"]),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn rule_l2_words_that_tell_nothing_do_not_narrow() {
    let all = ["airport", "campinas", "paulista"];
    for text in [
        "",
        "   ",
        "?!",
        "grocery store near me",
        "loja",
        "lojas abertas agora",
        "tienda cerca",
        "Brazil",
        "the store open now in brasil",
        "secreto",
        "depósito",
        "日本",
    ] {
        let mut found = found(text);
        found.sort_unstable();
        assert_eq!(found, all, "{text}");
    }
}

#[test]
fn rule_l2_the_best_match_is_first() {
    assert_eq!(found("campinas airport")[..2], ["airport", "campinas"]);
    assert_eq!(found("aeroporto galeão campinas"), ["airport", "campinas"]);
}

#[test]
fn typing_errors_count_where_the_exact_word_occurs_nowhere() {
    for (text, expected) in [
        ("paulsta", &["paulista"][..]),
        ("pualista", &["paulista"]),
        ("aeropotro", &["airport"]),
        ("estasionamemto", &["paulista"]),
        ("gug", &["airport", "campinas", "paulista"]),
        ("1579", &["airport", "campinas", "paulista"]),
    ] {
        let mut found = found(text);
        found.sort_unstable();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn without_text_by_distance_else_hints_else_name_ties_by_id() {
    let at = |id: &str, name: &str, latitude, address: PostalAddress| LocationFacts {
        geo: Some(point(latitude, 0.0)),
        address: Some(address),
        ..facts(id, name)
    };
    let zip = |code: &str| PostalAddress {
        postal_code: Some(code.to_owned()),
        ..city("New York", "NY", "US")
    };
    let store = places(vec![
        at("1", "Ébano", 3.0, city("Lisboa", "11", "PT")),
        at("2", "abeto", 1.0, city("Lisboa", "11", "PT")),
        at("3", "Zimbro", 2.0, zip("10001")),
        at("4", "Zimbro", 2.0, zip("10018")),
        facts("5", "Cedro"),
    ]);
    let order = |request: &Request| ids(&store, &store.search(None, request).unwrap()).concat();
    assert_eq!(order(&Request::default()), "25134");
    let distance = Distance { center: point(2.1, 0.0), max_m: 1e7 };
    let near = Request { distance: Some(distance), ..Request::default() };
    assert_eq!(order(&near), "3412");
    let hinted = |country: &str, region: &str, postal_code: &str| {
        let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let (country, region, postal_code) = (part(country), part(region), part(postal_code));
        let hint = Hint { country, region, postal_code };
        order(&Request { hint, ..Request::default() })
    };
    assert_eq!(hinted("USA", "", ""), "34251");
    assert_eq!(hinted("United States", "New York", "10018-1234"), "43251");
    assert_eq!(hinted("", "US-NY", ""), "34251");
    assert_eq!(hinted("", "", "1001"), "43251");
    assert_eq!(hinted("PT", "", "10018"), "21534");
    // What cannot be understood is ignored.
    assert_eq!(hinted("Narnia", "Nowhere", "?"), "25134");
}

#[test]
fn names_are_ordered_as_the_reader_sees_them() {
    let english = LanguageTag::new("en").unwrap();
    let mut first = facts("a", "Abacate");
    first.name.translate(english.clone(), "Zebra".to_owned());
    let store = places(vec![first, facts("b", "Milho")]);
    let order = |language| {
        let request = Request { language, ..Request::default() };
        ids(&store, &store.search(None, &request).unwrap()).concat()
    };
    assert_eq!(order(None), "ab");
    assert_eq!(order(Some(english)), "ba");
}
