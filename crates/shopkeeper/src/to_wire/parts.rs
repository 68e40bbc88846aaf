//! Small values of the catalog as the wire has them.

use catalog::money::{Measure, QuantityUnit, UnitPrice};
use catalog::product::{Availability, Barcode, Category, Description, Media, Rating, Seller};
use catalog::{Currency, Price, Variant, market};
use protocol::dialect::Shape;
use protocol::wire;
use serde_json::{Map, Value};

/// Members with reverse-domain names, when there are any (rule C15).
pub(crate) fn passed_through(extensions: &Map<String, Value>) -> Option<&Map<String, Value>> {
    (!extensions.is_empty()).then_some(extensions)
}

pub(super) fn description(text: &Description) -> wire::Description<'_> {
    wire::Description {
        plain: text.plain.as_deref(),
        html: text.html.as_deref(),
        markdown: text.markdown.as_deref(),
    }
}

pub(super) fn barcode(barcode: &Barcode) -> wire::Barcode<'_> {
    wire::Barcode { kind: &barcode.kind, value: &barcode.value }
}

pub(super) fn category(category: &Category) -> wire::Category<'_> {
    wire::Category { value: category.value.as_str(), taxonomy: category.taxonomy.as_deref() }
}

pub(super) fn media(item: &Media) -> wire::Media<'_> {
    wire::Media {
        kind: item.kind.as_str(),
        url: item.url.as_str(),
        alt_text: item.alt_text.as_deref(),
        width: item.width,
        height: item.height,
    }
}

pub(super) fn rating(rating: &Rating) -> wire::Rating {
    wire::Rating {
        value: rating.value,
        scale_min: rating.scale_min,
        scale_max: rating.scale_max,
        count: rating.count,
    }
}

pub(super) fn availability(availability: &Availability) -> wire::Availability<'_> {
    wire::Availability { available: availability.available, status: availability.status.as_deref() }
}

pub(super) fn seller(seller: &Seller) -> wire::Seller<'_> {
    wire::Seller {
        name: seller.name.as_deref(),
        links: seller
            .links
            .iter()
            .map(|link| wire::Link {
                kind: link.kind.as_str(),
                url: link.url.as_str(),
                title: link.title.as_deref(),
            })
            .collect(),
    }
}

pub(super) fn price(price: &Price) -> wire::Price<'_> {
    wire::Price { amount: price.amount.minor_units(), currency: price.currency.code() }
}

pub(super) fn price_range((min, max): &(Price, Price)) -> wire::PriceRange<'_> {
    wire::PriceRange { min: price(min), max: price(max) }
}

/// What a quantity counts, in a version that says it (rule C15).
pub(super) fn quantity_unit(unit: &QuantityUnit, shape: Shape) -> Option<wire::QuantityUnit<'_>> {
    match shape {
        Shape::V2026_08_25 => Some(wire::QuantityUnit {
            unit: &unit.unit,
            scale: (unit.scale != 0).then_some(unit.scale),
            display_text: &unit.display_text,
            increment: unit.increment,
        }),
        Shape::V2026_04_08 => None,
    }
}

/// The unit price as a version writes it; `None` where it cannot (rule C15).
pub(super) fn unit_price<'p>(
    variant: &'p Variant,
    currency: &'p Currency,
    shape: Shape,
) -> Option<wire::UnitPrice<'p>> {
    let UnitPrice { measure, reference, .. } = variant.unit_price.as_ref()?;
    let amount = market::unit_price_in(variant, *currency)?.price.amount.minor_units();
    let currency = currency.code();
    Some(match shape {
        Shape::V2026_08_25 => wire::UnitPrice::Scaled(wire::ScaledUnitPrice {
            amount,
            currency,
            measure: scaled(measure),
            reference: scaled(reference),
        }),
        Shape::V2026_04_08 => wire::UnitPrice::Plain(wire::PlainUnitPrice {
            amount,
            currency,
            measure: wire::PlainMeasure { value: number(measure), unit: &measure.unit },
            reference: wire::PlainReference { value: whole(reference)?, unit: &reference.unit },
        }),
    })
}

fn scaled(measure: &Measure) -> wire::Measure<'_> {
    wire::Measure {
        value: measure.value,
        unit: &measure.unit,
        scale: (measure.scale != 0).then_some(measure.scale),
        display_text: &measure.display_text,
    }
}

/// The measure as a JSON number, read from its decimal text so that 750 at scale
/// 3 is 0.75 and nothing beside it.
fn number(measure: &Measure) -> f64 {
    format!("{}e-{}", measure.value, measure.scale).parse().unwrap_or_default()
}

/// The measure as an integer, when it is one.
fn whole(measure: &Measure) -> Option<i64> {
    let step = 10_u64.checked_pow(u32::from(measure.scale))?;
    let whole = measure.value.is_multiple_of(step).then(|| measure.value / step)?;
    i64::try_from(whole).ok()
}
