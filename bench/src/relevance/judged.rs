//! The judged queries: reading them, and what they say of a corpus.
//!
//! Why the halves are in the files: nobody may tune by the queries that the report
//! is made of, so which those are must not depend on a run.

use crate::relevance::RelevanceError;
use crate::relevance::predicate::{Predicate, Subject};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The queries over the shared retail catalog.
pub const RETAIL: &str = include_str!("../../relevance/retail.toml");
/// The queries, in Portuguese, over the demo store.
pub const MERCADO: &str = include_str!("../../relevance/mercado.toml");

/// What a query is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// May be looked at while the ranking is changed.
    Tune,
    /// Only ever counted.
    Report,
}

/// A query and what is relevant to it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The buyer's words.
    pub text: String,
    /// The kind of query, a heading of the file.
    pub class: String,
    /// What it is for.
    pub half: Half,
    /// By grade, the highest first: 3, 2, 1.
    grades: [Option<Predicate>; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    tune: Vec<Line>,
    report: Vec<Line>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    q: String,
    #[serde(rename = "3")]
    asked_for: String,
    #[serde(rename = "2")]
    substitute: Option<String>,
    #[serde(rename = "1")]
    near: Option<String>,
}

/// Reads a file of judged queries; classes come in the order of their names.
///
/// # Errors
///
/// The file is no such TOML, or a judgment cannot be understood.
pub fn parse(text: &str) -> Result<Vec<Judged>, RelevanceError> {
    let classes: BTreeMap<String, Class> = toml::from_str(text)?;
    let mut queries = Vec::new();
    for (name, class) in classes {
        for (half, lines) in [(Half::Tune, class.tune), (Half::Report, class.report)] {
            for line in lines {
                queries.push(judged(&name, half, line)?);
            }
        }
    }
    Ok(queries)
}

fn judged(class: &str, half: Half, line: Line) -> Result<Judged, RelevanceError> {
    let read = |text: Option<String>| {
        let read = text.as_deref().map(Predicate::parse).transpose();
        read.map_err(|why| RelevanceError::Predicate { query: line.q.clone(), why })
    };
    let grades = [read(Some(line.asked_for))?, read(line.substitute)?, read(line.near)?];
    Ok(Judged { text: line.q.clone(), class: class.to_owned(), half, grades })
}

impl Judged {
    /// The grade of a product, 0 to 3: the highest whose judgment holds.
    pub fn grade(&self, subject: &Subject) -> u8 {
        let holds = |grade: &Option<Predicate>| grade.as_ref().is_some_and(|p| p.holds(subject));
        match self.grades.iter().position(holds) {
            Some(0) => 3,
            Some(1) => 2,
            Some(_) => 1,
            None => 0,
        }
    }

    /// The grades of all products, in their order.
    pub fn grades(&self, subjects: &[Subject]) -> Vec<u8> {
        subjects.iter().map(|subject| self.grade(subject)).collect()
    }

    /// The product ids that the judgments name.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.grades.iter().flatten().flat_map(Predicate::ids)
    }
}
