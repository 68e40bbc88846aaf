//! What each Location can provide now (rule L7, DESIGN 5).

use crate::place::LocationId;

/// The status of a stock line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StockStatus {
    /// There; also when the line says nothing.
    InStock,
    /// Not there.
    OutOfStock,
    /// To be had later.
    Backorder,
    /// To be had when it comes out.
    Preorder,
}

/// One line of a stock feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockLine {
    /// Where.
    pub location: LocationId,
    /// A variant id or a product id; one namespace.
    pub item: String,
    /// How many; `None` is not counted.
    pub quantity: Option<u64>,
    /// In which state.
    pub status: StockStatus,
}
