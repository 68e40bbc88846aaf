//! Every identifier by which a product or a variant can be asked (rule C9).
//!
//! The texts are not kept: a sorted list holds 88 bits of each one's SHA-256 with
//! what it means. That is enough that no two texts of a catalog, and no text that
//! somebody makes up, are taken for one another.

use crate::storage;
use catalog::{Product, Variant};
use sha2::{Digest, Sha256};
use std::io;
use tantivy::directory::{Directory, OwnedBytes};

/// What an identifier means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resolved {
    /// Which product.
    pub ordinal: u32,
    /// Index of the variant that it names, `None` when it names the product.
    pub variant: Option<usize>,
}

/// Which member of a product or variant an identifier is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Product,
    Variant,
    Sku,
    Barcode,
    Url,
    Handle,
}

/// A kind, and whether the identifier is the product's or a variant's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Named {
    pub(crate) kind: Kind,
    pub(crate) of_variant: bool,
    /// Number of the document, or of the variant among all variants.
    pub(crate) number: u32,
}

/// A text that names more than so many things names none of them: a sku `N/A` or a
/// barcode of zeros would otherwise answer one identifier with the whole catalog.
const MOST_NAMED: usize = 64;

const HASH: usize = 11;
const ENTRY: usize = 16;
const FILE: &str = "identifiers";

const KINDS: [Kind; 6] =
    [Kind::Product, Kind::Variant, Kind::Sku, Kind::Barcode, Kind::Url, Kind::Handle];

/// The identifiers met so far: hash, kind, and number, so that they sort.
#[derive(Default)]
pub(crate) struct IdentifiersWriter(Vec<[u8; ENTRY]>);

impl IdentifiersWriter {
    /// Notes the identifiers of the product that is document `doc`, whose first
    /// variant has the number `first`.
    pub(crate) fn product(&mut self, product: &Product, doc: u32, first: u32) {
        let mut add = |kind: Kind, of_variant: bool, number: u32, text: &str| {
            let mut entry = [0; ENTRY];
            entry[..HASH].copy_from_slice(&hash(text));
            entry[HASH] = (kind as u8) << 1 | u8::from(of_variant);
            entry[HASH + 1..].copy_from_slice(&number.to_be_bytes());
            self.0.push(entry);
        };
        add(Kind::Product, false, doc, product.id.as_str());
        product.handle.iter().for_each(|handle| add(Kind::Handle, false, doc, handle));
        product.url.iter().for_each(|url| add(Kind::Url, false, doc, url));
        for (number, variant) in (first..).zip(&product.variants) {
            each_of_variant(variant, &mut |kind, text| add(kind, true, number, text));
        }
    }

    pub(crate) fn write(mut self, directory: &dyn Directory) -> io::Result<()> {
        self.0.sort_unstable();
        self.0.dedup();
        storage::write_bytes(directory, FILE, self.0.as_flattened())
    }
}

fn each_of_variant(variant: &Variant, see: &mut dyn FnMut(Kind, &str)) {
    see(Kind::Variant, variant.id.as_str());
    variant.sku.iter().for_each(|sku| see(Kind::Sku, sku));
    variant.barcodes.iter().for_each(|barcode| see(Kind::Barcode, &barcode.value));
    variant.handle.iter().for_each(|handle| see(Kind::Handle, handle));
    variant.url.iter().for_each(|url| see(Kind::Url, url));
}

/// All identifiers of a catalog.
pub(crate) struct Identifiers(OwnedBytes);

impl Identifiers {
    pub(crate) fn open(directory: &dyn Directory) -> io::Result<Self> {
        let bytes = storage::open(directory, FILE)?;
        if bytes.len() % ENTRY != 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "identifiers are cut off"));
        }
        Ok(Self(bytes))
    }

    /// What `text` is, ids first; nothing when it is too much.
    pub(crate) fn named(&self, text: &str) -> Vec<Named> {
        let hash = hash(text);
        let entries = self.0.len() / ENTRY;
        let entry = |at: usize| &self.0[at * ENTRY..(at + 1) * ENTRY];
        let (mut from, mut to) = (0, entries);
        while from < to {
            let middle = usize::midpoint(from, to);
            if entry(middle)[..HASH] < hash[..] { from = middle + 1 } else { to = middle }
        }
        let same = (from..entries).map(entry).take_while(|entry| entry[..HASH] == hash);
        let found: Vec<Named> = same.take(MOST_NAMED + 1).filter_map(read).collect();
        // Ids come first among equal hashes, so they are found however many others
        // there are.
        if found.len() > MOST_NAMED && found.iter().all(|named| named.kind > Kind::Variant) {
            return Vec::new();
        }
        found
    }
}

fn read(entry: &[u8]) -> Option<Named> {
    let kind = *KINDS.get(usize::from(entry[HASH] >> 1))?;
    let number = u32::from_be_bytes(entry[HASH + 1..].try_into().ok()?);
    Some(Named { kind, of_variant: entry[HASH] & 1 == 1, number })
}

fn hash(text: &str) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(&Sha256::digest(text)[..HASH]);
    hash
}
