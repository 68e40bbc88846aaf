//! Service areas: whom a Location can serve, and how (rule L4).
//!
//! Here are the shapes of areas and targets and the constructors that check
//! them; `serving` answers which Locations serve a target. Reading areas from
//! feeds, GeoJSON included, is `ingest`'s work.

mod country;
mod country_names;
mod polygon;
pub(crate) mod postal;
pub(crate) mod region;
mod region_names;
pub(crate) mod serving;

pub use country::country_code;
pub(crate) use country::country_names;
pub use polygon::Polygon;

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

/// Why values make no area.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AreaFault {
    /// A radius that is negative, infinite or no number.
    #[error("a radius of {0} m is no distance")]
    Radius(f64),
    /// Nothing is listed.
    #[error("the area lists nothing")]
    Empty,
    /// No country of ISO 3166-1 by code or name.
    #[error("`{0}` is no country of ISO 3166-1")]
    UnknownCountry(String),
    /// No region of ISO 3166-2, or a name that several regions have.
    #[error("`{0}` is no one region of ISO 3166-2; write its code, such as BR-SP")]
    UnknownRegion(String),
    /// A postal code without a letter or digit.
    #[error("`{0}` is no postal code")]
    PostalCode(String),
    /// A range whose ends have different lengths or are in the wrong order.
    #[error("`{first}` to `{last}` is no range of postal codes")]
    PostalRange {
        /// Its first code as given.
        first: String,
        /// Its last code as given.
        last: String,
    },
    /// A ring of so many points, fewer than four.
    #[error("a ring of {0} points: at least four are needed, the last equal to the first")]
    ShortRing(usize),
    /// The last point of a ring is not its first.
    #[error("a ring is not closed: its last point must equal its first")]
    OpenRing,
    /// A ring of fewer than three different points.
    #[error("a ring has fewer than three different points")]
    FlatRing,
}

impl Area {
    /// Within `radius_m` metres of the Location.
    ///
    /// # Errors
    ///
    /// A radius that is negative, infinite or NaN.
    pub fn radius(radius_m: f64) -> Result<Self, AreaFault> {
        if radius_m.is_finite() && radius_m >= 0.0 {
            Ok(Self::Radius { radius_m })
        } else {
            Err(AreaFault::Radius(radius_m))
        }
    }

    /// The countries given as alpha-2, alpha-3 or name, kept as alpha-2.
    ///
    /// # Errors
    ///
    /// No country at all, or one that ISO 3166-1 does not have.
    pub fn countries<S: AsRef<str>>(countries: &[S]) -> Result<Self, AreaFault> {
        let code = |text: &S| country(text.as_ref()).map(str::to_owned);
        listed(countries.iter().map(code)).map(Self::Countries)
    }

    /// The regions given as ISO 3166-2 code or unambiguous name, kept as codes.
    ///
    /// # Errors
    ///
    /// No region at all, one that ISO 3166-2 does not have, or an ambiguous name.
    pub fn regions<S: AsRef<str>>(regions: &[S]) -> Result<Self, AreaFault> {
        let code = |text: &S| {
            let text = text.as_ref();
            let code = region::region_code(text);
            code.map(str::to_owned).ok_or_else(|| AreaFault::UnknownRegion(text.to_owned()))
        };
        listed(regions.iter().map(code)).map(Self::Regions)
    }

    /// One country; see [`Area::countries`].
    ///
    /// # Errors
    ///
    /// A country that ISO 3166-1 does not have.
    pub fn country(country: &str) -> Result<Self, AreaFault> {
        Self::countries(&[country])
    }

    /// One region; see [`Area::regions`].
    ///
    /// # Errors
    ///
    /// A region that ISO 3166-2 does not have, or an ambiguous name.
    pub fn region(region: &str) -> Result<Self, AreaFault> {
        Self::regions(&[region])
    }

    /// Within any of the polygons.
    ///
    /// # Errors
    ///
    /// No polygon at all.
    pub fn polygons(polygons: Vec<Polygon>) -> Result<Self, AreaFault> {
        if polygons.is_empty() { Err(AreaFault::Empty) } else { Ok(Self::Polygons(polygons)) }
    }
}

impl PostalCodes {
    /// Codes, prefixes and ranges of one country, kept as written; they are
    /// compared without case, spaces and punctuation.
    ///
    /// # Errors
    ///
    /// An unknown country, nothing listed, a code without a letter or digit, or
    /// a range whose ends differ in length or are in the wrong order.
    pub fn new(
        country_text: &str,
        codes: Vec<String>,
        prefixes: Vec<String>,
        ranges: Vec<(String, String)>,
    ) -> Result<Self, AreaFault> {
        let country = country(country_text)?.to_owned();
        if codes.is_empty() && prefixes.is_empty() && ranges.is_empty() {
            return Err(AreaFault::Empty);
        }
        let blank = |code: &&String| postal::normalised(code).is_empty();
        if let Some(code) = codes.iter().chain(&prefixes).find(blank) {
            return Err(AreaFault::PostalCode(code.clone()));
        }
        for (first, last) in &ranges {
            let (low, high) = (postal::normalised(first), postal::normalised(last));
            if low.is_empty() || low.len() != high.len() || low > high {
                return Err(AreaFault::PostalRange { first: first.clone(), last: last.clone() });
            }
        }
        Ok(Self { country, codes, prefixes, ranges })
    }
}

