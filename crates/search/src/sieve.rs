//! A request's filters, looked up once and then held against variants (rules C2
//! to C5).

use crate::facets::{self, FacetId, Kind};
use crate::filter::{Filter, PriceBounds};
use crate::index::Index;
use roaring::RoaringBitmap;

/// No price in this currency.
pub(crate) const NO_PRICE: u64 = u64::MAX;

/// A filter over one index.
pub struct Sieve<'i> {
    index: &'i Index,
    /// Of each list a variant must have one.
    groups: Vec<Vec<FacetId>>,
    price: Option<Bounds>,
    available: bool,
    rating_min: Option<f64>,
    providable: Option<&'i RoaringBitmap>,
    is_empty: bool,
}

struct Bounds {
    /// Which price column; `None` when nothing has a price in that currency.
    column: Option<usize>,
    min: u64,
    max: u64,
}

impl<'i> Sieve<'i> {
    pub(crate) fn new(index: &'i Index, filter: &'i Filter) -> Self {
        let ids = |kind: Kind, texts: &[String]| -> Vec<FacetId> {
            let mut ids: Vec<_> =
                texts.iter().filter_map(|text| index.facets.id(kind, text)).collect();
            ids.sort_unstable();
            ids
        };
        let lists = [
            (Kind::Category, &filter.categories),
            (Kind::Brand, &filter.brand),
            (Kind::Condition, &filter.condition),
        ];
        let any = lists.into_iter().filter(|(_, texts)| !texts.is_empty());
        let mut groups: Vec<Vec<FacetId>> = any.map(|(kind, texts)| ids(kind, texts)).collect();
        groups.extend(filter.tags.iter().map(|tag| ids(Kind::Tag, std::slice::from_ref(tag))));
        for (name, labels) in filter.options.iter().filter(|(_, labels)| !labels.is_empty()) {
            let texts: Vec<String> =
                labels.iter().map(|label| facets::option_text(name, label)).collect();
            groups.push(ids(Kind::Option, &texts));
        }
        let narrows = |bounds: &PriceBounds| bounds.min.is_some() || bounds.max.is_some();
        let price = filter.price.filter(narrows).map(|bounds| Bounds {
            column: index.currencies.iter().position(|known| *known == bounds.currency),
            min: bounds.min.unwrap_or(0),
            max: bounds.max.unwrap_or(NO_PRICE - 1),
        });
        Self {
            index,
            groups,
            price,
            available: filter.available,
            rating_min: filter.rating_min,
            providable: filter.providable.as_ref(),
            is_empty: filter.is_empty(),
        }
    }

    /// Whether everything passes.
    pub(crate) const fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// For each list of which a variant must have one, the documents that may.
    pub(crate) fn groups(&self) -> &[Vec<FacetId>] {
        &self.groups
    }

    /// Whether a product can be found without looking at each variant.
    pub(crate) fn passes_document(&self, doc: u32) -> bool {
        self.is_empty || self.index.numbers(doc).any(|number| self.passes_number(doc, number))
    }

    /// Whether the variant `number` of the document `doc` passes.
    pub(crate) fn passes_number(&self, doc: u32, number: u32) -> bool {
        let index = self.index;
        let at = number as usize;
        (!self.available || index.flags.at(at) & Index::AVAILABLE != 0)
            && self.price.as_ref().is_none_or(|bounds| {
                bounds.column.is_some_and(|column| {
                    let amount = index.prices[column].at(at);
                    amount != NO_PRICE && amount >= bounds.min && amount <= bounds.max
                })
            })
            && self.rating_min.is_none_or(|min| index.ratings.at(at) >= min)
            && self.providable.is_none_or(|set| set.contains(number))
            && self.groups.iter().all(|group| {
                let wanted = |id: FacetId| group.contains(&id);
                index.product_facets.at(doc as usize).any(wanted)
                    || index.variant_facets.at(at).any(wanted)
            })
    }

    /// Whether variant `variant` of the product `ordinal` passes (rules C2 to C5).
    pub fn passes(&self, ordinal: u32, variant: usize) -> bool {
        let doc = self.index.document(ordinal);
        self.is_empty
            || self.index.number(doc, variant).is_some_and(|at| self.passes_number(doc, at))
    }
}
