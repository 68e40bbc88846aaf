//! Files as they come: formats, compression, line ends, lines that are no rows, stock.

use crate::products::least;
use crate::{defaults, said};
use flate2::{Compression, write::GzEncoder};
use ingest::{Feed, Format};
use location::inventory::{StockLine, StockStatus};
use serde_json::Value;
use std::io::Write;

fn product(id: &str) -> String {
    let mut row = least();
    row["id"] = id.into();
    row["variants"][0]["id"] = format!("{id}-v").into();
    row.to_string()
}

fn ids(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let feed = ingest::products("p.jsonl", bytes, None, &defaults());
    let ids = feed.values.iter().map(|product| product.id.as_str().to_owned()).collect();
    (ids, said(&feed.problems))
}

fn stock(text: &str) -> (Vec<(u64, StockLine)>, Vec<String>) {
    let Feed { values, problems, rows, refused, .. } =
        ingest::stock("s.csv", text.as_bytes(), None);
    assert_eq!(rows, refused + values.len() as u64);
    (values, said(&problems))
}

fn stock_line(location: &str, item: &str, quantity: Option<u64>, status: StockStatus) -> StockLine {
    let location = location::LocationId::new(location).unwrap();
    StockLine { location, item: item.to_owned(), quantity, status }
}

#[test]
fn rows_between_lines_that_are_none() {
    let mut bytes = b"\xEF\xBB\xBF".to_vec();
    bytes.extend(format!("{}\r\n\r\n  \n[1]\nnull\n{{\"id\":\n", product("a")).bytes());
    bytes.extend(b"\"\xFF\"\n");
    let twice = product("x").replacen("\"title\"", "\"id\":\"y\",\"title\"", 1);
    bytes.extend(format!("{twice}\n{}", product("b")).bytes());
    let (ids, said) = ids(&bytes);
    assert_eq!(ids, ["a", "b"]);
    assert_eq!(
        said,
        [
            "refused wrong_type | p.jsonl:4: must be an object, not an array",
            "refused wrong_type | p.jsonl:5: must be an object, not null",
            "refused invalid_json | p.jsonl:6: no valid JSON at column 6: EOF while parsing a value",
            "refused invalid_encoding | p.jsonl:7: the line is not UTF-8 at byte 2",
            "refused duplicate_key | p.jsonl:8: id: is there twice in one object",
        ]
    );
}

#[test]
fn a_cut_gzip_is_a_problem_and_the_rows_before_stay() {
    let text: String = (0..500).map(|n| product(&n.to_string()) + "\n").collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let bytes = encoder.finish().unwrap();
    assert_eq!(ids(&bytes).0.len(), 500);

    let feed = ingest::products("p.jsonl.gz", &bytes[..bytes.len() / 2], None, &defaults());
    let kept = feed.values.len();
    assert!((100..400).contains(&kept), "{kept}");
    assert_eq!((feed.rows, feed.refused), (kept as u64, 0));
    let expected = format!(
        "refused truncated | p.jsonl.gz:{}: the compressed file ends too early; the rows before \
         are served",
        kept + 1
    );
    assert_eq!(said(&feed.problems), [expected]);
}

#[test]
fn an_unsupported_format_is_one_problem() {
    let feed = ingest::products("feed.xls", &b"\xD0\xCF\x11\xE0"[..], None, &defaults());
    let text =
        "the format of this product feed is not recognised; these are: `ucp`, `google`, `shopify`";
    assert_eq!(said(&feed.problems), [format!("refused unsupported_format | feed.xls:1: {text}")]);
    let feed = ingest::stock("stock.csv", &b""[..], Some(Format::Ucp));
    let text = "`ucp` is no format of a stock feed; these are: `csv`, `google_local`";
    assert_eq!(said(&feed.problems), [format!("refused unsupported_format | stock.csv:1: {text}")]);
    let feed = ingest::products("feed.xml", &b"<rss/>"[..], Some(Format::Ucp), &defaults());
    assert_eq!((feed.rows, feed.refused), (1, 1));
}

#[test]
fn stock_in_any_order_of_columns() {
    let text = "\u{feff}Quantity;status;item_id;location_id\r\n\
                3;In_Stock;v1;l1\r\n;;v2;l1\r\n\r\n0;OUT_OF_STOCK;v1; l2 \r\n5.0;backorder;p1;l2\r\n1;preorder;p2;l2";
    let (values, said) = stock(text);
    assert_eq!(said, [""; 0]);
    assert_eq!(
        values,
        [
            (2, stock_line("l1", "v1", Some(3), StockStatus::InStock)),
            (3, stock_line("l1", "v2", None, StockStatus::InStock)),
            (5, stock_line("l2", "v1", Some(0), StockStatus::OutOfStock)),
            (6, stock_line("l2", "p1", Some(5), StockStatus::Backorder)),
            (7, stock_line("l2", "p2", Some(1), StockStatus::Preorder)),
        ]
    );
}

