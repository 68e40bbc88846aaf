//! Points on the WGS 84 ellipsoid and the distances between them (rule L3).
//!
//! A distance is the length of the shortest geodesic, unrounded; a decision by
//! distance is that length compared with the limit, nothing more. The only
//! shortcut is [`Cartesian::is_beyond`], which can never lose a match. Service
//! areas that are polygons live in `service`.

use geographiclib_rs::{Geodesic, InverseGeodesic};
use std::sync::LazyLock;

static WGS84: LazyLock<Geodesic> = LazyLock::new(Geodesic::wgs84);

/// WGS 84 equatorial radius in metres.
const EQUATORIAL_RADIUS_M: f64 = 6_378_137.0;
/// WGS 84 flattening.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Room for the rounding of coordinates, chord and geodesic; together they err
/// by less than a tenth of a micrometre.
const CHORD_SLACK_M: f64 = 1e-3;

/// A point with usable coordinates in decimal degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    latitude: f64,
    longitude: f64,
}

/// Coordinates that are no point.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PointFault {
    /// Not within -90..=90, or no number.
    #[error("latitude {0} is not within -90 to 90")]
    Latitude(f64),
    /// Not within -180..=180, or no number.
    #[error("longitude {0} is not within -180 to 180")]
    Longitude(f64),
}

impl Point {
    /// The point at `latitude`, `longitude` in decimal degrees.
    ///
    /// # Errors
    ///
    /// A coordinate outside its range, infinite or NaN.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, PointFault> {
        if !(-90.0..=90.0).contains(&latitude) {
            return Err(PointFault::Latitude(latitude));
        }
        if !(-180.0..=180.0).contains(&longitude) {
            return Err(PointFault::Longitude(longitude));
        }
        Ok(Self { latitude, longitude })
    }

    /// Degrees north of the equator.
    pub const fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east of Greenwich.
    pub const fn longitude(self) -> f64 {
        self.longitude
    }

    /// Whether this is a pole, where every longitude is the same point.
    pub fn is_pole(self) -> bool {
        self.latitude.abs() == 90.0
    }
}

/// The length in metres of the shortest geodesic between two points on the
/// WGS 84 ellipsoid, unrounded (rule L3).
pub fn distance_m(a: Point, b: Point) -> f64 {
    // At a pole the longitude says nothing, but the series would see cos 90 as
    // a tiny radius and make a picometre out of it.
    let longitude = if a.is_pole() || b.is_pole() { a.longitude } else { b.longitude };
    WGS84.inverse(a.latitude, a.longitude, b.latitude, longitude)
}

/// Whether `point` is at most `max_m` metres from `center` along the geodesic,
/// equality included and without tolerance (rule L3).
pub fn within(center: Point, point: Point, max_m: f64) -> bool {
    distance_m(center, point) <= max_m
}

/// A point of the ellipsoid in geocentric Cartesian metres, kept to reject far
/// points at the price of a few multiplications.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cartesian([f64; 3]);

impl From<Point> for Cartesian {
    fn from(point: Point) -> Self {
        let (sin_lat, cos_lat) = point.latitude.to_radians().sin_cos();
        let (sin_lon, cos_lon) = point.longitude.to_radians().sin_cos();
        let e2 = FLATTENING * (2.0 - FLATTENING);
        let normal = EQUATORIAL_RADIUS_M / (1.0 - e2 * sin_lat * sin_lat).sqrt();
        Self([
            normal * cos_lat * cos_lon,
            normal * cos_lat * sin_lon,
            normal * (1.0 - e2) * sin_lat,
        ])
    }
}

impl Cartesian {
    /// The length in metres of the straight line through the Earth to `other`.
    pub fn chord_m(self, other: Self) -> f64 {
        let square: f64 = self.0.iter().zip(other.0).map(|(a, b)| (a - b) * (a - b)).sum();
        square.sqrt()
    }

