//! Points in polygons, rule L4 by example and by property.

use super::*;
use proptest::prelude::*;

fn ring(places: &[(f64, f64)]) -> Vec<Point> {
    let closed = places.iter().chain(places.first());
    closed.map(|&(longitude, latitude)| Point::new(latitude, longitude).unwrap()).collect()
}

fn shape(outer: &[(f64, f64)], holes: &[&[(f64, f64)]]) -> Shape {
    let holes = holes.iter().map(|hole| ring(hole)).collect();
    Shape::new(&Polygon::new(ring(outer), holes).unwrap())
}

fn assert_holds(shape: &Shape, cases: &[(f64, f64, bool)]) {
    for &(longitude, latitude, expected) in cases {
        let held = shape.holds(Point::new(latitude, longitude).unwrap());
        assert_eq!(held, expected, "{longitude} {latitude}");
    }
}

const SQUARE: [(f64, f64); 4] = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];

#[test]
fn the_boundary_is_inside_and_so_is_that_of_a_hole() {
    let shape = shape(&SQUARE, &[&[(4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0)]]);
    assert_holds(
        &shape,
        &[
            (5.0, 1.0, true),
            (0.0, 0.0, true),
            (10.0, 10.0, true),
            (10.0, 5.0, true),
            (5.0, 0.0, true),
            (10.0_f64.next_up(), 5.0, false),
            (5.0, -f64::MIN_POSITIVE, false),
            (5.0, 5.0, false),
            (4.0, 5.0, true),
            (4.0_f64.next_up(), 5.0, false),
            (6.0, 6.0, true),
            (11.0, 0.0, false),
            (-1.0, 10.0, false),
        ],
    );
}

#[test]
fn sides_are_decided_exactly() {
    // A long diagonal: the naive cross product is off near it.
    let shape = shape(&[(0.1, 0.1), (70.3, 70.3), (70.3, 0.1)], &[]);
    for latitude in [0.3, 12.7, 33.333_333_333_333_336, 69.9] {
        assert_holds(
            &shape,
            &[
                (latitude, latitude, true),
                (latitude, latitude.next_up(), false),
                (latitude.next_down(), latitude, false),
                (latitude, latitude.next_down(), true),
            ],
        );
    }
}

#[test]
fn orientation_says_nothing_and_crossing_rings_are_even_odd() {
    let mut clockwise = SQUARE;
    clockwise.reverse();
    assert_holds(&shape(&clockwise, &[]), &[(5.0, 5.0, true), (11.0, 5.0, false)]);
    let bow_tie = shape(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)], &[]);
    assert_holds(
        &bow_tie,
        &[(1.0, 5.0, true), (9.0, 5.0, true), (5.0, 9.0, false), (5.0, 5.0, true)],
    );
}

#[test]
fn concave_rings_with_vertices_level_with_the_point() {
    let shape = shape(
        &[(0.0, 0.0), (8.0, 0.0), (8.0, 6.0), (6.0, 6.0), (4.0, 3.0), (2.0, 6.0), (0.0, 6.0)],
        &[],
    );
    assert_holds(
        &shape,
        &[
            (1.0, 3.0, true),
            (5.0, 3.0, true),
            (4.0, 3.0, true),
            (4.0, 4.0, false),
            (4.0, 6.0, false),
            (1.0, 6.0, true),
            (-1.0, 6.0, false),
            (9.0, 3.0, false),
        ],
    );
}

#[test]
fn one_meridian_under_two_names() {
    let east = shape(&[(170.0, 0.0), (180.0, 0.0), (180.0, 10.0), (170.0, 10.0)], &[]);
    let west = shape(&[(-180.0, 0.0), (-170.0, 0.0), (-170.0, 10.0), (-180.0, 10.0)], &[]);
    for shape in [east, west] {
        assert_holds(&shape, &[(180.0, 5.0, true), (-180.0, 5.0, true), (180.0, 11.0, false)]);
    }
}

