//! One product of the ucp format.

use super::parts;
use super::price::price_range;
use super::variant::{Family, variant};
use crate::Defaults;
use crate::json::Value;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Members, Path, Row, array, object};
use crate::texts::shortened;
use crate::values::{each_language, text, web_url};
use catalog::product::{Axes, Description};
use catalog::{LanguageTag, Localized, Product, ProductFacts, ProductId, Variant};
use std::collections::HashMap;

/// No product has more options; people choose among three or four.
pub(super) const MAX_AXES: usize = 100;
/// No option that is declared has more values.
const MAX_VALUES: usize = 2_000;

/// Reads a row; `None` when it is refused, which is then reported.
pub(crate) fn product(row: &mut Row<'_>, value: Value<'_>, defaults: &Defaults) -> Option<Product> {
    let at = Path::Row;
    let language = &defaults.language;
    let members = Members::of(&at, value);
    let mut members = row.or_refuse(members)?;
    let id = members.demanded(row, "id", text);
    let title = members.demanded(row, "title", text);
    let description = members.demanded(row, "description", parts::description);
    members.ignore("price_range");
    let variant_values = members.demanded(row, "variants", |_, at, value| array(at, value));
    let (Some(id), Some(title), Some(description), Some(variant_values)) =
        (id.as_deref().and_then(ProductId::new), title, description, variant_values)
    else {
        return None;
    };
    let title = shortened(row, "title", &title).to_owned();
    let mut title = Localized::new(language.clone(), title);
    let mut description = Localized::new(language.clone(), description);
    let labels = translations(row, &mut members, language, &mut title, &mut description);

    let mut axes = declared_axes(row, &mut members, language);
    let listed = variant_values.len();
    let variants = variants(row, variant_values, language, &description, &mut axes)?;
    // A refused variant may have been the only one with an option.
    let complete = variants.len() == listed;
    for (language, value) in labels {
        translate_axes(row, &mut axes, complete, &language, value);
    }
    let facts = ProductFacts {
        id,
        handle: members.text(row, "handle"),
        title,
        description,
        url: members.optional(row, "url", web_url),
        categories: members.list(row, "categories", parts::category),
        list_price_range: members.optional(row, "list_price_range", price_range),
        media: members.list(row, "media", parts::media),
        axes,
        variants,
        rating: members.optional(row, "rating", parts::rating),
        tags: members.list(row, "tags", text),
        metadata: members.optional(row, "metadata", parts::metadata),
        extensions: members.extensions(row),
    };
    let built = Product::new(facts)
        .map_err(|fault| Fault::new("", ProblemCode::InvalidValue, fault.to_string()));
    row.or_refuse(built)
}

/// The variants that can be served; `None` when there is none.
fn variants(
    row: &mut Row<'_>,
    values: Vec<Value<'_>>,
    language: &LanguageTag,
    description: &Localized<Description>,
    axes: &mut Axes,
) -> Option<Vec<Variant>> {
    let at = Path::Row;
    let at = at.member("variants");
    let mut seen = HashMap::new();
    let mut family = Family { language, description, axes, seen: &mut seen };
    let values = values.into_iter().enumerate();
    let read: Vec<Variant> = values
        .filter_map(|(index, value)| variant(row, &at.item(index), index, value, &mut family))
        .collect();
    if read.is_empty() {
        let text = "has no variant that can be served";
        row.refuse(Fault::new(at, ProblemCode::NoVariant, text));
        return None;
    }
    Some(read)
}

