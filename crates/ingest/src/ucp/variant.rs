//! One variant of a product; a fault in what it needs costs this variant only.

use super::measure::{quantity_unit, unit_price};
use super::parts;
use super::price::{add_price, price};
use super::product::{MAX_AXES, too_many_axes};
use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, array};
use crate::texts::shortened;
use crate::values::{each_language, text, web_url};
use catalog::product::{Axes, Choice, Description};
use catalog::{LanguageTag, Localized, Price, Variant, VariantId};
use std::collections::HashMap;

/// What the variants of one product have in common.
pub(crate) struct Family<'a> {
    /// The language of the feed.
    pub(crate) language: &'a LanguageTag,
    /// The product's description, for a variant that has none.
    pub(crate) description: &'a Localized<Description>,
    /// The product's axes, which grow by what variants say.
    pub(crate) axes: &'a mut Axes,
    /// Ids of the variants before, with their places.
    pub(crate) seen: &'a mut HashMap<VariantId, usize>,
}

/// Reads variant `index`; `None` when it is refused, which is then reported.
pub(crate) fn variant(
    row: &mut Row<'_>,
    at: &Path<'_>,
    index: usize,
    value: Value<'_>,
    family: &mut Family<'_>,
) -> Option<Variant> {
    let members = Members::of(at, value);
    let mut members = row.or_refuse(members)?;
    let id = members.demanded(row, "id", text);
    let title = members.demanded(row, "title", text);
    let title = title.map(|title| shortened(row, at.member("title"), &title).to_owned());
    let (prices, translations) = prices(row, at, &mut members)?;
    let id = id.as_deref().and_then(VariantId::new);
    let (Some(id), Some(mut title), Some(&first)) =
        (id, title.map(|title| Localized::new(family.language.clone(), title)), prices.first())
    else {
        return None;
    };
    if let Some(before) = family.seen.get(&id) {
        let text = format!("`{}` is already the id of variants[{before}]", excerpt(id.as_str()));
        row.refuse(Fault::new(at.member("id"), ProblemCode::DuplicateId, text));
        return None;
    }
    family.seen.insert(id.clone(), index);

    let own = members.optional(row, "description", parts::description);
    let mut description = own.map_or_else(
        || family.description.clone(),
        |own| Localized::new(family.language.clone(), own),
    );
    translate(row, at, translations, family.language, &mut title, &mut description);
    let list_price = members.optional(row, "list_price", |row, at, value| {
        let list_price = price(row, at, value)?;
        same_currency(at, list_price, &prices)
    });
    let choices = choices(row, at, &mut members, family);
    Some(Variant {
        id,
        sku: members.text(row, "sku"),
        barcodes: members.list(row, "barcodes", parts::barcode),
        handle: members.text(row, "handle"),
        title,
        description,
        url: members.optional(row, "url", web_url),
        categories: members.list(row, "categories", parts::category),
        list_price,
        unit_price: members
            .optional(row, "unit_price", |row, at, value| unit_price(row, at, value, first)),
        quantity_unit: members.optional(row, "quantity_unit", quantity_unit),
        availability: members.optional(row, "availability", parts::availability).flatten(),
        choices,
        media: members.list(row, "media", parts::media),
        rating: members.optional(row, "rating", parts::rating),
        tags: members.list(row, "tags", text),
        metadata: members.optional(row, "metadata", parts::metadata),
        seller: members.optional(row, "seller", parts::seller).flatten(),
        prices,
        extensions: members.extensions(row),
    })
}

/// The variant's own price and those of `shopkeeper`, with the translations that
/// are in there too; `None` when the variant is refused for its prices.
fn prices<'v>(
    row: &mut Row<'_>,
    at: &Path<'_>,
    members: &mut Members<'_, 'v>,
) -> Option<(Vec<Price>, Option<Value<'v>>)> {
    let own = members.if_present(row, "price", price);
    let own = row.or_refuse(own);
    let mut prices: Vec<Price> = own.flatten().into_iter().collect();
    let mut translations = None;
    members.optional(row, "shopkeeper", |row, at, value| {
        let mut private = Members::of(at, value)?;
        translations = private.take("translations");
        if let Some(value) = private.take("prices") {
            let at = at.member("prices");
            let items = array(&at, value);
            for (index, item) in row.or_warn(items).into_iter().flatten().enumerate() {
                let at = at.item(index);
                let read = price(row, &at, item);
                if let Some(price) = row.or_warn(read) {
                    add_price(row, &at, &mut prices, price);
                }
            }
        }
        private.finish(row);
        Ok(())
    });
    own?;
    if prices.is_empty() {
        let text = "is missing, and a variant without any price is not published";
        row.refuse(Fault::new(at.member("price"), ProblemCode::NoPrice, text));
    }
    Some((prices, translations))
}

fn same_currency(at: &Path<'_>, list_price: Price, prices: &[Price]) -> Result<Price, Fault> {
    if prices.iter().any(|price| price.currency == list_price.currency) {
        return Ok(list_price);
    }
    let text = format!("is in {}, in which the variant has no price", list_price.currency);
    Err(crate::row::invalid(&at.member("currency"), text))
}

fn translate(
    row: &mut Row<'_>,
    at: &Path<'_>,
    translations: Option<Value<'_>>,
    own: &LanguageTag,
    title: &mut Localized<String>,
    description: &mut Localized<Description>,
) {
    let Some(value) = translations else { return };
    let private = at.member("shopkeeper");
    let at = private.member("translations");
    let read = each_language(row, &at, value, own, |row, language, mut members| {
        if let Some(text) = members.text(row, "title") {
            title.translate(language.clone(), text);
        }
        let read = members.optional(row, "description", parts::translated_description);
        if let Some(text) = read {
            description.translate(language, text);
        }
        members.finish(row);
    });
    row.or_warn(read);
}

/// The variant's place on each axis that it names, in the order of the axes.
fn choices(
    row: &mut Row<'_>,
    at: &Path<'_>,
    members: &mut Members<'_, '_>,
    family: &mut Family<'_>,
) -> Vec<Choice> {
    let named = members.list(row, "options", |row, at, value| {
        let mut members = Members::of(at, value)?;
        let name = members.required(row, "name", text)?;
        let label = members.required(row, "label", text)?;
        let id = members.text(row, "id");
        members.finish(row);
        Ok((name, label, id))
    });
    let mut choices: Vec<Choice> = Vec::with_capacity(named.len());
    let mut names: Vec<String> = Vec::with_capacity(named.len());
    for (name, label, id) in named {
        if names.contains(&name) {
            let text = format!("names `{}` twice; the first one stands", excerpt(&name));
            row.warn(Fault::new(at.member("options"), ProblemCode::Repeated, text));
            continue;
        }
        let is_new = family.axes.iter().all(|axis| *axis.name.own() != name);
        if is_new && family.axes.len() >= MAX_AXES {
            let fault = || too_many_axes(&at.member("options"));
            row.warn_once("options", fault, ProblemCode::TooMany);
            continue;
        }
        choices.push(family.axes.choice(family.language, &name, &label, id.as_deref()));
        names.push(name);
    }
    choices.sort_by_key(|choice| choice.axis);
    choices
}
