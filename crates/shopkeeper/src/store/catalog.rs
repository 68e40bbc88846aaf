//! The catalog of a generation: an index whose payloads are what `to_wire` writes
//! answers from, and beside it the languages of their texts.

use super::LoadError;
use crate::to_wire::record::Languages;
use ::catalog::Product;
use location::inventory::{Inventory, Items};
use search::{Builder, Index, Sealed};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The folder of the index in that of a generation.
const INDEX: &str = "catalog";
const LANGUAGES: &str = "languages.json";

/// A catalog to which products are added.
pub(super) struct Draft {
    builder: Builder,
    folder: Option<PathBuf>,
}

/// A catalog that knows its items, and not yet what of them is in stock.
pub(super) struct Named {
    sealed: Sealed,
    languages: Languages,
    folder: Option<PathBuf>,
}

impl Draft {
    /// A catalog in the folder of a generation, or in memory.
    pub(super) fn begin(folder: Option<&Path>) -> Result<Self, LoadError> {
        let builder = match folder {
            None => Builder::in_memory(),
            Some(folder) => {
                let index = folder.join(INDEX);
                fs::create_dir(&index).map_err(|source| LoadError::write(folder, source))?;
                Builder::in_folder(&index)
            }
        };
        let folder = folder.map(Path::to_owned);
        Ok(Self { builder: builder?, folder })
    }

    /// Adds a product as the feed has it, and encoded.
    pub(super) fn add(&mut self, product: &Product, payload: &[u8]) -> Result<(), LoadError> {
        Ok(self.builder.add(product, payload)?)
    }

    /// Ends the adding; `languages` are those of the payloads.
    pub(super) fn name(self, languages: Languages) -> Result<Named, LoadError> {
        let Self { builder, folder } = self;
        Ok(Named { sealed: builder.seal()?, languages, folder })
    }
}

impl Named {
    pub(super) const fn items(&self) -> CatalogItems<'_> {
        CatalogItems(self.sealed.items())
    }

    /// Fills in what the inventory knows of availability (rule C14).
    pub(super) fn finish(
        self,
        inventory: Option<&Inventory>,
    ) -> Result<(Index, Languages), LoadError> {
        let Self { sealed, languages, folder } = self;
        let provided = |number| inventory.and_then(|known| known.provided_anywhere(number));
        let index = sealed.finish(provided)?;
        if let Some(folder) = folder {
            let path = folder.join(LANGUAGES);
            let written = serde_json::to_vec(&languages)
                .map_err(std::io::Error::from)
                .and_then(|text| fs::write(path, text));
            written.map_err(|source| LoadError::write(&folder, source))?;
        }
        Ok((index, languages))
    }
}

/// Opens the catalog in the folder of a generation.
pub(super) fn open(folder: &Path) -> Result<(Index, Languages), LoadError> {
    let unreadable = |source| LoadError::Read { dir: folder.to_owned(), source };
    let text = fs::read(folder.join(LANGUAGES)).map_err(unreadable)?;
    let languages = serde_json::from_slice(&text).map_err(|error| unreadable(error.into()))?;
    Ok((Index::open(&folder.join(INDEX))?, languages))
}

/// The items of a catalog, as the inventory asks for them.
#[derive(Clone, Copy)]
pub(super) struct CatalogItems<'a>(pub(super) &'a search::Items);

impl Items for CatalogItems<'_> {
    fn product(&self, id: &str) -> Option<Range<u32>> {
        self.0.product(id)
    }

    fn variant(&self, id: &str) -> Option<u32> {
        self.0.variant(id)
    }
}
