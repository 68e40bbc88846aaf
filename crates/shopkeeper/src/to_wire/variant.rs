//! Variants, and the members that differ between versions (rule C15).

use super::product::{Stored, View};
use super::record::{Damaged, Money};
use protocol::dialect::Shape;

const IN_STOCK: &[u8] = br#","availability":{"available":true,"status":"in_stock"}"#;
const OUT_OF_STOCK: &[u8] = br#","availability":{"available":false,"status":"out_of_stock"}"#;

/// Writes the members of the variant `at`, its product being presented in the
/// currency with the number `presentation`.
pub(super) fn members(
    stored: &Stored<'_>,
    at: usize,
    presentation: usize,
    view: &View,
    out: &mut Vec<u8>,
) -> Result<(), Damaged> {
    let product = &stored.record;
    let (choices, variant) = product.variant(at)?;
    let title = if variant.title.is_empty() { product.title } else { variant.title };
    let same = variant.description.is_empty();
    let description = if same { product.description } else { variant.description };
    out.extend_from_slice(&variant.head);
    out.extend_from_slice(br#","title":"#);
    out.extend_from_slice(&title.pick(&view.wanted)?);
    out.extend_from_slice(br#","description":"#);
    out.extend_from_slice(&description.pick(&view.wanted)?);
    out.extend_from_slice(&variant.middle);
    let (newest, older): Money<'_> = variant.money.values().nth(presentation).ok_or(Damaged)??;
    out.extend_from_slice(match view.shape {
        Shape::V2026_04_08 if !older.is_empty() => older.bytes(),
        Shape::V2026_04_08 | Shape::V2026_08_25 => newest.bytes(),
    });
    if variant.availability.is_empty() {
        // Rule C14: the stock speaks only where the feed says nothing.
        match stored.provided(at) {
            Some(true) => out.extend_from_slice(IN_STOCK),
            Some(false) => out.extend_from_slice(OUT_OF_STOCK),
            None => {}
        }
    } else {
        out.extend_from_slice(&variant.availability);
    }
    if !choices.is_empty() {
        out.extend_from_slice(br#","options":["#);
        view.choices(product, &choices, out)?;
        out.push(b']');
    }
    if !variant.media.is_empty() {
        out.extend_from_slice(br#","media":["#);
        out.extend_from_slice(&variant.media);
        out.push(b']');
    }
    out.extend_from_slice(&variant.tail);
    Ok(())
}
