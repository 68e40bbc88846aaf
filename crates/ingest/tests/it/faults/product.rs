//! Every fault of a product in a `ucp` feed.

use super::{check, product};
use serde_json::{Value, json};

#[test]
fn what_a_product_needs() {
    check(
        product,
        vec![
            ("/id", json!(7), 0, &["refused wrong_type | f:1: id: must be a string, not a number"]),
            ("/id", json!(""), 0, &["refused missing | f:1: id: is blank"]),
            ("/title", json!(" \n"), 0, &["refused missing | f:1: title: is blank"]),
            ("/title", Value::Null, 0, &["refused missing | f:1: title: is missing"]),
            (
                "/description",
                json!("Text"),
                0,
                &["refused wrong_type | f:1: description: must be an object, not a string"],
            ),
            (
                "/description",
                json!({"plain": ""}),
                0,
                &["refused missing | f:1: description: has no text in plain, html or markdown"],
            ),
            (
                "/description/html",
                json!(1),
                2,
                &["warning wrong_type | f:1: description.html: must be a string, not a number"],
            ),
            (
                "/variants",
                json!({}),
                0,
                &["refused wrong_type | f:1: variants: must be an array, not an object"],
            ),
            (
                "/variants",
                json!([]),
                0,
                &["refused no_variant | f:1: variants: has no variant that can be served"],
            ),
            (
                "/variants",
                json!([1, {}]),
                0,
                &[
                    "refused wrong_type | f:1: variants[0]: must be an object, not a number",
                    "refused missing | f:1: variants[1].id: is missing",
                    "refused missing | f:1: variants[1].title: is missing",
                    "refused no_price | f:1: variants[1].price: is missing, and a variant without any \
             price is not published",
                    "refused no_variant | f:1: variants: has no variant that can be served",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have() {
    check(
        product,
        vec![
            (
                "/url",
                json!("camiseta"),
                2,
                &["warning invalid_value | f:1: url: `camiseta` is no absolute http or https URL"],
            ),
            (
                "/url",
                json!("https://loja.example/tênis"),
                2,
                &[
                    "warning changed | f:1: url: `https://loja.example/tênis` has letters outside ASCII; \
             they are encoded",
                ],
            ),
            (
                "/media/0",
                json!("c.jpg"),
                2,
                &["warning wrong_type | f:1: media[0]: must be an object, not a string"],
            ),
            (
                "/media/0/url",
                json!("javascript:alert(1)"),
                2,
                &[
                    "warning invalid_value | f:1: media[0].url: `javascript:alert(1)` is no absolute http \
             or https URL",
                ],
            ),
            (
                "/media/0/width",
                json!(0),
                2,
                &[
                    "warning invalid_value | f:1: media[0].width: 0 is not within 1 to 9007199254740991",
                ],
            ),
            (
                "/rating/value",
                json!(-1),
                2,
                &["warning invalid_value | f:1: rating.value: -1 is less than 0"],
            ),
            (
                "/rating/value",
                json!(6),
                2,
                &["warning invalid_value | f:1: rating: 6 is above its own scale_max, 5"],
            ),
            (
                "/rating/scale_min",
                json!(6),
                2,
                &["warning invalid_value | f:1: rating: scale_min 6 is above scale_max 5"],
            ),
            (
                "/categories",
                json!("Roupas"),
                2,
                &["warning wrong_type | f:1: categories: must be an array, not a string"],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have_besides() {
    check(
        product,
        vec![
            (
                "/list_price_range/min/currency",
                json!("USD"),
                2,
                &["warning invalid_value | f:1: list_price_range: min is in USD and max in BRL"],
            ),
            (
                "/list_price_range/min/amount",
                json!(4000),
                2,
                &["warning invalid_value | f:1: list_price_range: min is above max"],
            ),
            (
                "/options/0/values",
                json!([]),
                2,
                &["warning missing | f:1: options[0]: has no values"],
            ),
            (
                "/metadata",
                json!([]),
                2,
                &["warning wrong_type | f:1: metadata: must be an object, not an array"],
            ),
            (
                "/ucp",
                json!({}),
                2,
                &[
                    "warning unknown_member | f:1: ucp: is no member that is known here; it is dropped",
                ],
            ),
        ],
    );
}

#[test]
fn what_a_product_may_have_in_shopkeeper() {
    check(
        product,
        vec![
            (
                "/shopkeeper",
                json!(1),
                2,
                &["warning wrong_type | f:1: shopkeeper: must be an object, not a number"],
            ),
            (
                "/shopkeeper/translations/portuguese!",
                json!({}),
                2,
                &[
                    "warning invalid_value | f:1: shopkeeper.translations[\"portuguese!\"]: is no language \
             tag such as pt-BR",
                ],
            ),
            (
                "/shopkeeper/translations/PT-br",
                json!({"title": "Outra"}),
                2,
                &[
                    "warning repeated | f:1: shopkeeper.translations.PT-br: is the feed's own language, \
             not a translation; it is dropped",
                ],
            ),
            (
                "/shopkeeper/translations/en/description",
                json!([]),
                2,
                &[
                    "warning wrong_type | f:1: shopkeeper.translations.en.description: must be a string or \
             an object, not an array",
                ],
            ),
            (
                "/shopkeeper/translations/en/options/Peso",
                json!({}),
                2,
                &[
                    "warning unknown_reference | f:1: shopkeeper.translations.en.options.Peso: the product \
             has no option `Peso`",
                ],
            ),
            (
                "/shopkeeper/translations/en/options/Cor/values/Roxo",
                json!("Purple"),
                2,
                &[
                    "warning unknown_reference | f:1: shopkeeper.translations.en.options.Cor.values.Roxo: \
             the product has no value `Roxo`",
                ],
            ),
        ],
    );
}
