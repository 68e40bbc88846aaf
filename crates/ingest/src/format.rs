//! Which format a feed is in: said outright, else found out from its name and
//! its beginning (DESIGN 5).
//!
//! Only what can be read is named here. Reading is the format modules' work.

use crate::google;
use crate::problem::excerpt;
use crate::shopify;
use crate::stock::local;
use crate::stores;
use std::fmt;

/// What a feed lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedKind {
    /// Products with their variants.
    Products,
    /// Locations.
    Locations,
    /// What each Location has.
    Stock,
}

impl fmt::Display for FeedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Products => "product",
            Self::Locations => "location",
            Self::Stock => "stock",
        })
    }
}

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// `ucp`: one UCP product or Location object a line, 2026-08-25 shape.
    Ucp,
    /// `google`: a Google Merchant product feed: TSV or CSV with a header, RSS 2.0
    /// or Atom.
    Google,
    /// `shopify`: a Shopify product export.
    Shopify,
    /// `google_local`: a Google local inventory feed, likewise.
    GoogleLocal,
    /// `geojson`: places with OpenStreetMap `opening_hours`, a FeatureCollection or
    /// a Feature a line.
    GeoJson,
    /// `csv` of stores: the bulk file of Google Business Profile.
    CsvStores,
    /// `csv` of stock: `location_id,item_id,quantity[,status]`.
    CsvStock,
}

/// A feed whose format cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedFormat {
    /// The configuration names a format that a feed of this kind cannot have.
    #[error("`{name}` is no format of a {kind} feed; these are: {}", names(*.kind))]
    Named {
        /// As configured.
        name: String,
        /// Of the feed.
        kind: FeedKind,
    },
    /// Neither the name nor the content shows a format that can be read.
    #[error("the format of this {kind} feed is not recognised; these are: {}", names(*.kind))]
    Undetected {
        /// Of the feed.
        kind: FeedKind,
    },
}

