//! One real catalog, 2,465 products, written in every product format: each must
//! give the same catalog.

use crate::{defaults, said};
use catalog::Product;
use ingest::{Feed, Format};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// A product of the shared data, as far as it is used here.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Retail {
    pub(crate) id: String,
    name: String,
    category: String,
    style: String,
    description: String,
    price: f64,
    image: String,
    current_stock: u32,
    gender_affinity: Option<String>,
}

/// The shared data, or `None` with a word about it when they are not there.
pub(crate) fn shared(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    let read = std::fs::read_to_string(&path);
    if let Err(why) = &read {
        eprintln!("SKIPPED: {} cannot be read: {why}", path.display());
    }
    read.ok()
}

fn retail() -> Option<Vec<Retail>> {
    let products: Vec<Retail> = serde_norway::from_str(&shared("retail-products.yaml")?).unwrap();
    assert_eq!(products.len(), 2465);
    Some(products)
}

impl Retail {
    /// Attributes of Google's specification.
    fn attributes(&self) -> Vec<(&'static str, String)> {
        let stock = if self.current_stock > 0 { "in_stock" } else { "out_of_stock" };
        let mut attributes = vec![
            ("id", self.id.clone()),
            ("title", self.name.clone()),
            ("description", self.description.clone()),
            ("image_link", self.image()),
            ("price", format!("{:.2} USD", self.price)),
            ("availability", stock.to_owned()),
            ("product_type", self.product_type()),
            ("brand", "Retail Demo".to_owned()),
        ];
        attributes.extend(self.gender().map(|gender| ("gender", gender.to_owned())));
        attributes
    }

    fn image(&self) -> String {
        format!("https://retail.example/{}/{}", self.category.replace(' ', "-"), self.image)
    }

    fn product_type(&self) -> String {
        format!("{} > {}", self.category, self.style)
    }

    fn gender(&self) -> Option<&'static str> {
        self.gender_affinity.as_deref().map(|g| if g == "F" { "female" } else { "male" })
    }
}

const COLUMNS: [&str; 9] = [
    "Image Link",
    "ID",
    "title",
    "product type",
    "description",
    "brand",
    "price",
    "Availability",
    "gender",
];

fn table(products: &[Retail], delimiter: u8) -> Vec<u8> {
    let mut table = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    table.write_record(COLUMNS).unwrap();
    for product in products {
        let attributes = product.attributes();
        let cell = |column: &str| {
            let name = column.to_lowercase().replace(' ', "_");
            attributes.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
        };
        table.write_record(COLUMNS.map(cell)).unwrap();
    }
    table.into_inner().unwrap()
}

/// Tab-separated as Google asks for it, without any quoting.
fn bare_tsv(products: &[Retail]) -> Vec<u8> {
    let mut text = "id\ttitle\tdescription\timage_link\tprice\tavailability\tproduct_type\tbrand\t\
                    gender\n"
        .to_owned();
    for product in products {
        let cells: Vec<String> = product.attributes().into_iter().map(|(_, value)| value).collect();
        writeln!(text, "{}", cells.join("\t")).unwrap();
    }
    text.into_bytes()
}

/// Characters that XML does not take as they are.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn rss(products: &[Retail]) -> Vec<u8> {
    let items = products.iter().map(|product| {
        let elements = product.attributes().into_iter().map(|(name, value)| match name {
            "title" | "description" => format!("<{name}>{}</{name}>", escaped(&value)),
            _ => format!("<g:{name}><![CDATA[{value}]]></g:{name}>\n"),
        });
        format!("<item>{}</item>\n", elements.collect::<String>())
    });
    let head = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\" \
                xmlns:g=\"http://base.google.com/ns/1.0\">\n<channel><title>Retail</title>";
    format!("{head}\n{}</channel></rss>", items.collect::<String>()).into_bytes()
}

fn atom(products: &[Retail]) -> Vec<u8> {
    let entries = products.iter().enumerate().map(|(index, product)| {
        let elements = product.attributes().into_iter().map(|(name, value)| match name {
            "description" => format!("<summary>{}</summary>", escaped(&value)),
            "title" => format!("<title>{}</title>", escaped(&value)),
            _ => format!("<g:{name}>{}</g:{name}>", escaped(&value)),
        });
        let elements = elements.collect::<String>();
        format!("<entry><id>tag:retail,{index}</id>{elements}<updated>2026</updated></entry>\n")
    });
    let head = "<feed xmlns=\"http://www.w3.org/2005/Atom\" \
                xmlns:g=\"http://base.google.com/ns/1.0\"><title>Retail</title><id>x</id>";
    format!("{head}\n{}</feed>\n", entries.collect::<String>()).into_bytes()
}

