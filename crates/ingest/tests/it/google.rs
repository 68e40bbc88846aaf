//! Google Merchant product feeds as tables, and local inventory feeds.

use crate::{defaults, said};
use catalog::Product;
use catalog::money::Measure;
use ingest::{Feed, Reading};
use location::inventory::StockStatus;
use serde_json::json;

fn read(text: &str) -> Feed<Product> {
    let defaults = defaults();
    let now = "2026-11-30T12:00:00-03:00".parse().unwrap();
    ingest::products("f.tsv", text.as_bytes(), None, Reading::at(&defaults, now))
}

/// One item with a good id, title, description and price, and the columns given.
fn item(columns: &[(&str, &str)]) -> Feed<Product> {
    let good = [("id", "v1"), ("title", "Tênis"), ("description", "Leve."), ("price", "10 BRL")];
    let good = good.iter().filter(|(name, _)| columns.iter().all(|(other, _)| other != name));
    let (names, cells): (Vec<&str>, Vec<&str>) = good.chain(columns).copied().unzip();
    read(&format!("{}\n{}\n", names.join("\t"), cells.join("\t")))
}

#[test]
fn an_item_with_everything() {
    let feed = item(&[
        ("item_group_id", "g1"),
        ("description", "<p>Leve &amp; macio.</p><script>x()</script>"),
        ("link", "https://loja.example/tenis?v=1"),
        ("image_link", "https://loja.example/1.jpg"),
        ("additional image link", "https://loja.example/2.jpg,https://loja.example/3.jpg"),
        ("price", "R$ 1.999,90"),
        ("sale_price", "1499.90 BRL"),
        ("sale_price_effective_date", "2026-11-01T00:00-0300/2026-12-01T23:59-0300"),
        ("availability", "In Stock"),
        ("brand", "Vela"),
        ("condition", "New"),
        ("gtin", "7891234567895"),
        ("mpn", "M-1"),
        ("google_product_category", "Apparel & Accessories > Shoes"),
        ("product_type", "Calçados > Tênis"),
        ("color", "Azul"),
        ("size", "42"),
        ("pattern", "Liso"),
        ("gender", "unisex"),
        ("age_group", "adult"),
        ("unit_pricing_measure", "2 ct"),
        ("unit_pricing_base_measure", "1 ct"),
        ("shipping", "BR:::10 BRL"),
    ]);
    assert_eq!(said(&feed.problems), [""; 0]);
    let product = &feed.values[0];
    assert_eq!(product.id.as_str(), "g1");
    assert_eq!(product.description.own().plain.as_deref(), Some("Leve & macio."));
    assert_eq!(product.description.own().html.as_deref(), Some("<p>Leve &amp; macio.</p>"));
    let urls: Vec<_> = product.media.iter().map(|media| &*media.url).collect();
    assert_eq!(urls, [1, 2, 3].map(|n| format!("https://loja.example/{n}.jpg")));
    let metadata = json!({
        "brand": "Vela", "condition": "new", "mpn": "M-1", "gender": "unisex", "age_group": "adult"
    });
    assert_eq!(json!(product.metadata), metadata);
    let categories: Vec<_> = product
        .categories
        .iter()
        .map(|category| (category.taxonomy.as_deref().unwrap(), &*category.value))
        .collect();
    assert_eq!(
        categories,
        [
            ("google_product_category", "Apparel & Accessories > Shoes"),
            ("merchant", "Calçados > Tênis")
        ]
    );
    let axes: Vec<_> = product.axes.iter().map(|axis| axis.name.own().as_str()).collect();
    assert_eq!(axes, ["Cor", "Tamanho", "Estampa"]);
    let variant = &product.variants[0];
    assert_eq!((variant.id.as_str(), variant.sku.as_deref()), ("v1", Some("v1")));
    assert_eq!(variant.prices[0].amount.minor_units(), 149_990);
    assert_eq!(variant.list_price.unwrap().amount.minor_units(), 199_990);
    assert_eq!(
        (&*variant.barcodes[0].kind, &*variant.barcodes[0].value),
        ("GTIN", "7891234567895")
    );
    assert_eq!(variant.availability.as_ref().unwrap().status.as_deref(), Some("in_stock"));
    let unit_price = variant.unit_price.as_ref().unwrap();
    assert_eq!(unit_price.price.amount.minor_units(), 74_995);
    let measure =
        Measure { value: 2, unit: "C62".to_owned(), scale: 0, display_text: "un".to_owned() };
    assert_eq!(unit_price.measure, measure);
}

