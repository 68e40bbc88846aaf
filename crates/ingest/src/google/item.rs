//! One row of a Google product feed: a variant, with what it says of its product.

use super::attribute::{Attribute, Values};
use super::sale;
use crate::Reading;
use crate::gtin::gtin;
use crate::html;
use crate::json;
use crate::money;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Path, Row};
use crate::texts;
use crate::unit_price::unit_price;
use crate::values::web_url;
use catalog::money::UnitPrice;
use catalog::product::{Availability, Barcode, Category, Description, Media};
use catalog::{Currency, Price, VariantId};
use serde_json::{Map, Value};

/// The taxonomy of `google_product_category`.
pub(crate) const GOOGLE: &str = "google_product_category";
/// The taxonomy of the merchant's own categories.
pub(crate) const MERCHANT: &str = "merchant";

/// A row that can be served.
pub(crate) struct Item {
    pub(crate) line: u64,
    pub(crate) id: VariantId,
    pub(crate) title: String,
    pub(crate) description: Description,
    pub(crate) url: Option<String>,
    pub(crate) media: Vec<Media>,
    pub(crate) categories: Vec<Category>,
    pub(crate) metadata: Map<String, Value>,
    /// Names of axes with labels.
    pub(crate) options: Vec<(&'static str, String)>,
    pub(crate) price: Price,
    pub(crate) list_price: Option<Price>,
    pub(crate) unit_price: Option<UnitPrice>,
    pub(crate) availability: Option<Availability>,
    pub(crate) barcodes: Vec<Barcode>,
}

/// Reads a row; `None` when it is refused, which is then reported.
pub(crate) fn item(
    row: &mut Row<'_>,
    line: u64,
    values: &Values<'_>,
    reading: Reading<'_>,
) -> Option<Item> {
    let demanded = |row: &mut Row<'_>, attribute: Attribute| {
        let value = values.one(attribute);
        if value.is_none() {
            row.refuse(Fault::new(attribute.name(), ProblemCode::Missing, "is missing"));
        }
        value
    };
    let id = demanded(row, Attribute::Id).and_then(VariantId::new);
    let title = demanded(row, Attribute::Title).map(|title| texts::title(row, "title", title));
    let price = match values.one(Attribute::Price) {
        Some(text) => {
            let price = read_price(Attribute::Price, text, reading.defaults.currency);
            row.or_refuse(price)
        }
        None => {
            let text = "is missing, and an item without a price is not published";
            row.refuse(Fault::new("price", ProblemCode::NoPrice, text));
            None
        }
    };
    let (id, title, price) = (id?, title?, price?);
    let description = description(row, values, &title);
    let (price, list_price) = on_sale(row, values, price, reading);
    let base = values.one(Attribute::UnitPricingBaseMeasure);
    let unit_price = values.one(Attribute::UnitPricingMeasure).and_then(|measure| {
        let read = unit_price(price, measure, base);
        or_warn(row, Attribute::UnitPricingMeasure, read)
    });
    let barcodes = values.all(Attribute::Gtin).flat_map(|list| list.split(','));
    let barcodes = barcodes.filter_map(|text| {
        or_warn(row, Attribute::Gtin, gtin(text).map_err(|why| format!("{why}; it is left out")))
    });
    Some(Item {
        line,
        id,
        title,
        description,
        barcodes: barcodes.collect(),
        url: values.one(Attribute::Link).and_then(|url| link(row, Attribute::Link, url)),
        media: media(row, values),
        categories: categories(values),
        metadata: metadata(values),
        options: options(values, reading.defaults.language.primary()),
        price,
        list_price,
        unit_price,
        availability: availability(row, values),
    })
}

fn description(row: &mut Row<'_>, values: &Values<'_>, title: &str) -> Description {
    values.one(Attribute::Description).and_then(html::description).unwrap_or_else(|| {
        let text = "is missing; the title stands for it";
        row.warn(Fault::new("description", ProblemCode::Missing, text));
        Description { plain: Some(title.to_owned()), html: None, markdown: None }
    })
}

/// What is paid now, and before the sale where there is one.
fn on_sale(
    row: &mut Row<'_>,
    values: &Values<'_>,
    price: Price,
    reading: Reading<'_>,
) -> (Price, Option<Price>) {
    let Some(text) = values.one(Attribute::SalePrice) else {
        return (price, None);
    };
    let is_on = match values.one(Attribute::SalePriceEffectiveDate) {
        None => Some(true),
        Some(dates) => {
            let read = sale::at(dates, reading.now);
            let read = read.map_err(|why| format!("{why}; the sale price is left out"));
            let sale = or_warn(row, Attribute::SalePriceEffectiveDate, read);
            if let (Some(turn), Some(at)) = (reading.turn, sale.and_then(|sale| sale.changes_at)) {
                turn.note(at);
            }
            sale.map(|sale| sale.is_on)
        }
    };
    let read = read_price(Attribute::SalePrice, text, price.currency).and_then(|sale| {
        if sale.currency != price.currency {
            let text = format!("is in {}, the price in {}", sale.currency, price.currency);
            return Err(Fault::new("sale_price", ProblemCode::InvalidValue, text));
        }
        if sale.amount > price.amount {
            let text = "is above the price; it is left out";
            return Err(Fault::new("sale_price", ProblemCode::InvalidValue, text));
        }
        Ok(sale)
    });
    match row.or_warn(read).filter(|sale| is_on == Some(true) && sale.amount < price.amount) {
        Some(sale) => (sale, Some(price)),
        None => (price, None),
    }
}

