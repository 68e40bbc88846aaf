//! What items are called: identifiers, and the numbers of variants.
//!
//! The variants of a catalog are numbered through, those of one product one after
//! the other. A number means something for its own index only.

use crate::identifiers::{Identifiers, Kind, Named, Resolved};
use crate::storage::Column;
use std::io;
use std::ops::Range;
use tantivy::directory::Directory;

/// The identifiers of an index.
pub struct Items {
    identifiers: Identifiers,
    /// By document, the number of its first variant; one more at the end.
    first: Column<u32>,
}

impl Items {
    pub(crate) fn open(directory: &dyn Directory) -> io::Result<Self> {
        let identifiers = Identifiers::open(directory)?;
        Ok(Self { identifiers, first: Column::open(directory, "first")? })
    }

    /// The numbers of the variants of the product with this id.
    pub fn product(&self, id: &str) -> Option<Range<u32>> {
        let named = self.identifiers.named(id);
        let product = named.iter().find(|named| named.kind == Kind::Product)?;
        Some(self.numbers(product.number))
    }

    /// The number of the variant with this id.
    pub fn variant(&self, id: &str) -> Option<u32> {
        let named = self.identifiers.named(id);
        named.iter().find(|named| named.kind == Kind::Variant).map(|named| named.number)
    }

    /// The numbers of the variants of a document.
    pub(crate) fn numbers(&self, doc: u32) -> Range<u32> {
        self.first.at(doc as usize)..self.first.at(doc as usize + 1)
    }

    /// What `id` means by rule C9's precedence: a product id, else a variant id,
    /// else all the rest; each product and variant once, in the order of ids. A
    /// handle or URL that a product shares with its variants means the product.
    pub(crate) fn resolve(&self, id: &str, ordinals: &Column<u32>) -> Vec<(Kind, Resolved)> {
        let mut named = self.identifiers.named(id);
        for kind in [Kind::Product, Kind::Variant] {
            if named.iter().any(|named| named.kind == kind) {
                named.retain(|named| named.kind == kind);
            }
        }
        let meant = |named: &Named| (named.kind, self.meant(named, ordinals));
        let mut found: Vec<(Kind, Resolved)> = named.iter().map(meant).collect();
        found.sort_unstable_by_key(|&(kind, meant)| (meant, kind));
        found.dedup_by_key(|&mut (_, meant)| meant);
        let of_product = |ordinal| {
            let product = Resolved { ordinal, variant: None };
            found.iter().any(|&(_, meant)| meant == product)
        };
        let inherited = |&(kind, meant): &(Kind, Resolved)| {
            meant.variant.is_some()
                && matches!(kind, Kind::Url | Kind::Handle)
                && of_product(meant.ordinal)
        };
        found.iter().copied().filter(|entry| !inherited(entry)).collect()
    }

    fn meant(&self, named: &Named, ordinals: &Column<u32>) -> Resolved {
        if !named.of_variant {
            return Resolved { ordinal: ordinals.at(named.number as usize), variant: None };
        }
        let doc = self.first.partition_point(|first| first <= named.number).saturating_sub(1);
        let variant = (named.number - self.first.at(doc)) as usize;
        Resolved { ordinal: ordinals.at(doc), variant: Some(variant) }
    }
}