#[test]
fn a_ring_across_the_antimeridian() {
    let shape = shape(
        &[(170.0, -20.0), (-170.0, -20.0), (-170.0, -10.0), (170.0, -10.0)],
        &[&[(179.0, -16.0), (-179.0, -16.0), (-179.0, -14.0), (179.0, -14.0)]],
    );
    assert_holds(
        &shape,
        &[
            (175.0, -15.0, true),
            (-175.0, -15.0, true),
            (180.0, -12.0, true),
            (-180.0, -12.0, true),
            (180.0, -15.0, false),
            (-180.0, -15.0, false),
            (179.0, -15.0, true),
            (170.0, -15.0, true),
            (-170.0, -15.0, true),
            (0.0, -15.0, false),
            (169.9, -15.0, false),
            (-169.9, -15.0, false),
        ],
    );
    let with_vertices_on_it = [
        (170.0, 0.0),
        (180.0, 0.0),
        (-180.0, 0.0),
        (-170.0, 0.0),
        (-170.0, 10.0),
        (-180.0, 10.0),
        (180.0, 10.0),
        (170.0, 10.0),
    ];
    assert_holds(
        &self::shape(&with_vertices_on_it, &[]),
        &[(175.0, 5.0, true), (-175.0, 5.0, true), (0.0, 5.0, false), (180.0, 5.0, true)],
    );
}

#[test]
fn the_whole_world_and_bands_of_it() {
    let world = [(-180.0, -90.0), (180.0, -90.0), (180.0, 90.0), (-180.0, 90.0)];
    assert_holds(
        &shape(&world, &[]),
        &[(0.0, 0.0, true), (180.0, 45.0, true), (-33.0, 90.0, true), (12.0, -90.0, true)],
    );
    let mut fine =
        vec![(-180.0, -90.0), (0.0, -90.0), (180.0, -90.0), (180.0, 60.0), (-180.0, 60.0)];
    for _ in 0..2 {
        let shape = shape(&fine, &[]);
        assert_holds(
            &shape,
            &[(0.0, 59.0, true), (100.0, 61.0, false), (7.0, -90.0, true), (7.0, 90.0, false)],
        );
        fine.reverse();
    }
    let band = [(-180.0, -60.0), (180.0, -60.0), (180.0, 60.0), (-180.0, 60.0)];
    assert_holds(&shape(&band, &[]), &[(0.0, 0.0, true), (0.0, 61.0, false), (0.0, -90.0, false)]);
}

#[test]
fn a_ring_around_a_pole() {
    let north = [(0.0, 70.0), (90.0, 70.0), (180.0, 70.0), (-90.0, 70.0)];
    let south: Vec<_> = north.iter().map(|(x, y)| (*x, -y)).rev().collect();
    for (outer, sign) in [(north.to_vec(), 1.0), (south, -1.0)] {
        assert_holds(
            &shape(&outer, &[]),
            &[
                (0.0, 80.0 * sign, true),
                (-135.0, 71.0 * sign, true),
                (180.0, 70.0 * sign, true),
                (-180.0, 75.0 * sign, true),
                (45.0, 90.0 * sign, true),
                (45.0, -90.0 * sign, false),
                (45.0, 69.9 * sign, false),
                (0.0, 69.9 * sign, false),
            ],
        );
    }
    let inner = [(0.0, 85.0), (120.0, 85.0), (-120.0, 85.0)];
    assert_holds(
        &shape(&north, &[&inner]),
        &[(0.0, 80.0, true), (0.0, 87.0, false), (77.0, 90.0, false), (0.0, 85.0, true)],
    );
    let with_the_pole = [(-180.0, 60.0), (180.0, 60.0), (180.0, 90.0), (-180.0, 90.0)];
    assert_holds(
        &shape(&with_the_pole, &[]),
        &[(5.0, 90.0, true), (5.0, 70.0, true), (5.0, 59.0, false)],
    );
}

