//! Forms of words, synonyms, intent, and what a typing error may stand for.

use crate::world::{Catalog, description, facts, options, products, tag};
use catalog::Localized;
use search::{Filter, Hits, Query, Synonyms};

fn titled(titles: &[(&str, &str)]) -> Catalog {
    Catalog::build(products(titles.iter().map(|(id, title)| facts(id, title))))
}

/// In the language `tag`, which the texts of a catalog are in.
fn titled_in(language: &str, titles: &[(&str, &str)]) -> Catalog {
    Catalog::build(products(titles.iter().map(|(id, title)| {
        let mut facts = facts(id, title);
        facts.title = Localized::new(tag(language), (*title).to_owned());
        facts
    })))
}

fn ids<'i>(index: &'i Catalog, hits: &Hits) -> Vec<&'i str> {
    hits.hits.iter().map(|hit| index.product(hit.ordinal).id.as_str()).collect()
}

fn ask<'i>(index: &'i Catalog, query: Query<'_>) -> Vec<&'i str> {
    let hits = index.search(&Query { limit: 100, ..query });
    assert_eq!(hits.total, hits.hits.len() as u64);
    ids(index, &hits)
}

fn found<'i>(index: &'i Catalog, text: &str) -> Vec<&'i str> {
    ask(index, Query { text: Some(text), ..Query::new(&Filter::default()) })
}

#[test]
fn every_form_of_a_word_finds_every_other() {
    for (language, families) in [
        (
            "pt-BR",
            "promoção promocao promoções promocoes, tênis tenis, camiseta camisetas, \
             confortável confortáveis, preta pretas, decoração decoracoes decorado",
        ),
        ("es", "zapato zapatos, canción canciones cancion, colección colecciones"),
        ("en-US", "shoe shoes, running run, knife knives, comfort comfortable comfortably"),
    ] {
        for family in families.split(", ") {
            let forms: Vec<&str> = family.split_whitespace().collect();
            for written in &forms {
                let index = titled_in(language, &[("a", written), ("b", "xyzzy")]);
                for asked in &forms {
                    assert_eq!(found(&index, asked), ["a"], "{asked} for {written}");
                }
            }
        }
    }
}

#[test]
fn the_word_itself_comes_before_its_other_forms() {
    let index = titled_in(
        "en",
        &[("comfortable", "Comfortable chair"), ("comfort", "Comfort chair"), ("other", "Chair")],
    );
    assert_eq!(found(&index, "comfort"), ["comfort", "comfortable"]);
    assert_eq!(found(&index, "comfortable"), ["comfortable", "comfort"]);
    assert_eq!(found(&index, "comforts"), ["comfort", "comfortable"]);
}

#[test]
fn roots_are_made_by_the_language_of_the_text() {
    let mut facts = facts("a", "Cadeira confortável");
    facts.title.translate(tag("en"), "Comfortable chair".to_owned());
    let index = Catalog::build(products([facts]));
    let (english, filter) = (tag("en-GB"), Filter::default());
    for (asked, language, expected) in [
        ("comfort", Some(&english), &["a"][..]),
        ("comfort", None, &["a"]),
        ("confortaveis", None, &["a"]),
    ] {
        let query = Query { text: Some(asked), language, ..Query::new(&filter) };
        assert_eq!(ask(&index, query), expected, "{asked}");
    }
}

#[test]
fn the_variant_is_chosen_by_other_forms_too() {
    let mut facts = facts("a", "Tênis");
    options(&mut facts, &["Cor=Azul", "Cor=Amarelo"]);
    let index = Catalog::build(products([facts]));
    for query in ["tênis amarelo", "tenis amarelos", "tênis amarela"] {
        let hits = index.search(&Query { text: Some(query), ..Query::new(&Filter::default()) });
        assert_eq!(hits.hits[0].variants, [1, 0], "{query}");
    }
}

#[test]
fn words_that_were_run_together_are_taken_apart() {
    let index = titled(&[("a", "Urso teddy bear"), ("b", "Bear"), ("c", "Teddy e bear")]);
    assert_eq!(found(&index, "teddybear"), ["c", "a"]);
    assert_eq!(found(&index, "teddibear"), Vec::<&str>::new());
}