fn country(text: &str) -> Result<&'static str, AreaFault> {
    country_code(text).ok_or_else(|| AreaFault::UnknownCountry(text.to_owned()))
}

fn listed(
    codes: impl Iterator<Item = Result<String, AreaFault>>,
) -> Result<Vec<String>, AreaFault> {
    let codes = codes.collect::<Result<Vec<_>, _>>()?;
    if codes.is_empty() { Err(AreaFault::Empty) } else { Ok(codes) }
}

/// Whom a buyer asks about (rule L4).
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A place.
    Point(Point),
    /// An address, however much of it is known; blank members count as absent.
    Address {
        /// Alpha-2, alpha-3 or name.
        country: Option<String>,
        /// `NY`, `US-NY` or a name.
        region: Option<String>,
        /// As the buyer writes it.
        postal_code: Option<String>,
    },
}

/// Why a target cannot be evaluated (rule L4); the text says what to send instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    /// Nothing in the address.
    #[error("the address has no country, region or postal code: send at least one of them")]
    EmptyAddress,
    /// No country of ISO 3166-1.
    #[error(
        "`{0}` is no country that can be evaluated: send an ISO 3166-1 code such as BR or BRA, \
         or a name in English, Portuguese or Spanish"
    )]
    UnknownCountry(String),
    /// No region of ISO 3166-2, there or anywhere.
    #[error(
        "`{region}` is no region that can be evaluated{}: send an ISO 3166-2 code such as US-NY, \
         with or without its country, or leave the region out",
        in_country(.country.as_ref())
    )]
    UnknownRegion {
        /// As sent.
        region: String,
        /// As sent.
        country: Option<String>,
    },
    /// No Location's areas say anything about such postal codes.
    #[error(
        "no service area here can evaluate the postal code `{postal_code}`{}: send a point, \
         a region, or a country alone instead",
        in_country(.country.as_ref())
    )]
    PostalSystem {
        /// As sent.
        postal_code: String,
        /// As sent.
        country: Option<String>,
    },
    /// No Location has a radius or a polygon to hold a point.
    #[error(
        "no service area here can evaluate a point: send an address with a country, region or \
         postal code instead"
    )]
    NoPointAreas,
}

fn in_country(country: Option<&String>) -> String {
    country.map_or_else(String::new, |country| format!(" in `{country}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_checked_and_made_canonical() {
        let countries = |list: &[&str]| Area::countries(list);
        assert_eq!(
            countries(&["BRA", "Estados Unidos"]),
            Ok(Area::Countries(vec!["BR".into(), "US".into()]))
        );
        assert_eq!(countries(&[]), Err(AreaFault::Empty));
        assert_eq!(Area::country("Narnia"), Err(AreaFault::UnknownCountry("Narnia".into())));
        assert_eq!(Area::region("br-sp"), Ok(Area::Regions(vec!["BR-SP".into()])));
        assert_eq!(Area::region("BR-XX"), Err(AreaFault::UnknownRegion("BR-XX".into())));
        assert_eq!(Area::region("SE"), Err(AreaFault::UnknownRegion("SE".into())));
        assert_eq!(Area::radius(0.0), Ok(Area::Radius { radius_m: 0.0 }));
        for radius_m in [-1.0, f64::INFINITY, f64::NAN] {
            assert!(matches!(Area::radius(radius_m), Err(AreaFault::Radius(_))));
        }
        assert_eq!(Area::polygons(vec![]), Err(AreaFault::Empty));
    }

    #[test]
    fn postal_areas_are_checked() {
        let new = |country: &str, codes: &[&str], range: Option<(&str, &str)>| {
            let codes = codes.iter().map(|s| (*s).to_owned()).collect();
            let ranges = range.map(|(a, b)| (a.to_owned(), b.to_owned())).into_iter().collect();
            PostalCodes::new(country, codes, vec![], ranges)
        };
        assert_eq!(new("Brasil", &["01310-100"], None).map(|area| area.country), Ok("BR".into()));
        assert_eq!(new("XX", &["1"], None), Err(AreaFault::UnknownCountry("XX".into())));
        assert_eq!(new("BR", &[], None), Err(AreaFault::Empty));
        assert_eq!(new("BR", &["-"], None), Err(AreaFault::PostalCode("-".into())));
        for (first, last) in [("02000-000", "01000-000"), ("01000", "01999-999")] {
            let fault = AreaFault::PostalRange { first: first.into(), last: last.into() };
            assert_eq!(new("BR", &[], Some((first, last))), Err(fault));
        }
        assert!(new("BR", &[], Some(("01000-000", "01000000"))).is_ok());
    }
}
