//! One product of a Shopify export while its rows are read.

use super::column::{Column, Columns};
use crate::Reading;
use crate::google::item::{GOOGLE, MERCHANT};
use crate::gtin::gtin;
use crate::html;
use crate::json;
use crate::money;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::{Path, Row};
use crate::texts::{shortened, slug, title};
use crate::values::web_url;
use catalog::product::{Availability, Barcode, Category, Description, Media};
use catalog::{
    Axes, Choice, LanguageTag, Localized, Price, Product, ProductFacts, ProductId, Variant,
    VariantId,
};
use csv::StringRecord;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The taxonomy of `Product Category`.
const SHOPIFY: &str = "shopify";
/// The option and the value of a product without options.
const NO_OPTION: (&str, &str) = ("Title", "Default Title");
/// No product has more variants; Shopify allows 2,048.
const MAX_VARIANTS: usize = 10_000;
const OPTIONS: [(Column, Column); 3] = [
    (Column::Option1Name, Column::Option1Value),
    (Column::Option2Name, Column::Option2Value),
    (Column::Option3Name, Column::Option3Value),
];

/// Why a product of the export is not for buyers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unpublished {
    /// `Status` is draft or archived.
    Status,
    /// `Published` is false.
    Hidden,
}

/// A product whose rows are not all read yet.
pub(super) struct Draft {
    /// Of its first row.
    pub(super) line: u64,
    pub(super) handle: String,
    pub(super) unpublished: Option<Unpublished>,
    /// False when the product is refused, whatever comes.
    good: bool,
    title: Option<String>,
    description: Option<Description>,
    categories: Vec<Category>,
    tags: Vec<String>,
    metadata: Map<String, Value>,
    /// With their positions.
    media: Vec<(u64, Media)>,
    names: [Option<String>; 3],
    axes: Axes,
    variants: Vec<Variant>,
}

impl Draft {
    /// Reads what the first row says of the product.
    pub(super) fn begin(
        row: &mut Row<'_>,
        line: u64,
        handle: &str,
        columns: &Columns,
        fields: &StringRecord,
    ) -> Self {
        let cell = |column| columns.cell(fields, column);
        let is_false = |text: &str| ["false", "no", "0"].contains(&&*text.to_ascii_lowercase());
        let unpublished = match cell(Column::Status) {
            Some(status) if !status.eq_ignore_ascii_case("active") => Some(Unpublished::Status),
            _ if cell(Column::Published).is_some_and(is_false) => Some(Unpublished::Hidden),
            _ => None,
        };
        let shown = cell(Column::Title).map(|text| title(row, Column::Title.name(), text));
        if shown.is_none() && unpublished.is_none() {
            let text = "is blank in the first row of the product";
            row.refuse(Fault::new(Column::Title.name(), ProblemCode::Missing, text));
        }
        let tags = cell(Column::Tags).unwrap_or_default().split(',').map(str::trim);
        let tags = tags.filter(|tag| !tag.is_empty()).map(str::to_owned).collect();
        Self {
            line,
            handle: handle.to_owned(),
            good: shown.is_some(),
            unpublished,
            title: shown,
            description: cell(Column::Body).and_then(html::description),
            categories: categories(cell),
            tags,
            metadata: metadata(cell),
            media: Vec::new(),
            names: OPTIONS.map(|(name, _)| cell(name).map(str::to_owned)),
            axes: Axes::default(),
            variants: Vec::new(),
        }
    }

    /// Reads a row: a picture of the product, a variant, or both. `taken` has the
    /// ids of all variants so far.
    pub(super) fn row(
        &mut self,
        row: &mut Row<'_>,
        columns: &Columns,
        fields: &StringRecord,
        reading: Reading<'_>,
        taken: &mut HashSet<Box<str>>,
    ) {
        if self.unpublished.is_some() || !self.good {
            return;
        }
        let cell = |column| columns.cell(fields, column);
        if let Some(media) = picture(row, Column::ImageSrc, cell(Column::ImageSrc)) {
            let alt_text = cell(Column::ImageAltText).map(str::to_owned);
            let position = cell(Column::ImagePosition).and_then(|text| text.parse().ok());
            let position = position.unwrap_or(u64::MAX);
            if self.media.iter().all(|(_, known)| known.url != media.url) {
                self.media.push((position, Media { alt_text, ..media }));
            }
        }
        let says_variant = [Column::Price, Column::Sku, Column::Option1Value, Column::Barcode];
        if says_variant.into_iter().any(|column| cell(column).is_some()) {
            self.variant(row, columns, fields, reading, taken);
        }
    }

