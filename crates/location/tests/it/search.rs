//! Search over random small worlds against a linear scan of the rules L1 to L9.

use crate::sample::{amenity, facts, ids, places, point};
use jiff::Timestamp;
use jiff::civil::{Time, Weekday};
use location::geo::distance_m;
use location::inventory::{Inventory, Items, OpenItems, StockLine, StockStatus};
use location::place::PostalAddress;
use location::schedule::{DailyHour, Schedule};
use location::service::{Area, PostalCodes, ServiceArea};
use location::{
    Distance, Hint, Location, LocationFacts, LocationId, Places, Point, Refusal, Request, Target,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::cmp::Reverse;

const AMENITIES: [&str; 3] =
    ["dev.ucp.amenity.parking", "dev.ucp.amenity.wifi", "com.example.cafe"];
/// In order of id, as a store without a catalog numbers them.
const ITEMS: [&str; 3] = ["lamp", "mug", "shirt"];
/// Far enough from each other that no typing error joins them.
const NAMES: [&str; 4] = ["Paulista", "Galeão", "Mirador", "Quokka Bruxo"];
const QUERIES: [&str; 8] = [
    "paulista",
    "galeao",
    "loja",
    "xyzzyxyz",
    "bruxo",
    "near me",
    "mirador quokka",
    "open mirador",
];

fn a_point() -> impl Strategy<Value = Point> {
    let latitude = select(vec![-90.0, -23.5, -23.499, 0.0, 51.5, 90.0]);
    let longitude = select(vec![-180.0, -46.6, -46.601, 0.0, 179.999, 180.0]);
    (latitude, longitude).prop_map(|(latitude, longitude)| point(latitude, longitude))
}

fn an_area() -> impl Strategy<Value = Area> {
    let postal = |country: &str, codes: &[&str], prefixes: &[&str], ranges: &[(&str, &str)]| {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect();
        let ranges = ranges.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Area::PostalCodes(PostalCodes::new(country, owned(codes), owned(prefixes), ranges).unwrap())
    };
    prop_oneof![
        select(vec![0.0, 120.0, 5_000.0, 2e7]).prop_map(|radius_m| Area::radius(radius_m).unwrap()),
        subsequence(vec!["BR", "US"], 1..=2).prop_map(|list| Area::countries(&list).unwrap()),
        subsequence(vec!["BR-SP", "BR-RJ", "US-NY"], 1..=2)
            .prop_map(|list| Area::regions(&list).unwrap()),
        select(vec![
            postal("BR", &["01310-100"], &[], &[]),
            postal("BR", &[], &["2"], &[("01000-000", "01399-999")]),
            postal("US", &["10001"], &["07"], &[]),
        ]),
    ]
}

fn a_schedule() -> impl Strategy<Value = Schedule> {
    let hour = |opens, closes| {
        let time = |hour| Time::constant(hour, 0, 0, 0);
        let hours = move |day| DailyHour { day, opens: time(opens), closes: time(closes) };
        Weekday::Monday.cycle_forward().take(7).map(hours).collect::<Vec<_>>()
    };
    let week = select(vec![Some(hour(9, 18)), Some(hour(20, 4)), Some(vec![]), None]);
    let zone = select(vec!["America/Sao_Paulo", "Asia/Tokyo"]);
    (zone, week).prop_map(|(zone, week)| Schedule::new(zone, week, vec![]).unwrap())
}

fn an_address() -> impl Strategy<Value = PostalAddress> {
    let country = select(vec![None, Some("BR"), Some("United States")]);
    let postal_code = select(vec![None, Some("01310-100"), Some("10001")]);
    (country, postal_code).prop_map(|(country, postal_code)| PostalAddress {
        address_country: country.map(str::to_owned),
        postal_code: postal_code.map(str::to_owned),
        ..PostalAddress::default()
    })
}

prop_compose! {
    fn a_location()(
        name in select(&NAMES[..]),
        private in prop::bool::weighted(0.2),
        geo in prop::option::weighted(0.8, a_point()),
        address in an_address(),
        amenities in subsequence(AMENITIES.to_vec(), 0..=3),
        schedule in prop::option::of(a_schedule()),
        areas in prop::collection::vec(an_area(), 0..3),
    ) -> LocationFacts {
        let service = |area| ServiceArea { method: "delivery".to_owned(), area };
        LocationFacts {
            private,
            geo,
            address: Some(address),
            amenities: amenities.into_iter().map(|id| amenity(id, "x")).collect(),
            schedule,
            service_areas: areas.into_iter().map(service).collect(),
            ..facts("x", name)
        }
    }
}

/// Locations `00`, `01` and so on, and which of them have which item.
fn a_world() -> impl Strategy<Value = (Vec<LocationFacts>, Vec<(usize, &'static str, u64)>)> {
    let stock = prop::collection::vec((0_usize..12, select(&ITEMS[..]), 0_u64..2), 0..30);
    (prop::collection::vec(a_location(), 1..12), stock).prop_map(|(mut world, stock)| {
        for (at, facts) in world.iter_mut().enumerate() {
            facts.id = LocationId::new(&format!("{at:02}")).unwrap();
        }
        (world, stock)
    })
}

fn a_target() -> impl Strategy<Value = Target> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let address = (
        select(vec![None, Some("BR"), Some("USA"), Some("França")]),
        select(vec![None, Some("SP"), Some("BR-RJ"), Some("New York")]),
        select(vec![None, Some("01310-100"), Some("20000000"), Some("10001-0001"), Some("75001")]),
    );
    let address = address.prop_map(move |(country, region, postal_code)| Target::Address {
        country: owned(country),
        region: owned(region),
        postal_code: owned(postal_code),
    });
    prop_oneof![a_point().prop_map(Target::Point), address]
}

prop_compose! {
    fn a_request()(
        text in prop::option::weighted(0.3, select(&QUERIES[..])),
        distance in prop::option::weighted(0.4, (a_point(), select(vec![0.0, 111.0, 1e6, 2.1e7]))),
        serves in prop::option::weighted(0.4, a_target()),
        open_at in prop::option::weighted(0.3, 1_800_000_000_i64..1_800_090_000),
        amenities in subsequence(vec![AMENITIES[0], AMENITIES[1], "no.such.thing"], 0..=2),
        items in prop::option::weighted(0.3, subsequence(vec![0..1, 1..2, 1..3, 7..8, 2..2], 1..=2)),
        hint_country in select(vec![None, Some("BR"), Some("USA")]),
        hint_code in select(vec![None, Some("01310"), Some("10001-2222")]),
    ) -> Request {
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect::<Vec<_>>();
        Request {
            text: text.map(str::to_owned),
            language: None,
            distance: distance.map(|(center, max_m)| Distance { center, max_m }),
            serves,
            open_at: open_at.map(|second| Timestamp::from_second(second).unwrap()),
            amenities: owned(amenities),
            items,
            hint: Hint {
                country: hint_country.map(str::to_owned),
                region: None,
                postal_code: hint_code.map(str::to_owned),
            },
        }
    }
}

/// The model's reading of an address: its country if that is certain, the whole
/// region codes it can mean here, its code without punctuation.
struct Address {
    country: Option<&'static str>,
    region: Option<&'static str>,
    code: Option<String>,
}

/// `None` for a region outside its country.
fn read(country: Option<&str>, region: Option<&str>, code: Option<&str>) -> Option<Address> {
    let given = country.map(|text| match text {
        "BR" => "BR",
        "USA" => "US",
        _ => "FR",
    });
    let region_code = region.map(|text| match text {
        "SP" => "BR-SP",
        "BR-RJ" => "BR-RJ",
        _ => "US-NY",
    });
    if let (Some(country), Some(region)) = (given, region_code)
        && !region.starts_with(country)
    {
        return None;
    }
    let country = if region == Some("BR-RJ") { Some("BR") } else { given };
    Some(Address { country, region: region_code, code: code.map(|code| code.replace('-', "")) })
}

impl Address {
    /// Whether the address may lie in `country`, its code being readable there.
    fn may_be_in(&self, country: &str) -> bool {
        let length = self.code.as_ref().map(String::len);
        let readable = match country {
            "BR" => matches!(length, Some(5 | 8)),
            _ => matches!(length, Some(5 | 9)),
        };
        match self.country {
            Some(own) => own == country,
            None => readable && self.region.is_none_or(|region| region.starts_with(country)),
        }
    }

    fn served_by(&self, area: &Area) -> bool {
        match area {
            Area::Radius { .. } | Area::Polygons(_) => false,
            Area::Countries(list) => list.iter().any(|own| Some(own.as_str()) == self.country),
            Area::Regions(list) => list.iter().any(|own| Some(own.as_str()) == self.region),
            Area::PostalCodes(area) => {
                let bare = |text: &str| text.replace('-', "");
                let Some(code) = self.code.as_ref().filter(|_| self.may_be_in(&area.country))
                else {
                    return false;
                };
                let zip = if area.country == "US" && code.len() == 9 { &code[..5] } else { code };
                area.codes.iter().any(|own| bare(own) == zip)
                    || area.prefixes.iter().any(|own| code.starts_with(own.as_str()))
                    || area.ranges.iter().any(|(first, last)| {
                        zip.len() == 8 && *bare(first) <= *zip && *zip <= *bare(last)
                    })
            }
        }
    }

    /// Whether the area could say anything about an address with this code.
    fn modelled_by(&self, area: &Area) -> bool {
        match area {
            Area::Radius { .. } | Area::Polygons(_) => false,
            Area::Countries(list) => list.iter().any(|own| Some(own.as_str()) == self.country),
            Area::Regions(list) => {
                self.region.is_some_and(|region| list.iter().any(|own| own[..2] == region[..2]))
            }
            Area::PostalCodes(area) => self.may_be_in(&area.country),
        }
    }
}

/// Which Locations serve the target; `None` is a refusal.
fn serving<'a>(world: &[&'a LocationFacts], target: &Target) -> Option<Vec<&'a LocationFacts>> {
    let areas = |facts: &&'a LocationFacts| facts.service_areas.iter().map(|service| &service.area);
    let some = |test: &dyn Fn(&LocationFacts, &Area) -> bool| -> Vec<&'a LocationFacts> {
        world.iter().copied().filter(|facts| areas(facts).any(|area| test(facts, area))).collect()
    };
    match target {
        Target::Point(point) => {
            let modelled =
                some(&|facts, area| facts.geo.is_some() && matches!(area, Area::Radius { .. }));
            let served = some(&|facts, area| match (area, facts.geo) {
                (Area::Radius { radius_m }, Some(geo)) => distance_m(geo, *point) <= *radius_m,
                _ => false,
            });
            (!modelled.is_empty()).then_some(served)
        }
        Target::Address { country, region, postal_code } => {
            let address = read(country.as_deref(), region.as_deref(), postal_code.as_deref())?;
            if country.is_none() && region.is_none() && postal_code.is_none() {
                return None;
            }
            let modelled = some(&|_, area| address.modelled_by(area));
            let evaluable = address.code.is_none() || !modelled.is_empty();
            evaluable.then(|| some(&|_, area| address.served_by(area)))
        }
    }
}

