//! Everything that a filter can name, numbered: categories, brands, tags,
//! conditions and option values.
//!
//! A product has the facets that hold for all its variants, a variant has its
//! own besides, so that a filter is exact at the variant (rule C4).

use crate::storage::{self, Blobs, BlobsWriter, Column};
use catalog::product::{Category, stated};
use catalog::{Product, Variant};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io;
use tantivy::directory::Directory;

/// The number of a facet.
pub(crate) type FacetId = u32;

/// What kind of thing a facet is; the first byte of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Category = b'c' as isize,
    Brand = b'b' as isize,
    Tag = b't' as isize,
    Condition = b'n' as isize,
    Option = b'o' as isize,
}

/// The text by which a facet is looked up.
pub(crate) fn key(kind: Kind, text: &str) -> String {
    let mut key = String::with_capacity(text.len() + 1);
    key.push(char::from(kind as u8));
    key.push_str(text);
    key
}

/// The text of an option value: no name contains the separator unescaped, since
/// lengths come first.
pub(crate) fn option_text(name: &str, label: &str) -> String {
    format!("{}:{name}{label}", name.len())
}

/// The facets met so far.
#[derive(Default)]
pub(crate) struct FacetsWriter(HashMap<Box<str>, FacetId>);

impl FacetsWriter {
    fn id(&mut self, kind: Kind, text: &str) -> FacetId {
        let key = key(kind, text);
        if let Some(&id) = self.0.get(key.as_str()) {
            return id;
        }
        let id = FacetId::try_from(self.0.len()).unwrap_or(FacetId::MAX);
        self.0.insert(key.into_boxed_str(), id);
        id
    }

    /// The facets of all variants of `product`, sorted.
    pub(crate) fn of_product(&mut self, product: &Product) -> Vec<FacetId> {
        self.of_part(&product.categories, &product.tags, product.metadata.as_ref())
    }

    /// The facets of `variant` alone, sorted.
    pub(crate) fn of_variant(&mut self, product: &Product, variant: &Variant) -> Vec<FacetId> {
        let mut ids = self.of_part(&variant.categories, &variant.tags, variant.metadata.as_ref());
        for choice in &variant.choices {
            let axis = &product.axes[choice.axis];
            for (_, name) in axis.name.iter() {
                for (_, label) in axis.values[choice.value].label.iter() {
                    ids.push(self.id(Kind::Option, &option_text(name, label)));
                }
            }
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn of_part(
        &mut self,
        categories: &[Category],
        tags: &[String],
        metadata: Option<&Map<String, Value>>,
    ) -> Vec<FacetId> {
        let mut ids = Vec::with_capacity(categories.len() + tags.len() + 2);
        ids.extend(categories.iter().map(|category| self.id(Kind::Category, &category.value)));
        ids.extend(tags.iter().map(|tag| self.id(Kind::Tag, tag)));
        ids.extend(stated(metadata, "brand").map(|brand| self.id(Kind::Brand, brand)));
        ids.extend(stated(metadata, "condition").map(|text| self.id(Kind::Condition, text)));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    pub(crate) fn write(self, directory: &dyn Directory) -> io::Result<()> {
        let mut sorted: Vec<(Box<str>, FacetId)> = self.0.into_iter().collect();
        sorted.sort_unstable();
        let mut keys = BlobsWriter::create(directory, "facet-keys")?;
        for (key, _) in &sorted {
            keys.push(key.as_bytes())?;
        }
        keys.finish(directory)?;
        let ids: Vec<FacetId> = sorted.iter().map(|(_, id)| *id).collect();
        storage::write_column(directory, "facet-ids", &ids)
    }
}

/// The facets of an index, to look up.
pub(crate) struct Facets {
    keys: Blobs,
    ids: Column<FacetId>,
}

impl Facets {
    pub(crate) fn open(directory: &dyn Directory) -> io::Result<Self> {
        let keys = Blobs::open(directory, "facet-keys")?;
        Ok(Self { keys, ids: Column::open(directory, "facet-ids")? })
    }

    /// The number of the facet, when something has it.
    pub(crate) fn id(&self, kind: Kind, text: &str) -> Option<FacetId> {
        let key = key(kind, text);
        let (mut from, mut to) = (0, self.keys.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            match self.keys.at(middle).cmp(key.as_bytes()) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return Some(self.ids.at(middle)),
            }
        }
        None
    }
}
