//! Products of the ucp format: every member, then every fault with its line.

use crate::{defaults, said};
use catalog::money::{Measure, QuantityUnit, UnitPrice};
use catalog::product::{Availability, Barcode, Category, Description, Link, Media, Rating, Seller};
use catalog::{
    Amount, Axes, Currency, LanguageTag, Localized, Price, Product, ProductFacts, ProductId,
    Variant, VariantId,
};
use ingest::Feed;
use serde_json::{Map, Value, json};

fn read(row: &Value) -> Feed<Product> {
    ingest::products("p.jsonl", row.to_string().as_bytes(), None, &defaults())
}

/// A product with nothing but what it needs.
pub(crate) fn least() -> Value {
    json!({
        "id": "p1",
        "title": "Camiseta",
        "description": {"plain": "De algodão."},
        "variants": [
            {"id": "v1", "title": "Única", "price": {"amount": 1999, "currency": "BRL"}}
        ]
    })
}

/// A product with everything.
pub(crate) fn rich() -> Value {
    json!({
        "id": "p1",
        "handle": "camiseta",
        "title": "Camiseta",
        "description": {"plain": "De algodão.", "html": "<p>De algodão.</p>", "markdown": "De *algodão*."},
        "url": "https://loja.example.com.br/camiseta",
        "categories": [{"value": "1604", "taxonomy": "google_product_category"}, {"value": "Roupas"}],
        "price_range": "recomputed, so of no interest",
        "list_price_range": {
            "min": {"amount": 2999, "currency": "BRL"}, "max": {"amount": 3999, "currency": "BRL"}
        },
        "media": [{
            "type": "image", "url": "https://loja.example.com.br/c.jpg", "alt_text": "Azul",
            "width": 800, "height": 600.0
        }],
        "options": [
            {"name": "Tamanho", "values": [{"id": "s", "label": "P"}, {"label": "M"}]},
            {"name": "Cor", "values": [{"label": "Azul"}]}
        ],
        "variants": [{
            "id": "v1",
            "sku": "CAM-A-P",
            "barcodes": [{"type": "EAN", "value": "7891234567895"}],
            "handle": "azul-p",
            "title": "Azul / P",
            "description": {"plain": "Azul."},
            "url": "https://loja.example.com.br/camiseta?v=1",
            "categories": [{"value": "Azuis"}],
            "price": {"amount": 1e3, "currency": "BRL"},
            "quantity_unit": {"unit": "KGM", "scale": 3, "display_text": "kg", "increment": 250},
            "list_price": {"amount": 2999, "currency": "BRL"},
            "unit_price": {
                "amount": 500, "currency": "BRL",
                "measure": {"value": 200, "unit": "GRM", "display_text": "g"},
                "reference": {"value": 100, "unit": "GRM", "scale": 0, "display_text": "g"}
            },
            "availability": {"available": false, "status": "backorder"},
            "options": [{"name": "Cor", "label": "Azul"}, {"name": "Tamanho", "label": "P"}],
            "media": [{"type": "video", "url": "https://loja.example.com.br/c.mp4"}],
            "rating": {"value": 4.5, "scale_max": 5},
            "tags": ["azul"],
            "metadata": {"condition": "new"},
            "seller": {
                "name": "Fulano",
                "links": [{"type": "faq", "url": "https://fulano.example/faq", "title": "Dúvidas"}]
            },
            "com.example.weight": {"g": 120},
            "shopkeeper": {
                "prices": [{"amount": 399, "currency": "USD"}],
                "translations": {"en": {"title": "Blue / S"}, "es": {"description": "Azul, sí."}}
            }
        }, {
            "id": "v2",
            "title": "Verde",
            "price": {"amount": 0, "currency": "BRL"},
            "options": [{"name": "Cor", "label": "Verde", "id": "green"}]
        }],
        "rating": {"value": 4, "scale_min": 0, "scale_max": 5, "count": 12},
        "tags": ["algodão", "verão"],
        "metadata": {"brand": "Nuvem", "deep": [1, {"a": null}]},
        "com.example.season": "summer",
        "shopkeeper": {"translations": {"en": {
            "title": "T-shirt",
            "description": {"html": "<p>Cotton.</p>"},
            "options": {
                "Cor": {"name": "Color", "values": {"Azul": "Blue", "Verde": "Green"}},
                "Tamanho": {"values": {"P": "S"}}
            }
        }}}
    })
}

fn own() -> LanguageTag {
    defaults().language
}

