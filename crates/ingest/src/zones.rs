//! The time zone of a place, for feeds that have coordinates and hours and no
//! zone.
//!
//! The borders are those of timezone-boundary-builder as tzf-rs bundles them,
//! searched where they lie in the program: nothing is loaded before the first
//! question, and an answer takes microseconds.

use location::Point;
use std::sync::LazyLock;
use tzf_rs::EmbeddedFinder;

static ZONES: LazyLock<EmbeddedFinder> = LazyLock::new(EmbeddedFinder::new);

/// The IANA name of the zone that `point` lies in; at sea a zone such as `Etc/GMT+3`.
pub(crate) fn zone_at(point: Point) -> Option<&'static str> {
    let name = ZONES.get_tz_name(point.longitude(), point.latitude());
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use location::Schedule;

    #[test]
    fn places_have_zones_that_schedules_know() {
        let table = [
            (-23.55, -46.63, "America/Sao_Paulo"),
            (-3.1, -60.02, "America/Manaus"),
            (38.72, -9.14, "Europe/Lisbon"),
            (37.74, -25.67, "Atlantic/Azores"),
            (33.45, -112.07, "America/Phoenix"),
            (44.85, -93.25, "America/Chicago"),
            (21.3, -157.86, "Pacific/Honolulu"),
            (-17.8, 177.97, "Pacific/Fiji"),
        ];
        for (latitude, longitude, expected) in table {
            let point = Point::new(latitude, longitude).unwrap();
            assert_eq!(zone_at(point), Some(expected));
        }
    }

    #[test]
    fn every_zone_that_can_come_out_is_in_the_bundled_database() {
        for name in ZONES.timezonenames() {
            assert!(Schedule::new(name, None, Vec::new()).is_ok(), "{name}");
        }
    }

    #[test]
    fn the_edges_of_the_world_are_no_trouble() {
        for latitude in [-90.0, 0.0, 90.0] {
            for longitude in [-180.0, 0.0, 180.0] {
                let zone = zone_at(Point::new(latitude, longitude).unwrap());
                assert!(zone.is_none_or(|name| Schedule::new(name, None, Vec::new()).is_ok()));
            }
        }
    }
}
