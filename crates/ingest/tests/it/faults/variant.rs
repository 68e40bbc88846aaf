//! Every fault of a variant in a `ucp` feed.

use super::{check, product};
use serde_json::{Value, json};

#[test]
fn what_a_variant_needs_rules_c6_c18() {
    const AMOUNT: &str = "an amount is an integer of minor units, 1999 for 19.99";
    let amount = |value: Value, text: &str| {
        let (left, lines) = product("/variants/0/price/amount", value);
        assert_eq!((left, lines.len()), (1, 1));
        assert!(lines[0].starts_with("refused "));
        assert!(lines[0].ends_with(&format!(" | f:1: variants[0].price.amount: {text}: {AMOUNT}")));
    };
    amount(json!("1999"), "must be an integer, not a string");
    amount(json!(19.99), "19.99 is no integer");
    amount(json!(-1), "-1 is not within 0 to 9007199254740991");
    amount(
        json!(9_007_199_254_740_992_u64),
        "9007199254740992 is not within 0 to 9007199254740991",
    );
    check(
        product,
        vec![
            (
                "/variants/1/id",
                json!("v1"),
                1,
                &[
                    "refused duplicate_id | f:1: variants[1].id: `v1` is already the id of variants[0]",
                ],
            ),
            (
                "/variants/1/title",
                json!([]),
                1,
                &["refused wrong_type | f:1: variants[1].title: must be a string, not an array"],
            ),
            (
                "/variants/1/price",
                Value::Null,
                1,
                &[
                    "refused no_price | f:1: variants[1].price: is missing, and a variant without any \
             price is not published",
                ],
            ),
            (
                "/variants/0/price/currency",
                json!("brl"),
                1,
                &[
                    "refused invalid_value | f:1: variants[0].price.currency: `brl` is no currency code of \
             three capital letters",
                ],
            ),
            (
                "/variants/1/price/currency",
                json!("ABC"),
                2,
                &[
                    "warning unknown_currency | f:1: variants[1].price.currency: ISO 4217 has no currency \
             `ABC` with minor units",
                ],
            ),
            (
                "/variants/1/price/vat",
                json!(1),
                2,
                &[
                    "warning unknown_member | f:1: variants[1].price.vat: is no member that is known here; \
             it is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_variant_may_have() {
    check(
        product,
        vec![
            (
                "/variants/0/description",
                json!("Azul"),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].description: must be an object, not a string",
                ],
            ),
            (
                "/variants/0/list_price/amount",
                json!(-1),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].list_price.amount: -1 is not within 0 to \
             9007199254740991: an amount is an integer of minor units, 1999 for 19.99",
                ],
            ),
            (
                "/variants/0/list_price/currency",
                json!("EUR"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].list_price.currency: is in EUR, in which the \
             variant has no price",
                ],
            ),
            (
                "/variants/0/options/1/name",
                json!("Cor"),
                2,
                &[
                    "warning repeated | f:1: variants[0].options: names `Cor` twice; the first one stands",
                ],
            ),
            (
                "/variants/0/options/1/label",
                json!(""),
                2,
                &["warning missing | f:1: variants[0].options[1].label: is blank"],
            ),
            (
                "/variants/0/barcodes/0/type",
                Value::Null,
                2,
                &["warning missing | f:1: variants[0].barcodes[0].type: is missing"],
            ),
        ],
    );
}

#[test]
fn what_a_variant_may_have_besides() {
    check(
        product,
        vec![
            (
                "/variants/0/availability/available",
                json!("no"),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].availability.available: must be true or false, \
             not a string",
                ],
            ),
            (
                "/variants/0/tags/0",
                json!(1),
                2,
                &["warning wrong_type | f:1: variants[0].tags[0]: must be a string, not a number"],
            ),
            (
                "/variants/0/seller/links/0/url",
                json!("faq"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].seller.links[0].url: `faq` is no absolute \
             http or https URL",
                ],
            ),
            (
                "/variants/0/shopkeeper/prices",
                json!(1),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].shopkeeper.prices: must be an array, not a \
             number",
                ],
            ),
            (
                "/variants/0/shopkeeper/translations/en/title",
                json!(1),
                2,
                &[
                    "warning wrong_type | f:1: variants[0].shopkeeper.translations.en.title: must be a \
             string, not a number",
                ],
            ),
            (
                "/variants/0/inputs",
                json!([]),
                2,
                &[
                    "warning unknown_member | f:1: variants[0].inputs: is no member that is known here; it \
             is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn units_rule_c15() {
    check(
        product,
        vec![
            (
                "/variants/0/unit_price/currency",
                json!("USD"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.currency: is in USD, the price in \
             BRL",
                ],
            ),
            (
                "/variants/0/unit_price/reference/unit",
                json!("KGM"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price: measure and reference have \
             different units",
                ],
            ),
            (
                "/variants/0/unit_price/measure/value",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.measure.value: 0 is not within 1 \
             to 9007199254740991",
                ],
            ),
            (
                "/variants/0/unit_price/measure/scale",
                json!(16),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].unit_price.measure.scale: 16 is not within 0 \
             to 15",
                ],
            ),
            (
                "/variants/0/quantity_unit/unit",
                json!("C62"),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].quantity_unit.scale: 3 is not within 0 to 0",
                ],
            ),
            (
                "/variants/0/quantity_unit/display_text",
                Value::Null,
                2,
                &["warning missing | f:1: variants[0].quantity_unit.display_text: is missing"],
            ),
            (
                "/variants/0/quantity_unit/increment",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: variants[0].quantity_unit.increment: 0 is not within 1 \
             to 9007199254740991",
                ],
            ),
        ],
    );
}
