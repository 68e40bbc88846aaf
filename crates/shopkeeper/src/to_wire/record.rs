//! What the index keeps of a product for the answers about it: members of the
//! answer, written as JSON when the index is made.
//!
//! A request decides a few things alone: language, currency, version, which
//! variants and what selects them. For these a record holds every text there may
//! be; all else is one run of bytes, copied as it is. Reading is lazy and copies
//! nothing: bytes are looked at when they are written, and a record that is cut
//! off or altered is an error wherever that shows. `encode` makes records,
//! `product` and `variant` beside this file write answers from them.

mod encode;
mod languages;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree;

pub(crate) use encode::encode;
pub(crate) use languages::{Languages, Wanted};

use catalog::Choice;
use catalog::select::{Offer, OptionTexts, Range, Texts, ValueTexts};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::ops::Deref;

/// The first byte of every record: how the rest is laid out.
const FORMAT: u8 = 1;

/// The bytes are no record, or no longer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the record of a product in the index is damaged; make the index again")]
pub(crate) struct Damaged;

/// A product as it is written; members come in the order of the answer, each run
/// of them led by a comma except the first.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record<'a> {
    /// What stands before the title.
    #[serde(borrow)]
    pub(super) head: Bytes<'a>,
    /// [`Localized`] JSON strings.
    pub(super) title: Bytes<'a>,
    /// [`Localized`] JSON objects.
    pub(super) description: Bytes<'a>,
    /// What stands between description and prices.
    pub(super) middle: Bytes<'a>,
    /// A list of [`Presentation`], at least one.
    pub(super) presentations: Bytes<'a>,
    /// A list of the product's own media as JSON objects.
    pub(super) media: Bytes<'a>,
    pub(super) axes: Vec<AxisRecord<'a>>,
    /// [`VariantRecord`]s, each after its choices.
    variants: Vec<Bytes<'a>>,
    /// What stands after the variants.
    pub(super) tail: Bytes<'a>,
}

/// A text in one language or more: the number of the language and the JSON, the
/// feed's own first.
pub(super) type Localized<'a> = (u16, Bytes<'a>);

/// A currency that the product can be presented in, with the members that say the
/// price ranges in it. They are in the order of rule C18: where none of the
/// wanted ones is there, the first is it.
pub(super) type Presentation<'a> = (Bytes<'a>, Bytes<'a>);

/// The members of a variant that depend on its product's currency, from the price
/// to the unit price: as the newest shape has them, and as the shape before, where
/// nothing means the same.
pub(super) type Money<'a> = (Bytes<'a>, Bytes<'a>);

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AxisRecord<'a> {
    /// [`Localized`] JSON strings.
    #[serde(borrow)]
    pub(super) name: Bytes<'a>,
    pub(super) values: Vec<ValueRecord<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ValueRecord<'a> {
    /// The merchant's id as a JSON string, or nothing.
    #[serde(borrow)]
    pub(super) id: Bytes<'a>,
    /// [`Localized`] JSON strings.
    pub(super) label: Bytes<'a>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct VariantRecord<'a> {
    /// What stands before the title.
    #[serde(borrow)]
    pub(super) head: Bytes<'a>,
    /// [`Localized`] JSON strings, or nothing where they are the product's.
    pub(super) title: Bytes<'a>,
    /// [`Localized`] JSON objects, or nothing where they are the product's.
    pub(super) description: Bytes<'a>,
    /// What stands between description and price.
    pub(super) middle: Bytes<'a>,
    /// A list of [`Money`], one for each presentation of the product.
    pub(super) money: Bytes<'a>,
    /// The member, where the feed itself speaks of it.
    pub(super) availability: Bytes<'a>,
    /// The variant's own media: JSON objects with commas between them.
    pub(super) media: Bytes<'a>,
    /// The same with each URL once, where that is another text.
    pub(super) media_once: Bytes<'a>,
    /// The places in the product's media of what is among the variant's own, or
    /// earlier among the product's; ascending.
    pub(super) repeated: Vec<u32>,
    /// What stands after the media.
    pub(super) tail: Bytes<'a>,
}

