//! Shopify product exports.

use crate::{defaults, said};
use catalog::Product;
use ingest::Feed;
use serde_json::json;

const HEADER: &str = "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,\
    Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Tracker,\
    Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,\
    Variant Barcode,Image Src,Image Position,Image Alt Text,Variant Image,Status,Cost per item";

fn read(rows: &[&str]) -> Feed<Product> {
    let text = format!("{HEADER}\n{}\n", rows.join("\n"));
    ingest::products("export.csv", text.as_bytes(), None, &defaults())
}

fn ids(feed: &Feed<Product>) -> Vec<(&str, Vec<&str>)> {
    let ids = feed.values.iter().map(|product| {
        let variants = product.variants.iter().map(|variant| variant.id.as_str());
        (product.id.as_str(), variants.collect())
    });
    ids.collect()
}

#[test]
fn a_product_of_several_rows() {
    let feed = read(&[
        "tenis,Tênis Vela,\"<p>Leve.</p>\n\n<script>x</script>\n<p>Macio.</p>\",Vela,Shoes,Calçados,\
         \"corrida, leve\",true,Cor,Azul,Tamanho,42,T-AZ-42,shopify,3,deny,199.90,249.90,\
         7891234567895,https://l/2.jpg,2,Lado,https://l/azul.jpg,active,9",
        "tenis,,,,,,,,,Preto,,42,T-PR-42,shopify,0,deny,199.90,199.90,,https://l/1.jpg,1,Frente,,,",
        "tenis,,,,,,,,,Preto,,43,,shopify,-2,continue,209.90,,,,,,,,",
        "tenis,,,,,,,,,,,,,,,,,,,https://l/3.jpg,3,,,,",
        "meia,Meia,Boa.,,,,,true,Title,Default Title,,,,,,,9.90,,,,,,,active,",
    ]);
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!((feed.rows, feed.refused), (2, 0));
    assert_eq!(
        ids(&feed),
        [("tenis", vec!["T-AZ-42", "T-PR-42", "tenis-preto-43"]), ("meia", vec!["meia"])]
    );
    let product = &feed.values[0];
    assert_eq!(product.handle.as_deref(), Some("tenis"));
    assert_eq!(product.description.own().plain.as_deref(), Some("Leve.\nMacio."));
    assert_eq!(product.tags, ["corrida", "leve"]);
    assert_eq!(json!(product.metadata), json!({"brand": "Vela"}));
    let categories: Vec<_> =
        product.categories.iter().map(|c| (c.taxonomy.as_deref().unwrap(), &*c.value)).collect();
    assert_eq!(categories, [("shopify", "Shoes"), ("merchant", "Calçados")]);
    let media: Vec<_> = product.media.iter().map(|m| (&*m.url, m.alt_text.as_deref())).collect();
    assert_eq!(
        media,
        [
            ("https://l/1.jpg", Some("Frente")),
            ("https://l/2.jpg", Some("Lado")),
            ("https://l/3.jpg", None)
        ]
    );
    let axes: Vec<_> = product.axes.iter().map(|axis| axis.name.own().as_str()).collect();
    assert_eq!(axes, ["Cor", "Tamanho"]);
    let variant = &product.variants[0];
    assert_eq!(variant.title.own(), "Azul / 42");
    assert_eq!(variant.prices[0].amount.minor_units(), 19_990);
    assert_eq!(variant.list_price.unwrap().amount.minor_units(), 24_990);
    assert_eq!(variant.barcodes[0].value, "7891234567895");
    assert_eq!(variant.media[0].url, "https://l/azul.jpg");
    assert_eq!(product.variants[1].list_price, None, "not above the price");
    let status = |product: &Product| {
        let status = |v: &catalog::Variant| v.availability.clone().unwrap().status.unwrap();
        product.variants.iter().map(status).collect::<Vec<_>>()
    };
    assert_eq!(status(product), ["in_stock", "out_of_stock", "backorder"]);
    assert_eq!(status(&feed.values[1]), ["in_stock"], "not tracked");
    assert!(feed.values[1].axes.is_empty());
    assert_eq!(feed.values[1].variants[0].title.own(), "Meia");
}