#[test]
fn a_pole_touches_a_vertex_at_its_latitude() {
    let wedge = shape(&[(0.0, 80.0), (10.0, 80.0), (5.0, 90.0)], &[]);
    assert_holds(&wedge, &[(100.0, 90.0, true), (100.0, -90.0, false), (5.0, 81.0, true)]);
}

#[test]
fn rings_that_make_no_polygon() {
    let point = |longitude: f64, latitude: f64| Point::new(latitude, longitude).unwrap();
    let open = vec![point(0.0, 0.0), point(1.0, 0.0), point(1.0, 1.0), point(0.0, 1.0)];
    assert_eq!(Polygon::new(open, vec![]), Err(AreaFault::OpenRing));
    let short = vec![point(0.0, 0.0), point(1.0, 0.0), point(0.0, 0.0)];
    assert_eq!(Polygon::new(short, vec![]), Err(AreaFault::ShortRing(3)));
    assert_eq!(Polygon::new(vec![], vec![]), Err(AreaFault::ShortRing(0)));
    let flat = vec![point(0.0, 0.0), point(1.0, 0.0), point(1.0, 0.0), point(0.0, 0.0)];
    assert_eq!(Polygon::new(flat.clone(), vec![]), Err(AreaFault::FlatRing));
    assert_eq!(Polygon::new(ring(&SQUARE), vec![flat]), Err(AreaFault::FlatRing));
}

#[test]
fn a_spiral_of_many_turns_is_harmless() {
    let turns = (0..3_000).map(|at| (f64::from((at * 100) % 360 - 180), f64::from(at) / 40.0));
    let places: Vec<_> = turns.collect();
    let _ = shape(&places, &[]).holds(Point::new(10.0, 10.0).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Turning the Earth changes nothing, wherever the antimeridian falls.
    #[test]
    fn shifting_the_longitudes_changes_nothing(
        corners in prop::collection::vec((-60_i32..=60, -60_i32..=60), 3..9),
        turn in -180_i32..=180,
        (x, y) in (-70_i32..=70, -70_i32..=70),
    ) {
        let distinct: std::collections::BTreeSet<_> = corners.iter().collect();
        prop_assume!(distinct.len() >= 3);
        let turned = |x: i32| f64::from((x + turn + 540).rem_euclid(360) - 180);
        let place = |longitude: f64, latitude: i32| (longitude, f64::from(latitude));
        let here: Vec<_> = corners.iter().map(|&(x, y)| place(f64::from(x), y)).collect();
        let there: Vec<_> = corners.iter().map(|&(x, y)| place(turned(x), y)).collect();
        let held = shape(&here, &[]).holds(Point::new(f64::from(y), f64::from(x)).unwrap());
        let then = shape(&there, &[]).holds(Point::new(f64::from(y), turned(x)).unwrap());
        prop_assert_eq!(held, then);
    }

    /// Integer coordinates allow a second opinion without rounding.
    #[test]
    fn agrees_with_integer_arithmetic(
        corners in prop::collection::vec((-9_i64..=9, -9_i64..=9), 3..9),
        (x, y) in (-10_i64..=10, -10_i64..=10),
    ) {
        let distinct: std::collections::BTreeSet<_> = corners.iter().collect();
        prop_assume!(distinct.len() >= 3);
        let mut boundary = false;
        let mut winding = 0;
        for (at, &(ax, ay)) in corners.iter().enumerate() {
            let (bx, by) = corners[(at + 1) % corners.len()];
            let cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
            let within = ax.min(bx) <= x && x <= ax.max(bx) && ay.min(by) <= y && y <= ay.max(by);
            boundary |= cross == 0 && within;
            winding += i64::from(ay <= y && y < by && cross > 0);
            winding += i64::from(by <= y && y < ay && cross < 0);
        }
        let float = |v: i64| i32::try_from(v).map(f64::from).unwrap();
        let here: Vec<_> = corners.iter().map(|&(x, y)| (float(x), float(y))).collect();
        let held = shape(&here, &[]).holds(Point::new(float(y), float(x)).unwrap());
        prop_assert_eq!(held, boundary || winding % 2 != 0);
    }
}
