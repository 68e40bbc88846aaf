//! The feeds as their users see them: bytes in, values and exact problem lines out.

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod files;
#[cfg(test)]
mod geojson;
#[cfg(test)]
mod google;
#[cfg(test)]
mod locations;
#[cfg(test)]
mod products;
#[cfg(test)]
mod retail;
#[cfg(test)]
mod shopify;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod survival;
#[cfg(test)]
mod synonyms;
#[cfg(test)]
mod unique;

use catalog::{Currency, LanguageTag};
use flate2::{Compression, write::GzEncoder};
use ingest::{Defaults, Problem, Severity};
use std::io::Write;

#[cfg(test)]
fn defaults() -> Defaults {
    Defaults { language: LanguageTag::new("pt-BR").unwrap(), currency: Currency::BRL }
}

/// Every problem as its severity, its code and its line of the report.
fn said(problems: &[Problem]) -> Vec<String> {
    let said = problems.iter().map(|problem| {
        let severity = match problem.severity {
            Severity::Refused => "refused",
            Severity::Warning => "warning",
        };
        format!("{severity} {} | {problem}", problem.code)
    });
    said.collect()
}

/// The bytes as one gzip member.
#[cfg(test)]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
