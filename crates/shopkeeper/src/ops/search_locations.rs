//! search_locations: Locations that match every predicate (rules L1 to L9).

use super::page::{Binding, Page};
use super::{Context, answer};
use crate::failure::Failure;
use crate::from_wire::buyer::Buyer;
use crate::from_wire::places::{places_request, refusal};
use crate::to_wire::location;
use protocol::codes::Code;
use protocol::wire;
use serde_json::Value;

/// Without words and distance the order follows the context's place, so a cursor
/// is bound to all of it.
const BINDING: Binding<'static> = Binding {
    members: &["query", "distance", "serves", "filters"],
    context: &["language", "currency", "address_country", "address_region", "postal_code"],
};

pub(super) fn search_locations(
    context: &Context<'_>,
    arguments: &Value,
) -> Result<String, Failure> {
    let request: wire::SearchLocationsRequest = context.request(arguments)?;
    let places = context.places()?;
    let buyer = Buyer::of(request.context.as_ref());
    let predicates = (&request.distance, &request.serves, &request.filters);
    let mut query = places_request(context.operation, predicates, &buyer, context.snapshot)?;
    query.text = request.query.filter(|text| !text.trim().is_empty());
    let max = context.config.locations.max_page;
    let page = Page::of(context, arguments, request.pagination.as_ref(), max, &BINDING)?;
    let found = places
        .search(context.inventory(), &query)
        .map_err(|refused| refusal(context.operation, &refused))?;
    let start = start(context, &page, &found)?;
    let end = start.saturating_add(page.limit).min(found.len());
    let locations = found[start..end]
        .iter()
        .filter_map(|&ordinal| places.location(ordinal))
        .map(|found| location::location(found, buyer.language.as_ref(), context.now))
        .collect();
    let next = (end < found.len()).then(|| found[end - 1].to_be_bytes());
    answer(&wire::SearchLocationsResponse {
        ucp: context.ucp(),
        locations,
        pagination: Some(page.answer(
            context,
            found.len() as u64,
            next.as_ref().map(<[u8; 4]>::as_slice),
        )),
        messages: Vec::new(),
    })
}

/// Where the page begins: behind the Location that ended the page before.
fn start(context: &Context<'_>, page: &Page, found: &[u32]) -> Result<usize, Failure> {
    let Some(after) = &page.after else { return Ok(0) };
    let last = after.as_slice().try_into().map(u32::from_be_bytes).ok();
    let at = last.and_then(|last| found.iter().position(|&ordinal| ordinal == last));
    // Invariant: the cursor's seal says that it was given for these very results.
    at.map(|at| at + 1).ok_or_else(|| {
        let path = context.path("pagination.cursor");
        Failure::argument(
            Code::InvalidCursor,
            path,
            crate::cursor::CursorFault::Foreign.to_string(),
        )
    })
}
