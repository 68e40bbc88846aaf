//! Every id once, over all feeds of a kind: the first row that is served wins
//! (DESIGN 5).
//!
//! Memory grows with the number of ids, not with what the rows say.

mod ids;

use crate::problem::{Fault, Problem, ProblemCode, Severity, excerpt};
use catalog::{Product, ProductFacts};
use ids::Ids;
use location::{Location, LocationFacts};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;

/// The products admitted so far.
#[derive(Debug, Default)]
pub struct UniqueProducts {
    files: Files,
    ids: Ids,
}

impl UniqueProducts {
    /// The product of line `line` of `file`, without variants whose ids an
    /// earlier product has; `None` when its own id is taken or no variant is left.
    /// A variant id that is another product's id is allowed and warned of, since a
    /// lookup of it finds the product (rule C9).
    pub fn admit(
        &mut self,
        file: &str,
        line: u64,
        product: Product,
        on_problem: &mut dyn FnMut(Problem),
    ) -> Option<Product> {
        let mut report = |severity, fault: Fault| on_problem(fault.at(file, line, severity));
        let here = self.files.origin(file, line);
        if let Some(first) = self.ids.product(product.id.as_str()) {
            let text = self.files.taken("product", product.id.as_str(), first);
            report(Severity::Refused, Fault::new("id", ProblemCode::DuplicateId, text));
            return None;
        }
        let mut taken = Vec::new();
        for (index, variant) in product.variants.iter().enumerate() {
            let id = variant.id.as_str();
            if let Some(first) = self.ids.variant(id) {
                taken.push(index);
                let text = self.files.taken("variant", id, first);
                report(Severity::Refused, Fault::new("variants", ProblemCode::DuplicateId, text));
            }
        }
        let Some(product) = without(product, &taken) else {
            let text = "has no variant left that can be served";
            report(Severity::Refused, Fault::new("variants", ProblemCode::NoVariant, text));
            return None;
        };

        let ambiguous = |id: &str, what: &str, first: Origin| {
            let first = self.files.show(first);
            let text = format!("`{}` is also the id of a {what} at {first}", excerpt(id));
            format!("{text}; looked up, it means the product")
        };
        let id = product.id.as_str();
        if let Some(first) = self.ids.variant(id) {
            let text = ambiguous(id, "variant", first);
            report(Severity::Warning, Fault::new("id", ProblemCode::AmbiguousId, text));
        }
        for variant in &product.variants {
            let id = variant.id.as_str();
            if let Some(first) = self.ids.product(id) {
                let text = ambiguous(id, "product", first);
                report(Severity::Warning, Fault::new("variants", ProblemCode::AmbiguousId, text));
            }
        }
        self.ids.insert(here, id, product.variants.iter().map(|variant| variant.id.as_str()));
        Some(product)
    }
}

/// The Locations admitted so far.
#[derive(Debug, Default)]
pub struct UniqueLocations {
    files: Files,
    ids: HashMap<Box<str>, Origin>,
    /// The ids that can be seen from outside.
    public: HashMap<Box<str>, Origin>,
    aliases: HashMap<Box<str>, Origin>,
}

impl UniqueLocations {
    /// The Location of line `line` of `file`, without aliases that are an earlier
    /// Location's id; `None` when its own id is taken.
    ///
    /// Several Locations may share an alias, which then means all of them (rule
    /// L10). What a private Location is called takes nothing from a public one:
    /// it must not be felt from outside (rule L9).
    pub fn admit(
        &mut self,
        file: &str,
        line: u64,
        location: Location,
        on_problem: &mut dyn FnMut(Problem),
    ) -> Option<Location> {
        let mut report = |severity, fault: Fault| on_problem(fault.at(file, line, severity));
        let here = self.files.origin(file, line);
        let id = location.id.as_str();
        if let Some(&first) = self.ids.get(id) {
            let text = self.files.taken("Location", id, first);
            report(Severity::Refused, Fault::new("id", ProblemCode::DuplicateId, text));
            return None;
        }
        if let Some(&first) = self.aliases.get(id).filter(|_| !location.private) {
            let first = self.files.show(first);
            let text = format!("`{}` is also an alias at {first}", excerpt(id));
            let text = format!("{text}; looked up, it means this Location");
            report(Severity::Warning, Fault::new("id", ProblemCode::AmbiguousId, text));
        }
        let taken = |alias: &str| self.public.get(alias).copied();
        let mut dropped = false;
        for alias in &location.aliases {
            if let Some(first) = taken(alias) {
                dropped = true;
                let first = self.files.show(first);
                let text = format!("`{}` is already taken at {first}", excerpt(alias));
                let fault = Fault::new("shopkeeper.aliases", ProblemCode::DuplicateId, text);
                report(Severity::Warning, fault);
            }
        }
        let location = if dropped {
            let mut facts: LocationFacts = location.deref().clone();
            facts.aliases.retain(|alias| taken(alias).is_none());
            Location::new(facts)
        } else {
            location
        };
        self.ids.insert(location.id.as_str().into(), here);
        if !location.private {
            self.public.insert(location.id.as_str().into(), here);
            self.aliases.extend(location.aliases.iter().map(|alias| (alias.as_str().into(), here)));
        }
        Some(location)
    }
}

/// Where an id was seen first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    file: u32,
    line: u64,
}

/// The names of the feeds, each kept once.
#[derive(Debug, Default)]
struct Files(Vec<Box<str>>);

impl Files {
    fn origin(&mut self, file: &str, line: u64) -> Origin {
        // Feeds come one after the other, so the last one is the likeliest.
        let index = self.0.iter().rposition(|known| **known == *file).unwrap_or_else(|| {
            self.0.push(file.into());
            self.0.len() - 1
        });
        Origin { file: u32::try_from(index).unwrap_or(u32::MAX), line }
    }

    fn show(&self, origin: Origin) -> impl fmt::Display {
        let file = usize::try_from(origin.file).ok().and_then(|index| self.0.get(index));
        format!("{}:{}", file.map_or("", |file| file), origin.line)
    }

    fn taken(&self, what: &str, id: &str, first: Origin) -> String {
        format!("the {what} id `{}` is already taken at {}", excerpt(id), self.show(first))
    }
}

/// The product without its variants at the places `dropped`, which are in order;
/// `None` when none is left.
fn without(product: Product, dropped: &[usize]) -> Option<Product> {
    if dropped.is_empty() {
        return Some(product);
    }
    let mut facts: ProductFacts = product.deref().clone();
    let mut places = 0..;
    let mut kept = |_: &_| places.next().is_some_and(|at| dropped.binary_search(&at).is_err());
    facts.variants.retain(|variant| kept(variant));
    Product::new(facts).ok()
}
