//! Points on the WGS 84 ellipsoid.

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
}
