//! Which variants an item id means, by number.
//!
//! The inventory keeps no ids: whoever knows the catalog numbers its variants
//! and answers for them through [`Items`]. A store without a catalog has
//! [`OpenItems`].

use std::ops::Range;

/// The items of a catalog: products and variants, one namespace of ids (DESIGN 5).
///
/// Every variant has a number of its own below `u32::MAX`. The variants of one
/// product have consecutive numbers, and no variant is of two products.
pub trait Items {
    /// The numbers of the variants of the product with this id.
    fn product(&self, id: &str) -> Option<Range<u32>>;

    /// The number of the variant with this id.
    fn variant(&self, id: &str) -> Option<u32>;

    /// The numbers of the variants that `item` means where it is asked for: those
    /// of the product with that id, else the variant with that id; empty when
    /// there is neither (rule L7).
    fn meant(&self, item: &str) -> Range<u32> {
        let alone = || self.variant(item).map(single);
        self.product(item).or_else(alone).unwrap_or_default()
    }
}

/// The items of a store without a catalog: every id is a variant of its own,
/// numbered in order of id.
#[derive(Debug, Clone, Default)]
pub struct OpenItems {
    /// Sorted, each once.
    ids: Box<[Box<str>]>,
}

impl<'a> FromIterator<&'a str> for OpenItems {
    /// Takes the ids that stock lines name, in any order and however often.
    fn from_iter<I: IntoIterator<Item = &'a str>>(ids: I) -> Self {
        let mut ids: Vec<&str> = ids.into_iter().filter(|id| !id.is_empty()).collect();
        ids.sort_unstable();
        ids.dedup();
        Self { ids: ids.into_iter().map(Into::into).collect() }
    }
}

impl Items for OpenItems {
    fn product(&self, _: &str) -> Option<Range<u32>> {
        None
    }

    fn variant(&self, id: &str) -> Option<u32> {
        let at = self.ids.binary_search_by(|own| (**own).cmp(id)).ok()?;
        u32::try_from(at).ok().filter(|number| *number < u32::MAX)
    }
}

/// The range of one variant alone.
pub(super) fn single(number: u32) -> Range<u32> {
    number..number.saturating_add(1)
}
