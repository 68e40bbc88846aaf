//! What a store sells: products, their variants, money and options.
//!
//! Every value here is valid once built, so the rest of the program never
//! checks again. The crate is pure: no I/O, no clock, no protocol. Reading feeds
//! is `ingest`'s work, finding products is `search`'s, putting them on the wire
//! is the application's.

pub mod language;
pub mod money;
pub mod product;

pub use language::{LanguageTag, Localized};
pub use money::{Amount, Currency, Price};
pub use product::{Axes, Axis, Choice, Product, ProductFacts, ProductId, Variant, VariantId};
