//! Service areas: whom a Location can serve, and how (rule L4).

use crate::geo::Point;

/// A way to serve buyers within an area.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceArea {
    /// Such as `delivery`.
    pub method: String,
    /// Where.
    pub area: Area,
}

/// The shapes of areas that a feed can give.
#[derive(Debug, Clone, PartialEq)]
pub enum Area {
    /// Within so many metres of the Location, along the geodesic, inclusive.
    Radius {
        /// Metres, finite and not negative.
        radius_m: f64,
    },
    /// Within polygons, each an outer ring and holes, edges straight in longitude
    /// and latitude (RFC 7946), boundary inside.
    Polygons(Vec<Polygon>),
    /// ISO 3166-1 alpha-2 codes.
    Countries(Vec<String>),
    /// ISO 3166-2 codes such as `BR-SP`.
    Regions(Vec<String>),
    /// Postal codes of one country.
    PostalCodes(PostalCodes),
}

/// A closed outer ring and its holes.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// First and last point equal, four points or more.
    pub outer: Vec<Point>,
    /// Likewise closed.
    pub holes: Vec<Vec<Point>>,
}

/// Postal codes of one country: any of codes, prefixes and inclusive ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalCodes {
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// Whole codes.
    pub codes: Vec<String>,
    /// Beginnings of codes.
    pub prefixes: Vec<String>,
    /// First and last code, inclusive.
    pub ranges: Vec<(String, String)>,
}
