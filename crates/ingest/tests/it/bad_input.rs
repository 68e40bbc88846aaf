//! Input that breaks importers, in each product format that can have it: it costs
//! its row, is said, and the rows around it are served and counted.

use crate::{defaults, gzip, said};
use catalog::Product;
use ingest::{Feed, Format};
use serde_json::json;

/// The product formats, and the notations of `google`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Ucp,
    Tsv,
    Csv,
    Rss,
    Atom,
    Shopify,
}

use Form::{Atom, Csv, Rss, Shopify, Tsv, Ucp};

const ALL: [Form; 6] = [Ucp, Tsv, Csv, Rss, Atom, Shopify];

impl Form {
    const fn format(self) -> Format {
        match self {
            Ucp => Format::Ucp,
            Shopify => Format::Shopify,
            Tsv | Csv | Rss | Atom => Format::Google,
        }
    }

    /// What stands before and after the rows, with a price column or without.
    const fn around(self, priced: bool) -> (&'static str, &'static str) {
        match (self, priced) {
            (Ucp, _) => ("", ""),
            (Tsv, true) => ("id\ttitle\tdescription\tprice\n", ""),
            (Tsv, false) => ("id\ttitle\tdescription\n", ""),
            (Csv, true) => ("id,title,description,price\n", ""),
            (Csv, false) => ("id,title,description\n", ""),
            (Shopify, true) => ("Handle,Title,Body (HTML),Variant Price\n", ""),
            (Shopify, false) => ("Handle,Title,Body (HTML)\n", ""),
            (Rss, _) => {
                ("<rss xmlns:g='http://base.google.com/ns/1.0'><channel>\n", "</channel></rss>")
            }
            (Atom, _) => (
                "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:g='http://base.google.com/ns/1.0'>\n",
                "</feed>",
            ),
        }
    }

    /// A row; its price as the feed writes it.
    fn row(self, id: &str, title: &str, price: Option<&str>) -> String {
        let element = match self {
            Ucp => {
                let price = price.map_or(String::new(), |price| {
                    format!(",\"price\":{{\"amount\":{price},\"currency\":\"BRL\"}}")
                });
                let variant = format!("{{\"id\":\"{id}-v\",\"title\":\"V\"{price}}}");
                return format!(
                    "{{\"id\":\"{id}\",\"title\":\"{title}\",\"description\":{{\"plain\":\"D\"}},\
                     \"variants\":[{variant}]}}\n"
                );
            }
            Tsv | Csv | Shopify => {
                let cells = [Some(id), Some(title), Some("D"), price];
                let cells: Vec<&str> = cells.into_iter().flatten().collect();
                return cells.join(if self == Tsv { "\t" } else { "," }) + "\n";
            }
            Rss => "item",
            Atom => "entry",
        };
        let price = price.map_or(String::new(), |price| format!("<g:price>{price}</g:price>"));
        format!(
            "<{element}><g:id>{id}</g:id><title>{title}</title>\
             <g:description>D</g:description>{price}</{element}>\n"
        )
    }

    fn good(self, id: &str) -> String {
        self.row(id, "T", Some("10"))
    }

    fn read(self, bytes: &[u8]) -> Feed<Product> {
        ingest::products("f", bytes, Some(self.format()), &defaults())
    }

    /// Reads `bad` between two good rows, which must be served, and counts `rows`.
    fn between(self, bad: &[u8], rows: u64) -> Feed<Product> {
        let (before, after) = self.around(true);
        let (first, last) = (self.good("first"), self.good("last"));
        let bytes = [before.as_bytes(), first.as_bytes(), bad, last.as_bytes(), after.as_bytes()];
        let feed = self.read(&bytes.concat());
        for id in ["first", "last"] {
            let served = feed.values.iter().any(|product| product.id.as_str() == id);
            assert!(served, "{self:?}: `{id}` is lost: {:?}", said(&feed.problems));
        }
        assert_eq!(feed.rows, rows + 2, "{self:?}: {:?}", said(&feed.problems));
        assert_eq!(feed.rows, feed.values.len() as u64 + feed.refused, "{self:?}");
        feed
    }
}

/// One row is refused, for a reason that begins so.
fn refuses(form: Form, feed: &Feed<Product>, reason: &str) {
    let said = said(&feed.problems);
    assert_eq!(feed.refused, 1, "{form:?}: {said:?}");
    assert!(said[0].starts_with(&format!("refused {reason}")), "{form:?}: {said:?}");
}

