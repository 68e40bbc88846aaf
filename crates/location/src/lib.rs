//! Where a store is, when it is open, whom it serves and what it has.
//!
//! Geodesics, schedules, service areas, item availability and the search over
//! them, all pure and synchronous. Reading feeds is `ingest`'s work; the clock,
//! the protocol and the privacy of requests are the application's.

pub mod geo;
pub mod inventory;
pub mod place;
pub mod schedule;
pub mod service;

pub use geo::Point;
pub use place::{Location, LocationFacts, LocationId};
pub use schedule::Schedule;
