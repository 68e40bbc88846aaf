//! Measurements of the store: what generated catalogs, load and judged queries
//! share. Nothing of it is shipped.

pub mod generated;
pub mod load;
pub mod queries;
pub mod random;
pub mod relevance;
pub mod words;