    fn variant(
        &mut self,
        row: &mut Row<'_>,
        columns: &Columns,
        fields: &StringRecord,
        reading: Reading<'_>,
        taken: &mut HashSet<Box<str>>,
    ) {
        let cell = |column| columns.cell(fields, column);
        if self.variants.len() >= MAX_VARIANTS {
            let text = format!("the product has {MAX_VARIANTS} variants already");
            row.refuse(Fault::new("", ProblemCode::TooMany, text));
            return;
        }
        let (Some(price), Some(shown)) = (price(row, cell(Column::Price), reading), &self.title)
        else {
            return;
        };
        let language = &reading.defaults.language;
        let labels: Vec<(&str, &str)> = self
            .names
            .iter()
            .zip(OPTIONS)
            .filter_map(|(name, (_, value))| Some((name.as_deref()?, cell(value)?, value)))
            .filter(|(name, value, _)| (*name, *value) != NO_OPTION)
            .map(|(name, value, column)| (name, shortened(row, column.name(), value)))
            .collect();
        let Some(id) = variant_id(row, &self.handle, cell(Column::Sku), &labels, taken) else {
            return;
        };
        let mut choices: Vec<Choice> = Vec::with_capacity(labels.len());
        for (name, label) in &labels {
            let choice = self.axes.choice(language, name, label, None);
            if choices.iter().all(|known| known.axis != choice.axis) {
                choices.push(choice);
            }
        }
        choices.sort_by_key(|choice| choice.axis);
        let own_title = match &labels[..] {
            [] => shown.clone(),
            labels => labels.iter().map(|(_, label)| *label).collect::<Vec<_>>().join(" / "),
        };
        let before = cell(Column::CompareAtPrice);
        self.variants.push(Variant {
            id,
            sku: cell(Column::Sku).map(str::to_owned),
            barcodes: barcode(row, cell(Column::Barcode)).into_iter().collect(),
            handle: None,
            title: Localized::new(language.clone(), own_title),
            description: Localized::new(language.clone(), self.described()),
            url: None,
            categories: Vec::new(),
            prices: vec![price],
            list_price: before.and_then(|text| list_price(row, text, price)),
            unit_price: None,
            quantity_unit: None,
            availability: availability(row, columns, fields),
            choices,
            media: picture(row, Column::VariantImage, cell(Column::VariantImage))
                .into_iter()
                .collect(),
            rating: None,
            tags: Vec::new(),
            metadata: None,
            seller: None,
            extensions: Map::new(),
        });
    }

    /// The product, when it can be served; else its faults have been reported.
    pub(super) fn finish(mut self, row: &mut Row<'_>, language: &LanguageTag) -> Option<Product> {
        if !self.good {
            return None;
        }
        if self.variants.is_empty() {
            let text = format!("`{}` has no variant that can be served", excerpt(&self.handle));
            row.refuse(Fault::new("", ProblemCode::NoVariant, text));
            return None;
        }
        if self.description.is_none() {
            let text = "is blank; the title stands for it";
            row.warn(Fault::new(Column::Body.name(), ProblemCode::Missing, text));
        }
        self.media.sort_by_key(|(position, _)| *position);
        let description = self.described();
        let built = Product::new(ProductFacts {
            id: ProductId::new(&self.handle)?,
            handle: Some(self.handle),
            title: Localized::new(language.clone(), self.title?),
            description: Localized::new(language.clone(), description),
            url: None,
            categories: self.categories,
            list_price_range: None,
            media: self.media.into_iter().map(|(_, media)| media).collect(),
            axes: self.axes,
            variants: self.variants,
            rating: None,
            tags: self.tags,
            metadata: (!self.metadata.is_empty()).then_some(self.metadata),
            extensions: Map::new(),
        });
        let built = built.map_err(|why| Fault::new("", ProblemCode::InvalidValue, why.to_string()));
        row.or_refuse(built)
    }

    fn described(&self) -> Description {
        self.description.clone().unwrap_or_else(|| Description {
            plain: self.title.clone(),
            html: None,
            markdown: None,
        })
    }
}

/// The SKU, where no variant before has it; else the handle with the option
/// values, which no export says twice of one product.
fn variant_id(
    row: &mut Row<'_>,
    handle: &str,
    sku: Option<&str>,
    labels: &[(&str, &str)],
    taken: &mut HashSet<Box<str>>,
) -> Option<VariantId> {
    let fallback = || {
        let labels: Vec<String> = labels.iter().map(|(_, label)| slug(label)).collect();
        let parts = std::iter::once(handle.to_owned()).chain(labels);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    };
    let id = match sku {
        Some(sku) if taken.contains(sku) => {
            let id = fallback();
            let text = format!("`{}` is another variant's too; the id is `{id}`", excerpt(sku));
            row.warn(Fault::new(Column::Sku.name(), ProblemCode::DuplicateId, text));
            id
        }
        Some(sku) => sku.to_owned(),
        None => fallback(),
    };
    if !taken.insert(id.as_str().into()) {
        let text = format!("`{}` is already the id of a variant", excerpt(&id));
        row.refuse(Fault::new("", ProblemCode::DuplicateId, text));
        return None;
    }
    VariantId::new(&id)
}

