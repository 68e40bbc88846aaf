//! Which format a feed is in: said outright, else found out from its name and
//! its beginning (DESIGN 5).
//!
//! Only what can be read is named here. Reading is the format modules' work.

use crate::problem::excerpt;
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
    /// `csv` of stock: `location_id,item_id,quantity[,status]`.
    CsvStock,
}

/// A feed whose format cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedFormat {
    /// The configuration names a format that a feed of this kind cannot have.
    #[error("`{name}` is no format of a {kind} feed: {} is supported", names(*.kind))]
    Named {
        /// As configured.
        name: String,
        /// Of the feed.
        kind: FeedKind,
    },
    /// Neither the name nor the content shows a format that can be read.
    #[error("the format of this {kind} feed is not recognised: {} is supported", names(*.kind))]
    Undetected {
        /// Of the feed.
        kind: FeedKind,
    },
}

impl Format {
    /// The formats that a feed of `kind` can have.
    pub const fn supported(kind: FeedKind) -> &'static [Self] {
        match kind {
            FeedKind::Products | FeedKind::Locations => &[Self::Ucp],
            FeedKind::Stock => &[Self::CsvStock],
        }
    }

    /// The name in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ucp => "ucp",
            Self::CsvStock => "csv",
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
        let found = match kind {
            FeedKind::Products | FeedKind::Locations => {
                (head.starts_with(b"{") || ends(&[".jsonl", ".ndjson"])).then_some(Self::Ucp)
            }
            FeedKind::Stock => (is_stock_header(head) || ends(&[".csv"])).then_some(Self::CsvStock),
        };
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
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    line.contains("location_id") && line.contains("item_id")
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
        assert_eq!(products("feed.xml", "<rss>"), None);
        assert_eq!(products("feed.json", "[{}]"), None);

        let stock =
            |file: &str, head: &str| Format::detect(FeedKind::Stock, file, head.as_bytes()).ok();
        assert_eq!(stock("stock.csv", "a,b"), Some(Format::CsvStock));
        assert_eq!(stock("stock", "\"Item_Id\";Location_ID\r\n"), Some(Format::CsvStock));
        assert_eq!(stock("stock", "a,b\nlocation_id,item_id"), None);
    }

    #[test]
    fn an_unsupported_format_names_the_supported_ones() {
        assert_eq!(Format::from_name(FeedKind::Products, "ucp"), Ok(Format::Ucp));
        assert_eq!(Format::from_name(FeedKind::Stock, "csv"), Ok(Format::CsvStock));
        let text = |kind, name| Format::from_name(kind, name).unwrap_err().to_string();
        assert_eq!(
            text(FeedKind::Products, "csv"),
            "`csv` is no format of a product feed: `ucp` is supported"
        );
        assert_eq!(
            text(FeedKind::Stock, "ucp"),
            "`ucp` is no format of a stock feed: `csv` is supported"
        );
        assert_eq!(
            Format::detect(FeedKind::Locations, "a.xml", b"<x>").unwrap_err().to_string(),
            "the format of this location feed is not recognised: `ucp` is supported"
        );
    }
}
