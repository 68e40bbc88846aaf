//! The judged set is sound: every query has what it asks for, names only products
//! that exist, and the halves are balanced.

use bench::relevance::corpus::{self, Corpus};
use bench::relevance::judged::{self, Half, Judged};
use bench::relevance::{Answerer, RelevanceError, engine, postgres, query_parser};
use std::collections::{BTreeMap, BTreeSet};

/// The shared catalog, or `None` with a word about it when it is not there.
#[expect(clippy::print_stderr, clippy::panic, reason = "a helper of tests")]
fn retail() -> Option<Corpus> {
    match corpus::retail(&corpus::retail_path()) {
        Ok(retail) => Some(retail),
        Err(why @ RelevanceError::Read { .. }) => {
            eprintln!("SKIPPED: {why}");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

#[expect(clippy::unwrap_used, reason = "a helper of tests")]
fn mercado() -> Corpus {
    corpus::mercado(&corpus::mercado_path()).unwrap()
}

fn sound(corpus: &Corpus) {
    let ids: BTreeSet<&str> = corpus.subjects.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids.len(), corpus.products.len());
    for query in &corpus.queries {
        let grades = query.grades(&corpus.subjects);
        assert!(grades.contains(&3), "nothing is what {:?} asks for", query.text);
        assert!(grades.contains(&0), "everything is relevant to {:?}", query.text);
        for id in query.ids() {
            assert!(ids.contains(id), "{:?} names {id:?}", query.text);
        }
    }
}

#[test]
fn every_query_over_retail_has_an_answer_that_exists() {
    let Some(retail) = retail() else { return };
    assert_eq!(retail.products.len(), 2465);
    sound(&retail);
}

#[test]
fn every_query_over_mercado_has_an_answer_that_exists() {
    sound(&mercado());
}

#[test]
fn halves_are_balanced_within_each_class_and_share_no_query() {
    for (file, least) in [(judged::RETAIL, 150), (judged::MERCADO, 30)] {
        let queries = judged::parse(file).unwrap();
        assert!(queries.len() >= least, "{} queries", queries.len());
        let texts: BTreeSet<&str> = queries.iter().map(|query| query.text.as_str()).collect();
        assert_eq!(texts.len(), queries.len(), "a query is there twice");
        let mut classes: BTreeMap<&str, i32> = BTreeMap::new();
        for Judged { class, half, .. } in &queries {
            *classes.entry(class).or_default() += if *half == Half::Tune { 1 } else { -1 };
        }
        assert!(classes.values().all(|difference| *difference == 0), "{classes:?}");
    }
}

#[test]
fn a_judgment_that_cannot_be_understood_says_of_which_query() {
    let error = judged::parse("[c]\ntune = [{ q = \"hat\", 3 = \"hue:red\" }]\nreport = []");
    assert_eq!(
        error.unwrap_err().to_string(),
        "judged query \"hat\": \"hue:red\" has an unknown field"
    );
}

/// A one-word query that only one product can answer is answered by that product.
#[test]
fn places_of_every_answerer_are_those_of_the_corpus() {
    let mercado = mercado();
    let answerers: [(&str, Answerer); 4] = [
        ("shopkeeper", engine::answer),
        ("default", query_parser::plain),
        ("stemmed", query_parser::stemmed),
        ("PostgreSQL", postgres::answer),
    ];
    for (name, answer) in answerers {
        let answers = match answer(&mercado, &["moqueca", "'); zzz"]) {
            Err(why @ RelevanceError::NoPostgres) => {
                eprintln!("SKIPPED: {why}");
                continue;
            }
            answers => answers.unwrap(),
        };
        let [found, nothing] = answers.as_slice() else { panic!("{name}: {answers:?}") };
        let ids: Vec<&str> = found.iter().map(|at| mercado.subjects[*at].id.as_str()).collect();
        assert_eq!(ids, ["prod_panela_barro"], "{name}");
        assert!(nothing.is_empty(), "{name}: {nothing:?}");
    }
}