fn price(row: &mut Row<'_>, text: Option<&str>, reading: Reading<'_>) -> Option<Price> {
    let name = Column::Price.name();
    let Some(text) = text else {
        let text = "is blank, and a variant without any price is not published";
        row.refuse(Fault::new(name, ProblemCode::NoPrice, text));
        return None;
    };
    let read = money::price(text, reading.defaults.currency);
    row.or_refuse(read.map_err(|why| Fault::new(name, ProblemCode::InvalidValue, why)))
}

/// The price before; Shopify writes one at or below the price where there is no
/// discount.
fn list_price(row: &mut Row<'_>, text: &str, price: Price) -> Option<Price> {
    let read = money::price(text, price.currency);
    let name = Column::CompareAtPrice.name();
    let read = row.or_warn(read.map_err(|why| Fault::new(name, ProblemCode::InvalidValue, why)));
    read.filter(|list| list.currency == price.currency && list.amount > price.amount)
}

fn barcode(row: &mut Row<'_>, text: Option<&str>) -> Option<Barcode> {
    // Spreadsheets are kept from mangling digits by an apostrophe.
    let read = gtin(text?.trim_start_matches('\''));
    row.or_warn(read.map_err(|why| {
        let text = format!("{why}; it is left out");
        Fault::new(Column::Barcode.name(), ProblemCode::InvalidValue, text)
    }))
}

/// What the inventory columns say: a variant that is not tracked is sold always.
fn availability(
    row: &mut Row<'_>,
    columns: &Columns,
    fields: &StringRecord,
) -> Option<Availability> {
    let cell = |column| columns.cell(fields, column);
    if !columns.has(Column::Quantity) && !columns.has(Column::Tracker) {
        return None;
    }
    let tracked = !columns.has(Column::Tracker) || cell(Column::Tracker).is_some();
    let status = if tracked {
        let text = cell(Column::Quantity)?;
        let Ok(quantity) = text.parse::<i64>() else {
            let text = format!("`{}` is no whole number", excerpt(text));
            row.warn(Fault::new(Column::Quantity.name(), ProblemCode::InvalidValue, text));
            return None;
        };
        // Below zero is oversold, which Shopify exports as it is.
        let goes_on = cell(Column::Policy).is_some_and(|policy| {
            ["continue", "true"].iter().any(|known| policy.eq_ignore_ascii_case(known))
        });
        match (quantity > 0, goes_on) {
            (true, _) => "in_stock",
            (false, true) => "backorder",
            (false, false) => "out_of_stock",
        }
    } else {
        "in_stock"
    };
    let available = Some(status != "out_of_stock");
    Some(Availability { available, status: Some(status.to_owned()) })
}

fn picture(row: &mut Row<'_>, column: Column, url: Option<&str>) -> Option<Media> {
    let at = Path::Row;
    let read = web_url(row, &at.member(column.name()), json::Value::from(url?));
    let read = read.map_err(|fault| Fault { field: column.name().to_owned(), ..fault });
    let url = row.or_warn(read)?;
    Some(Media { kind: "image".to_owned(), url, alt_text: None, width: None, height: None })
}

fn categories<'f>(cell: impl Fn(Column) -> Option<&'f str>) -> Vec<Category> {
    let columns =
        [(Column::GoogleCategory, GOOGLE), (Column::Category, SHOPIFY), (Column::Type, MERCHANT)];
    let said = columns.into_iter().filter_map(|(column, taxonomy)| {
        Some(Category { value: cell(column)?.to_owned(), taxonomy: Some(taxonomy.to_owned()) })
    });
    said.collect()
}

fn metadata<'f>(cell: impl Fn(Column) -> Option<&'f str>) -> Map<String, Value> {
    let columns = [
        ("brand", Column::Vendor),
        ("condition", Column::Condition),
        ("mpn", Column::Mpn),
        ("gender", Column::Gender),
        ("age_group", Column::AgeGroup),
    ];
    let said = columns.into_iter().filter_map(|(name, column)| {
        let value = cell(column)?;
        let is_free = matches!(column, Column::Vendor | Column::Mpn);
        let value = if is_free { value.to_owned() } else { value.to_lowercase() };
        Some((name.to_owned(), Value::from(value)))
    });
    said.collect()
}
