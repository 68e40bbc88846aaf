//! Feed readers.
