//! Every identifier by which a product or a variant can be asked (rule C9).
//!
//! The texts stay in the products; this keeps a sorted list of their hashes and
//! where they are, and each find is compared with the text itself.

use catalog::{Product, Variant};

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

/// A text that names more than so many things names none of them: a sku `N/A` or a
/// barcode of zeros would otherwise answer one identifier with the whole catalog.
const MOST_NAMED: usize = 64;

struct Entry {
    hash: u64,
    kind: Kind,
    meant: Resolved,
}

/// All identifiers of a catalog.
pub(crate) struct Identifiers(Vec<Entry>);

impl Identifiers {
    pub(crate) fn new(products: &[Product]) -> Self {
        let mut entries = Vec::new();
        for (ordinal, product) in (0_u32..).zip(products) {
            let mut add = |kind, variant, text: &str| {
                entries.push(Entry {
                    hash: hash(text),
                    kind,
                    meant: Resolved { ordinal, variant },
                });
            };
            each_of_product(product, &mut |kind, text| add(kind, None, text));
            for (at, variant) in product.variants.iter().enumerate() {
                each_of_variant(variant, &mut |kind, text| add(kind, Some(at), text));
            }
        }
        entries.sort_unstable_by_key(|entry| (entry.hash, entry.kind, entry.meant));
        entries.shrink_to_fit();
        Self(entries)
    }

    /// What `id` means by rule C9's precedence: a product id, else a variant id,
    /// else all the rest; each product and variant once, in their order. A handle
    /// or URL that a product shares with its variants means the product.
    pub(crate) fn named(&self, products: &[Product], id: &str) -> Vec<(Kind, Resolved)> {
        let mut found = self.entries(products, id);
        for kind in [Kind::Product, Kind::Variant] {
            if found.iter().any(|&(found, _)| found == kind) {
                found.retain(|&(found, _)| found == kind);
            }
        }
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

    fn entries(&self, products: &[Product], id: &str) -> Vec<(Kind, Resolved)> {
        let hash = hash(id);
        let start = self.0.partition_point(|entry| entry.hash < hash);
        let same_hash = self.0[start..].iter().take_while(|entry| entry.hash == hash);
        let is_it = |entry: &&Entry| {
            let mut same = false;
            let mut compare = |kind, text: &str| same |= kind == entry.kind && text == id;
            if let Some(product) = products.get(entry.meant.ordinal as usize) {
                match entry.meant.variant.map(|at| &product.variants[at]) {
                    None => each_of_product(product, &mut compare),
                    Some(variant) => each_of_variant(variant, &mut compare),
                }
            }
            same
        };
        let found: Vec<_> = same_hash
            .take(MOST_NAMED + 1)
            .filter(is_it)
            .map(|entry| (entry.kind, entry.meant))
            .collect();
        // Ids come first among equal hashes, so they are found however many others
        // there are.
        if found.len() > MOST_NAMED && found.iter().all(|(kind, _)| *kind > Kind::Variant) {
            return Vec::new();
        }
        found
    }
}

fn each_of_product(product: &Product, see: &mut dyn FnMut(Kind, &str)) {
    see(Kind::Product, product.id.as_str());
    if let Some(handle) = &product.handle {
        see(Kind::Handle, handle);
    }
    if let Some(url) = &product.url {
        see(Kind::Url, url);
    }
}

fn each_of_variant(variant: &Variant, see: &mut dyn FnMut(Kind, &str)) {
    see(Kind::Variant, variant.id.as_str());
    if let Some(sku) = &variant.sku {
        see(Kind::Sku, sku);
    }
    for barcode in &variant.barcodes {
        see(Kind::Barcode, &barcode.value);
    }
    if let Some(handle) = &variant.handle {
        see(Kind::Handle, handle);
    }
    if let Some(url) = &variant.url {
        see(Kind::Url, url);
    }
}

/// FNV-1a, 64 bits: equal texts must fall together, no more is asked of it.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
