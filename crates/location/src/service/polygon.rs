//! Polygons in longitude and latitude (RFC 7946) and the points in them (rule L4).
//!
//! Edges are straight in the plane of degrees, the boundary is inside, and which
//! side of an edge a point lies on is decided exactly. Orientation says nothing.
//! A ring that crosses itself is read by the even-odd rule: it is no fault that
//! would cost a Location its area.
//!
//! An edge longer than 180 degrees means that the ring crosses the antimeridian;
//! such a ring is unwrapped. One that then does not close goes around a pole, the
//! one that it is nearer to on average. RFC 7946 would have both cut at the
//! antimeridian, and cut ones work as well. Edges that are exactly 360 degrees
//! long, from one side of the map to the other, are straight ones, as in the
//! rectangle of the whole world, unless the ring runs back along them.

use super::AreaFault;
use crate::geo::Point;
use robust::{Coord, orient2d};

/// More edges of exactly 360 degrees than any honest ring has.
const MAX_FULL_EDGES: usize = 8;

/// A closed outer ring and its holes.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// First and last point equal, four points or more.
    pub outer: Vec<Point>,
    /// Likewise closed.
    pub holes: Vec<Vec<Point>>,
}

impl Polygon {
    /// The polygon of closed rings of four points or more (RFC 7946), in either
    /// orientation.
    ///
    /// # Errors
    ///
    /// A ring that is too short, not closed, or has fewer than three places.
    pub fn new(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Result<Self, AreaFault> {
        std::iter::once(&outer).chain(&holes).try_for_each(|ring| check(ring))?;
        Ok(Self { outer, holes })
    }
}

fn check(ring: &[Point]) -> Result<(), AreaFault> {
    if ring.len() < 4 {
        return Err(AreaFault::ShortRing(ring.len()));
    }
    if ring.first() != ring.last() {
        return Err(AreaFault::OpenRing);
    }
    let first = ring[0];
    let second = ring.iter().find(|point| **point != first);
    let third = ring.iter().find(|point| **point != first && Some(*point) != second);
    if third.is_none() {
        return Err(AreaFault::FlatRing);
    }
    Ok(())
}

/// Where a point lies with regard to a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Inside,
    Boundary,
    Outside,
}

/// A polygon made ready for questions.
#[derive(Debug)]
pub(crate) struct Shape {
    outer: Ring,
    holes: Vec<Ring>,
}

impl Shape {
    pub(crate) fn new(polygon: &Polygon) -> Self {
        Self {
            outer: Ring::new(&polygon.outer),
            holes: polygon.holes.iter().map(|hole| Ring::new(hole)).collect(),
        }
    }

    /// Whether the polygon holds `point`; the boundary of a hole is not in the hole.
    pub(crate) fn holds(&self, point: Point) -> bool {
        self.outer.place(point) != Place::Outside
            && self.holes.iter().all(|hole| hole.place(point) != Place::Inside)
    }
}

/// A ring in the plane: x is longitude, perhaps beyond 180, y is latitude.
#[derive(Debug)]
struct Ring {
    coords: Vec<Coord<f64>>,
    /// From this edge on the ring runs over a pole and is no boundary.
    seam: usize,
    /// The latitude of the pole that the ring goes around.
    pole: Option<f64>,
    min: Coord<f64>,
    max: Coord<f64>,
}

impl Ring {
    fn new(points: &[Point]) -> Self {
        let plain: Vec<_> =
            points.iter().map(|p| Coord { x: p.longitude(), y: p.latitude() }).collect();
        let (mut coords, turns) = if is_plain(&plain) { (plain, 0) } else { unwrapped(plain) };
        let seam = coords.len().saturating_sub(1);
        let pole = (turns != 0).then(|| nearer_pole(&coords));
        if let (Some(y), Some(&first), Some(&last)) = (pole, coords.first(), coords.last()) {
            coords.extend([Coord { x: last.x, y }, Coord { x: first.x, y }, first]);
        }
        let fold = |pick: fn(f64, f64) -> f64, start: f64| Coord {
            x: coords.iter().fold(start, |bound, c| pick(bound, c.x)),
            y: coords.iter().fold(start, |bound, c| pick(bound, c.y)),
        };
        let (min, max) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
        Self { coords, seam, pole, min, max }
    }