#[test]
fn ids_stay_unique_without_good_skus() {
    let feed = read(&[
        "a,A,x,,,,,,Cor,Azul,,,S,,,,1,,,,,,,,",
        "a,,,,,,,,,Preto,,,S,,,,1,,,,,,,,",
        "a,,,,,,,,,Preto,,,,,,,1,,,,,,,,",
        "b,B,x,,,,,,Cor,Rosa Choque,,,S,,,,1,,,,,,,,",
    ]);
    assert_eq!(ids(&feed), [("a", vec!["S", "a-preto"]), ("b", vec!["b-rosa-choque"])]);
    assert_eq!(
        said(&feed.problems),
        [
            "warning duplicate_id | export.csv:3: Variant SKU: `S` is another variant's too; the id is `a-preto`",
            "refused duplicate_id | export.csv:4: `a-preto` is already the id of a variant",
            "warning duplicate_id | export.csv:5: Variant SKU: `S` is another variant's too; the id is `b-rosa-choque`",
        ]
    );
}

#[test]
fn what_is_not_published_is_counted_once() {
    let feed = read(&[
        "a,A,x,,,,,true,Title,Default Title,,,,,,,1,,,,,,,draft,",
        "b,B,x,,,,,false,Title,Default Title,,,,,,,1,,,,,,,active,",
        "c,C,x,,,,,true,Title,Default Title,,,,,,,1,,,,,,,active,",
        "d,,x,,,,,true,Title,Default Title,,,,,,,oops,,,,,,,archived,",
    ]);
    assert_eq!(ids(&feed), [("c", vec!["c"])]);
    assert_eq!((feed.rows, feed.refused), (1, 0));
    let text = "from here on, products that are draft or archived: 2, not published: 1; they are \
                not served";
    assert_eq!(said(&feed.problems), [format!("warning not_published | export.csv:2: {text}")]);
}

#[test]
fn bad_rows_cost_a_variant_or_a_product() {
    let feed = read(&[
        "a,A,x,,,,,,Cor,Azul,,,S1,,,,NaN,,,,,,,,",
        "a,,,,,,,,,Preto,,,S2,shopify,many,,2.00,x,123,nope,,,,,",
        "b,B,x,,,,,,Title,Default Title,,,,,,,,,,,,,,,",
        "c,,x,,,,,,Title,Default Title,,,,,,,1,,,,,,,,",
        ",D,x,,,,,,Title,Default Title,,,,,,,1,,,,,,,,",
        "e,E,\"x,,,,,,Title,Default Title,,,,,,,1,,,,,,,,",
        "f,F,,,,,,,Title,Default Title,,,,,,,1,,,,,,,,",
        "a,A,x,,,,,,Title,Default Title,,,,,,,1,,,,,,,,",
    ]);
    assert_eq!(ids(&feed), [("a", vec!["S2"]), ("f", vec!["f"])]);
    let sku = &feed.values[0].variants[0];
    assert_eq!((&sku.availability, sku.barcodes.len(), sku.list_price), (&None, 0, None));
    assert_eq!((feed.rows, feed.refused), (7, 5));
    assert_eq!(
        said(&feed.problems),
        [
            "refused invalid_value | export.csv:2: Variant Price: `NaN` has no number",
            "warning invalid_value | export.csv:3: Image Src: `nope` is no absolute http or https URL",
            "warning invalid_value | export.csv:3: Variant Barcode: `123` is no GTIN of 8, 12, 13 or 14 digits; it is left out",
            "warning invalid_value | export.csv:3: Variant Compare At Price: `x` has no number",
            "warning invalid_value | export.csv:3: Variant Inventory Qty: `many` is no whole number",
            "refused no_price | export.csv:4: Variant Price: is blank, and a variant without any price is not published",
        ]
        .into_iter()
        .chain([
            "refused no_variant | export.csv:4: `b` has no variant that can be served",
            "refused missing | export.csv:5: Title: is blank in the first row of the product",
            "refused missing | export.csv:6: Handle: is blank",
            "refused invalid_csv | export.csv:7: has a quote that is not closed",
            "warning missing | export.csv:8: Body (HTML): is blank; the title stands for it",
            "refused duplicate_id | export.csv:9: id: the product id `a` is already taken at export.csv:2",
        ])
        .collect::<Vec<_>>()
    );
}

#[test]
fn the_newer_column_names_are_read_too() {
    let text = "Title,URL handle,Description,SKU,Price,Status,Inventory quantity\n\
                Meia,meia,Boa.,M1,9.90,Active,4\n";
    let feed = ingest::products("products.csv", text.as_bytes(), None, &defaults());
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!(ids(&feed), [("meia", vec!["M1"])]);
    let status = feed.values[0].variants[0].availability.clone().unwrap().status;
    assert_eq!(status.as_deref(), Some("in_stock"));
}