impl Format {
    /// The formats that a feed of `kind` can have.
    pub const fn supported(kind: FeedKind) -> &'static [Self] {
        match kind {
            FeedKind::Products => &[Self::Ucp, Self::Google, Self::Shopify],
            FeedKind::Locations => &[Self::Ucp, Self::GeoJson, Self::CsvStores],
            FeedKind::Stock => &[Self::CsvStock, Self::GoogleLocal],
        }
    }

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucp => "ucp",
            Self::Google => "google",
            Self::Shopify => "shopify",
            Self::GeoJson => "geojson",
            Self::GoogleLocal => "google_local",
            Self::CsvStores | Self::CsvStock => "csv",
        }
    }

    /// The format that a configuration calls `name`, for a feed of `kind`.
    ///
    /// # Errors
    ///
    /// [`UnsupportedFormat::Named`] when a feed of this kind cannot have it.
    pub fn from_name(kind: FeedKind, name: &str) -> Result<Self, UnsupportedFormat> {
        Self::supported(kind)
            .iter()
            .copied()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnsupportedFormat::Named { name: excerpt(name), kind })
    }

    /// The format of a feed of `kind` called `file` whose decompressed content
    /// begins with `head`. The content decides where it can, then the name.
    ///
    /// # Errors
    ///
    /// [`UnsupportedFormat::Undetected`] when neither shows a format.
    pub fn detect(kind: FeedKind, file: &str, head: &[u8]) -> Result<Self, UnsupportedFormat> {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        let name = file.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
        let by_content = match kind {
            _ if head.is_empty() => None,
            FeedKind::Products if is_xml(head) => Some(Self::Google),
            FeedKind::Stock if is_xml(head) => Some(Self::GoogleLocal),
            FeedKind::Products if head.starts_with(b"{") => Some(Self::Ucp),
            FeedKind::Products if is_header(head, shopify::is_header) => Some(Self::Shopify),
            FeedKind::Products => is_header(head, google::is_header).then_some(Self::Google),
            FeedKind::Locations if is_geojson(head) => Some(Self::GeoJson),
            FeedKind::Locations if head.starts_with(b"{") => Some(Self::Ucp),
            FeedKind::Locations => is_header(head, stores::is_header).then_some(Self::CsvStores),
            FeedKind::Stock if is_stock_header(head) => Some(Self::CsvStock),
            FeedKind::Stock => is_header(head, local::is_header).then_some(Self::GoogleLocal),
        };
        let by_name = || match kind {
            FeedKind::Products | FeedKind::Locations if ends(&[".jsonl", ".ndjson"]) => {
                Some(Self::Ucp)
            }
            FeedKind::Products if ends(&[".tsv", ".csv", ".xml"]) => Some(Self::Google),
            FeedKind::Locations if ends(&[".geojson", ".ndgeojson"]) => Some(Self::GeoJson),
            FeedKind::Locations if ends(&[".csv", ".tsv"]) => Some(Self::CsvStores),
            FeedKind::Stock if ends(&[".csv"]) => Some(Self::CsvStock),
            FeedKind::Stock if ends(&[".tsv", ".xml"]) => Some(Self::GoogleLocal),
            _ => None,
        };
        let found = by_content.or_else(by_name);
        // An empty feed lists nothing in any format.
        let found = found.or_else(|| {
            let first = Self::supported(kind).first().copied();
            first.filter(|_| head.is_empty())
        });
        found.ok_or(UnsupportedFormat::Undetected { kind })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn names(kind: FeedKind) -> String {
    let names: Vec<_> =
        Format::supported(kind).iter().map(|format| format!("`{format}`")).collect();
    names.join(", ")
}

fn is_stock_header(head: &[u8]) -> bool {
    let line = first_line(head).to_ascii_lowercase();
    line.contains("location_id") && line.contains("item_id")
}

/// Whether the names of the first line satisfy `knows`; delimiters and quotes
/// are taken loosely, for the format itself reads them later.
fn is_header(head: &[u8], knows: fn(&[&str]) -> bool) -> bool {
    let line = first_line(head);
    let names: Vec<&str> =
        line.split([',', ';', '\t']).map(|name| name.trim_matches('"')).collect();
    knows(&names)
}

/// Whether a text begins as XML feeds do, or web pages that stand in for one.
fn is_xml(head: &[u8]) -> bool {
    let begins = ["<?xml", "<rss", "<feed", "<rdf:", "<!doctype", "<!--", "<html"];
    let head = head.to_ascii_lowercase();
    begins.iter().any(|begin| head.starts_with(begin.as_bytes()))
}

/// Whether a JSON text calls itself GeoJSON.
fn is_geojson(head: &[u8]) -> bool {
    let text: String =
        String::from_utf8_lossy(head).chars().filter(|c| !c.is_ascii_whitespace()).collect();
    text.starts_with('{')
        && [r#""type":"FeatureCollection""#, r#""type":"Feature""#]
            .iter()
            .any(|said| text.contains(said))
}

fn first_line(head: &[u8]) -> String {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(line).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_name_show_the_format() {
        let products =
            |file: &str, head: &str| Format::detect(FeedKind::Products, file, head.as_bytes()).ok();
        assert_eq!(products("a.jsonl", "{}"), Some(Format::Ucp));
        assert_eq!(products("a.JSONL.gz", "not yet JSON"), Some(Format::Ucp));
        assert_eq!(products("export", "\u{feff}\n {\"id\":1}"), Some(Format::Ucp));
        assert_eq!(products("export.txt", ""), Some(Format::Ucp));
        assert_eq!(products("feed.xml", "<rss>"), Some(Format::Google));
        assert_eq!(products("feed.json", "[{}]"), None);

        assert_eq!(products("feed", "<?xml version='1.0'?>"), Some(Format::Google));
        assert_eq!(products("a.jsonl", "<\n{}"), Some(Format::Ucp));
        assert_eq!(products("x", "ID\tTitle\tPrice"), Some(Format::Google));
        assert_eq!(products("x", "\"Handle\",\"Title\",\"Variant Price\""), Some(Format::Shopify));
        let locations = |file: &str, head: &str| {
            Format::detect(FeedKind::Locations, file, head.as_bytes()).ok()
        };
        assert_eq!(locations("x", "{\"type\": \"FeatureCollection\""), Some(Format::GeoJson));
        assert_eq!(locations("x", "{\"id\": 1}"), Some(Format::Ucp));
        assert_eq!(locations("x", "Business name,Store code"), Some(Format::CsvStores));
        assert_eq!(locations("a.geojson.gz", "broken"), Some(Format::GeoJson));

        let stock =
            |file: &str, head: &str| Format::detect(FeedKind::Stock, file, head.as_bytes()).ok();
        assert_eq!(stock("stock.csv", "a,b"), Some(Format::CsvStock));
        assert_eq!(stock("stock", "\"Item_Id\";Location_ID\r\n"), Some(Format::CsvStock));
        assert_eq!(stock("stock", "a,b\nlocation_id,item_id"), None);
        assert_eq!(stock("x", "store code,id,quantity"), Some(Format::GoogleLocal));
        assert_eq!(stock("x", "<rss>"), Some(Format::GoogleLocal));
    }

    #[test]
    fn an_unsupported_format_names_the_supported_ones() {
        assert_eq!(Format::from_name(FeedKind::Products, "ucp"), Ok(Format::Ucp));
        assert_eq!(Format::from_name(FeedKind::Stock, "csv"), Ok(Format::CsvStock));
        let text = |kind, name| Format::from_name(kind, name).unwrap_err().to_string();
        assert_eq!(
            text(FeedKind::Products, "csv"),
            "`csv` is no format of a product feed; these are: `ucp`, `google`, `shopify`"
        );
        assert_eq!(
            text(FeedKind::Stock, "ucp"),
            "`ucp` is no format of a stock feed; these are: `csv`, `google_local`"
        );
        assert_eq!(
            Format::detect(FeedKind::Locations, "a.xml", b"<x>").unwrap_err().to_string(),
            "the format of this location feed is not recognised; these are: `ucp`, `geojson`, `csv`"
        );
    }
}
