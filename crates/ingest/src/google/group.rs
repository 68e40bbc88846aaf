//! Rows that share an `item_group_id` become the variants of one product, also
//! where other rows stand between them.
//!
//! A row without a group is a product at once. Rows of groups are held until
//! the feed ends, or until [`MAX_HELD_BYTES`] are held: then the group that was
//! begun first is closed and served with the rows that it has, and a row of it
//! that comes later is refused. A feed that keeps its groups together loses
//! nothing, however long it is.

use super::item::Item;
use crate::problem::{Fault, ProblemCode, excerpt};
use catalog::product::Category;
use catalog::{Axes, LanguageTag, Localized, Product, ProductFacts, ProductId, Variant};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet, VecDeque};

/// How much of a feed is held to find the rows of its groups, roughly.
pub(crate) const MAX_HELD_BYTES: usize = 512 * 1024 * 1024;
/// No product has more variants.
pub(crate) const MAX_VARIANTS: usize = 10_000;

/// What allocations and the room that lists keep free cost, as measured.
const OVERHEAD: usize = 2;

type Key = Box<str>;

/// The groups that are open, in the order of their first rows.
pub(crate) struct Groups {
    open: HashMap<Key, Vec<Item>>,
    order: VecDeque<Key>,
    closed: HashSet<Key>,
    /// Roughly the bytes of the items in `open`.
    held: usize,
    most: usize,
}

impl Groups {
    pub(crate) fn new(most: usize) -> Self {
        let (open, order, closed) = (HashMap::new(), VecDeque::new(), HashSet::new());
        Self { open, order, closed, held: 0, most }
    }

    /// Adds a row to its group.
    pub(crate) fn add(&mut self, group: &str, item: Item) -> Result<(), Fault> {
        let fault = |text: String| Fault::new("item_group_id", ProblemCode::TooMany, text);
        if self.closed.contains(group) {
            let text = format!("the rows of `{}` are too far apart", excerpt(group));
            return Err(fault(format!("{text}: put the rows of a group together")));
        }
        if !self.open.contains_key(group) {
            self.order.push_back(group.into());
            self.open.insert(group.into(), Vec::new());
        }
        let Some(items) = self.open.get_mut(group) else { return Ok(()) };
        if items.len() >= MAX_VARIANTS {
            return Err(fault(format!("`{}` has {MAX_VARIANTS} rows already", excerpt(group))));
        }
        self.held += size(&item);
        items.push(item);
        Ok(())
    }

    /// The first group, when more is held than may be.
    pub(crate) fn overflow(&mut self) -> Option<(Key, Vec<Item>)> {
        if self.held <= self.most {
            return None;
        }
        let (group, items) = self.next()?;
        self.closed.insert(group.clone());
        Some((group, items))
    }

    /// The first of the groups that are left.
    pub(crate) fn next(&mut self) -> Option<(Key, Vec<Item>)> {
        let group = self.order.pop_front()?;
        let items = self.open.remove(&group)?;
        self.held -= items.iter().map(size).sum::<usize>();
        Some((group, items))
    }
}

/// Roughly the memory of an item; the same number each time it is asked.
fn size(item: &Item) -> usize {
    let description = [&item.description.plain, &item.description.html];
    let texts = item.title.len()
        + description.into_iter().flatten().map(String::len).sum::<usize>()
        + item.url.as_ref().map_or(0, String::len)
        + item.media.iter().map(|media| 150 + media.url.len()).sum::<usize>()
        + item.categories.iter().map(|category| 80 + category.value.len()).sum::<usize>()
        + item.metadata.len() * 200
        + item.options.iter().map(|(_, label)| 50 + label.len()).sum::<usize>();
    OVERHEAD * (size_of::<Item>() + texts)
}

/// The product of the rows `items`; its id is `id`. What all rows say alike is
/// said of the product, the rest of the variants; texts, page and pictures of
/// the product are those of the first row.
pub(crate) fn product(
    id: &str,
    items: Vec<Item>,
    language: &LanguageTag,
) -> Result<Product, Fault> {
    let fault = |text: String| Fault::new("", ProblemCode::InvalidValue, text);
    let alone = items.len() == 1;
    let Some(first) = items.first() else {
        return Err(fault("the group has no rows".to_owned()));
    };
    let id = ProductId::new(id).ok_or_else(|| fault("the id is blank".to_owned()))?;
    let categories: Vec<Category> =
        common(&first.categories, &items, |item, category| item.categories.contains(category));
    let metadata: Map<String, Value> = first
        .metadata
        .iter()
        .filter(|(name, value)| items.iter().all(|i| i.metadata.get(*name) == Some(*value)))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let title = Localized::new(language.clone(), first.title.clone());
    let description = Localized::new(language.clone(), first.description.clone());
    let (url, media) = (first.url.clone(), first.media.clone());
    let mut axes = Axes::default();
    let variants = items
        .into_iter()
        .map(|item| {
            let mut own = item.metadata;
            own.retain(|name, _| !metadata.contains_key(name));
            let mut own_categories = item.categories;
            own_categories.retain(|category| !categories.contains(category));
            let options = item.options.iter();
            let choices = options.map(|(name, label)| axes.choice(language, name, label, None));
            let mut choices: Vec<_> = choices.collect();
            choices.sort_by_key(|choice| choice.axis);
            Variant {
                sku: Some(item.id.as_str().to_owned()),
                id: item.id,
                barcodes: item.barcodes,
                handle: None,
                title: Localized::new(language.clone(), item.title),
                description: Localized::new(language.clone(), item.description),
                url: item.url,
                categories: own_categories,
                prices: vec![item.price],
                list_price: item.list_price,
                unit_price: item.unit_price,
                quantity_unit: None,
                availability: item.availability,
                choices,
                media: if alone { Vec::new() } else { item.media },
                rating: None,
                tags: Vec::new(),
                metadata: (!own.is_empty()).then_some(own),
                seller: None,
                extensions: Map::new(),
            }
        })
        .collect();
    Product::new(ProductFacts {
        id,
        handle: None,
        title,
        description,
        url,
        categories,
        list_price_range: None,
        media,
        axes,
        variants,
        rating: None,
        tags: Vec::new(),
        metadata: (!metadata.is_empty()).then_some(metadata),
        extensions: Map::new(),
    })
    .map_err(|why| fault(why.to_string()))
}

/// What of `first` every item has.
fn common<T: Clone>(first: &[T], items: &[Item], has: impl Fn(&Item, &T) -> bool) -> Vec<T> {
    first.iter().filter(|one| items.iter().all(|item| has(item, one))).cloned().collect()
}
