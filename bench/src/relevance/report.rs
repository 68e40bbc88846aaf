//! Figures as Markdown: a table for each half, and the worst queries to tune by.

use crate::relevance::corpus::Corpus;
use crate::relevance::judged::{Half, Judged};
use crate::relevance::metrics::{self, Summary};
use crate::relevance::{Answerer, Ranking, RelevanceError, engine, postgres, query_parser};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Who is measured, ours first.
const ANSWERERS: [(&str, Answerer); 4] = [
    ("shopkeeper", engine::answer),
    ("tantivy, default", query_parser::plain),
    ("tantivy, stemmed", query_parser::stemmed),
    ("PostgreSQL", postgres::answer),
];

/// A corpus whose queries have been answered.
pub struct Measured<'c> {
    corpus: &'c Corpus,
    /// By query: the grade of every product.
    grades: Vec<Vec<u8>>,
    /// By answerer: its name, and its answer to every query.
    answers: Vec<(&'static str, Vec<Ranking>)>,
    /// Who could not be asked, as a sentence each.
    pub skipped: Vec<String>,
}

impl<'c> Measured<'c> {
    /// Asks everybody every query of `corpus`.
    ///
    /// # Errors
    ///
    /// An answerer fails; one that is not installed is skipped.
    pub fn new(corpus: &'c Corpus) -> Result<Self, RelevanceError> {
        let texts: Vec<&str> = corpus.queries.iter().map(|query| query.text.as_str()).collect();
        let grades = corpus.queries.iter().map(|query| query.grades(&corpus.subjects)).collect();
        let (mut answers, mut skipped) = (Vec::new(), Vec::new());
        for (name, answer) in ANSWERERS {
            match answer(corpus, &texts) {
                Ok(given) => answers.push((name, given)),
                Err(why @ RelevanceError::NoPostgres) => {
                    skipped.push(format!("SKIPPED: {name} over {}: {why}", corpus.name));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Self { corpus, grades, answers, skipped })
    }

    /// The table of one half: by class and overall, nDCG@10, recall@50 and the share
    /// of queries without an answer.
    pub fn table(&self, half: Half) -> String {
        let mut table = format!("| {}, {half:?} | queries |", self.corpus.name).to_lowercase();
        for (name, _) in &self.answers {
            let _ = write!(table, " {name} |");
        }
        table.push_str("\n|---|---|");
        table.push_str(&"---|".repeat(self.answers.len()));
        let queries = &self.corpus.queries;
        let classes: BTreeSet<&str> = queries.iter().map(|query| query.class.as_str()).collect();
        for class in classes.into_iter().map(Some).chain([None]) {
            self.row(&mut table, half, class);
        }
        table.push('\n');
        table
    }

    fn row(&self, table: &mut String, half: Half, class: Option<&str>) {
        let wanted = |query: &Judged| query.half == half && class.is_none_or(|c| query.class == c);
        let count = self.corpus.queries.iter().filter(|query| wanted(query)).count();
        let _ = write!(table, "\n| {} | {count} |", class.unwrap_or("**all**"));
        for (_, answers) in &self.answers {
            let of = self.corpus.queries.iter().zip(&self.grades).zip(answers);
            let of = of.filter(|((query, _), _)| wanted(query));
            let Summary { ndcg, recall, zero, .. } =
                Summary::of(of.map(|((_, grades), answer)| (&grades[..], &answer[..])));
            let _ = write!(table, " {ndcg:.3} / {recall:.3} / {:.0}% |", 100.0 * zero);
        }
    }

    /// Our `count` worst queries of the tune half, with what we answer first.
    pub fn worst(&self, count: usize) -> String {
        let Some((_, answers)) = self.answers.first() else { return String::new() };
        let of = self.corpus.queries.iter().zip(&self.grades).zip(answers);
        let of = of.filter(|((query, _), _)| query.half == Half::Tune);
        let mut scored: Vec<(f64, &Judged, &Vec<u8>, &Ranking)> = of
            .map(|((query, grades), answer)| {
                (metrics::ndcg(grades, answer, 10), query, grades, answer)
            })
            .collect();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut list = String::new();
        for (ndcg, query, grades, answer) in scored.into_iter().take(count) {
            let _ = writeln!(list, "{ndcg:.3} [{}] {:?}", query.class, query.text);
            for place in answer.iter().take(3) {
                let (title, grade) = (&self.corpus.subjects[*place].title, grades[*place]);
                let _ = writeln!(list, "        {grade} {title}");
            }
        }
        list
    }
}
