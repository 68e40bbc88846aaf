//! From domain values to the wire; the only writers of answers.

pub(crate) mod location;
pub(crate) mod product;
mod variant;
