//! lookup_locations: the Locations that identifiers name, refined (rules L10, L11).

use super::{Context, answer};
use crate::failure::{Failure, excerpt};
use crate::from_wire::buyer::Buyer;
use crate::from_wire::places::{places_request, refusal};
use crate::to_wire::location;
use protocol::codes::Code;
use protocol::message::Message;
use protocol::wire;
use serde_json::Value;

pub(super) fn lookup_locations(
    context: &Context<'_>,
    arguments: &Value,
) -> Result<String, Failure> {
    let request: wire::LookupLocationsRequest = context.request(arguments)?;
    let places = context.places()?;
    let buyer = Buyer::of(request.context.as_ref());
    let predicates = (&request.distance, &request.serves, &request.filters);
    let query = places_request(context.operation, predicates, &buyer, context.snapshot)?;
    let max = context.config.locations.max_batch;
    let lookup = places
        .lookup(context.inventory(), &request.ids, &query, max)
        .map_err(|refused| refusal(context.operation, &refused))?;
    let locations = lookup
        .found
        .iter()
        .filter_map(|(ordinal, inputs)| Some((places.location(*ordinal)?, inputs)))
        .map(|(found, inputs)| wire::LookupLocation {
            location: location::location(found, buyer.language.as_ref(), context.now),
            inputs: inputs
                .iter()
                .map(|&at| wire::LocationInput { id: request.ids[at].as_str() })
                .collect(),
        })
        .collect();
    let mut messages: Vec<_> =
        lookup.not_found.iter().map(|id| Message::info(Code::IdNotFound, excerpt(id))).collect();
    if lookup.unprocessed > 0 {
        let content = format!(
            "at most {max} identifiers are looked up in one call; {} more were not processed: send them in another",
            lookup.unprocessed
        );
        messages.push(Message::info(Code::BatchLimitApplied, content));
    }
    answer(&wire::LookupLocationsResponse { ucp: context.ucp(), locations, messages })
}