#[test]
fn rows_of_a_group_need_not_be_neighbours() {
    let feed = read(
        "id\titem group id\tTITLE\tdescription\tprice\tcolor\tbrand\tproduct_type\timage_link\n\
         a\tg\tTênis azul\tA\t10 BRL\tAzul\tVela\tTênis\thttps://l/a.jpg\n\
         x\t\tMeia\tX\t5 BRL\t\t\t\t\n\
         b\tg\tTênis preto\tB\t12 BRL\tPreto\tLume\tTênis\thttps://l/b.jpg\n",
    );
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!((feed.rows, feed.refused), (3, 0));
    let ids: Vec<_> = feed
        .values
        .iter()
        .map(|product| {
            let variants = product.variants.iter().map(|variant| variant.id.as_str());
            (product.id.as_str(), variants.collect::<Vec<_>>())
        })
        .collect();
    // A row without a group is a product and its variant by one id.
    assert_eq!(ids, [("x", vec!["x"]), ("g", vec!["a", "b"])]);
    let group = &feed.values[1];
    assert_eq!(group.title.own(), "Tênis azul");
    assert_eq!(group.categories.len(), 1);
    assert_eq!(group.metadata, None, "the brands differ");
    let brands: Vec<_> =
        group.variants.iter().map(|v| v.metadata.clone().unwrap()["brand"].clone()).collect();
    assert_eq!(brands, ["Vela", "Lume"]);
    assert_eq!(group.variants[1].media[0].url, "https://l/b.jpg");
    assert_eq!(group.axes[0].values.len(), 2);
}