fn texts<T>(
    own_text: T,
    translations: impl IntoIterator<Item = (&'static str, T)>,
) -> Localized<T> {
    let mut texts = Localized::new(own(), own_text);
    for (language, text) in translations {
        texts.translate(LanguageTag::new(language).unwrap(), text);
    }
    texts
}

fn plain(text: &str) -> Description {
    Description { plain: Some(text.into()), html: None, markdown: None }
}

fn html(text: &str) -> Description {
    Description { plain: None, html: Some(text.into()), markdown: None }
}

fn price(amount: u64, currency: &str) -> Price {
    Price { amount: Amount::new(amount).unwrap(), currency: currency.parse().unwrap() }
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn media(kind: &str, url: &str) -> Media {
    Media { kind: kind.into(), url: url.into(), alt_text: None, width: None, height: None }
}

fn category(value: &str, taxonomy: Option<&str>) -> Category {
    Category { value: value.into(), taxonomy: taxonomy.map(Into::into) }
}

fn grams(value: u64) -> Measure {
    Measure { value, unit: "GRM".into(), scale: 0, display_text: "g".into() }
}

fn rich_axes() -> Axes {
    let mut axes = Axes::default();
    for (name, label, id) in [
        ("Tamanho", "P", Some("s")),
        ("Tamanho", "M", None),
        ("Cor", "Azul", None),
        ("Cor", "Verde", Some("green")),
    ] {
        axes.choice(&own(), name, label, id);
    }
    let english = LanguageTag::new("en").unwrap();
    let size = axes.axis_mut("Tamanho").unwrap();
    size.values[0].label.translate(english.clone(), "S".into());
    let color = axes.axis_mut("Cor").unwrap();
    color.name.translate(english.clone(), "Color".into());
    color.values[0].label.translate(english.clone(), "Blue".into());
    color.values[1].label.translate(english, "Green".into());
    axes
}

fn rich_description() -> Localized<Description> {
    let own = Description {
        plain: Some("De algodão.".into()),
        html: Some("<p>De algodão.</p>".into()),
        markdown: Some("De *algodão*.".into()),
    };
    texts(own, [("en", html("<p>Cotton.</p>"))])
}

fn rich_variant() -> Variant {
    let mut axes = rich_axes();
    Variant {
        id: VariantId::new("v1").unwrap(),
        sku: Some("CAM-A-P".into()),
        barcodes: vec![Barcode { kind: "EAN".into(), value: "7891234567895".into() }],
        handle: Some("azul-p".into()),
        title: texts("Azul / P".into(), [("en", "Blue / S".into())]),
        description: texts(plain("Azul."), [("es", plain("Azul, sí."))]),
        url: Some("https://loja.example.com.br/camiseta?v=1".into()),
        categories: vec![category("Azuis", None)],
        prices: vec![price(1000, "BRL"), price(399, "USD")],
        list_price: Some(price(2999, "BRL")),
        unit_price: Some(UnitPrice {
            price: price(500, "BRL"),
            measure: grams(200),
            reference: grams(100),
        }),
        quantity_unit: Some(QuantityUnit {
            unit: "KGM".into(),
            scale: 3,
            display_text: "kg".into(),
            increment: Some(250),
        }),
        availability: Some(Availability {
            available: Some(false),
            status: Some("backorder".into()),
        }),
        choices: vec![
            axes.choice(&own(), "Tamanho", "P", None),
            axes.choice(&own(), "Cor", "Azul", None),
        ],
        media: vec![media("video", "https://loja.example.com.br/c.mp4")],
        rating: Some(Rating { value: 4.5, scale_min: None, scale_max: 5.0, count: None }),
        tags: vec!["azul".into()],
        metadata: Some(object(json!({"condition": "new"}))),
        seller: Some(Seller {
            name: Some("Fulano".into()),
            links: vec![Link {
                kind: "faq".into(),
                url: "https://fulano.example/faq".into(),
                title: Some("Dúvidas".into()),
            }],
        }),
        extensions: object(json!({"com.example.weight": {"g": 120}})),
    }
}

fn bare_variant(id: &str, title: &str, price: Price) -> Variant {
    Variant {
        id: VariantId::new(id).unwrap(),
        sku: None,
        barcodes: vec![],
        handle: None,
        title: texts(title.into(), []),
        description: rich_description(),
        url: None,
        categories: vec![],
        prices: vec![price],
        list_price: None,
        unit_price: None,
        quantity_unit: None,
        availability: None,
        choices: vec![],
        media: vec![],
        rating: None,
        tags: vec![],
        metadata: None,
        seller: None,
        extensions: Map::new(),
    }
}

#[test]
fn a_rich_product_keeps_everything() {
    let feed = read(&rich());
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!((feed.rows, feed.refused), (1, 0));
    let mut axes = rich_axes();
    let green = axes.choice(&own(), "Cor", "Verde", None);
    let expected = ProductFacts {
        id: ProductId::new("p1").unwrap(),
        handle: Some("camiseta".into()),
        title: texts("Camiseta".into(), [("en", "T-shirt".into())]),
        description: rich_description(),
        url: Some("https://loja.example.com.br/camiseta".into()),
        categories: vec![
            category("1604", Some("google_product_category")),
            category("Roupas", None),
        ],
        list_price_range: Some((price(2999, "BRL"), price(3999, "BRL"))),
        media: vec![Media {
            alt_text: Some("Azul".into()),
            width: Some(800),
            height: Some(600),
            ..media("image", "https://loja.example.com.br/c.jpg")
        }],
        axes,
        variants: vec![
            rich_variant(),
            Variant { choices: vec![green], ..bare_variant("v2", "Verde", price(0, "BRL")) },
        ],
        rating: Some(Rating { value: 4.0, scale_min: Some(0.0), scale_max: 5.0, count: Some(12) }),
        tags: vec!["algodão".into(), "verão".into()],
        metadata: Some(object(json!({"brand": "Nuvem", "deep": [1, {"a": null}]}))),
        extensions: object(json!({"com.example.season": "summer"})),
    };
    assert_eq!(feed.values, [Product::new(expected).unwrap()]);
}

#[test]
fn null_and_blank_are_absent_where_text_is_optional() {
    let mut row = least();
    row["handle"] = json!("  ");
    row["url"] = Value::Null;
    row["variants"][0]["sku"] = json!("");
    row["variants"][0]["description"] = Value::Null;
    row["variants"][0]["availability"] = json!({});
    let feed = read(&row);
    assert_eq!(said(&feed.problems), [""; 0]);
    let expected = read(&least()).values;
    assert_eq!(feed.values, expected);
}

#[test]
fn a_price_in_shopkeeper_is_a_price_rule_c18() {
    let mut row = least();
    row["variants"][0]["price"].take();
    row["variants"][0]["shopkeeper"] = json!({"prices": [{"amount": 1, "currency": "USD"}]});
    let feed = read(&row);
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!(feed.values[0].variants[0].prices, [price(1, "USD")]);
}

#[test]
fn the_first_price_in_a_currency_stands() {
    let mut row = least();
    row["variants"][0]["shopkeeper"] = json!({"prices": [
        {"amount": 1, "currency": "BRL"}, {"amount": 2, "currency": "USD"}, {"amount": -3, "currency": "EUR"}
    ]});
    let feed = read(&row);
    assert_eq!(feed.values[0].variants[0].prices, [price(1999, "BRL"), price(2, "USD")]);
    assert_eq!(
        said(&feed.problems),
        [
            "warning repeated | p.jsonl:1: variants[0].shopkeeper.prices[0]: is a second price in \
             BRL; the first one stands",
            "warning invalid_value | p.jsonl:1: variants[0].shopkeeper.prices[2].amount: -3 is not \
             within 0 to 9007199254740991: an amount is an integer of minor units, 1999 for 19.99",
        ]
    );
    assert_eq!(price(1, "BRL").currency, Currency::BRL);
}

#[test]
fn a_bad_variant_costs_that_variant() {
    let mut row = rich();
    row["variants"][0]["price"]["amount"] = json!(19.99);
    let feed = read(&row);
    assert_eq!(feed.values[0].variants.len(), 1);
    assert_eq!(feed.values[0].variants[0].id.as_str(), "v2");
    assert_eq!(
        said(&feed.problems),
        ["refused invalid_value | p.jsonl:1: variants[0].price.amount: 19.99 is no integer: an \
             amount is an integer of minor units, 1999 for 19.99"]
    );
    assert_eq!((feed.rows, feed.refused), (1, 0));
}

#[test]
fn titles_and_options_that_are_far_too_much() {
    let mut row = least();
    row["title"] = "á".repeat(1_000_000).into();
    row["variants"][0]["title"] = "b".repeat(1_001).into();
    let options: Vec<Value> =
        (0..10_000).map(|n| json!({"name": format!("o{n}"), "values": [{"label": "x"}]})).collect();
    row["options"] = options.into();
    let labels: Vec<Value> =
        (0..10_000).map(|n| json!({"name": format!("p{n}"), "label": "x"})).collect();
    row["variants"][0]["options"] = labels.into();
    let feed = read(&row);
    let product = &feed.values[0];
    assert_eq!(product.title.own().chars().count(), 1_000);
    assert_eq!((product.axes.len(), product.variants[0].choices.len()), (100, 0));
    let dropped = "there are more than 100 options; the rest is dropped";
    assert_eq!(
        said(&feed.problems),
        [
            "warning changed | p.jsonl:1: title: is cut after 1000 characters".to_owned(),
            format!("warning too_many | p.jsonl:1: options: {dropped}"),
            "warning changed | p.jsonl:1: variants[0].title: is cut after 1000 characters"
                .to_owned(),
            format!("warning too_many | p.jsonl:1: variants[0].options: {dropped}"),
        ]
    );
    let mut row = least();
    let labels: Vec<Value> = (0..10_000).map(|n| json!({"label": format!("v{n}")})).collect();
    row["options"] = json!([{"name": "Cor", "values": labels}]);
    let feed = read(&row);
    assert_eq!(feed.values[0].axes[0].values.len(), 2_000);
    let text = "`Cor` has more than 2000 values; the rest is dropped";
    assert_eq!(said(&feed.problems), [format!("warning too_many | p.jsonl:1: options: {text}")]);
}
