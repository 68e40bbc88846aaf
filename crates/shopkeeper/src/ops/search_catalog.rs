//! search_catalog: products that match words and filters (rules C1 to C8).

use super::page::{Binding, Page};
use super::{Context, answer};
use crate::failure::Failure;
use crate::from_wire::buyer::Buyer;
use crate::to_wire::product::{Stored, View};
use crate::to_wire::record::Damaged;
use catalog::select::MAX_DETAIL_VARIANTS;
use protocol::codes::Code;
use protocol::message::Message;
use protocol::wire;
use search::{Position, Query};
use serde_json::Value;

const BINDING: Binding<'static> = Binding {
    members: &["query", "filters"],
    context: &["language", "currency", "address_country", "intent"],
};

pub(super) fn search_catalog(context: &Context<'_>, arguments: &Value) -> Result<String, Failure> {
    let request: wire::SearchCatalogRequest = context.request(arguments)?;
    let index = context.catalog()?;
    let buyer = Buyer::of(request.context.as_ref());
    let text = request.query.as_deref().map(str::trim).filter(|query| !query.is_empty());
    let filtering = context.filtering(request.filters.as_ref(), &buyer)?;
    if text.is_none() && !filtering.narrows {
        return Err(Failure::argument(
            Code::InvalidArguments,
            context.path("query"),
            "give words to search for, or a filter with something in it; the query \"*\" is everything",
        ));
    }
    let max = context.config.catalog.max_page;
    let page = Page::of(context, arguments, request.pagination.as_ref(), max, &BINDING)?;
    let after = page
        .after
        .as_deref()
        .map(|position| position.try_into().map(Position::from_bytes))
        .transpose()
        // Invariant: the cursor's seal says that this server wrote the position.
        .map_err(|_| Failure::transport(Code::Internal, ""))?;
    let hits = index.search(&Query {
        text,
        language: buyer.language.as_ref(),
        intent: buyer.intent.as_deref(),
        synonyms: context.snapshot.synonyms(),
        filter: &filtering.filter,
        after,
        limit: page.limit,
    });
    let view = View::new(context, &buyer);
    let products = hits
        .hits
        .iter()
        .map(|hit| {
            let shown = hit.variants.len().min(MAX_DETAIL_VARIANTS);
            view.product(&Stored::read(index, hit.ordinal)?, &hit.variants[..shown])
        })
        .collect::<Result<_, Damaged>>()?;
    let mut messages = filtering.messages;
    if !hits.relaxed.is_empty() {
        let lacking = hits.relaxed.join(", ");
        let content = match hits.whole {
            true => {
                format!("few products have all the words; after them come some without {lacking}")
            }
            false => format!("no product has all the words; those without {lacking} are shown too"),
        };
        messages.push(Message::info(Code::QueryRelaxed, content));
    }
    let next = hits.next.map(Position::to_bytes);
    answer(&wire::SearchCatalogResponse {
        ucp: context.ucp(),
        products,
        pagination: Some(page.answer(
            context,
            hits.total,
            next.as_ref().map(<[u8; Position::LEN]>::as_slice),
        )),
        actions: None,
        messages,
        policies: Vec::new(),
    })
}
