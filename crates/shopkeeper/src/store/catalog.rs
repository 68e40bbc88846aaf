//! The products that are served: the index that finds them, and what they are.

use ::catalog::Product;
use location::inventory::{Inventory, Items};
use search::{BuildError, Builder, Index, Sealed};
use std::ops::Range;

/// A catalog, ready to be asked.
pub struct Catalog {
    index: Index,
    /// By ordinal, which is by id.
    products: Vec<Product>,
}

impl Catalog {
    /// What finds products.
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// The product with an ordinal that the index gave.
    ///
    /// # Panics
    ///
    /// When `ordinal` is not below the number of products.
    pub fn product(&self, ordinal: u32) -> &Product {
        &self.products[ordinal as usize]
    }

    pub(crate) const fn items(&self) -> CatalogItems<'_> {
        CatalogItems(self.index.items())
    }
}

/// A catalog on its way to be asked: it knows its items, and not yet what of them
/// is in stock.
pub(super) struct Draft {
    sealed: Sealed,
    products: Vec<Product>,
}

impl Draft {
    /// Indexes `products`, whose ids and variant ids are unique.
    pub(super) fn new(mut products: Vec<Product>) -> Result<Self, BuildError> {
        products.sort_by(|a, b| a.id.cmp(&b.id));
        let mut builder = Builder::in_memory()?;
        for product in &products {
            builder.add(product, &[])?;
        }
        Ok(Self { sealed: builder.seal()?, products })
    }

    pub(super) const fn items(&self) -> CatalogItems<'_> {
        CatalogItems(self.sealed.items())
    }

    /// Fills in what the inventory knows of availability (rule C14).
    pub(super) fn finish(self, inventory: Option<&Inventory>) -> Result<Catalog, BuildError> {
        let Self { sealed, mut products } = self;
        if let Some(inventory) = inventory {
            for product in &mut products {
                let variant = |id: &str| sealed.items().variant(id);
                product.apply_stock(|id| inventory.provided_anywhere(variant(id.as_str())?));
            }
        }
        let provided = |number| inventory.and_then(|known| known.provided_anywhere(number));
        Ok(Catalog { index: sealed.finish(provided)?, products })
    }
}

/// The items of a catalog, as the inventory asks for them.
#[derive(Clone, Copy)]
pub(crate) struct CatalogItems<'a>(&'a search::Items);

impl Items for CatalogItems<'_> {
    fn product(&self, id: &str) -> Option<Range<u32>> {
        self.0.product(id)
    }

    fn variant(&self, id: &str) -> Option<u32> {
        self.0.variant(id)
    }
}
