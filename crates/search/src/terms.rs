//! Terms of products in tantivy: the schema, the writing, and the reading of one
//! immutable segment whose document numbers are ours.
//!
//! A term's frequency in a document is the class of the best place where it
//! stands there ([`Class`]), so that ranking reads it from the posting itself.
//! Documents are never deleted and never change: a new catalog is a new index, so
//! document frequencies are exact.

use crate::facets::FacetId;
use std::path::{Path, PathBuf};
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::indexer::{SingleSegmentIndexWriter, merge_indices};
use tantivy::postings::SegmentPostings;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager};
use tantivy::{Index, InvertedIndexReader, TantivyDocument, Term};

/// The place of a product where a term stands; the better, the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Description = 1,
    Variant = 2,
    Facet = 3,
    Title = 4,
}

const TOKENIZER: &str = "classed";
/// Room for one chunk's postings while they are built.
const CHUNK_BYTES: usize = 160 * 1024 * 1024;

fn schema() -> (Schema, Field, Field) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqs);
    let words =
        builder.add_text_field("words", TextOptions::default().set_indexing_options(indexing));
    let facets = builder.add_u64_field("facets", NumericOptions::default().set_indexed());
    (builder.build(), words, facets)
}

fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::default();
    tokenizers.register(TOKENIZER, Classed::default());
    tokenizers
}

/// The terms of one document as one text: for each its class and itself.
#[derive(Default)]
pub(crate) struct Terms(String);

impl Terms {
    pub(crate) fn push(&mut self, term: &str, class: Class) {
        self.0.push(char::from(b'0' + class as u8));
        self.0.push_str(term);
        self.0.push('\n');
    }
}

/// Reads the texts that [`Terms`] writes: each term as often as its class says.
#[derive(Clone, Default)]
struct Classed(Token);

struct ClassedStream<'a> {
    rest: &'a str,
    left: u8,
    token: &'a mut Token,
}

impl Tokenizer for Classed {
    type TokenStream<'a> = ClassedStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> ClassedStream<'a> {
        self.0 = Token { position: 0, ..Token::default() };
        ClassedStream { rest: text, left: 0, token: &mut self.0 }
    }
}

impl TokenStream for ClassedStream<'_> {
    fn advance(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        let Some((term, rest)) = self.rest.split_once('\n') else { return false };
        self.rest = rest;
        self.left = term.as_bytes().first().map_or(0, |class| class.saturating_sub(b'1'));
        self.token.text.clear();
        self.token.text.push_str(term.get(1..).unwrap_or_default());
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

/// Where an index lives.
pub(crate) enum Home {
    Memory { columns: RamDirectory, words: RamDirectory },
    Folder { columns: MmapDirectory, path: PathBuf },
}

impl Home {
    pub(crate) fn memory() -> Self {
        Self::Memory { columns: RamDirectory::create(), words: RamDirectory::create() }
    }

    /// The folder `path`, which exists.
    pub(crate) fn folder(path: &Path) -> tantivy::Result<Self> {
        let columns = MmapDirectory::open(path)?;
        Ok(Self::Folder { columns, path: path.to_owned() })
    }

    /// Where everything but the terms is.
    pub(crate) fn columns(&self) -> &dyn Directory {
        match self {
            Self::Memory { columns, .. } => columns,
            Self::Folder { columns, .. } => columns,
        }
    }

    fn words(&self) -> tantivy::Result<Box<dyn Directory>> {
        match self {
            Self::Memory { words, .. } => Ok(Box::new(words.clone())),
            Self::Folder { path, .. } => Ok(Box::new(MmapDirectory::open(path.join("words"))?)),
        }
    }

    /// A place for a part of the terms: the last when all are in one.
    fn chunk(&self, number: usize) -> tantivy::Result<Box<dyn Directory>> {
        match self {
            Self::Memory { .. } => Ok(Box::new(RamDirectory::create())),
            Self::Folder { path, .. } => {
                let path = chunk_path(path, number);
                std::fs::create_dir(&path)?;
                Ok(Box::new(MmapDirectory::open(path)?))
            }
        }
    }
}

fn chunk_path(path: &Path, number: usize) -> PathBuf {
    path.join(format!("chunk-{number}"))
}

/// Writes documents in the order of their numbers.
pub(crate) struct TermsWriter {
    writer: Option<SingleSegmentIndexWriter>,
    chunks: Vec<Index>,
    words: Field,
    facets: Field,
}

impl TermsWriter {
    pub(crate) fn new() -> Self {
        let (_, words, facets) = schema();
        Self { writer: None, chunks: Vec::new(), words, facets }
    }

    /// Adds the next document.
    pub(crate) fn add(
        &mut self,
        home: &Home,
        terms: &Terms,
        facets: &[FacetId],
    ) -> tantivy::Result<()> {
        let mut document = TantivyDocument::new();
        document.add_text(self.words, &terms.0);
        for &facet in facets {
            document.add_u64(self.facets, u64::from(facet));
        }
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => begin(home.chunk(self.chunks.len())?)?,
        };
        writer.add_document(document)?;
        if writer.mem_usage() < CHUNK_BYTES {
            self.writer = Some(writer);
        } else {
            self.chunks.push(writer.finalize()?);
        }
        Ok(())
    }

    /// Makes one segment of all, in the same order.
    pub(crate) fn finish(mut self, home: &Home) -> tantivy::Result<()> {
        match (self.writer.take(), self.chunks.is_empty()) {
            (Some(writer), _) => self.chunks.push(writer.finalize()?),
            (None, true) => self.chunks.push(begin(home.chunk(0)?)?.finalize()?),
            (None, false) => {}
        }
        if let Home::Folder { path, .. } = home {
            std::fs::create_dir(path.join("words"))?;
        }
        merge_indices(&self.chunks, home.words()?)?;
        let chunks = self.chunks.len();
        drop(self.chunks);
        if let Home::Folder { path, .. } = home {
            for number in 0..chunks {
                std::fs::remove_dir_all(chunk_path(path, number))?;
            }
        }
        Ok(())
    }
}