/// A run of bytes inside a record: JSON, or values one after the other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Bytes<'a>(#[serde(borrow)] &'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl<'a> Bytes<'a> {
    pub(super) const fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The values in it, as far as they can be read.
    pub(super) fn values<T: Deserialize<'a>>(self) -> impl Iterator<Item = Result<T, Damaged>> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let read = postcard::take_from_bytes(rest).map_err(|_| Damaged);
            rest = read.as_ref().map_or(&[], |&(_, rest)| rest);
            Some(read.map(|(value, _)| value))
        })
    }

    /// The one that `wanted` picks of [`Localized`] texts.
    pub(super) fn pick(self, wanted: &Wanted) -> Result<Bytes<'a>, Damaged> {
        wanted.pick(self.values::<Localized<'a>>())?.ok_or(Damaged)
    }

    /// What it says, of a JSON string.
    fn said(self) -> Result<Cow<'a, str>, Damaged> {
        match self.0 {
            [b'"', plain @ .., b'"'] if !plain.contains(&b'\\') => {
                std::str::from_utf8(plain).map(Cow::Borrowed).map_err(|_| Damaged)
            }
            json => serde_json::from_slice(json).map(Cow::Owned).map_err(|_| Damaged),
        }
    }

    /// What [`Localized`] JSON strings say, the feed's own first.
    fn texts(self) -> Result<Texts<'a>, Damaged> {
        let said = self.values::<Localized<'a>>().map(|text| text?.1.said());
        said.collect::<Result<_, _>>().map(Texts)
    }
}

impl<'a> Record<'a> {
    /// Reads a record that [`encode()`] wrote, as far as the whole product goes.
    ///
    /// # Errors
    ///
    /// [`Damaged`]; what is not looked at yet may still turn out to be.
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self, Damaged> {
        match bytes {
            [FORMAT, record @ ..] => postcard::from_bytes(record).map_err(|_| Damaged),
            _ => Err(Damaged),
        }
    }

    /// How many variants the product has.
    pub(crate) const fn variants(&self) -> usize {
        self.variants.len()
    }

    /// What selection needs to know of the product; `is_available` answers for the
    /// variant with an index.
    pub(crate) fn range(&self, is_available: impl Fn(usize) -> bool) -> Result<Range<'a>, Damaged> {
        let value = |value: &ValueRecord<'a>| {
            let id = (!value.id.is_empty()).then(|| value.id.said()).transpose()?;
            Ok(ValueTexts { id, label: value.label.texts()? })
        };
        let axis = |axis: &AxisRecord<'a>| {
            let values = axis.values.iter().map(value).collect::<Result<_, _>>()?;
            Ok(OptionTexts { name: axis.name.texts()?, values })
        };
        let offer = |at: usize| {
            let (choices, _) = self.variant_bytes(at)?;
            Ok(Offer { choices, available: is_available(at) })
        };
        Ok(Range {
            axes: self.axes.iter().map(axis).collect::<Result<_, _>>()?,
            variants: (0..self.variants.len()).map(offer).collect::<Result<_, _>>()?,
        })
    }

    /// The variant with an index, and its choices, which are places on the axes.
    pub(super) fn variant(&self, at: usize) -> Result<(Vec<Choice>, VariantRecord<'a>), Damaged> {
        let (choices, record) = self.variant_bytes(at)?;
        Ok((choices, postcard::from_bytes(record).map_err(|_| Damaged)?))
    }

    fn variant_bytes(&self, at: usize) -> Result<(Vec<Choice>, &'a [u8]), Damaged> {
        let bytes = self.variants.get(at).ok_or(Damaged)?.0;
        let (places, record): (Vec<(usize, usize)>, _) =
            postcard::take_from_bytes(bytes).map_err(|_| Damaged)?;
        let choice = |(axis, value)| Choice { axis, value };
        let choices: Vec<Choice> = places.into_iter().map(choice).collect();
        let known = |choice: &Choice| {
            self.axes.get(choice.axis).is_some_and(|axis| choice.value < axis.values.len())
        };
        if choices.iter().all(known) { Ok((choices, record)) } else { Err(Damaged) }
    }
}
