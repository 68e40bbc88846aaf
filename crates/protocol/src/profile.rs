//! Profiles: the documents in which businesses and platforms say who they are
//! (rules P3 to P6, N2).
//!
//! Writing them is in [`publish`], reading other parties' in [`read`]. Serving
//! and fetching them, caching and trust belong to the application.

mod publish;
mod read;

pub use publish::{Advertised, business, offer, platform};
pub use read::{Business, Platform, ProfileFault};

/// The transport that this project speaks, as service entries name it (rule P3).
const MCP: &str = "mcp";