fn folded(text: &str) -> String {
    text.to_lowercase().replace('ã', "a")
}

/// The Locations that stay by the words of `text` (rule L2).
fn told<'a>(world: &[&'a LocationFacts], text: &str) -> Vec<&'a LocationFacts> {
    let having = |word: &str| -> Vec<&'a LocationFacts> {
        let has = |facts: &&&LocationFacts| folded(facts.name.own()).split(' ').any(|w| w == word);
        world.iter().filter(has).copied().collect()
    };
    let telling: Vec<_> = text
        .split(' ')
        .filter(|word| !["loja", "near", "me", "open"].contains(word))
        .map(having)
        .filter(|having| !having.is_empty() && having.len() < world.len())
        .flatten()
        .collect();
    if telling.is_empty() { world.to_vec() } else { telling }
}

fn contains(list: &[&LocationFacts], facts: &LocationFacts) -> bool {
    list.iter().any(|other| other.id == facts.id)
}

/// The ids that match, by distance or hints and name when there is no text.
fn scan(
    world: &[LocationFacts],
    has: impl Fn(&str, &str) -> bool,
    request: &Request,
) -> Option<Vec<String>> {
    let public: Vec<&LocationFacts> = world.iter().filter(|facts| !facts.private).collect();
    let serving = match &request.serves {
        Some(target) => serving(&public, target)?,
        None => public.clone(),
    };
    let told = request.text.as_ref().map_or_else(|| public.clone(), |text| told(&public, text));
    let metres = |facts: &LocationFacts| {
        let distance = request.distance?;
        Some(distance_m(distance.center, facts.geo?))
    };
    let mut matching: Vec<&LocationFacts> = public
        .iter()
        .filter(|facts| contains(&serving, facts) && contains(&told, facts))
        .filter(|facts| match request.distance {
            Some(distance) => metres(facts).is_some_and(|metres| metres <= distance.max_m),
            None => true,
        })
        .filter(|facts| match (request.open_at, &facts.schedule) {
            (Some(instant), Some(schedule)) => schedule.is_open_at(instant),
            (Some(_), None) => false,
            (None, _) => true,
        })
        .filter(|facts| {
            request.amenities.iter().all(|id| facts.amenities.iter().any(|own| own.id == *id))
        })
        .filter(|facts| {
            let one =
                |number| ITEMS.get(number as usize).is_some_and(|id| has(facts.id.as_str(), id));
            request.items.iter().flatten().all(|variants| variants.clone().any(one))
        })
        .copied()
        .collect();
    matching.sort_by_key(|facts| {
        let name = request.distance.is_none().then(|| folded(facts.name.own()));
        let hints = request.distance.is_none().then(|| Reverse(nearness(facts, &request.hint)));
        // Non-negative floats sort as their bits.
        (metres(facts).map(f64::to_bits), hints, name, facts.id.clone())
    });
    Some(matching.into_iter().map(|facts| facts.id.as_str().to_owned()).collect())
}