    fn place(&self, point: Point) -> Place {
        let (x, y) = (point.longitude(), point.latitude());
        if point.is_pole() {
            return self.place_of_pole(y);
        }
        if y < self.min.y || self.max.y < y {
            return Place::Outside;
        }
        let mut found = Place::Outside;
        for x in [x, x - 360.0, x + 360.0] {
            if self.min.x <= x && x <= self.max.x {
                match self.place_in_plane(Coord { x, y }) {
                    Place::Outside => {}
                    Place::Boundary => return Place::Boundary,
                    Place::Inside => found = Place::Inside,
                }
            }
        }
        found
    }

    /// A pole is at every longitude: the ring has it when it touches its latitude.
    fn place_of_pole(&self, latitude: f64) -> Place {
        if self.pole == Some(latitude) {
            Place::Inside
        } else if self.min.y == latitude || self.max.y == latitude {
            Place::Boundary
        } else {
            Place::Outside
        }
    }

    fn place_in_plane(&self, p: Coord<f64>) -> Place {
        let (mut inside, mut on_seam) = (false, false);
        for (edge, ends) in self.coords.windows(2).enumerate() {
            let &[a, b] = ends else { continue };
            if p.y < a.y.min(b.y) || a.y.max(b.y) < p.y {
                continue;
            }
            let side = orient2d(a, b, p);
            if side == 0.0 && a.x.min(b.x) <= p.x && p.x <= a.x.max(b.x) {
                if edge < self.seam {
                    return Place::Boundary;
                }
                on_seam = true;
            }
            // The ray to the east crosses an edge that goes up past p's left
            // hand, or down past its right one.
            let crosses = (a.y > p.y) != (b.y > p.y);
            if crosses && (side > 0.0) == (b.y > a.y) {
                inside = !inside;
            }
        }
        if inside || on_seam { Place::Inside } else { Place::Outside }
    }
}

/// Whether the ring is to be read as it stands in the plane.
fn is_plain(coords: &[Coord<f64>]) -> bool {
    let long = |ends: &&[Coord<f64>]| (ends[1].x - ends[0].x).abs() > 180.0;
    let long_edges: Vec<_> = coords.windows(2).filter(long).take(MAX_FULL_EDGES + 1).collect();
    long_edges.len() <= MAX_FULL_EDGES
        && long_edges.iter().all(|ends| {
            (ends[1].x - ends[0].x).abs() == 360.0 && has_the_rest_on_one_side(coords, ends)
        })
}

/// Whether all places between the two sides of the map lie strictly on one side
/// of an edge that joins them.
fn has_the_rest_on_one_side(coords: &[Coord<f64>], ends: &[Coord<f64>]) -> bool {
    let mut sides =
        coords.iter().filter(|c| c.x.abs() < 180.0).map(|c| orient2d(ends[0], ends[1], *c));
    let Some(first) = sides.next() else {
        return true;
    };
    first != 0.0 && sides.all(|side| side != 0.0 && (side > 0.0) == (first > 0.0))
}

/// The ring with each edge at most 180 degrees long, and how many turns around
/// the Earth it makes: 0, 1 or -1. As it stands when it makes more on its way.
fn unwrapped(plain: Vec<Coord<f64>>) -> (Vec<Coord<f64>>, i32) {
    let mut turns = 0_i32;
    let mut coords = Vec::with_capacity(plain.len());
    let mut previous = plain.first().map_or(0.0, |c| c.x);
    for &Coord { x, y } in &plain {
        let step = x - previous;
        turns += i32::from(step < -180.0) - i32::from(step > 180.0);
        if turns.abs() > 1 {
            return (plain, 0);
        }
        coords.push(Coord { x: x + 360.0 * f64::from(turns), y });
        previous = x;
    }
    (coords, turns)
}

/// The pole nearer to the ring, on average over its longitudes.
fn nearer_pole(coords: &[Coord<f64>]) -> f64 {
    let area = |ends: &[Coord<f64>]| (ends[1].x - ends[0].x) * (ends[0].y + ends[1].y);
    let signed: f64 = coords.windows(2).map(area).sum();
    let eastward = coords.last().map_or(0.0, |c| c.x) > coords.first().map_or(0.0, |c| c.x);
    if (signed >= 0.0) == eastward { 90.0 } else { -90.0 }
}

#[cfg(test)]
mod tests;
