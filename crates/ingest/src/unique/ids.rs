//! The ids of millions of products and variants in as little memory as exact
//! answers allow.
//!
//! Ids are kept as text, since a hash alone would one day call two of them the
//! same; but all in one array of bytes, and those of variants without what they
//! share with the beginning of their product's id. What is looked up are tables of
//! places in that array. A million products with three variants each, their ids
//! about 30 bytes long, take 130 MB.

use super::Origin;
use hashbrown::HashTable;
use std::hash::{BuildHasher, RandomState};

/// The ids of products and of their variants, each kind for itself, with the row
/// that had them first.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Keyed anew in every process: a feed cannot be made to collide.
    hasher: RandomState,
    products: HashTable<Place>,
    variants: HashTable<Place>,
    records: Records,
}

impl Ids {
    /// The row that had a product id first.
    pub(super) fn product(&self, id: &str) -> Option<Origin> {
        let hash = self.hasher.hash_one(id.as_bytes());
        let place = self.products.find(hash, |&place| self.records.is_product(place, id))?;
        Some(self.records.origin(*place))
    }

    /// The row that had a variant id first.
    pub(super) fn variant(&self, id: &str) -> Option<Origin> {
        let hash = self.hasher.hash_one(id.as_bytes());
        let place = self.variants.find(hash, |&place| self.records.is_variant(place, id))?;
        Some(self.records.origin(self.records.variant(*place).product))
    }

    /// Keeps the ids of a product; none of them is there yet.
    pub(super) fn insert<'a>(
        &mut self,
        origin: Origin,
        product: &str,
        variants: impl IntoIterator<Item = &'a str>,
    ) {
        let Self { hasher, products, variants: table, records } = self;
        let place = records.push_product(origin, product);
        let hash = hasher.hash_one(product.as_bytes());
        products.insert_unique(hash, place, |&place| hasher.hash_one(records.product(place)));
        for id in variants {
            let variant = records.push_variant(place, product, id);
            let hash = hasher.hash_one(id.as_bytes());
            table.insert_unique(hash, variant, |&variant| {
                hasher.hash_one(records.variant(variant).text().as_slice())
            });
        }
    }
}

/// Where a record begins: five bytes, which reach to a tebibyte, in place of eight.
#[derive(Debug, Clone, Copy)]
struct Place([u8; 5]);

impl Place {
    fn new(index: usize) -> Self {
        let [a, b, c, d, e, ..] = (index as u64).to_le_bytes();
        Self([a, b, c, d, e])
    }

    fn index(self) -> usize {
        let Self([a, b, c, d, e]) = self;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

/// One after the other: a product is its file, its line and its id; a variant is
/// how far back its product is, how many bytes of that one's id it begins with, and
/// the rest of its own. Numbers are seven bits a byte, the least ones first; texts
/// follow their lengths.
#[derive(Debug, Default)]
struct Records(Vec<u8>);

/// The id of a variant, in its two parts.
struct Split<'a> {
    product: Place,
    shared: &'a [u8],
    rest: &'a [u8],
}

impl Split<'_> {
    fn text(&self) -> Vec<u8> {
        [self.shared, self.rest].concat()
    }
}

impl Records {
    fn push_product(&mut self, origin: Origin, id: &str) -> Place {
        let place = self.next_place();
        self.push_number(origin.file.into());
        self.push_number(origin.line);
        self.push_text(id.as_bytes());
        place
    }

    fn push_variant(&mut self, product: Place, product_id: &str, id: &str) -> Place {
        let place = self.next_place();
        self.push_number((place.index() - product.index()) as u64);
        let pairs = id.bytes().zip(product_id.bytes());
        let shared = pairs.take_while(|(ours, theirs)| ours == theirs).count();
        self.push_number(shared as u64);
        self.push_text(&id.as_bytes()[shared..]);
        place
    }

    fn origin(&self, product: Place) -> Origin {
        let mut at = product.index();
        let file = self.number(&mut at);
        Origin { file: u32::try_from(file).unwrap_or(u32::MAX), line: self.number(&mut at) }
    }

    fn product(&self, place: Place) -> &[u8] {
        let mut at = place.index();
        self.number(&mut at);
        self.number(&mut at);
        self.text(&mut at)
    }

    fn variant(&self, place: Place) -> Split<'_> {
        let mut at = place.index();
        let product = Place::new(place.index() - self.number(&mut at) as usize);
        let shared = self.number(&mut at) as usize;
        Split { product, shared: &self.product(product)[..shared], rest: self.text(&mut at) }
    }

    fn is_product(&self, place: Place, id: &str) -> bool {
        self.product(place) == id.as_bytes()
    }

    fn is_variant(&self, place: Place, id: &str) -> bool {
        let Split { shared, rest, .. } = self.variant(place);
        id.as_bytes().strip_prefix(shared) == Some(rest)
    }

    fn next_place(&mut self) -> Place {
        // An eighth more at a time: twice as much would waste half of it.
        if self.0.len() == self.0.capacity() {
            self.0.reserve_exact(self.0.len() / 8 + 4096);
        }
        Place::new(self.0.len())
    }

    fn push_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn push_text(&mut self, text: &[u8]) {
        self.push_number(text.len() as u64);
        self.0.extend_from_slice(text);
    }

    fn number(&self, at: &mut usize) -> u64 {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = self.0[*at];
            *at += 1;
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    fn text(&self, at: &mut usize) -> &[u8] {
        let length = self.number(at) as usize;
        &self.0[*at..*at + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn ids_of_any_length_and_lines_of_any_size() {
        let long = "x".repeat(100_000);
        let longer = long.clone() + "é";
        let mut ids = Ids::default();
        let origin = Origin { file: u32::MAX, line: u64::MAX };
        ids.insert(origin, &long, [longer.as_str(), "", &long[1..]]);
        assert_eq!(ids.product(&long), Some(origin));
        assert_eq!(ids.product(&longer), None);
        for id in [&longer, "", &long[1..]] {
            assert_eq!(ids.variant(id), Some(origin));
        }
        assert_eq!(ids.variant(&long), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn agrees_with_maps_of_texts(
            rows in prop::collection::vec(
                ("[ab]{0,4}", prop::collection::btree_set("[abé]{0,5}", 0..6)),
                0..60,
            ),
        ) {
            let mut ids = Ids::default();
            let (mut products, mut variants) = (HashMap::new(), HashMap::new());
            for (line, (product, own)) in (1_u64..).zip(&rows) {
                let origin = Origin { file: (line % 3) as u32, line };
                prop_assert_eq!(ids.product(product), products.get(product).copied());
                for id in own {
                    prop_assert_eq!(ids.variant(id), variants.get(id).copied());
                }
                if products.contains_key(product) {
                    continue;
                }
                let new: Vec<_> = own.iter().filter(|id| !variants.contains_key(*id)).collect();
                ids.insert(origin, product, new.iter().map(|id| id.as_str()));
                products.insert(product, origin);
                variants.extend(new.into_iter().map(|id| (id, origin)));
            }
        }
    }
}