#[test]
fn a_bad_stock_row_costs_that_row() {
    let text = "location_id,item_id,quantity,note,status\n\
                l1,v1,-1,,\n\
                l1,v2,1.5,,\n\
                l1,v3,many,,\n\
                l1,v4,99999999999999999999,,\n\
                l1,v5,1,,sold\n\
                ,v6,1,,\n\
                l1, ,1,,\n\
                l1\n\
                l1,v7,1,,in_stock,extra\n\
                l1,v8,\"1,\n\
                l1,v9,1,\"two\nlines\"\n\
                l1,\"v10\",1,,,\n\
                \"l1";
    let (values, said) = stock(text);
    let lines: Vec<_> = values.iter().map(|(line, stock)| (*line, &*stock.item)).collect();
    // Only a record of as many fields as the header may span lines.
    assert_eq!(lines, [(14, "v10")]);
    let status = "is none of in_stock, out_of_stock, backorder, preorder";
    assert_eq!(
        said,
        [
            "warning unknown_column | s.csv:1: columns that are not read: `note`".to_owned(),
            "refused invalid_value | s.csv:2: quantity: `-1` is no whole number from 0".to_owned(),
            "refused invalid_value | s.csv:3: quantity: `1.5` is no whole number from 0".to_owned(),
            "refused invalid_value | s.csv:4: quantity: `many` is no whole number from 0"
                .to_owned(),
            "refused invalid_value | s.csv:5: quantity: `99999999999999999999` is no whole number \
             from 0"
                .to_owned(),
            format!("refused invalid_value | s.csv:6: status: `sold` {status}"),
            "refused missing | s.csv:7: location_id: is blank".to_owned(),
            "refused missing | s.csv:8: item_id: is blank".to_owned(),
            "refused invalid_csv | s.csv:9: has 1 fields, the header 5".to_owned(),
            "refused invalid_csv | s.csv:10: has 6 fields, the header 5".to_owned(),
            "refused invalid_csv | s.csv:11: has a quote that is not closed".to_owned(),
            "refused invalid_csv | s.csv:12: has a quote that is not closed".to_owned(),
            "refused invalid_csv | s.csv:13: has 1 fields, the header 5".to_owned(),
            "refused invalid_csv | s.csv:15: has a quote that is not closed".to_owned(),
        ]
    );
}

#[test]
fn stock_rows_of_several_lines_keep_the_count_of_lines() {
    let text = "location_id,note,item_id,quantity\nl1,\"a\n\n\"\"b\"\"\",v1,1\nl1,,v2,x\n";
    let (values, said) = stock(text);
    assert_eq!(values, [(2, stock_line("l1", "v1", Some(1), StockStatus::InStock))]);
    assert_eq!(
        said[1..],
        ["refused invalid_value | s.csv:5: quantity: `x` is no whole number from 0"]
    );
}

#[test]
fn a_stock_header_that_lacks_columns_refuses_the_file() {
    let rest = "location_id, item_id and quantity are needed, status is optional";
    let (values, said) = stock("location_id,sku,quantity\nl1,v1,1\n");
    assert!(values.is_empty());
    assert_eq!(
        said,
        [format!("refused missing | s.csv:1: item_id: the header lacks item_id: {rest}")]
    );
    let (_, said) = stock("\nl1,v1,1\n");
    let all = "the header lacks location_id, item_id, quantity";
    assert_eq!(said, [format!("refused missing | s.csv:2: {all}: {rest}")]);
    assert_eq!(stock("").1, ["warning missing | s.csv:1: the feed has no rows"]);
}

#[test]
fn memory_holds_one_row_at_a_time() {
    let (mut seen, mut bytes) = (Vec::new(), Vec::new());
    for n in 0..3 {
        bytes.extend((product(&n.to_string()) + "\n{}\n").bytes());
    }
    let tally = ingest::read_products("p.jsonl", &bytes[..], None, &defaults(), &mut |record| {
        seen.push(match record {
            ingest::Record::Value { line, value } => (line, Some(Value::from(value.id.as_str()))),
            ingest::Record::Problem(problem) => (problem.line, None),
        });
    });
    seen.dedup();
    let expected: Vec<_> =
        (0..3).flat_map(|n| [(2 * n + 1, Some(n.to_string().into())), (2 * n + 2, None)]).collect();
    assert_eq!(seen, expected);
    assert_eq!((tally.rows, tally.refused), (6, 3));
}
