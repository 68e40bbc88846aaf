//! The same searches as bare tantivy queries: the baseline that the server's CPU is
//! held against, in the same run.
//!
//! The index has the feed's texts in one field (title, description, categories, tags,
//! option labels) by tantivy's tokenizer `default`, and what is filtered by in three
//! more. A query is what a program on tantivy would write: all words required and
//! BM25, filters as terms and a range, the ten best and the count. Nothing is made of
//! the hits: no texts are read, no variant is held against the filters.

use super::LoadError;
use super::process;
use crate::queries::Class;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::Bound;
use std::path::Path;
use std::time::{Duration, Instant};
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{AllQuery, BooleanQuery, FuzzyTermQuery, Query, RangeQuery, TermQuery};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TEXT};
use tantivy::{Index, Searcher, TantivyDocument, Term};

/// Memory for postings while the index is built, of two threads together.
const WRITER_BYTES: usize = 400_000_000;
/// Letters from which the server forgives two slips.
const TWO_SLIPS: usize = 8;
/// How many products a page has.
const PAGE: usize = 10;

/// An index of a generated feed.
pub struct Bare {
    searcher: Searcher,
    fields: Fields,
    _folder: tempfile::TempDir,
}

#[derive(Clone, Copy)]
struct Fields {
    text: Field,
    category: Field,
    price: Field,
    available: Field,
}

impl Bare {
    /// Indexes `feed`, JSON lines as `generate` writes them, in one segment in a folder
    /// that goes with it.
    ///
    /// # Errors
    ///
    /// The feed cannot be read, or the folder not written.
    pub fn index(feed: &Path) -> Result<Self, LoadError> {
        let unreadable = |source| LoadError::File { path: feed.to_owned(), source };
        let mut schema = Schema::builder();
        let fields = Fields {
            text: schema.add_text_field("text", TEXT),
            category: schema.add_text_field("category", STRING),
            price: schema.add_u64_field("price", FAST | INDEXED),
            available: schema.add_bool_field("available", INDEXED),
        };
        let folder = tempfile::tempdir().map_err(LoadError::system("make a folder"))?;
        let index = Index::create_in_dir(folder.path(), schema.build())?;
        let mut writer = index.writer_with_num_threads(2, WRITER_BYTES)?;
        for line in BufReader::new(File::open(feed).map_err(unreadable)?).lines() {
            let row: Value = serde_json::from_str(&line.map_err(unreadable)?)
                .map_err(|source| LoadError::Queries { path: feed.to_owned(), source })?;
            writer.add_document(fields.document(&row))?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        Ok(Self { searcher, fields, _folder: folder })
    }

    /// Microseconds of CPU of a query of `class`, asked round and round for `time` on
    /// one thread; `None` of a class that is no search.
    ///
    /// # Errors
    ///
    /// A query finds nothing, which the server answers with products.
    pub fn measure(&self, class: &Class, time: Duration) -> Result<Option<f64>, LoadError> {
        let mut queries: Vec<Box<dyn Query>> = Vec::new();
        for request in &class.requests {
            let query = match class.forgiving {
                true => self.fields.forgiving(request),
                false => self.fields.query(request),
            };
            let Some(query) = query else { continue };
            if self.searcher.search(&query, &Count)? == 0 {
                return Err(LoadError::Answer {
                    class: class.name.clone(),
                    what: "the bare query finds nothing".to_owned(),
                    request: request.to_string(),
                    answer: "0".to_owned(),
                });
            }
            queries.push(query);
        }
        if queries.is_empty() {
            return Ok(None);
        }
        let top = TopDocs::with_limit(PAGE).and_offset((class.page - 1) * PAGE);
        let wanted = (top.order_by_score(), Count);
        let own = std::process::id();
        let (before, begun, mut asked) = (process::cpu_seconds(own)?, Instant::now(), 0_u32);
        for query in queries.iter().cycle() {
            if begun.elapsed() >= time {
                break;
            }
            let (_, count) = self.searcher.search(query, &wanted)?;
            std::hint::black_box(count);
            asked += 1;
        }
        let seconds = process::cpu_seconds(own)? - before;
        Ok(Some(seconds * 1e6 / f64::from(asked.max(1))))
    }
}

impl Fields {
    fn document(self, row: &Value) -> TantivyDocument {
        let mut document = TantivyDocument::new();
        let mut text = |value: &Value| {
            if let Some(words) = value.as_str() {
                document.add_text(self.text, words);
            }
        };
        text(&row["title"]);
        text(&row["description"]["plain"]);
        each(&row["tags"]).for_each(&mut text);
        each(&row["categories"]).for_each(|category| text(&category["value"]));
        for option in each(&row["options"]) {
            each(&option["values"]).for_each(|value| text(&value["label"]));
        }
        for category in each(&row["categories"]).filter_map(|category| category["value"].as_str()) {
            document.add_text(self.category, category);
        }
        let mut available = false;
        for variant in each(&row["variants"]) {
            document.add_u64(self.price, variant["price"]["amount"].as_u64().unwrap_or(0));
            available |= variant["availability"]["available"] != Value::Bool(false);
        }
        document.add_bool(self.available, available);
        document
    }

    /// What `request` asks for; `None` when it is no search.
    fn query(self, request: &Value) -> Option<Box<dyn Query>> {
        let (words, filters) = (request["query"].as_str(), &request["filters"]);
        if words.is_none() && filters.is_null() {
            return None;
        }
        let mut all: Vec<Box<dyn Query>> = Vec::new();
        for word in words.into_iter().flat_map(tokens) {
            let term = Term::from_field_text(self.text, &word.to_lowercase());
            all.push(Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)));
        }
        for category in each(&filters["categories"]).filter_map(Value::as_str) {
            let term = Term::from_field_text(self.category, category);
            all.push(Box::new(TermQuery::new(term, IndexRecordOption::Basic)));
        }
        if let Some(price) = filters["price"].as_object() {
            let bound = |name: &str| {
                let amount = price.get(name).and_then(Value::as_u64);
                amount.map_or(Bound::Unbounded, |amount| {
                    Bound::Included(Term::from_field_u64(self.price, amount))
                })
            };
            all.push(Box::new(RangeQuery::new(bound("min"), bound("max"))));
        }
        if filters["available"] == Value::Bool(true) {
            let term = Term::from_field_bool(self.available, true);
            all.push(Box::new(TermQuery::new(term, IndexRecordOption::Basic)));
        }
        if all.is_empty() {
            all.push(Box::new(AllQuery));
        }
        Some(Box::new(BooleanQuery::intersection(all)))
    }

    /// As [`Self::query`], of words with a typing error.
    fn forgiving(self, request: &Value) -> Option<Box<dyn Query>> {
        let words = tokens(request["query"].as_str()?).map(|word| -> Box<dyn Query> {
            let term = Term::from_field_text(self.text, &word.to_lowercase());
            // As many slips as the server forgives.
            let slips = if word.chars().count() < TWO_SLIPS { 1 } else { 2 };
            Box::new(FuzzyTermQuery::new(term, slips, true))
        });
        Some(Box::new(BooleanQuery::intersection(words.collect())))
    }
}

/// The words of a text as the tokenizer `default` cuts them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The items of an array; none of anything else.
fn each(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
