//! lookup_catalog: the products and variants that identifiers name (rules C9 to C11).

use super::{Context, answer};
use crate::failure::{Failure, excerpt};
use crate::from_wire::buyer::Buyer;
use crate::from_wire::filters::Filtering;
use crate::to_wire::product::{Stored, View};
use protocol::codes::Code;
use protocol::message::Message;
use protocol::wire;
use serde_json::Value;
use std::collections::HashSet;

pub(super) fn lookup_catalog(context: &Context<'_>, arguments: &Value) -> Result<String, Failure> {
    let request: wire::LookupCatalogRequest = context.request(arguments)?;
    let index = context.catalog()?;
    let mut seen = HashSet::new();
    let ids: Vec<&str> =
        request.ids.iter().map(String::as_str).filter(|id| seen.insert(*id)).collect();
    let max = context.config.catalog.max_batch;
    if ids.len() > max {
        let message =
            format!("has {} different identifiers; send at most {max} in one call", ids.len());
        return Err(Failure::argument(Code::RequestTooLarge, context.path("ids"), message));
    }
    let buyer = Buyer::of(request.context.as_ref());
    let Filtering { filter, mut messages, .. } =
        context.filtering(request.filters.as_ref(), &buyer)?;
    let sieve = index.sieve(&filter);
    let mut found: Vec<Found<'_>> = Vec::new();
    for id in ids {
        let resolved = index.resolve(id);
        if resolved.is_empty() {
            messages.push(Message::info(Code::IdNotFound, excerpt(id)));
        }
        for resolved in resolved {
            let stored = Stored::read(index, resolved.ordinal)?;
            let (variant, how) = match resolved.variant {
                Some(variant) => {
                    (stored.passes(&sieve, variant).then_some(variant), wire::Match::Exact)
                }
                None => (stored.featured(&sieve), wire::Match::Featured),
            };
            if let Some(variant) = variant {
                let input = wire::InputCorrelation { id, kind: Some(how) };
                note(&mut found, stored, variant, input);
            }
        }
    }
    let view = View::new(context, &buyer);
    let products = found
        .into_iter()
        .map(|Found { stored, variants }| {
            let variants = variants.into_iter();
            let variants = variants.map(|(at, inputs)| Ok((at, answer(&inputs)?)));
            Ok(view.looked_up(&stored, &variants.collect::<Result<Vec<_>, Failure>>()?)?)
        })
        .collect::<Result<_, Failure>>()?;
    answer(&wire::LookupCatalogResponse {
        ucp: context.ucp(),
        products,
        actions: None,
        messages,
        policies: Vec::new(),
    })
}

/// A product that identifiers named, with the variants that they resolved to.
struct Found<'a> {
    stored: Stored<'a>,
    variants: Vec<(usize, Vec<wire::InputCorrelation<'a>>)>,
}

/// Notes that `input` resolved to a variant; each product and variant once, in the
/// order of the first identifier that named it.
fn note<'a>(
    found: &mut Vec<Found<'a>>,
    stored: Stored<'a>,
    variant: usize,
    input: wire::InputCorrelation<'a>,
) {
    let ordinal = stored.ordinal();
    let known = found.iter().position(|product| product.stored.ordinal() == ordinal);
    let at = known.unwrap_or_else(|| {
        found.push(Found { stored, variants: Vec::new() });
        found.len() - 1
    });
    let variants = &mut found[at].variants;
    match variants.iter_mut().find(|(known, _)| *known == variant) {
        Some((_, inputs)) => match inputs.iter_mut().find(|known| known.id == input.id) {
            // The id names product and variant alike: the closer match is said.
            Some(known) if input.kind == Some(wire::Match::Exact) => *known = input,
            Some(_) => {}
            None => inputs.push(input),
        },
        None => variants.push((variant, vec![input])),
    }
}
