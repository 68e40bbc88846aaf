//! Variants, and the members that differ between versions (rule C15).

use super::product::{Shown, View, categories, description, media, passed_through, rating};
use catalog::money::{Measure, QuantityUnit, UnitPrice};
use catalog::product::Seller;
use catalog::{Currency, Variant, market};
use protocol::dialect::Shape;
use protocol::wire;

/// The variant number `at` of a product, in the product's currency where it has a
/// price in it.
pub(super) fn variant<'p>(shown: &Shown<'p>, at: usize, view: &View<'_>) -> wire::Variant<'p> {
    let product = shown.product;
    let variant = &product.variants[at];
    // A variant without a price in the product's currency shows its own first.
    let price = variant
        .prices
        .iter()
        .find(|price| price.currency == shown.currency)
        .unwrap_or(&variant.prices[0]);
    let code = price.currency.code();
    wire::Variant {
        id: variant.id.as_str(),
        sku: variant.sku.as_deref(),
        barcodes: variant
            .barcodes
            .iter()
            .map(|barcode| wire::Barcode { kind: &barcode.kind, value: &barcode.value })
            .collect(),
        handle: variant.handle.as_deref(),
        title: variant.title.pick(view.language),
        description: description(variant.description.pick(view.language)),
        url: variant.url.as_deref(),
        categories: categories(&variant.categories),
        price: wire::Price { amount: price.amount.minor_units(), currency: code },
        quantity_unit: match view.shape {
            Shape::V2026_08_25 => variant.quantity_unit.as_ref().map(quantity_unit),
            Shape::V2026_04_08 => None,
        },
        list_price: variant
            .list_price
            .filter(|list| list.currency == price.currency)
            .map(|list| wire::Price { amount: list.amount.minor_units(), currency: code }),
        unit_price: unit_price(variant, price.currency, code, view.shape),
        availability: variant.availability.as_ref().map(|availability| wire::Availability {
            available: availability.available,
            status: availability.status.as_deref(),
        }),
        options: variant.choices.iter().map(|&choice| view.selected(product, choice)).collect(),
        media: media(&variant.media),
        rating: variant.rating.as_ref().map(rating),
        tags: variant.tags.iter().map(String::as_str).collect(),
        metadata: variant.metadata.as_ref(),
        seller: variant.seller.as_ref().map(seller),
        extensions: passed_through(&variant.extensions),
    }
}

fn quantity_unit(unit: &QuantityUnit) -> wire::QuantityUnit<'_> {
    wire::QuantityUnit {
        unit: &unit.unit,
        scale: (unit.scale != 0).then_some(unit.scale),
        display_text: &unit.display_text,
        increment: unit.increment,
    }
}

/// The unit price as a version writes it; `None` where it cannot (rule C15).
fn unit_price<'p>(
    variant: &'p Variant,
    currency: Currency,
    code: &'p str,
    shape: Shape,
) -> Option<wire::UnitPrice<'p>> {
    let UnitPrice { measure, reference, .. } = variant.unit_price.as_ref()?;
    let amount = market::unit_price_in(variant, currency)?.price.amount.minor_units();
    Some(match shape {
        Shape::V2026_08_25 => wire::UnitPrice::Scaled(wire::ScaledUnitPrice {
            amount,
            currency: code,
            measure: scaled(measure),
            reference: scaled(reference),
        }),
        Shape::V2026_04_08 => wire::UnitPrice::Plain(wire::PlainUnitPrice {
            amount,
            currency: code,
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

fn seller(seller: &Seller) -> wire::Seller<'_> {
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