fn read_price(attribute: Attribute, text: &str, own: Currency) -> Result<Price, Fault> {
    money::price(text, own)
        .map_err(|why| Fault::new(attribute.name(), ProblemCode::InvalidValue, why))
}

fn media(row: &mut Row<'_>, values: &Values<'_>) -> Vec<Media> {
    let mut media: Vec<Media> = Vec::new();
    let first = values.one(Attribute::ImageLink).map(|url| (Attribute::ImageLink, url));
    let more = values.all(Attribute::AdditionalImageLink).flat_map(links);
    let more = more.map(|url| (Attribute::AdditionalImageLink, url));
    for (attribute, url) in first.into_iter().chain(more) {
        let Some(url) = link(row, attribute, url) else { continue };
        if media.iter().all(|known| known.url != url) {
            let kind = "image".to_owned();
            media.push(Media { kind, url, alt_text: None, width: None, height: None });
        }
    }
    media
}

/// The addresses of a list between commas; a comma inside an address is none,
/// so only one before another scheme divides.
fn links(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(list);
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = text.match_indices(',').map(|(at, _)| at).find(|at| {
            let next = text[at + 1..].trim_start().to_ascii_lowercase();
            next.starts_with("http://") || next.starts_with("https://") || next.is_empty()
        });
        let (one, left) = match cut {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        rest = left.filter(|left| !left.trim().is_empty());
        Some(one.trim_matches(|c: char| c == ',' || c.is_whitespace()))
    })
    .filter(|url| !url.is_empty())
}

fn link(row: &mut Row<'_>, attribute: Attribute, url: &str) -> Option<String> {
    let at = Path::Row;
    let read = web_url(row, &at.member(attribute.name()), json::Value::from(url));
    row.or_warn(read)
}

fn categories(values: &Values<'_>) -> Vec<Category> {
    let category = |value: &str, taxonomy: &str| Category {
        value: value.to_owned(),
        taxonomy: Some(taxonomy.to_owned()),
    };
    let google = values.one(Attribute::GoogleProductCategory);
    let google = google.map(|value| category(value, GOOGLE));
    let merchant = values.all(Attribute::ProductType).map(|value| category(value, MERCHANT));
    google.into_iter().chain(merchant).collect()
}

fn metadata(values: &Values<'_>) -> Map<String, Value> {
    let members = [
        ("brand", Attribute::Brand),
        ("condition", Attribute::Condition),
        ("mpn", Attribute::Mpn),
        ("gender", Attribute::Gender),
        ("age_group", Attribute::AgeGroup),
    ];
    let said = members.into_iter().filter_map(|(name, attribute)| {
        let value = values.one(attribute)?;
        // Google's own values are in lower case, however a feed writes them.
        let value = match attribute {
            Attribute::Condition | Attribute::Gender | Attribute::AgeGroup => value.to_lowercase(),
            _ => value.to_owned(),
        };
        Some((name.to_owned(), Value::from(value)))
    });
    said.collect()
}

/// The axes that the row has a value on, named in the feed's own language.
fn options(values: &Values<'_>, language: &str) -> Vec<(&'static str, String)> {
    let names = if language.eq_ignore_ascii_case("pt") {
        ["Cor", "Tamanho", "Material", "Estampa"]
    } else if language.eq_ignore_ascii_case("es") {
        ["Color", "Talla", "Material", "Estampado"]
    } else {
        ["Color", "Size", "Material", "Pattern"]
    };
    let attributes = [Attribute::Color, Attribute::Size, Attribute::Material, Attribute::Pattern];
    let said = names.into_iter().zip(attributes);
    said.filter_map(|(name, attribute)| Some((name, values.one(attribute)?.to_owned()))).collect()
}

fn availability(row: &mut Row<'_>, values: &Values<'_>) -> Option<Availability> {
    let text = values.one(Attribute::Availability)?;
    let status = match text.to_ascii_lowercase().replace([' ', '-'], "_").as_str() {
        "in_stock" | "instock" | "available_for_order" | "limited_availability" => "in_stock",
        "out_of_stock" | "outofstock" => "out_of_stock",
        "preorder" | "pre_order" => "preorder",
        "backorder" | "back_order" => "backorder",
        _ => {
            let said = excerpt(text);
            let text = format!("`{said}` is none of in_stock, out_of_stock, preorder, backorder");
            row.warn(Fault::new("availability", ProblemCode::InvalidValue, text));
            return None;
        }
    };
    let available = Some(status != "out_of_stock");
    Some(Availability { available, status: Some(status.to_owned()) })
}

fn or_warn<T>(row: &mut Row<'_>, attribute: Attribute, read: Result<T, String>) -> Option<T> {
    row.or_warn(read.map_err(|why| Fault::new(attribute.name(), ProblemCode::InvalidValue, why)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_addresses() {
        let all = |list| links(list).collect::<Vec<_>>();
        assert_eq!(
            all("https://a/1,https://a/2 , http://a/3,"),
            ["https://a/1", "https://a/2", "http://a/3"]
        );
        assert_eq!(all("https://a/w_1,h_2/x.jpg"), ["https://a/w_1,h_2/x.jpg"]);
        assert_eq!(all(",,"), [","; 0]);
    }
}
