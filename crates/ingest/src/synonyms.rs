//! Synonyms in the form that search engines share: a group a line.
//!
//! ```text
//! # comment
//! celular, smartphone, telefone móvel
//! geladeira, refrigerador => refrigerador
//! ```
//!
//! Terms keep their case and accents and are only trimmed; how they are folded and
//! when they count is for the search.

use crate::Feed;
use crate::lines::Lines;
use crate::problem::{Fault, ProblemCode, excerpt};
use crate::row::Row;
use std::collections::HashSet;
use std::io::Read;

/// Terms that stand for one another, as a line of a synonyms file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Synonyms {
    /// `a, b, c`: whoever asks for one of them means all; at least two, each once.
    Equivalent(Vec<String>),
    /// `a, b => c, d`: whoever asks for one in `from` means all in `to`, and only
    /// those, unless `to` names it again. Neither is empty; each term is once a side.
    OneWay {
        /// What is asked for.
        from: Vec<String>,
        /// What is then meant.
        to: Vec<String>,
    },
}

/// Reads a synonyms file, each group with the number of its line.
///
/// The file is UTF-8, compressed or not. Blank lines and lines that begin with `#`
/// are no rows. A comma, a `=>` or a backslash that belongs to a term is preceded
/// by a backslash (for `=>`, before either sign). A bad line is a problem of its
/// own; a blank or repeated term costs itself.
pub fn synonyms(file: &str, reader: impl Read) -> Feed<(u64, Synonyms)> {
    let mut lines = Lines::new(reader);
    let mut feed = Feed::default();
    while let Some((line, text)) = lines.next() {
        let text = text.map(str::trim);
        if text.as_ref().is_ok_and(|text| text.is_empty() || text.starts_with('#')) {
            continue;
        }
        let is_row = !text.as_ref().is_err_and(Fault::ends_feed);
        let mut on_problem = |problem| feed.problems.push(problem);
        let mut row = Row::new(file, line, &mut on_problem);
        let group = text.and_then(|text| group(&mut row, text));
        let read = row.or_refuse(group);
        feed.rows += u64::from(is_row);
        match read {
            Some(group) => feed.values.push((line, group)),
            None => feed.refused += u64::from(is_row),
        }
    }
    feed
}

fn group(row: &mut Row<'_>, line: &str) -> Result<Synonyms, Fault> {
    let mut sides = sides(line).into_iter();
    let (first, second) = (sides.next().unwrap_or_default(), sides.next());
    if sides.next().is_some() {
        let text = "has more than one `=>`";
        return Err(Fault::new("", ProblemCode::InvalidValue, text));
    }
    let first = terms(row, first);
    let Some(second) = second else {
        return match first.as_slice() {
            [] => Err(Fault::new("", ProblemCode::Missing, "has no term")),
            [only] => {
                let text =
                    format!("`{}` is the only term, and a synonym of nothing", excerpt(only));
                Err(Fault::new("", ProblemCode::Missing, text))
            }
            _ => Ok(Synonyms::Equivalent(first)),
        };
    };
    let second = terms(row, second);
    for (side, place) in [(&first, "before"), (&second, "after")] {
        if side.is_empty() {
            let text = format!("has no term {place} `=>`");
            return Err(Fault::new("", ProblemCode::Missing, text));
        }
    }
    Ok(Synonyms::OneWay { from: first, to: second })
}

/// The terms of each side of `=>`, as written between commas, freed of backslashes.
fn sides(line: &str) -> Vec<Vec<String>> {
    let mut sides = Vec::new();
    let (mut side, mut term) = (Vec::new(), String::new());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // At the end of a line it is what it looks like.
            '\\' => term.push(characters.next().unwrap_or('\\')),
            ',' => side.push(std::mem::take(&mut term)),
            '=' if characters.next_if_eq(&'>').is_some() => {
                side.push(std::mem::take(&mut term));
                sides.push(std::mem::take(&mut side));
            }
            _ => term.push(character),
        }
    }
    side.push(term);
    sides.push(side);
    sides
}

/// The terms of a side that count, in order.
fn terms(row: &mut Row<'_>, written: Vec<String>) -> Vec<String> {
    let alone = written.len() == 1;
    let mut terms: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    for term in written {
        let term = term.trim();
        if term.is_empty() {
            // A side of nothing at all is a fault of its own.
            if !alone {
                row.warn(Fault::new("", ProblemCode::Missing, "has a blank term; it is dropped"));
            }
        } else if !known.insert(term.to_owned()) {
            let text = format!("names `{}` twice", excerpt(term));
            row.warn(Fault::new("", ProblemCode::Repeated, text));
        } else {
            terms.push(term.to_owned());
        }
    }
    terms
}