#[test]
fn an_empty_feed_is_said() {
    for form in ALL {
        let (before, after) = form.around(true);
        for text in [String::new(), "\n".to_owned(), format!("{before}{after}")] {
            for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
                let feed = form.read(&bytes);
                assert_eq!((feed.values.len(), feed.rows, feed.refused), (0, 0, 0));
                assert_eq!(feed.problems.len(), 1, "{form:?} {text:?}");
            }
        }
    }
    let expected = ["warning missing | f:1: the feed has no rows"];
    assert_eq!(
        said(&ingest::locations("f", &b""[..], Some(Format::Ucp), &defaults()).problems),
        expected
    );
    assert_eq!(said(&ingest::stock("f", &b""[..], Some(Format::CsvStock)).problems), expected);
}

#[test]
fn a_feed_without_prices_serves_nothing_and_says_why() {
    for form in ALL {
        let (before, after) = form.around(false);
        let rows = ["a", "b"].map(|id| form.row(id, "T", None)).concat();
        let feed = form.read(format!("{before}{rows}{after}").as_bytes());
        let said = said(&feed.problems);
        assert_eq!((feed.values.len(), feed.rows), (0, feed.refused), "{form:?}: {said:?}");
        assert!(said[0].starts_with("refused "), "{form:?}: {said:?}");
        assert!(said[0].to_lowercase().contains("price"), "{form:?}: {said:?}");
        // Either the header refuses the file, or each row is refused.
        assert!(feed.rows == 2 || (feed.rows == 0 && said.len() == 1), "{form:?}: {said:?}");
    }
}

#[test]
fn a_title_of_a_million_characters_is_cut() {
    let title = "á".repeat(1_000_000);
    for form in ALL {
        let feed = form.between(form.row("long", &title, Some("10")).as_bytes(), 1);
        assert_eq!(feed.refused, 0, "{form:?}");
        let long = feed.values.iter().find(|product| product.id.as_str() == "long").unwrap();
        assert_eq!(long.title.own().chars().count(), 1_000, "{form:?}");
        let cut = said(&feed.problems);
        assert!(cut[0].starts_with("warning changed | f:"), "{form:?}: {cut:?}");
        assert!(cut[0].ends_with("is cut after 1000 characters"), "{form:?}: {cut:?}");
    }
}

#[test]
fn a_later_row_with_the_same_id_is_a_problem() {
    // In an export of Shopify, rows that follow one another are one product.
    for form in ALL.into_iter().filter(|form| *form != Shopify) {
        let feed = form.between(form.row("first", "Other", Some("20")).as_bytes(), 1);
        refuses(form, &feed, "duplicate_id");
        assert!(feed.values.iter().all(|product| product.title.own() == "T"), "{form:?}");
    }
    let bad = Shopify.good("x") + &Shopify.row("first", "Other", Some("20"));
    refuses(Shopify, &Shopify.between(bad.as_bytes(), 2), "duplicate_id");
}

#[test]
fn a_price_that_is_no_number_is_refused() {
    for price in ["NaN", "nan", "Infinity", "-inf", "1e999", "-1"] {
        for form in ALL {
            let feed = form.between(form.row("bad", "T", Some(price)).as_bytes(), 1);
            let reason =
                if form == Ucp && price != "-1" { "invalid_json" } else { "invalid_value" };
            refuses(form, &feed, reason);
        }
    }
    let feed = Ucp.between(Ucp.row("bad", "T", Some("\"NaN\"")).as_bytes(), 1);
    refuses(Ucp, &feed, "wrong_type");
}

#[test]
fn bytes_that_are_no_utf_8_cost_their_row() {
    for form in ALL {
        let row = form.row("bad", "T?T", Some("10"));
        for noise in [&b"\xFF"[..], b"\xC3", b"\xED\xA0\x80", b"\xC0\xAF"] {
            let (before, after) = row.split_once('?').unwrap();
            let bad = [before.as_bytes(), noise, after.as_bytes()].concat();
            refuses(form, &form.between(&bad, 1), "invalid_encoding");
        }
    }
}