fn nearness(facts: &LocationFacts, hint: &Hint) -> (bool, usize) {
    let address = facts.address.as_ref().unwrap();
    let short = |text: &Option<String>| text.as_ref().map(|text| text[..1].to_owned());
    let (own, theirs) = (short(&address.address_country), short(&hint.country));
    if own.is_some() && theirs.is_some() && own != theirs {
        return (false, 0);
    }
    let code = |text: &Option<String>| text.clone().unwrap_or_default().replace('-', "");
    let (a, b) = (code(&address.postal_code), code(&hint.postal_code));
    let shared = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (own.is_some() && own == theirs, shared)
}

fn items() -> OpenItems {
    ITEMS.into_iter().collect()
}

fn inventory(places: &Places, stock: &[(usize, &'static str, u64)]) -> Inventory {
    let line = |(at, item, quantity): &(usize, &str, u64)| StockLine {
        location: LocationId::new(&format!("{at:02}")).unwrap(),
        item: (*item).to_owned(),
        quantity: Some(*quantity),
        status: StockStatus::InStock,
    };
    let lines = stock.iter().map(line).enumerate();
    Inventory::build(lines, places, &items(), &[StockStatus::InStock]).0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn rules_l1_to_l9_equal_a_linear_scan(
        (world, stock) in a_world(),
        requests in prop::collection::vec(a_request(), 16),
    ) {
        let mut shuffled: Vec<LocationFacts> = world.clone();
        shuffled.reverse();
        let places = places(shuffled);
        let inventory = inventory(&places, &stock);
        let has = |location: &str, item: &str| {
            let line = stock.iter().rev().find(|(at, own, _)| format!("{at:02}") == location && *own == item);
            line.is_some_and(|(_, _, quantity)| *quantity > 0)
        };
        for request in requests {
            let found = places.search(Some(&inventory), &request);
            let expected = scan(&world, has, &request);
            match (found, expected) {
                (Ok(ordinals), Some(mut expected)) => {
                    let mut found = ids(&places, &ordinals);
                    if request.text.is_some() {
                        found.sort_unstable();
                        expected.sort_unstable();
                    }
                    prop_assert_eq!(found, expected, "{:?}", request);
                }
                (Err(Refusal::UnsupportedTarget(_)), None) => {}
                (found, expected) => prop_assert!(false, "{found:?}, {expected:?}: {request:?}"),
            }
        }
    }

    /// Lookup refines by the same rules as search.
    #[test]
    fn rule_l10_lookup_of_everything_is_search(
        (world, stock) in a_world(),
        request in a_request(),
    ) {
        let places = places(world);
        let inventory = inventory(&places, &stock);
        let request = Request { text: None, ..request };
        let all: Vec<String> = (0..places.len()).map(|at| format!("{at:02}")).collect();
        let looked_up = places.lookup(Some(&inventory), &all, &request, 100);
        let searched = places.search(Some(&inventory), &request).map(|mut ordinals| {
            ordinals.sort_unstable();
            ordinals
        });
        let ordinals = looked_up.map(|lookup| {
            lookup.found.into_iter().map(|(ordinal, _)| ordinal).collect::<Vec<_>>()
        });
        prop_assert_eq!(ordinals, searched);
    }
}

#[test]
fn rule_l8_items_without_an_inventory_are_refused() {
    let store = Places::build(vec![Location::new(facts("a", "A"))]);
    let request = Request { items: Some(vec![items().meant("mug")]), ..Request::default() };
    assert_eq!(store.search(None, &request), Err(Refusal::UnsupportedFilter("items")));
    let inventory = Inventory::default();
    assert_eq!(store.search(Some(&inventory), &request), Ok(vec![]));
}

#[test]
fn rule_l4_areas_of_private_locations_model_nothing() {
    let hidden = LocationFacts {
        private: true,
        geo: Some(point(0.0, 0.0)),
        service_areas: vec![
            ServiceArea { method: "delivery".into(), area: Area::radius(1e7).unwrap() },
            ServiceArea { method: "delivery".into(), area: Area::country("BR").unwrap() },
        ],
        ..facts("hub", "Hub")
    };
    let store = places(vec![hidden, facts("a", "A")]);
    let postal_code = Some("01310-100".to_owned());
    for target in [
        Target::Point(point(0.0, 0.0)),
        Target::Address { country: Some("BR".into()), region: None, postal_code },
    ] {
        let request = Request { serves: Some(target), ..Request::default() };
        let refusal = store.search(None, &request).unwrap_err();
        assert!(matches!(refusal, Refusal::UnsupportedTarget(_)), "{refusal}");
    }
}

#[test]
fn an_empty_store_answers() {
    let store = Places::default();
    assert!(store.is_empty());
    assert_eq!(store.search(None, &Request::default()), Ok(vec![]));
    assert!(store.location(0).is_none());
}
