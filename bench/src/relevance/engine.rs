//! Our own engine: the only file of the harness that knows `search`.

use crate::relevance::corpus::Corpus;
use crate::relevance::{DEPTH, Ranking, RelevanceError};
use search::{Filter, Index, Query};

/// Answers as a buyer of the store gets them, without any filter.
///
/// # Errors
///
/// [`RelevanceError::Index`].
pub fn answer(corpus: &Corpus, queries: &[&str]) -> Result<Vec<Ranking>, RelevanceError> {
    let index = Index::build(&corpus.products)?;
    let filter = Filter::default();
    let answers = queries.iter().map(|text| {
        let query = Query {
            text: Some(text),
            language: Some(&corpus.language),
            limit: DEPTH,
            ..Query::new(&filter)
        };
        // Ordinals are places in the order of ids, as those of the corpus are.
        index.search(&query).hits.iter().map(|hit| hit.ordinal as usize).collect()
    });
    Ok(answers.collect())
}