fn shopify(products: &[Retail]) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let header = [
        "Handle",
        "Title",
        "Body (HTML)",
        "Vendor",
        "Type",
        "Option1 Name",
        "Option1 Value",
        "Variant Inventory Qty",
        "Variant Price",
        "Image Src",
        "Status",
        "Google Shopping / Gender",
    ];
    table.write_record(header).unwrap();
    for product in products {
        let (price, stock) = (format!("{:.2}", product.price), product.current_stock.to_string());
        let row: [&str; 12] = [
            &product.id,
            &product.name,
            &product.description,
            "Retail Demo",
            &product.product_type(),
            "Title",
            "Default Title",
            &stock,
            &price,
            &product.image(),
            "active",
            product.gender().unwrap_or_default(),
        ];
        table.write_record(row).unwrap();
    }
    table.into_inner().unwrap()
}

fn ucp(products: &[Retail]) -> Vec<u8> {
    let rows = products.iter().map(|product| {
        let cents = (product.price * 100.0).round() as u64;
        let available = product.current_stock > 0;
        let mut metadata = json!({"brand": "Retail Demo"});
        if let Some(gender) = product.gender() {
            metadata["gender"] = gender.into();
        }
        let row = json!({
            "id": product.id,
            "title": product.name,
            "description": {"plain": product.description},
            "categories": [{"value": product.product_type(), "taxonomy": "merchant"}],
            "media": [{"type": "image", "url": product.image()}],
            "metadata": metadata,
            "variants": [{
                "id": product.id,
                "title": product.name,
                "price": {"amount": cents, "currency": "USD"},
                "availability": {
                    "available": available,
                    "status": if available { "in_stock" } else { "out_of_stock" },
                },
            }],
        });
        format!("{row}\n")
    });
    rows.collect::<String>().into_bytes()
}

/// What every format can carry of a product.
fn essence(product: &Product) -> String {
    let variants = product.variants.iter().map(|variant| {
        let price = variant.prices[0];
        let availability = variant.availability.as_ref().unwrap();
        let (amount, id) = (price.amount.minor_units(), variant.id.as_str());
        format!("{id} {amount} {} {availability:?}", price.currency)
    });
    format!(
        "{} | {} | {:?} | {:?} | {:?} | {:?} | {:?}",
        product.id.as_str(),
        product.title.own(),
        product.description.own().plain,
        product.categories,
        product.media,
        product.metadata,
        variants.collect::<Vec<_>>()
    )
}

fn catalog(file: &str, bytes: &[u8], format: Option<Format>) -> Vec<String> {
    let usd = ingest::Defaults { currency: "USD".parse().unwrap(), ..defaults() };
    let Feed { values, problems, rows, refused, .. } = ingest::products(file, bytes, format, &usd);
    assert_eq!(said(&problems), [""; 0], "{file}");
    assert_eq!((rows, refused), (2465, 0), "{file}");
    values.iter().map(essence).collect()
}

/// Each line of `found` as `expected` has it.
fn same(file: &str, found: &[String], expected: &[String]) {
    assert_eq!(found.len(), expected.len(), "{file}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn one_catalog_from_every_format() {
    let Some(products) = retail() else { return };
    let expected = catalog("retail.jsonl", &ucp(&products), None);
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("retail.csv", table(&products, b',')),
        ("retail-semicolon.csv", table(&products, b';')),
        ("retail.tsv", table(&products, b'\t')),
        ("retail-bare.tsv", bare_tsv(&products)),
        ("shopify.csv", shopify(&products)),
        ("rss.xml", rss(&products)),
        ("atom.xml", atom(&products)),
    ];
    for (file, bytes) in files {
        same(file, &catalog(file, &bytes, None), &expected);
        let zipped = crate::gzip(&bytes);
        same(file, &catalog("export", &zipped, None), &expected);
    }
}
