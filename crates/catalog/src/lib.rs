//! What a store sells: products, their variants, money and options.
//!
//! Every value here is valid once built, so the rest of the program never
//! checks again. On top of the facts stand the two questions that need
//! nothing but a product: which variants does a selection mean (`select`),
//! and in which currency are they shown (`market`). The crate is pure: no I/O, no clock, no protocol. Reading feeds
//! is `ingest`'s work, finding products is `search`'s, putting them on the wire
//! is the application's.

pub mod language;
pub mod market;
pub mod money;
pub mod product;
pub mod select;

#[cfg(test)]
mod sample;

pub use language::{LanguageTag, Localized};
pub use money::{Amount, Currency, Price};
pub use product::{Axes, Axis, Choice, Product, ProductFacts, ProductId, Variant, VariantId};
pub use select::{
    Detail, DetailRequest, Kept, NoMatchingVariants, Offer, Range, Selection, Signal,
};