#[test]
fn a_sale_price_counts_in_its_dates_only() {
    let prices = |sale: &str, dates: &str| {
        let feed = item(&[("sale_price", sale), ("sale_price_effective_date", dates)]);
        let variant = &feed.values[0].variants[0];
        let list = variant.list_price.map(|price| price.amount.minor_units());
        (variant.prices[0].amount.minor_units(), list, said(&feed.problems))
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(prices("8 BRL", ""), (800, Some(1000), none.clone()));
    assert_eq!(prices("8 BRL", "2026-11-30/2026-11-30"), (800, Some(1000), none.clone()));
    assert_eq!(prices("8 BRL", "2026-12-01/2026-12-31"), (1000, None, none.clone()));
    assert_eq!(prices("10 BRL", ""), (1000, None, none));
    let refused = |sale: &str, dates: &str| {
        let (now, list, said) = prices(sale, dates);
        assert_eq!((now, list), (1000, None));
        said.join("\n")
    };
    assert!(refused("8 USD", "").contains("sale_price: is in USD, the price in BRL"));
    assert!(refused("12 BRL", "").contains("sale_price: is above the price"));
    assert!(refused("NaN", "").contains("sale_price: `NaN` has no number"));
    assert!(refused("8 BRL", "soon").contains("sale_price_effective_date: `soon` is no interval"));
}

#[test]
fn what_refuses_a_row() {
    let refused = |columns: &[(&str, &str)]| {
        let feed = item(columns);
        assert_eq!((feed.values.len(), feed.rows, feed.refused), (0, 1, 1));
        said(&feed.problems).join("\n")
    };
    assert_eq!(refused(&[("id", " ")]), "refused missing | f.tsv:2: id: is missing");
    assert_eq!(refused(&[("title", "")]), "refused missing | f.tsv:2: title: is missing");
    let text = "is missing, and an item without a price is not published";
    assert_eq!(refused(&[("price", "")]), format!("refused no_price | f.tsv:2: price: {text}"));
    assert_eq!(
        refused(&[("price", "NaN BRL")]),
        "refused invalid_value | f.tsv:2: price: `NaN BRL` has no number"
    );
    let text = "`1.999 BRL` is ambiguous: the mark may group thousands or begin decimals";
    assert_eq!(
        refused(&[("price", "1.999 BRL")]),
        format!("refused invalid_value | f.tsv:2: price: {text}")
    );
    assert_eq!(
        refused(&[("price", "-1.00 BRL")]),
        "refused invalid_value | f.tsv:2: price: `-1.00 BRL` is negative"
    );
    assert_eq!(
        refused(&[("link", "x\ty\tz")]),
        "refused invalid_csv | f.tsv:2: has 7 fields, the header 5"
    );
}

#[test]
fn what_costs_less_than_a_row() {
    let warned = |columns: &[(&str, &str)]| {
        let feed = item(columns);
        assert_eq!((feed.values.len(), feed.rows, feed.refused), (1, 1, 0));
        (feed.values[0].clone(), said(&feed.problems).join("\n"))
    };
    let (product, said) = warned(&[("gtin", "7891234567890")]);
    assert!(product.variants[0].barcodes.is_empty());
    let text = "`7891234567890` has a wrong check digit; it is left out";
    assert_eq!(said, format!("warning invalid_value | f.tsv:2: gtin: {text}"));

    let (product, said) = warned(&[("description", "")]);
    assert_eq!(product.description.own().plain.as_deref(), Some("Tênis"));
    assert_eq!(said, "warning missing | f.tsv:2: description: is missing; the title stands for it");

    let (product, said) = warned(&[("title", &"á".repeat(1_000_000))]);
    assert_eq!(product.title.own().chars().count(), 1_000);
    assert_eq!(said, "warning changed | f.tsv:2: title: is cut after 1000 characters");

    let (product, said) = warned(&[("availability", "soon"), ("link", "/tenis")]);
    assert_eq!((&product.variants[0].availability, &product.url), (&None, &None));
    let status = "is none of in_stock, out_of_stock, preorder, backorder";
    assert_eq!(
        said,
        format!(
            "warning invalid_value | f.tsv:2: link: `/tenis` is no absolute http or https URL\n\
             warning invalid_value | f.tsv:2: availability: `soon` {status}"
        )
    );
    let (product, said) =
        warned(&[("unit_pricing_measure", "1 kg"), ("unit_pricing_base_measure", "1 l")]);
    assert_eq!(product.variants[0].unit_price, None);
    assert!(said.contains("unit_pricing_measure: kg cannot be told in l"), "{said}");
}

#[test]
fn headers_that_are_odd_or_lack_columns() {
    let feed = read("id\ttitle\tlink\nv1\tT\thttps://l/\n");
    assert_eq!((feed.values.len(), feed.rows), (0, 0));
    let text = "price: the header lacks price: id, title and price are needed";
    assert_eq!(said(&feed.problems), [format!("refused missing | f.tsv:1: {text}")]);

    let feed = read(
        "id\ttitle\tdescription\tprice\tprice\tcolour\tcustom_label_0\nv1\tT\tD\t1\t2\tx\ty\n",
    );
    assert_eq!(feed.values[0].variants[0].prices[0].amount.minor_units(), 100);
    assert_eq!(
        said(&feed.problems),
        [
            "warning repeated | f.tsv:1: price: is a column twice; the first one stands",
            "warning unknown_column | f.tsv:1: columns that are not read: `colour`",
        ]
    );
}

#[test]
fn duplicates_bad_bytes_and_a_cut_file() {
    let mut bytes = b"id,title,description,price\nv1,A,D,1 BRL\nv1,B,D,2 BRL\n".to_vec();
    bytes.extend(b"v2,\xFF,D,1 BRL\nv3,C,D,3 BRL\n");
    let feed = ingest::products("f.csv", &bytes[..], None, &defaults());
    let titles: Vec<_> = feed.values.iter().map(|p| p.title.own().as_str()).collect();
    assert_eq!(titles, ["A", "C"]);
    assert_eq!((feed.rows, feed.refused), (4, 2));
    assert_eq!(
        said(&feed.problems),
        [
            "refused duplicate_id | f.csv:3: id: `v1` is already the id of line 2",
            "refused invalid_encoding | f.csv:4: the line is not UTF-8 at byte 4",
        ]
    );

    let rows = (0..2_000).map(|n| format!("v{n},T{},D,{n} BRL\n", n * 7919));
    let text = format!("id,title,description,price\n{}", rows.collect::<String>());
    let zipped = crate::gzip(text.as_bytes());
    let feed = ingest::products("f.csv.gz", &zipped[..zipped.len() / 2], None, &defaults());
    assert!((500..1_900).contains(&feed.values.len()));
    assert_eq!(feed.rows, feed.values.len() as u64);
    let last = said(&feed.problems).join("\n");
    assert!(last.starts_with("refused truncated | f.csv.gz:"), "{last}");
}

#[test]
fn ten_thousand_options_and_no_more() {
    let rows = (0..10_002).map(|n| format!("v{n}\tg\tT\tD\t1 BRL\tcor {n}\n"));
    let header = "id\titem_group_id\ttitle\tdescription\tprice\tcolor\n".to_owned();
    let feed = read(&rows.fold(header, |text, row| text + &row));
    assert_eq!(feed.values[0].axes[0].values.len(), 10_000);
    assert_eq!((feed.rows, feed.refused), (10_002, 2));
    assert_eq!(
        said(&feed.problems)[0],
        "refused too_many | f.tsv:10002: item_group_id: `g` has 10000 rows already"
    );
}

fn local(text: &str) -> (Vec<String>, Vec<String>) {
    let feed = ingest::stock("local.tsv", text.as_bytes(), None);
    assert_eq!(feed.rows, feed.refused + feed.values.len() as u64);
    let lines = feed.values.iter().map(|(line, stock)| {
        let (location, item) = (stock.location.as_str(), &stock.item);
        format!("{line}: {location} {item} {:?} {:?}", stock.quantity, stock.status)
    });
    (lines.collect(), said(&feed.problems))
}

#[test]
fn local_inventory() {
    let (lines, said) = local(
        "Store Code\titemid\tquantity\tprice\tavailability\n\
         s1\tv1\t3\t10 BRL\tin stock\n\
         s1\tv2\t\t\tout_of_stock\n\
         s2\tv1\t0\t\ton_display_to_order\n\
         s2\tv2\t5\t\t\n",
    );
    assert_eq!(said, [""; 0]);
    let status = [
        (Some(3), StockStatus::InStock),
        (None, StockStatus::OutOfStock),
        (Some(0), StockStatus::Backorder),
        (Some(5), StockStatus::InStock),
    ]
    .map(|(quantity, status)| format!("{quantity:?} {status:?}"));
    let pairs = ["2: s1 v1", "3: s1 v2", "4: s2 v1", "5: s2 v2"];
    let expected: Vec<String> =
        pairs.iter().zip(status).map(|(pair, status)| format!("{pair} {status}")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn local_inventory_that_is_wrong() {
    let (lines, said) = local(
        "store_code,g:id,quantity,availability,aisle\n\
         s1,v1,-1,,\n,v1,1,,\ns1,,1,,\ns1,v1,,,\ns1,v1,1,soon,\ns1,v2,1,\n",
    );
    assert_eq!(lines, ["7: s1 v2 Some(1) InStock"]);
    let known =
        "in_stock, limited_availability, on_display_to_order, out_of_stock, backorder, preorder";
    assert_eq!(
        said,
        [
            "warning unknown_column | local.tsv:1: columns that are not read: `aisle`".to_owned(),
            "refused invalid_value | local.tsv:2: quantity: `-1` is no whole number from 0"
                .to_owned(),
            "refused missing | local.tsv:3: store_code: is blank".to_owned(),
            "refused missing | local.tsv:4: id: is blank".to_owned(),
            "refused missing | local.tsv:5: quantity: is blank, and so is availability".to_owned(),
            format!("refused invalid_value | local.tsv:6: availability: `soon` is none of {known}"),
        ]
    );
    let (_, said) = local("store_code,id,price\ns1,v1,1\n");
    let text = "quantity: the header lacks quantity: store_code, id and quantity or availability \
                are needed";
    assert_eq!(said, [format!("refused missing | local.tsv:1: {text}")]);
}

#[test]
fn rss_and_atom() {
    let text = "<?xml version='1.0'?>\n<rss xmlns:g='http://base.google.com/ns/1.0'><channel>\n\
                <item><g:id>a</g:id><g:item_group_id>g</g:item_group_id><title>Tênis &amp; meia</title>\n\
                <description>&lt;p&gt;Leve.&lt;/p&gt;</description><link>https://l/?a=1&amp;b=2</link>\
                <g:price>R$ 1.999,90</g:price><g:color>Azul</g:color><pubDate>hoje</pubDate>\
                <g:additional_image_link>https://l/1.jpg</g:additional_image_link>\
                <g:additional_image_link>https://l/2.jpg</g:additional_image_link></item>\n\
                <item><g:id>b</g:id><g:item_group_id>g</g:item_group_id><title>Tênis</title>\
                <description>x</description><g:price>1 BRL</g:price><g:price>2 BRL</g:price>\
                <g:colour>x</g:colour><g:shipping><g:price>9 BRL</g:price></g:shipping></item>\n\
                <item><g:id>c</g:id><title>C</title><g:price>NaN</g:price></item></channel></rss>";
    let feed = ingest::products("f.xml", text.as_bytes(), None, &defaults());
    assert_eq!((feed.rows, feed.refused, feed.values.len()), (3, 1, 1));
    let product = &feed.values[0];
    assert_eq!((product.id.as_str(), product.title.own().as_str()), ("g", "Tênis & meia"));
    assert_eq!(product.description.own().plain.as_deref(), Some("Leve."));
    assert_eq!(product.url.as_deref(), Some("https://l/?a=1&b=2"));
    assert_eq!(product.media.len(), 2);
    let prices: Vec<_> =
        product.variants.iter().map(|variant| variant.prices[0].amount.minor_units()).collect();
    assert_eq!(prices, [199_990, 100]);
    assert_eq!(
        said(&feed.problems),
        [
            "warning repeated | f.xml:5: price: is there twice; the first one stands",
            "warning unknown_member | f.xml:5: g:colour: is no element that is known here; it is passed over",
            "refused invalid_value | f.xml:6: price: `NaN` has no number",
        ]
    );

    let text = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>tag:x</id><g:id>a</g:id>\
                <title>T</title><summary>S</summary><link href='https://l/a'/><g:price>1 BRL</g:price>\
                </entry></feed>";
    let feed = ingest::products("f", text.as_bytes(), None, &defaults());
    assert_eq!(said(&feed.problems), [""; 0]);
    assert_eq!(feed.values[0].id.as_str(), "a");
    assert_eq!(feed.values[0].url.as_deref(), Some("https://l/a"));
}

#[test]
fn entities_that_expand_are_refused() {
    let mut lol = "<?xml version='1.0'?>\n<!DOCTYPE rss [<!ENTITY a0 \"lol\">".to_owned();
    for n in 1..10 {
        let before = format!("&a{};", n - 1).repeat(10);
        lol += &format!("<!ENTITY a{n} \"{before}\">");
    }
    lol += "]>\n<rss><item><g:id>a</g:id><title>&a9;</title><g:price>1 BRL</g:price></item></rss>";
    let feed = ingest::products("f.xml", lol.as_bytes(), None, &defaults());
    let text = "has a DOCTYPE, whose entities could expand without end; it is refused";
    assert_eq!(said(&feed.problems), [format!("refused unreadable | f.xml:2: {text}")]);
    assert_eq!((feed.values.len(), feed.rows), (0, 0));
}

#[test]
fn a_cut_xml_feed_keeps_the_items_before() {
    let items = (0..2_000).map(|n| {
        let noise = n * 7919 % 1009;
        format!(
            "<item><g:id>{n}</g:id><title>T{noise}</title><g:price>1 BRL</g:price>\
                 <description>D</description></item>\n"
        )
    });
    let text = format!("<rss><channel>\n{}</channel></rss>", items.collect::<String>());
    let zipped = crate::gzip(text.as_bytes());
    for bytes in [&text.as_bytes()[..text.len() / 2], &zipped[..zipped.len() / 2]] {
        let feed = ingest::products("f.xml", bytes, None, &defaults());
        assert!((500..1_900).contains(&feed.values.len()));
        let said = said(&feed.problems);
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("refused truncated"), "{said:?}");
    }
    let feed = ingest::products("f.xml", &zipped[..], None, &defaults());
    assert_eq!((feed.values.len(), feed.problems.len()), (2_000, 0));
    // An item without end is cut off by its size, not by the memory.
    let huge = format!("<rss><item><title>{}</title></item></rss>", "x".repeat(20 << 20));
    let feed = ingest::products("f.xml", huge.as_bytes(), None, &defaults());
    assert_eq!(feed.values.len(), 0);
    assert!(said(&feed.problems)[0].contains("an item is longer than 16777216 bytes"));
}

#[test]
fn local_inventory_as_xml() {
    let text = "<rss><channel><item><g:store_code>s1</g:store_code><g:id>v1</g:id>\
                <g:quantity>3</g:quantity></item>\n<item><g:id>v2</g:id></item></channel></rss>";
    let feed = ingest::stock("local.xml", text.as_bytes(), None);
    let lines: Vec<_> = feed.values.iter().map(|(line, s)| (*line, &*s.item, s.quantity)).collect();
    assert_eq!(lines, [(1, "v1", Some(3))]);
    assert_eq!(said(&feed.problems), ["refused missing | local.xml:2: store_code: is blank"]);
}

/// A file that is written anew while it is read: another text from byte `at` on.
struct Changing<'a> {
    old: &'a [u8],
    new: &'a [u8],
    at: usize,
    read: usize,
}

impl std::io::Read for Changing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let text = if self.read < self.at { &self.old[..self.at] } else { self.new };
        let rest = text.get(self.read..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

#[test]
fn a_feed_that_changes_while_it_is_read_loses_nothing_silently() {
    let feed = |word: &str, count: usize| {
        let rows = (0..count).map(|n| format!("{word}{n},T {word},D {word},{n} BRL\n"));
        format!("id,title,description,price\n{}", rows.collect::<String>())
    };
    let (old, new) = (feed("old", 500), feed("newer", 300));
    for at in [3_000, 5_000, 5_003, 5_011, old.len()] {
        let reader = Changing { old: old.as_bytes(), new: new.as_bytes(), at, read: 0 };
        let Feed { values, problems, rows, refused, .. } =
            ingest::products("f.csv", reader, None, &defaults());
        assert_eq!(rows, values.len() as u64 + refused);
        let seen = problems.iter().filter(|problem| problem.severity == ingest::Severity::Refused);
        assert_eq!(seen.count() as u64, refused);
        assert!(values.len() > 100);
    }
}
