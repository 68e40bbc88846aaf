//! The operations, one file each, named as their tools. They know neither HTTP
//! nor JSON-RPC: a request of the wire in, the text of an answer or a
//! [`Failure`] out.

mod get_product;
mod lookup_catalog;
mod lookup_locations;
mod page;
mod search_catalog;
mod search_locations;

use crate::config::Config;
use crate::cursor::CursorKey;
use crate::failure::Failure;
use crate::from_wire::arguments::Schemas;
use crate::from_wire::buyer::Buyer;
use crate::from_wire::filters::Filtering;
use crate::store::Snapshot;
use crate::to_wire::record::Damaged;
use crate::to_wire::written;
use jiff::Timestamp;
use location::inventory::Inventory;
use location::places::Places;
use protocol::codes::Code;
use protocol::dialect::Dialect;
use protocol::envelope::Ucp;
use protocol::negotiate::Active;
use protocol::operation::Operation;
use protocol::wire;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Everything that an operation may look at besides its request.
pub(crate) struct Context<'a> {
    pub(crate) config: &'a Config,
    pub(crate) schemas: &'a Schemas,
    pub(crate) cursors: &'a CursorKey,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) operation: Operation,
    pub(crate) dialect: &'static Dialect,
    pub(crate) capabilities: &'a Active,
    pub(crate) now: Timestamp,
}

/// Carries out the operation of `context` with `arguments`, the whole protocol at
/// a glance.
pub(crate) fn run(context: &Context<'_>, arguments: &Value) -> Result<String, Failure> {
    match context.operation {
        Operation::SearchCatalog => search_catalog::search_catalog(context, arguments),
        Operation::LookupCatalog => lookup_catalog::lookup_catalog(context, arguments),
        Operation::GetProduct => get_product::get_product(context, arguments),
        Operation::SearchLocations => search_locations::search_locations(context, arguments),
        Operation::LookupLocations => lookup_locations::lookup_locations(context, arguments),
    }
}

impl<'a> Context<'a> {
    fn request<T: DeserializeOwned>(&self, arguments: &Value) -> Result<T, Failure> {
        self.schemas.request(self.operation, self.dialect, arguments)
    }

    fn filtering(
        &self,
        filters: Option<&wire::SearchFilters>,
        buyer: &Buyer,
    ) -> Result<Filtering, Failure> {
        Filtering::of(filters, buyer, self.snapshot, &self.path("filters"))
    }

    fn ucp(&self) -> Ucp<'a> {
        Ucp::success(self.dialect, self.capabilities)
    }

    fn catalog(&self) -> Result<&'a search::Index, Failure> {
        self.snapshot.catalog().ok_or_else(|| unreachable_data("catalog"))
    }

    fn places(&self) -> Result<&'a Places, Failure> {
        self.snapshot.places().ok_or_else(|| unreachable_data("locations"))
    }

    fn inventory(&self) -> Option<&'a Inventory> {
        self.snapshot.inventory()
    }

    /// The JSONPath of `member` in the request body, rooted at the arguments.
    fn path(&self, member: &str) -> String {
        crate::from_wire::arguments::path(self.operation, member)
    }
}

fn answer(response: &impl Serialize) -> Result<String, Failure> {
    written::to_string(response).map_err(|error| {
        tracing::error!(%error, "an answer cannot be written");
        Failure::transport(Code::Internal, "")
    })
}

impl From<Damaged> for Failure {
    fn from(error: Damaged) -> Self {
        tracing::error!(%error, "a product cannot be shown");
        Self::transport(Code::Internal, "")
    }
}

/// A tool that is listed has its data (rule P5), so this is a fault of ours.
fn unreachable_data(what: &str) -> Failure {
    tracing::error!(what, "a tool was called whose data were never read");
    Failure::transport(Code::Internal, "")
}
