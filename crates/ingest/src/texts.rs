//! Texts as the formats for shops have them: titles of a sane length, slugs.

use crate::problem::{Fault, ProblemCode};
use crate::row::Row;

/// No title is longer; Google allows 150 characters, Shopify 255.
pub(crate) const MAX_TITLE_CHARS: usize = 1_000;

/// The title on one line, cut with a warning when it is far too long.
pub(crate) fn title(row: &mut Row<'_>, field: &str, text: &str) -> String {
    let text = shortened(row, field, text.trim());
    if text.contains(|c: char| c.is_whitespace() && c != ' ') {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    text.to_owned()
}

/// The first [`MAX_TITLE_CHARS`] characters, with a warning when there are more.
pub(crate) fn shortened<'t>(
    row: &mut Row<'_>,
    field: impl std::fmt::Display,
    text: &'t str,
) -> &'t str {
    match text.char_indices().nth(MAX_TITLE_CHARS) {
        None => text,
        Some((cut, _)) => {
            let said = format!("is cut after {MAX_TITLE_CHARS} characters");
            row.warn(Fault::new(field, ProblemCode::Changed, said));
            text[..cut].trim_end()
        }
    }
}

/// Letters and digits in lower case, with single hyphens between them.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_alphanumeric() {
            slug.extend(character.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}
