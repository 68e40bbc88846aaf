//! What a buyer may ask of the store list, and why it can be refused (rules L1 to L8).

use crate::geo::Point;
use crate::service::{Target, TargetFault};
use catalog::LanguageTag;
use jiff::Timestamp;
use std::ops::Range;

/// One search or lookup; every member narrows by AND, but for the hints.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Words that rank and may narrow, never widen (rule L2); ignored by lookup.
    pub text: Option<String>,
    /// Language of names, for the order by name.
    pub language: Option<LanguageTag>,
    /// Within a distance of a point (rule L3).
    pub distance: Option<Distance>,
    /// Whom the Location must serve (rule L4).
    pub serves: Option<Target>,
    /// When it must be open (rule L5).
    pub open_at: Option<Timestamp>,
    /// Amenity ids that it must all have (rule L6); empty is no filter.
    pub amenities: Vec<String>,
    /// Items that it must all be able to provide (rule L7), each by the numbers
    /// of the variants of which any will do, as [`Items::meant`] gives them; an
    /// empty range, as of an unknown item, matches nothing.
    ///
    /// [`Items::meant`]: crate::inventory::Items::meant
    pub items: Option<Vec<Range<u32>>>,
    /// Where the buyer is, for the order alone (rule L2).
    pub hint: Hint,
}

/// A circle on the ellipsoid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// Its center.
    pub center: Point,
    /// Metres along the geodesic, inclusive.
    pub max_m: f64,
}

/// Where the buyer says to be, from the context of the request. It never stands
/// in for an operand, so what cannot be understood of it is ignored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hint {
    /// Country by code or name.
    pub country: Option<String>,
    /// Region by code or name.
    pub region: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
}

/// Why a well-formed request cannot be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The target of `serves` cannot be evaluated (rule L4).
    #[error(transparent)]
    UnsupportedTarget(#[from] TargetFault),
    /// A filter for which this store has no data (rule L8).
    #[error("this store cannot filter by {0}: it has no data on that; leave the filter out")]
    UnsupportedFilter(&'static str),
}
