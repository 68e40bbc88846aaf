//! Words out of texts: cutting, folding, singulars, roots, stop words, typos.
//!
//! The same cutting serves the catalog and the query. For the catalog it also
//! tells the other spellings under which a word should be found; a query looks
//! them up by its own words.

pub(crate) mod fold;
pub(crate) mod markup;
pub(crate) mod root;
pub(crate) mod stem;
pub(crate) mod stop;
pub(crate) mod typo;

use std::ops::Range;
use unicode_normalization::char::is_combining_mark;

/// A word met in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found<'a> {
    /// Where in the text; of a spelling, where the spelt words are.
    pub(crate) span: Range<usize>,
    /// Folded.
    pub(crate) folded: &'a str,
    /// Whether it is another spelling of words that are told too.
    pub(crate) spelling: bool,
}

/// Units of measure, folded, that products write after a number, apart or not.
const UNITS: [&str; 35] = [
    "b", "cc", "cl", "cm", "cv", "dl", "fl", "ft", "g", "gb", "ghz", "hp", "hz", "kb", "kg", "km",
    "kw", "l", "lb", "lt", "m", "mah", "mb", "mg", "mhz", "ml", "mm", "mp", "oz", "pol", "tb", "v",
    "w", "wh", "x",
];

/// Whether `text` is a unit of measure as products write them.
pub(crate) fn is_unit(text: &str) -> bool {
    UNITS.binary_search(&text).is_ok()
}

/// Whether `text` is a number, such as `42` or `1.5`.
pub(crate) fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Tells each word of `text` in order, and after it other spellings of what was
/// just read: `wifi` for wi-fi, `500g` for 500 g, `500` for 500g, `dagua` for
/// d'água.
pub(crate) fn each_word(text: &str, see: &mut dyn FnMut(Found<'_>)) {
    let mut folded = String::new();
    let mut before: Option<(Range<usize>, String)> = None;
    let mut compound = Compound::default();
    for span in pieces(text) {
        let raw = &text[span.clone()];
        folded.clear();
        fold::fold_into(after_elision(raw), &mut folded);
        if folded.is_empty() {
            continue;
        }
        see(Found { span: span.clone(), folded: &folded, spelling: false });
        if after_elision(raw).len() < raw.len() {
            let mut whole = String::new();
            fold::fold_into(raw, &mut whole);
            see(Found { span: span.clone(), folded: &whole, spelling: true });
        }
        if let Some(cut) = folded.find(|c: char| !c.is_ascii_digit() && c != '.')
            && cut > 0
            && is_unit(&folded[cut..])
        {
            see(Found { span: span.clone(), folded: &folded[..cut], spelling: true });
        }
        if let Some((start, number)) = before.take()
            && is_unit(&folded)
            && text[start.end..span.start].chars().all(char::is_whitespace)
        {
            let joined = format!("{number}{folded}");
            see(Found { span: start.start..span.end, folded: &joined, spelling: true });
        }
        compound.meet(text, &span, &folded, see);
        if is_number(&folded) {
            before = Some((span, folded.clone()));
        }
    }
    compound.tell(see);
}

/// A word as it stands in a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) span: Range<usize>,
    pub(crate) folded: String,
}

/// The words of `text` without their other spellings, the first `most` of them.
pub(crate) fn words(text: &str, most: usize) -> Vec<Word> {
    let mut words = Vec::new();
    each_word(text, &mut |found| {
        if !found.spelling && words.len() < most {
            words.push(Word { span: found.span, folded: found.folded.to_owned() });
        }
    });
    words
}

/// The joined spelling of words that hyphens hold together.
#[derive(Default)]
struct Compound {
    span: Range<usize>,
    joined: String,
    parts: usize,
}

/// The most words that make one compound; longer chains are lists.
pub(crate) const COMPOUND_PARTS: usize = 4;