/// The axes that the product declares, in its order.
fn declared_axes(row: &mut Row<'_>, members: &mut Members<'_, '_>, language: &LanguageTag) -> Axes {
    let declared = members.list(row, "options", |row, at, value| {
        let mut members = Members::of(at, value)?;
        let name = members.required(row, "name", text)?;
        let values = members.list(row, "values", |row, at, value| {
            let mut members = Members::of(at, value)?;
            let label = members.required(row, "label", text)?;
            let id = members.text(row, "id");
            members.finish(row);
            Ok((label, id))
        });
        members.finish(row);
        if values.is_empty() {
            return Err(Fault::new(at, ProblemCode::Missing, "has no values"));
        }
        Ok((name, values))
    });
    if declared.len() > MAX_AXES {
        row.warn(too_many_axes(&Path::Row.member("options")));
    }
    let mut axes = Axes::default();
    for (name, mut values) in declared.into_iter().take(MAX_AXES) {
        if values.len() > MAX_VALUES {
            values.truncate(MAX_VALUES);
            let text = format!(
                "`{}` has more than {MAX_VALUES} values; the rest is dropped",
                excerpt(&name)
            );
            row.warn(Fault::new("options", ProblemCode::TooMany, text));
        }
        for (label, id) in values {
            axes.choice(language, &name, &label, id.as_deref());
        }
    }
    axes
}

/// Reads `shopkeeper`; what it says of options is handed back for later, when the
/// variants have named all axes.
fn translations<'v>(
    row: &mut Row<'_>,
    members: &mut Members<'_, 'v>,
    own: &LanguageTag,
    title: &mut Localized<String>,
    description: &mut Localized<Description>,
) -> Vec<(LanguageTag, Value<'v>)> {
    let mut labels = Vec::new();
    members.optional(row, "shopkeeper", |row, at, value| {
        let mut private = Members::of(at, value)?;
        private.optional(row, "translations", |row, at, value| {
            each_language(row, at, value, own, |row, language, mut members| {
                if let Some(text) = members.text(row, "title") {
                    title.translate(language.clone(), text);
                }
                let read = members.optional(row, "description", parts::translated_description);
                if let Some(text) = read {
                    description.translate(language.clone(), text);
                }
                labels.extend(members.take("options").map(|value| (language, value)));
                members.finish(row);
            })
        });
        private.finish(row);
        Ok(())
    });
    labels
}

/// Hangs `{"Cor": {"name": "Color", "values": {"Azul": "Blue"}}}` on the axes.
///
/// What the axes lack is reported only where they are `complete`.
fn translate_axes(
    row: &mut Row<'_>,
    axes: &mut Axes,
    complete: bool,
    language: &LanguageTag,
    value: Value<'_>,
) {
    let at = Path::Row;
    let at = at.member("shopkeeper");
    let at = at.member("translations");
    let at = at.member(language.as_str());
    let at = at.member("options");
    let translated = object(&at, value);
    for (name, value) in row.or_warn(translated).into_iter().flatten() {
        let at = at.member(&name);
        let Some(axis) = axes.axis_mut(&name) else {
            if complete {
                row.warn(no_such(&at, "option", &name));
            }
            continue;
        };
        let members = Members::of(&at, value);
        let Some(mut members) = row.or_warn(members) else {
            continue;
        };
        if let Some(text) = members.text(row, "name") {
            axis.name.translate(language.clone(), text);
        }
        let values = members.optional(row, "values", |_, at, value| object(at, value));
        let at_values = at.member("values");
        for (label, value) in values.into_iter().flatten() {
            let at = at_values.member(&label);
            let known = axis.values.iter_mut().find(|known| *known.label.own() == label);
            match known {
                None if complete => row.warn(no_such(&at, "value", &label)),
                None => {}
                Some(known) => {
                    let read = text(row, &at, value);
                    if let Some(text) = row.or_warn(read) {
                        known.label.translate(language.clone(), text);
                    }
                }
            }
        }
        members.finish(row);
    }
}

/// The fault of options beyond [`MAX_AXES`].
pub(super) fn too_many_axes(at: &Path<'_>) -> Fault {
    let text = format!("there are more than {MAX_AXES} options; the rest is dropped");
    Fault::new(at, ProblemCode::TooMany, text)
}

fn no_such(at: &Path<'_>, what: &str, name: &str) -> Fault {
    let text = format!("the product has no {what} `{}`", excerpt(name));
    Fault::new(at, ProblemCode::UnknownReference, text)
}
