//! From the wire to what the operations work with; the only readers of arguments.

pub(crate) mod arguments;
pub(crate) mod buyer;
pub(crate) mod filters;
pub(crate) mod places;
mod violation;