impl Compound {
    fn meet(
        &mut self,
        text: &str,
        span: &Range<usize>,
        folded: &str,
        see: &mut dyn FnMut(Found<'_>),
    ) {
        if self.parts > 0 && !is_hyphen(&text[self.span.end..span.start]) {
            self.tell(see);
        }
        if self.parts == 0 {
            self.span = span.clone();
        }
        self.span.end = span.end;
        self.joined.push_str(folded);
        self.parts += 1;
    }

    fn tell(&mut self, see: &mut dyn FnMut(Found<'_>)) {
        // 38-40 is two sizes, not the number 3840.
        let joins = (2..=COMPOUND_PARTS).contains(&self.parts) && !is_number(&self.joined);
        if joins {
            see(Found { span: self.span.clone(), folded: &self.joined, spelling: true });
        }
        self.joined.clear();
        self.parts = 0;
    }
}

/// Whether what stands between two words is one hyphen.
pub(crate) fn is_hyphen(between: &str) -> bool {
    matches!(between, "-" | "\u{2010}" | "\u{2011}")
}

/// What follows a short elided article or preposition: `água` of d'água, but all
/// of men's.
fn after_elision(raw: &str) -> &str {
    match raw.split_once(is_apostrophe) {
        Some((article, rest)) if article.chars().count() <= 2 && rest.chars().count() >= 2 => rest,
        _ => raw,
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02bc}')
}

fn is_letter_or_digit(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Whether `c` is of a script that writes no spaces, so that it stands alone.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn pieces(text: &str) -> Pieces<'_> {
    Pieces { text, at: 0 }
}

/// The spans of words in a text, before folding.
struct Pieces<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Pieces<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at + self.text[self.at..].find(is_letter_or_digit)?;
        let mut chars = self.text[start..].char_indices().peekable();
        let mut end = start;
        let mut last: Option<char> = None;
        while let Some((offset, c)) = chars.next() {
            let following = chars.peek().map(|&(_, next)| next);
            let holds = |is: fn(char) -> bool| last.is_some_and(is) && following.is_some_and(is);
            let inside = is_letter_or_digit(c)
                || (matches!(c, '.' | ',') && holds(|c| c.is_ascii_digit()))
                || (is_apostrophe(c) && holds(char::is_alphabetic));
            if !inside || (last.is_some() && stands_alone(c)) {
                break;
            }
            end = start + offset + c.len_utf8();
            last = Some(c);
            if stands_alone(c) && !following.is_some_and(is_combining_mark) {
                break;
            }
        }
        self.at = end;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> (String, String) {
        let (mut words, mut spellings) = (Vec::new(), Vec::new());
        each_word(text, &mut |found| {
            if found.spelling { &mut spellings } else { &mut words }.push(found.folded.to_owned());
        });
        (words.join(" "), spellings.join(" "))
    }

    #[test]
    fn words_and_their_other_spellings() {
        for (text, expected, spellings) in [
            ("Tênis Amarelo, nº 42!", "tenis amarelo no 42", ""),
            ("iPhone 15 256GB", "iphone 15 256gb", "256"),
            ("Água 1,5 L", "agua 1.5 l", "1.5l"),
            ("Água 1.5l", "agua 1.5l", "1.5"),
            ("500 g / 2 kg", "500 g 2 kg", "500g 2kg"),
            ("Roteador Wi-Fi", "roteador wi fi", "wifi"),
            ("T-shirt azul-marinho", "t shirt azul marinho", "tshirt azulmarinho"),
            ("tamanhos 38-40", "tamanhos 38 40", ""),
            ("TEN-AZ-42", "ten az 42", "tenaz42"),
            ("caixa d'água", "caixa agua", "dagua"),
            ("men’s L'Oréal", "mens oreal", "loreal"),
            ("a-b-c-d-e", "a b c d e", ""),
            ("1,5, 2.", "1.5 2", ""),
            ("靴 スニーカー", "靴 ス ニ ー カ ー", ""),
            ("", "", ""),
            ("!? 👟 --", "", ""),
        ] {
            let (found, other) = words(text);
            assert_eq!(found, expected, "words of {text}");
            assert_eq!(other, spellings, "spellings of {text}");
        }
    }

    #[test]
    fn spans_lead_back_to_the_text() {
        let text = "Tênis PRETÃO 1,5 L";
        let mut spans = Vec::new();
        each_word(text, &mut |found| spans.push(text[found.span].to_owned()));
        assert_eq!(spans, ["Tênis", "PRETÃO", "1,5", "L", "1,5 L"]);
    }

    #[test]
    fn units_are_sorted() {
        assert!(UNITS.is_sorted());
        assert!(is_unit("ml") && !is_unit("cor"));
    }
}
