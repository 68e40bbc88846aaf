//! The only way from domain values to the wire: texts in the right language, money
//! in the right currency, shapes of the right version. Products are written from
//! what was prepared when the index was made (`record`), Locations member by member.

pub(crate) mod location;
mod parts;
pub(crate) mod product;
pub(crate) mod record;
mod variant;
pub(crate) mod written;
