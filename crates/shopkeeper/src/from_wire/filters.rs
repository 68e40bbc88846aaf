//! The filters of a catalog request, as the catalog understands them (rules C1 to
//! C5), and what has to be said about those that it does not apply.

use super::buyer::Buyer;
use crate::failure::Failure;
use crate::store::Snapshot;
use catalog::Currency;
use protocol::codes::Code;
use protocol::message::Message;
use protocol::wire;
use search::{Filter, PriceBounds};
use serde_json::{Map, Value};

/// How many values one filter may have.
const MOST_VALUES: usize = 1000;

/// How many unknown filters are warned of one by one.
const MOST_WARNINGS: usize = 20;

/// The filters of one request.
#[derive(Default)]
pub(crate) struct Filtering {
    /// What a variant must satisfy.
    pub(crate) filter: Filter,
    /// Some recognised filter has something in it (rule C1).
    pub(crate) narrows: bool,
    /// What the answer must say about filters that were not applied.
    pub(crate) messages: Vec<Message<'static>>,
}

impl Filtering {
    /// Reads the filters of a request over `snapshot`; `path` is where they stand.
    ///
    /// # Errors
    ///
    /// A list of more values than anybody means: every product is held against
    /// each of them.
    pub(crate) fn of(
        filters: Option<&wire::SearchFilters>,
        buyer: &Buyer,
        snapshot: &Snapshot,
        path: &str,
    ) -> Result<Self, Failure> {
        let Some(filters) = filters else { return Ok(Self::default()) };
        refuse_too_many(filters, path)?;
        let mut filtering = Self { filter: plain(filters), ..Self::default() };
        filtering.narrows = !filtering.filter.is_empty();
        if let Some(price) = &filters.price {
            filtering.price(price, buyer, snapshot);
        }
        if let Some(id) = filters.location.as_deref().filter(|id| !id.is_empty()) {
            filtering.location(id, snapshot);
        }
        filtering.unknown(filters);
        Ok(filtering)
    }

    /// In which currency the bounds are meant (rule C3).
    fn price(&mut self, price: &wire::PriceFilter, buyer: &Buyer, snapshot: &Snapshot) {
        // The schema lets no negative amount through.
        let bound = |amount: Option<wire::Integer>| amount.map(|amount| amount.0.unsigned_abs());
        let (min, max) = (bound(price.min), bound(price.max));
        if min.is_none() && max.is_none() {
            return;
        }
        self.narrows = true;
        match currency(buyer, snapshot) {
            Ok(currency) => self.filter.price = Some(PriceBounds { min, max, currency }),
            Err(why) => self.messages.push(Message::warning(Code::PriceFilterIgnored, why)),
        }
    }

    /// Only what the Location can provide; without stock feeds nobody knows.
    fn location(&mut self, id: &str, snapshot: &Snapshot) {
        self.narrows = true;
        let (Some(places), Some(inventory)) = (snapshot.places(), snapshot.inventory()) else {
            return self.not_applied(
                "location",
                "needs stock by location, which this store does not give,",
            );
        };
        let at = places.named(id).iter().map(|&ordinal| inventory.variants_at(ordinal));
        self.filter.providable = Some(at.fold(Default::default(), |all, one| all | one));
    }

    /// Says which filters, or members of filters, are not known.
    fn unknown(&mut self, filters: &wire::SearchFilters) {
        let within = |filter: &'static str, unknown: Option<&Map<String, Value>>| {
            let names = unknown.into_iter().flat_map(Map::keys);
            names.map(move |name| format!("{filter}.{name}")).collect::<Vec<_>>()
        };
        let names: Vec<String> =
            within("price", filters.price.as_ref().map(|price| &price.unknown))
                .into_iter()
                .chain(within("rating", filters.rating.as_ref().map(|rating| &rating.unknown)))
                .chain(filters.unknown.keys().cloned())
                .collect();
        for name in names.iter().take(MOST_WARNINGS) {
            self.not_applied(name, "is not known here");
        }
        if let Some(more) = names.len().checked_sub(MOST_WARNINGS).filter(|more| *more > 0) {
            let content = format!("{more} more filters are not known here and were not applied");
            self.messages.push(Message::warning(Code::FilterNotApplied, content));
        }
    }

    fn not_applied(&mut self, name: &str, why: &str) {
        let content = format!(
            "the filter `{name}` {why} and was not applied; the results are not narrowed by it"
        );
        self.messages.push(Message::warning(Code::FilterNotApplied, content));
    }
}

fn refuse_too_many(filters: &wire::SearchFilters, path: &str) -> Result<(), Failure> {
    let labels = filters.options.values().map(|labels| labels.len() + 1).sum();
    let lists = [
        ("categories", filters.categories.len()),
        ("brand", filters.brand.as_ref().map_or(0, |brand| brand.as_slice().len())),
        ("tags", filters.tags.len()),
        ("condition", filters.condition.as_ref().map_or(0, |names| names.as_slice().len())),
        ("options", labels),
    ];
    match lists.into_iter().find(|(_, values)| *values > MOST_VALUES) {
        None => Ok(()),
        Some((name, values)) => Err(Failure::argument(
            Code::RequestTooLarge,
            format!("{path}.{name}"),
            format!("has {values} values; send at most {MOST_VALUES}"),
        )),
    }
}

/// The filters that mean the same whoever asks.
fn plain(filters: &wire::SearchFilters) -> Filter {
    Filter {
        categories: filters.categories.clone(),
        price: None,
        available: filters.available.is_some(),
        brand: any_of(filters.brand.as_ref()),
        tags: filters.tags.clone(),
        condition: any_of(filters.condition.as_ref()),
        rating_min: filters.rating.as_ref().and_then(|rating| rating.min),
        options: filters
            .options
            .iter()
            .filter(|(_, labels)| !labels.is_empty())
            .map(|(name, labels)| (name.clone(), labels.clone()))
            .collect(),
        providable: None,
    }
}

/// The texts of a filter that takes one or many; an empty one is no filter.
fn any_of(texts: Option<&wire::OneOrMany>) -> Vec<String> {
    let texts = texts.map(wire::OneOrMany::as_slice).unwrap_or_default();
    texts.iter().filter(|text| !text.is_empty()).cloned().collect()
}

/// The currency of a price filter, or why the filter is ignored.
fn currency(buyer: &Buyer, snapshot: &Snapshot) -> Result<Currency, String> {
    let catalog = snapshot.catalog();
    let known = catalog.map(search::Index::currencies).unwrap_or_default();
    let ignored = |why: &str| {
        let known: Vec<_> = known.iter().map(ToString::to_string).collect();
        format!("the price filter was not applied: {why}; prices are in {}", known.join(", "))
    };
    match buyer.currency {
        Some(currency) if known.contains(&currency) => Ok(currency),
        _ if buyer.names_currency => {
            Err(ignored("no product has a price in the currency of context.currency"))
        }
        _ => catalog
            .and_then(search::Index::sole_currency)
            .ok_or_else(|| ignored("say in context.currency which currency it is in")),
    }
}