    /// Whether `other` is certainly farther than `max_m` metres along the
    /// geodesic.
    ///
    /// A geodesic is a curve in space between the same two ends as the chord,
    /// so it is never shorter: chord > max implies geodesic > max. One
    /// millimetre of slack covers the rounding on both sides. `false` decides
    /// nothing; [`within`] does.
    pub fn is_beyond(self, other: Self, max_m: f64) -> bool {
        self.chord_m(other) > max_m + CHORD_SLACK_M
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(latitude: f64, longitude: f64) -> Point {
        Point::new(latitude, longitude).unwrap()
    }

    /// Lengths computed by GeodSolve 2.1.2 with exact elliptic integrals.
    const KNOWN: [(f64, f64, f64, f64, f64); 16] = [
        (-23.561_3, -46.656, -22.971_1, -43.182_2, 361_389.810_499_753),
        (0.0, 0.0, 0.0, 179.5, 19_980_861.908_890_963),
        (0.0, 0.0, 0.5, 179.5, 19_936_288.578_965_314),
        (0.0, 0.0, 0.0, 180.0, 20_003_931.458_625_447),
        (90.0, 0.0, -90.0, 0.0, 20_003_931.458_625_45),
        (-30.0, 0.0, 29.9, 179.8, 19_989_832.827_609_528),
        (10.0, 179.999_999, 10.0, -179.999_999, 0.219_278_728),
        (52.2, -180.0, 52.2, 180.0, 0.0),
        (89.999_999_9, 0.0, 89.999_999_9, 180.0, 0.022_338_792),
        (-90.0, 0.0, -89.999_999, 45.0, 0.111_693_981),
        (40.639_7, -73.778_9, 1.364_4, 103.991_5, 15_347_062.087_991_111),
        (37.61, -122.38, 37.61, -122.379_999_9, 0.008_829_556),
        (-33.868_8, 151.209_3, -33.868_8, 151.209_300_01, 0.000_925_264),
        (5.0, 1e-11, 5.0, 180.0, 18_898_160.556_508_727),
        (-41.32, 174.81, 40.96, -5.5, 19_959_679.267_353_818),
        (1e-9, 0.0, -1e-9, 179.4, 19_970_715.516_595_993),
    ];

    #[test]
    fn rule_l3_lengths_agree_with_geodsolve() {
        for (lat1, lon1, lat2, lon2, metres) in KNOWN {
            let found = distance_m(point(lat1, lon1), point(lat2, lon2));
            assert!((found - metres).abs() < 1e-7, "{lat1} {lon1} {lat2} {lon2}: {found}");
            let back = distance_m(point(lat2, lon2), point(lat1, lon1));
            assert!((back - metres).abs() < 1e-7, "reversed {lat1} {lon1} {lat2} {lon2}: {back}");
        }
    }

    #[test]
    fn rule_l3_decides_a_micrometre_either_side() {
        for (lat1, lon1, lat2, lon2, metres) in KNOWN {
            let (a, b) = (point(lat1, lon1), point(lat2, lon2));
            assert!(within(a, b, metres + 1e-6));
            assert!(metres < 1e-6 || !within(a, b, metres - 1e-6));
        }
    }

    #[test]
    fn rule_l3_equality_is_included() {
        let (a, b) = (point(-23.561, -46.656), point(-22.971, -43.182));
        let metres = distance_m(a, b);
        assert!(within(a, b, metres));
        assert!(!within(a, b, metres.next_down()));
        assert!(within(a, a, 0.0));
        assert!(!within(a, b, 0.0));
        assert!(within(a, b, f64::MAX) && within(a, b, f64::INFINITY));
        assert!(!within(a, a, f64::NAN) && !within(a, a, -1.0));
    }

    #[test]
    fn rule_l3_one_place_under_several_names() {
        for latitude in [-90.0, 90.0] {
            for (a, b) in [(0.0, 1.0), (-180.0, 180.0), (12.5, -77.25), (0.0, 180.0)] {
                assert_eq!(distance_m(point(latitude, a), point(latitude, b)), 0.0);
            }
        }
        for latitude in [-89.9, -45.0, 0.0, 1e-300, 33.3] {
            assert_eq!(distance_m(point(latitude, 180.0), point(latitude, -180.0)), 0.0);
        }
        assert_eq!(distance_m(point(-0.0, -0.0), point(0.0, 0.0)), 0.0);
    }

    #[test]
    fn a_pole_is_as_far_from_a_point_by_any_longitude() {
        let town = point(69.65, 18.96);
        let metres = distance_m(point(90.0, 18.96), town);
        assert_eq!(distance_m(point(90.0, -120.0), town), metres);
        assert_eq!(distance_m(town, point(90.0, 0.0)), metres);
    }

    #[test]
    fn coordinates_outside_their_range_are_no_point() {
        for latitude in [91.0, -90.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(matches!(Point::new(latitude, 0.0), Err(PointFault::Latitude(_))));
        }
        for longitude in [180.000_000_1, -181.0, f64::NAN, f64::NEG_INFINITY] {
            assert!(matches!(Point::new(0.0, longitude), Err(PointFault::Longitude(_))));
        }
    }

    fn anywhere() -> impl Strategy<Value = Point> {
        let latitude = prop_oneof![
            4 => -90.0..=90.0,
            1 => prop::sample::select(vec![-90.0, 90.0, 0.0, -0.0, 89.999_999_999, 1e-9]),
        ];
        let longitude = prop_oneof![
            4 => -180.0..=180.0,
            1 => prop::sample::select(vec![-180.0, 180.0, 0.0, 179.999_999_999, -1e-9]),
        ];
        (latitude, longitude).prop_map(|(lat, lon)| point(lat, lon))
    }

    fn a_pair() -> impl Strategy<Value = (Point, Point)> {
        let near = (anywhere(), -1e-3..1e-3, -1e-3..1e-3).prop_map(
            |(a, dlat, dlon): (Point, f64, f64)| {
                let latitude = (a.latitude + dlat).clamp(-90.0, 90.0);
                (a, point(latitude, (a.longitude + dlon).clamp(-180.0, 180.0)))
            },
        );
        let antipodal = (anywhere(), -0.5..0.5).prop_map(|(a, off): (Point, f64)| {
            let longitude =
                if a.longitude > 0.0 { a.longitude - 180.0 } else { a.longitude + 180.0 };
            (a, point((-a.latitude + off).clamp(-90.0, 90.0), longitude))
        });
        prop_oneof![(anywhere(), anywhere()), near, antipodal]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn the_chord_never_loses_a_match((a, b) in a_pair()) {
            let metres = distance_m(a, b);
            let (from, to) = (Cartesian::from(a), Cartesian::from(b));
            prop_assert!(!from.is_beyond(to, metres));
            prop_assert!(from.chord_m(to) <= metres + 1e-6);
        }

        #[test]
        fn distances_are_symmetric_and_bounded((a, b) in a_pair()) {
            let (there, back) = (distance_m(a, b), distance_m(b, a));
            prop_assert!((there - back).abs() < 1e-7);
            prop_assert!((0.0..20_003_931.459).contains(&there));
        }
    }
}