#[test]
fn a_cut_gzip_keeps_what_came_whole() {
    for form in ALL {
        let (before, after) = form.around(true);
        let rows = (0..3_000).map(|n| form.good(&format!("p{:x}", n * 7_919 % 65_537)));
        let bytes = gzip(format!("{before}{}{after}", rows.collect::<String>()).as_bytes());
        let feed = form.read(&bytes[..bytes.len() / 2]);
        let said = said(&feed.problems);
        assert!((500..2_900).contains(&feed.values.len()), "{form:?}: {}", feed.values.len());
        assert_eq!(feed.rows, feed.values.len() as u64 + feed.refused, "{form:?}");
        assert!(said.iter().any(|line| line.starts_with("refused truncated | f:")), "{form:?}");
        assert_eq!(form.read(&bytes).values.len(), 3_000, "{form:?}");
    }
}

#[test]
fn xml_that_defines_entities_is_refused() {
    let expanding = "<!DOCTYPE x [<!ENTITY a \"lol\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
    let external = "<!DOCTYPE x [<!ENTITY b SYSTEM \"file:///etc/hostname\">]>";
    for doctype in [expanding, external, "<!DOCTYPE x SYSTEM \"http://l.example/x.dtd\">"] {
        for form in [Rss, Atom] {
            let (before, after) = form.around(true);
            let row = form.row("a", "&b;", Some("10"));
            let feed = form.read(format!("{doctype}{before}{row}{after}").as_bytes());
            assert_eq!((feed.values.len(), feed.rows), (0, 0), "{form:?}");
            let said = said(&feed.problems);
            assert!(said[0].starts_with("refused unreadable | f:1: has a DOCTYPE"), "{said:?}");
        }
        let text = format!("{doctype}<rss><item><g:id>&b;</g:id></item></rss>");
        let stock = ingest::stock("f", text.as_bytes(), Some(Format::GoogleLocal));
        assert_eq!((stock.values.len(), stock.problems.len()), (0, 1));
    }
}

#[test]
fn ten_thousand_values_of_an_option_are_bounded_and_counted() {
    let header = "Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price\n";
    let rows = (0..10_000).map(|n| {
        let (title, name) = if n == 0 { ("T", "Cor") } else { ("", "") };
        format!("h,{title},D,{name},cor {n},s{n},10\n")
    });
    let text =
        header.to_owned() + &rows.collect::<String>() + "last,T,D,Title,Default Title,l,10\n";
    let feed = Shopify.read(text.as_bytes());
    assert_eq!((feed.rows, feed.refused, feed.values.len()), (2, 0, 2));
    let left = feed.values[0].variants.len();
    assert_eq!((left, feed.values[0].axes[0].values.len()), (10_000, 10_000));

    let item = |n: u32| {
        format!(
            "<item><g:id>v{n}</g:id><g:item_group_id>g</g:item_group_id><title>T</title>\
             <g:description>D</g:description><g:price>1 BRL</g:price><g:color>c{n}</g:color></item>"
        )
    };
    let (before, after) = Rss.around(true);
    let items: String = (0..10_002).map(item).collect();
    let feed = Rss.read(format!("{before}{items}{after}").as_bytes());
    assert_eq!(feed.values[0].axes[0].values.len(), 10_000);
    assert_eq!((feed.rows, feed.refused, feed.problems.len()), (10_002, 2, 2));
}

#[test]
fn negative_stock_is_refused_or_means_none() {
    let csv = "location_id,item_id,quantity\nl,a,1\nl,b,-1\nl,c,3\n";
    let local = "store_code\titemid\tquantity\nl\ta\t1\nl\tb\t-1\nl\tc\t3\n";
    for (text, format) in [(csv, Format::CsvStock), (local, Format::GoogleLocal)] {
        let feed = ingest::stock("f", text.as_bytes(), Some(format));
        let items: Vec<_> = feed.values.iter().map(|(_, line)| line.item.as_str()).collect();
        let said = said(&feed.problems);
        assert_eq!((items, feed.rows, feed.refused), (vec!["a", "c"], 3, 1), "{said:?}");
        assert!(said[0].starts_with("refused invalid_value | f:3: quantity: "), "{said:?}");
    }
    // Shopify counts what was sold beyond the stock below zero.
    let text = "Handle,Title,Body (HTML),Variant Price,Variant Inventory Tracker,\
                Variant Inventory Qty,Variant Inventory Policy\nh,T,D,10,shopify,-2,deny\n";
    let feed = Shopify.read(text.as_bytes());
    let availability = feed.values[0].variants[0].availability.as_ref().unwrap();
    assert_eq!(json!(availability.status), json!("out_of_stock"));
}
