//! Which Locations serve a target (rule L4), by inverted lists.
//!
//! An area serves an address when it covers all of it. So a country serves every
//! address in it; a region serves it with or without a postal code, but not the
//! bare country; postal codes serve any address that has such a code. Radius and
//! polygon areas serve points alone. What no public Location's areas could ever
//! answer is refused, never answered by something coarser.

use super::country::country_code;
use super::polygon::Shape;
use super::postal::{PostalSystem, normalised};
use super::region::{Regions, country_of, covering, region_code, regions};
use super::{Area, Target, TargetFault};
use crate::geo::{Cartesian, Point, within};
use crate::place::Location;
use roaring::RoaringBitmap;
use std::collections::{HashMap, HashSet};

/// The service areas of all public Locations, by what they cover.
#[derive(Debug, Default)]
pub(crate) struct ServiceIndex {
    countries: HashMap<&'static str, RoaringBitmap>,
    regions: HashMap<&'static str, RoaringBitmap>,
    /// Countries in which some area is a region.
    with_regions: HashSet<&'static str>,
    postal: HashMap<&'static str, PostalSystem>,
    radii: Vec<Circle>,
    polygons: Vec<(u32, Shape)>,
}

/// A radius area around its Location's own geo.
#[derive(Debug)]
struct Circle {
    ordinal: u32,
    center: Point,
    cartesian: Cartesian,
    radius_m: f64,
}

/// An address with its parts resolved.
struct Address {
    country: Option<&'static str>,
    regions: Option<Vec<&'static str>>,
    postal_code: Option<String>,
}

impl ServiceIndex {
    /// Adds the areas of a public Location.
    pub(crate) fn add(&mut self, location: &Location, ordinal: u32) {
        for service in &location.service_areas {
            match &service.area {
                Area::Radius { radius_m } => {
                    // Without geo there is nothing to measure from: it serves nobody.
                    self.radii.extend(location.geo.map(|center| Circle {
                        ordinal,
                        center,
                        cartesian: center.into(),
                        radius_m: *radius_m,
                    }));
                }
                Area::Polygons(polygons) => {
                    let shapes = polygons.iter().map(|polygon| (ordinal, Shape::new(polygon)));
                    self.polygons.extend(shapes);
                }
                Area::Countries(codes) => {
                    for code in codes.iter().filter_map(|code| country_code(code)) {
                        self.countries.entry(code).or_default().insert(ordinal);
                    }
                }
                Area::Regions(codes) => {
                    for code in codes.iter().filter_map(|code| region_code(code)) {
                        self.regions.entry(code).or_default().insert(ordinal);
                        self.with_regions.insert(country_of(code));
                    }
                }
                Area::PostalCodes(codes) => {
                    if let Some(country) = country_code(&codes.country) {
                        self.postal.entry(country).or_default().add(codes, ordinal);
                    }
                }
            }
        }
    }

    /// The Locations with at least one area that serves `target` (rule L4).
    ///
    /// # Errors
    ///
    /// A target that nothing here can evaluate.
    pub(crate) fn serving(&self, target: &Target) -> Result<RoaringBitmap, TargetFault> {
        match target {
            Target::Point(point) => self.serving_point(*point),
            Target::Address { country, region, postal_code } => {
                let (country, region) = (part(country.as_ref()), part(region.as_ref()));
                self.serving_address(country, region, part(postal_code.as_ref()))
            }
        }
    }

    fn serving_point(&self, point: Point) -> Result<RoaringBitmap, TargetFault> {
        if self.radii.is_empty() && self.polygons.is_empty() {
            return Err(TargetFault::NoPointAreas);
        }
        let cartesian = Cartesian::from(point);
        let circles = self.radii.iter().filter(|circle| {
            !circle.cartesian.is_beyond(cartesian, circle.radius_m)
                && within(circle.center, point, circle.radius_m)
        });
        let polygons = self.polygons.iter().filter(|(_, shape)| shape.holds(point));
        Ok(circles.map(|circle| circle.ordinal).chain(polygons.map(|(at, _)| *at)).collect())
    }

    fn serving_address(
        &self,
        country: Option<&str>,
        region: Option<&str>,
        postal_code: Option<&str>,
    ) -> Result<RoaringBitmap, TargetFault> {
        let address = resolve(country, region, postal_code)?;
        let systems = self.systems_for(&address);
        if let (Some(postal_code), false) = (postal_code, self.can_evaluate(&address, &systems)) {
            let country = country.map(str::to_owned);
            return Err(TargetFault::PostalSystem { postal_code: postal_code.to_owned(), country });
        }
        let mut serving = RoaringBitmap::new();
        if let Some(own) = address.country.and_then(|country| self.countries.get(country)) {
            serving |= own;
        }
        for code in address.regions.iter().flatten().copied().flat_map(covering) {
            if let Some(own) = self.regions.get(code) {
                serving |= own;
            }
        }
        if let Some(code) = &address.postal_code {
            for (country, system) in systems {
                serving |= system.serving(country, code);
            }
        }
        Ok(serving)
    }

    /// The postal systems that the address could be written in: its country's,
    /// or without a country each that can read the code and has the region.
    fn systems_for(&self, address: &Address) -> Vec<(&'static str, &PostalSystem)> {
        let Some(code) = &address.postal_code else {
            return Vec::new();
        };
        let fits = |country: &str| match address.country {
            Some(given) => given == country,
            None => {
                PostalSystem::reads(country, code)
                    && address.regions.as_ref().is_none_or(|regions| {
                        regions.iter().any(|region| country_of(region) == country)
                    })
            }
        };
        let systems = self.postal.iter().filter(|(country, _)| fits(country));
        systems.map(|(country, system)| (*country, system)).collect()
    }

    /// Whether some area could have answered for an address with a postal code.
    fn can_evaluate(&self, address: &Address, systems: &[(&str, &PostalSystem)]) -> bool {
        address.postal_code.is_none()
            || !systems.is_empty()
            || address.country.is_some_and(|country| self.countries.contains_key(country))
            || (address.regions.iter().flatten())
                .any(|region| self.with_regions.contains(country_of(region)))
    }
}

/// A part of an address; blank is absent.
fn part(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}

fn resolve(
    country: Option<&str>,
    region: Option<&str>,
    postal: Option<&str>,
) -> Result<Address, TargetFault> {
    let unknown_country = |text: &str| TargetFault::UnknownCountry(text.to_owned());
    let given =
        country.map(|text| country_code(text).ok_or_else(|| unknown_country(text))).transpose()?;
    let unknown_region = |text: &str| TargetFault::UnknownRegion {
        region: text.to_owned(),
        country: country.map(str::to_owned),
    };
    let found =
        region.map(|text| regions(text, given).ok_or_else(|| unknown_region(text))).transpose()?;
    let postal_code = postal.map(normalised).filter(|code| !code.is_empty());
    if let (Some(postal), None, true) = (postal, &postal_code, given.is_some() || found.is_some()) {
        // A code that says nothing is no reason to fall back to what is coarser.
        let (postal_code, country) = (postal.to_owned(), country.map(str::to_owned));
        return Err(TargetFault::PostalSystem { postal_code, country });
    }
    if given.is_none() && found.is_none() && postal_code.is_none() {
        return Err(TargetFault::EmptyAddress);
    }
    let (within, codes) = match found {
        Some(Regions { country, codes }) => (country, Some(codes)),
        None => (None, None),
    };
    Ok(Address { country: given.or(within), regions: codes, postal_code })
}

#[cfg(test)]
mod tests;
