//! get_product: one product in full, narrowed by option choices (rules C11 to C14).

use super::{Context, answer};
use crate::failure::{Failure, Violation, excerpt};
use crate::from_wire::buyer::Buyer;
use crate::from_wire::filters::Filtering;
use crate::to_wire::product::{Stored, View};
use catalog::select::{self, DetailRequest, Selection};
use protocol::codes::Code;
use protocol::wire;
use serde_json::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

pub(super) fn get_product(context: &Context<'_>, arguments: &Value) -> Result<String, Failure> {
    let request: wire::GetProductRequest = context.request(arguments)?;
    let index = context.catalog()?;
    let selected = request.selected.unwrap_or_default();
    refuse_repeated(context, &selected)?;
    let Some(resolved) = index.resolve(&request.id).into_iter().next() else {
        return Err(Failure::outcome(
            Code::NotFound,
            format!("Product not found: {}", excerpt(&request.id)),
        ));
    };
    let stored = Stored::read(index, resolved.ordinal)?;
    let buyer = Buyer::of(request.context.as_ref());
    let Filtering { filter, messages, .. } = context.filtering(request.filters.as_ref(), &buyer)?;
    let selected: Vec<_> = selected
        .into_iter()
        .map(|wire::SelectedOption { name, label, id }| Selection {
            name: name.into_owned(),
            label: label.into_owned(),
            id: id.map(Into::into),
        })
        .collect();
    let sieve = index.sieve(&filter);
    let passes = |variant| stored.passes(&sieve, variant);
    let range = stored.range()?;
    let detail = select::detail(
        &range,
        &DetailRequest {
            variant: resolved.variant,
            selected: Some(&selected),
            preferences: &request.preferences,
            passes: &passes,
        },
    )
    .map_err(|fault| {
        let content =
            format!("{fault}: {}; relax the filters, or leave them out", excerpt(&request.id));
        Failure::outcome(Code::NoMatchingVariants, content)
    })?;
    answer(&wire::GetProductResponse {
        ucp: context.ucp(),
        product: View::new(context, &buyer).detail(&stored, &range, &detail)?,
        actions: None,
        messages,
        policies: Vec::new(),
    })
}

/// An option can be chosen once (rule C13).
fn refuse_repeated(
    context: &Context<'_>,
    selected: &[wire::SelectedOption<'_>],
) -> Result<(), Failure> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut violations = Vec::new();
    for (index, option) in selected.iter().enumerate() {
        match first.entry(&option.name) {
            Entry::Vacant(new) => {
                new.insert(index);
            }
            Entry::Occupied(earlier) => violations.push(Violation {
                path: context.path(&format!("selected[{index}].name")),
                message: format!(
                    "`{}` is chosen already in selected[{}]; choose each option once",
                    excerpt(&option.name),
                    earlier.get()
                ),
            }),
        }
    }
    if violations.is_empty() {
        return Ok(());
    }
    Err(Failure::arguments(Code::InvalidArguments, violations))
}