#[test]
fn numbers_and_sizes_are_whole_words_however_they_are_written() {
    let index = titled(&[
        ("42", "Tênis 42"),
        ("421", "Tênis 421"),
        ("1.5l", "Garrafa 1,5 L"),
        ("15l", "Garrafa 15 L"),
        ("256", "Celular 256GB"),
        ("2560", "Celular 2560 GB"),
    ]);
    for (query, expected) in [
        ("42", "42"),
        ("421", "421"),
        ("1,5 l", "1.5l"),
        ("1.5l", "1.5l"),
        ("1,5L", "1.5l"),
        ("15l", "15l"),
        ("256gb", "256"),
        ("256 gb", "256"),
        ("256 GB", "256"),
        ("2560gb", "2560"),
    ] {
        assert_eq!(found(&index, query), [expected], "{query}");
    }
    assert_eq!(found(&index, "43"), Vec::<&str>::new(), "no number is a typo of another");
}

#[test]
fn a_word_that_hardly_occurs_may_be_a_typing_error() {
    let many: Vec<(String, &str)> = (0..40).map(|at| (format!("p{at:02}"), "Camiseta")).collect();
    let mut titles: Vec<(&str, &str)> = many.iter().map(|(id, title)| (&**id, *title)).collect();
    titles.extend([("q1", "Camisseta"), ("q2", "Caneta"), ("q3", "Canela")]);
    let index = titled(&titles);
    let camisseta = found(&index, "camisseta");
    assert_eq!((camisseta.len(), camisseta[0]), (41, "q1"), "the word itself first");
    assert_eq!(found(&index, "camiseta").len(), 40, "a common word is meant as it is");
    assert_eq!(found(&index, "caneta"), ["q2"], "so is a rare one with no common neighbour");
    for (typed, count) in
        [("camisera", 40), ("camisea", 40), ("camizeda", 40), ("cam", 41), ("xam", 0)]
    {
        assert_eq!(found(&index, typed).len(), count, "{typed}");
    }
}

#[test]
fn synonyms_widen_what_a_word_means() {
    let index = titled(&[
        ("celular", "Celular preto"),
        ("smartphone", "Smartphone preto"),
        ("movel", "Telefone móvel preto"),
        ("fixo", "Telefone preto"),
        ("refri", "Refrigerante"),
        ("tv", "Refri tv"),
    ]);
    let mut synonyms = Synonyms::default();
    synonyms.equivalent(&["celular", "smartphone", "telefone móvel"]);
    synonyms.one_way(&["refri"], &["refrigerante"]);
    let ask = |text| {
        let synonyms = Some(&synonyms);
        ask(&index, Query { text: Some(text), synonyms, ..Query::new(&Filter::default()) })
    };
    for (query, expected) in [
        ("celular", &["celular", "smartphone", "movel"][..]),
        // What lacks a word follows, as ever where few have all.
        ("smartphones pretos", &["smartphone", "celular", "movel", "fixo"]),
        ("telefone movel", &["movel", "celular", "smartphone"]),
        ("telefone", &["fixo", "movel"]),
        ("refri", &["refri"]),
        ("refrigerante", &["refri"]),
    ] {
        assert_eq!(ask(query), expected, "{query}");
    }
    assert_eq!(found(&index, "celular"), ["celular"], "without the synonyms");
}

#[test]
fn an_intent_lifts_and_neither_adds_nor_removes() {
    let mut beach = facts("z-beach", "Chinelo azul");
    beach.description = description("Para a praia.");
    let others = ["p", "q", "r"].map(|id| facts(id, "Bola"));
    let index = Catalog::build(products(
        [facts("a-home", "Chinelo azul"), beach].into_iter().chain(others),
    ));
    let filter = Filter::default();
    let ask = |intent| ask(&index, Query { text: Some("chinelo"), intent, ..Query::new(&filter) });
    assert_eq!(ask(None), ["a-home", "z-beach"]);
    assert_eq!(ask(Some("férias na praia")), ["z-beach", "a-home"]);
    assert_eq!(ask(Some("xyzzy")), ["a-home", "z-beach"]);
    let title = titled(&[("b", "Bola azul"), ("c", "Rede praia")]);
    let query = Query { text: Some("bola"), intent: Some("rede praia"), ..Query::new(&filter) };
    assert_eq!(ids(&title, &title.search(&query)), ["b"]);
}
