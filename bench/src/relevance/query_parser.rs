//! The first baseline: tantivy's default query parser over one text field.
//!
//! Words are alternatives, as is that parser's default, and BM25 orders; ties are
//! broken by the order of ids. Once with the tokenizer `default` (split, lower case)
//! and once with a stemmer of the corpus's language behind it (`en_stem`).

use crate::relevance::corpus::Corpus;
use crate::relevance::{DEPTH, Ranking, RelevanceError};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{FAST, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, TextAnalyzer,
};
use tantivy::{Index, TantivyDocument};

/// Answers of the tokenizer `default`.
///
/// # Errors
///
/// [`RelevanceError::Tantivy`].
pub fn plain(corpus: &Corpus, queries: &[&str]) -> Result<Vec<Ranking>, RelevanceError> {
    answer(corpus, queries, "default")
}

/// Answers with stemming.
///
/// # Errors
///
/// [`RelevanceError::Tantivy`].
pub fn stemmed(corpus: &Corpus, queries: &[&str]) -> Result<Vec<Ranking>, RelevanceError> {
    let tokenizer = if corpus.language.primary() == "pt" { "pt_stem" } else { "en_stem" };
    answer(corpus, queries, tokenizer)
}

fn answer(
    corpus: &Corpus,
    queries: &[&str],
    tokenizer: &str,
) -> Result<Vec<Ranking>, RelevanceError> {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(tokenizer)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let place = schema.add_u64_field("place", FAST);
    let index = Index::create_in_ram(schema.build());
    index.tokenizers().register("pt_stem", portuguese());
    // One thread and one commit, so that there is one segment with one statistic.
    let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
    for (number, body) in corpus.bodies.iter().enumerate() {
        let mut document = TantivyDocument::new();
        document.add_text(text, body);
        document.add_u64(place, number as u64);
        writer.add_document(document)?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let parser = QueryParser::for_index(&index, vec![text]);
    let mut answers = Vec::with_capacity(queries.len());
    for words in queries {
        // Leniently, as a shop would: "men's" is no syntax error to a buyer.
        let (query, _) = parser.parse_query_lenient(words);
        let top = searcher.search(&query, &TopDocs::with_limit(DEPTH).order_by_score())?;
        let mut ranking = Ranking::with_capacity(top.len());
        for (_, address) in top {
            let column = searcher.segment_reader(address.segment_ord).fast_fields().u64("place")?;
            ranking.extend(column.first(address.doc_id).map(|number| number as usize));
        }
        answers.push(ranking);
    }
    Ok(answers)
}

fn portuguese() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(40))
        .filter(LowerCaser)
        .filter(Stemmer::new(Language::Portuguese))
        .build()
}