fn begin(directory: Box<dyn Directory>) -> tantivy::Result<SingleSegmentIndexWriter> {
    Index::builder()
        .schema(schema().0)
        .tokenizers(tokenizers())
        .single_segment_index_writer(directory, 2 * CHUNK_BYTES)
}

/// The terms of an index, to read.
pub(crate) struct TermsReader {
    words: std::sync::Arc<InvertedIndexReader>,
    facets: std::sync::Arc<InvertedIndexReader>,
    words_field: Field,
    facets_field: Field,
}

impl TermsReader {
    /// Opens the terms of `documents` documents.
    pub(crate) fn open(home: &Home, documents: usize) -> tantivy::Result<Self> {
        let index = Index::open(home.words()?)?;
        let (_, words, facets) = schema();
        let empty = || std::sync::Arc::new(InvertedIndexReader::empty(IndexRecordOption::Basic));
        let (words_reader, facets_reader) = match index.searchable_segments()?.as_slice() {
            [] => (empty(), empty()),
            [one] => {
                let segment = tantivy::SegmentReader::open(one)?;
                if segment.max_doc() as usize != documents {
                    let text = "the terms are not those of the columns".to_owned();
                    return Err(tantivy::TantivyError::InternalError(text));
                }
                (segment.inverted_index(words)?, segment.inverted_index(facets)?)
            }
            _ => {
                let text = "the index has several segments".to_owned();
                return Err(tantivy::TantivyError::InternalError(text));
            }
        };
        Ok(Self {
            words: words_reader,
            facets: facets_reader,
            words_field: words,
            facets_field: facets,
        })
    }

    /// How many documents have `term`; 0 when it occurs nowhere.
    pub(crate) fn documents_with(&self, term: &str) -> u32 {
        self.words.terms().get(term).ok().flatten().map_or(0, |info| info.doc_freq)
    }

    /// The documents that have `term`, with its class in each as frequency.
    ///
    /// What cannot be read counts as absent: the files were checked when they
    /// were opened, and an index never changes.
    pub(crate) fn postings(&self, term: &str) -> Option<SegmentPostings> {
        let term = Term::from_field_text(self.words_field, term);
        self.words.read_postings(&term, IndexRecordOption::WithFreqs).ok().flatten()
    }

    /// The documents of which the product or a variant has `facet`.
    pub(crate) fn with_facet(&self, facet: FacetId) -> Option<SegmentPostings> {
        let term = Term::from_field_u64(self.facets_field, u64::from(facet));
        self.facets.read_postings(&term, IndexRecordOption::Basic).ok().flatten()
    }

    /// Tells the terms that begin with `prefix`, in the order of bytes, with the
    /// number of documents, until `see` says no.
    pub(crate) fn with_prefix(&self, prefix: &str, see: &mut dyn FnMut(&str, u32) -> bool) {
        let Ok(mut stream) = self.words.terms().range().ge(prefix).into_stream() else { return };
        while stream.advance() {
            let Ok(term) = std::str::from_utf8(stream.key()) else { continue };
            if !term.starts_with(prefix) || !see(term, stream.value().doc_freq) {
                return;
            }
        }
    }

    /// Tells the terms at most `distance` slips away from `typed`.
    pub(crate) fn near(&self, typed: &str, distance: u8, see: &mut dyn FnMut(&str, u32)) {
        let term = Term::from_field_text(self.words_field, typed);
        let Ok(automaton) = FuzzyTermQuery::new(term, distance, true).automaton() else { return };
        let Ok(mut stream) = self.words.terms().search(automaton).into_stream() else { return };
        while stream.advance() {
            if let Ok(term) = std::str::from_utf8(stream.key()) {
                see(term, stream.value().doc_freq);
            }
        }
    }
}
