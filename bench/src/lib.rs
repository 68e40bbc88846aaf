//! Measurements of the store: what generated catalogs, load and judged queries
//! share. Nothing of it is shipped.
