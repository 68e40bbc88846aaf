//! Where a store is, when it is open, whom it serves and what it has.
//!
//! Geodesics, schedules, service areas, item availability and the search over
//! them, all pure and synchronous. Reading feeds is `ingest`'s work; the clock,
//! the protocol and the privacy of requests are the application's.

pub mod geo;
pub mod instant;
pub mod inventory;
pub mod place;
pub mod places;
pub mod request;
pub mod schedule;
pub mod service;
mod text;

pub use geo::Point;
pub use inventory::Inventory;
pub use place::{Location, LocationFacts, LocationId};
pub use places::{Lookup, Places};
pub use request::{Distance, Hint, Refusal, Request};
pub use schedule::Schedule;
pub use service::Target;
