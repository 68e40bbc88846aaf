//! From the words of a query to the terms that stand for them.
//!
//! Each word becomes a [`Term`]: the ways in which a product can have it. A word
//! of the catalog stands for itself, its singulars, the words of its root and its
//! synonyms; a word that occurs nowhere may be written apart or together there, be
//! the beginning of a longer one (the last word, while it is being typed) or be
//! mistyped, which one that hardly occurs may be too.

use crate::collect::pair;
use crate::lexicon::Lexicon;
use crate::synonyms::{Meant, Synonyms};
use crate::text::{self, Word, stem, stop};
use std::ops::Range;

/// The most words of a query that are read, repeated and empty ones included: a
/// body of a megabyte must not cost more than a long sentence.
const MAX_WORDS: usize = 256;

/// The most words of a query that are looked for.
pub(crate) const MAX_TERMS: usize = 32;

/// The most words of a query that are taken for mistyped: each is held against a
/// good part of the lexicon.
const MAX_MISTYPED: usize = 6;

/// The most words of an intent that count.
const MAX_HINTS: usize = 16;

/// The least letters that may be the beginning of a longer word.
const MIN_PREFIX: usize = 2;

/// How well a term of the catalog stands for a typed word, in percent.
pub(crate) type Factor = u16;

const AS_TYPED: Factor = 100;
const SINGULAR: Factor = 90;
const LONGER: Factor = 80;
const OF_ITS_ROOT: Factor = 75;
const MISTYPED: Factor = 70;
/// A synonym stands for a word as well as its own forms do for it, times this.
const SYNONYM: Factor = 85;

/// Alternatives for one word, with how well each stands for it.
pub(crate) type Part = Vec<(String, Factor)>;

/// A word of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    /// As typed.
    pub(crate) typed: String,
    /// The same folded.
    pub(crate) folded: String,
    /// A product has the term when it has, for one of these, an alternative of
    /// every part; there is none when the word occurs nowhere.
    pub(crate) ways: Vec<Vec<Part>>,
}

/// What a query looks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// At most [`MAX_TERMS`], in the query's order.
    pub(crate) terms: Vec<Term>,
    /// The first words beyond that, as typed, at most as many again.
    pub(crate) beyond: Vec<String>,
}

impl Plan {
    /// Reads `query` against the words of a catalog.
    pub(crate) fn new(lexicon: Lexicon<'_>, synonyms: Option<&Synonyms>, query: &str) -> Self {
        let words = text::words(query, MAX_WORDS);
        let mut wanted = group(lexicon, synonyms, query, &words);
        let tells = |group: &Group<'_>| group.words.len() > 1 || !is_stop_word(&group.words[0]);
        if wanted.iter().any(tells) {
            wanted.retain(tells);
        }
        let mut plan = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let last = wanted.len().saturating_sub(1);
        let mut mistyped = 0;
        for (at, group) in wanted.into_iter().enumerate() {
            let joined = joined(group.words);
            if seen.contains(&joined) {
                continue;
            }
            let typed = query[span(group.words)].to_owned();
            if plan.terms.len() == MAX_TERMS {
                if plan.beyond.len() == MAX_TERMS {
                    break;
                }
                plan.beyond.push(typed);
                continue;
            }
            let mut ways = group.ways(lexicon, &joined, at == last);
            if ways.is_empty() && mistyped < MAX_MISTYPED {
                mistyped += 1;
                ways = meant(lexicon, &joined);
            }
            seen.push(joined.clone());
            plan.terms.push(Term { typed, folded: joined, ways });
        }
        plan
    }
}

/// The words of a buyer's intent that the catalog has in some form and the query lacks.
pub(crate) fn hints(lexicon: Lexicon<'_>, intent: &str, plan: &Plan) -> Vec<Part> {
    let mut seen: Vec<&str> = plan.terms.iter().map(|term| term.folded.as_str()).collect();
    let mut hints = Vec::new();
    let words = text::words(intent, MAX_WORDS);
    for word in words.iter().filter(|word| !is_stop_word(word)) {
        if hints.len() == MAX_HINTS || seen.contains(&word.folded.as_str()) {
            continue;
        }
        seen.push(&word.folded);
        hints.extend(Some(exact(lexicon, &word.folded)).filter(|part| !part.is_empty()));
    }
    hints
}

/// Words of the query that count as one.
struct Group<'w> {
    words: &'w [Word],
    /// What the synonyms say of them.
    meant: Meant<'w>,
}

fn is_stop_word(word: &Word) -> bool {
    stop::is_stop_word(&word.folded)
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.folded.as_str()).collect()
}

fn span(words: &[Word]) -> Range<usize> {
    let start = words.first().map_or(0, |word| word.span.start);
    start..words.last().map_or(start, |word| word.span.end)
}

/// Puts together the words that the synonyms know together, and those that the
/// catalog writes as one: what hyphens hold together, a number and its unit, and
/// neighbours of which one occurs nowhere alone.
fn group<'w>(
    lexicon: Lexicon<'_>,
    synonyms: Option<&'w Synonyms>,
    query: &str,
    words: &'w [Word],
) -> Vec<Group<'w>> {
    let mut groups = Vec::new();
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let mut rest = words;
    while !rest.is_empty() {
        let at = words.len() - rest.len();
        let said = synonyms.map(|synonyms| synonyms.of(&folded[at..])).unwrap_or_default();
        let length = one_word(lexicon, query, rest);
        // What the merchant says of as many words or more goes before spelling.
        let meant = match said.words >= length {
            true => said,
            false => Meant { words: length, ..Meant::default() },
        };
        let (words, others) = rest.split_at(meant.words);
        groups.push(Group { words, meant });
        rest = others;
    }
    groups
}

/// How many of the first of `words` the catalog writes as one.
fn one_word(lexicon: Lexicon<'_>, query: &str, words: &[Word]) -> usize {
    let pair = matches!(words, [first, second, ..]
        if (text::is_number(&first.folded) && text::is_unit(&second.folded))
            || !is_known(lexicon, &first.folded)
            || !is_known(lexicon, &second.folded));
    let hyphened = words
        .windows(2)
        .take(text::COMPOUND_PARTS)
        .take_while(|two| text::is_hyphen(&query[two[0].span.end..two[1].span.start]))
        .count();
    let is_one =
        |length: &usize| words.get(..*length).is_some_and(|words| lexicon.has(&joined(words)));
    [hyphened + 1, if pair { 2 } else { 1 }]
        .into_iter()
        .filter(|length| (2..=text::COMPOUND_PARTS).contains(length))
        .find(is_one)
        .unwrap_or(1)
}

impl Group<'_> {
    /// The ways to have the words, which are `joined` together.
    fn ways(&self, lexicon: Lexicon<'_>, joined: &str, last: bool) -> Vec<Vec<Part>> {
        let mut ways = match self.meant.replaced {
            true => Vec::new(),
            false => spelt(lexicon, self.words, joined, last),
        };
        for term in &self.meant.also {
            let Some(mut way) = all_known(lexicon, term.iter().map(String::as_str)) else {
                continue;
            };
            for (_, factor) in way.iter_mut().flatten() {
                *factor = *factor * SYNONYM / 100;
            }
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }
}

/// The ways to have `words` as they are, together or apart.
fn spelt(lexicon: Lexicon<'_>, words: &[Word], joined: &str, last: bool) -> Vec<Vec<Part>> {
    let mut ways = Vec::new();
    if is_known(lexicon, joined) {
        let mut part = exact(lexicon, joined);
        if words.len() == 1 {
            let meant = lexicon.instead_of(joined).into_iter();
            part.extend(meant.map(|word| (word, MISTYPED)));
        }
        ways.push(vec![part]);
    }
    if words.len() > 1 {
        let telling = words.iter().filter(|word| !is_stop_word(word));
        ways.extend(all_known(lexicon, telling.map(|word| word.folded.as_str())));
    }
    if !ways.is_empty() {
        return ways;
    }
    let apart = cut(joined).or_else(|| run_together(lexicon, joined));
    if let Some(apart) = apart.and_then(|parts| all_known(lexicon, parts.into_iter())) {
        return vec![apart];
    }
    let mut part = exact(lexicon, joined);
    if last && joined.chars().count() >= MIN_PREFIX {
        part.extend(lexicon.with_prefix(joined).into_iter().map(|word| (word, LONGER)));
    }
    if part.is_empty() { Vec::new() } else { vec![vec![part]] }
}

/// The ways to have what `joined` may have been meant for.
fn meant(lexicon: Lexicon<'_>, joined: &str) -> Vec<Vec<Part>> {
    let near = lexicon.near(joined);
    if near.is_empty() {
        return Vec::new();
    }
    vec![vec![near.into_iter().map(|word| (word, MISTYPED)).collect()]]
}

/// Whether the catalog has `word` or a singular of it.
fn is_known(lexicon: Lexicon<'_>, word: &str) -> bool {
    let mut known = lexicon.has(word);
    stem::each_stem(word, &mut |stem| known = known || lexicon.has(stem));
    known
}

/// The terms that `word` stands for when the catalog has it in some form.
fn exact(lexicon: Lexicon<'_>, word: &str) -> Part {
    let mut part = Part::new();
    if lexicon.has(word) {
        part.push((word.to_owned(), AS_TYPED));
    }
    let mut add = |term: &str, factor| {
        if !part.iter().any(|(known, _)| known == term) {
            part.push((term.to_owned(), factor));
        }
    };
    stem::each_stem(word, &mut |stem| {
        if lexicon.has(stem) {
            add(stem, SINGULAR);
        }
    });
    for term in lexicon.of_its_root(word) {
        add(&term, OF_ITS_ROOT);
    }
    part
}

fn all_known<'w>(lexicon: Lexicon<'_>, words: impl Iterator<Item = &'w str>) -> Option<Vec<Part>> {
    let parts = words.map(|word| Some(exact(lexicon, word)).filter(|part| !part.is_empty()));
    parts.collect::<Option<Vec<Part>>>().filter(|parts| !parts.is_empty())
}

/// `iphone15` as `iphone` and `15`, `15pro` as `15` and `pro`: a word cut where it
/// changes from letters to digits or back, if it does so once.
fn cut(word: &str) -> Option<[&str; 2]> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let starts = word.chars().next().map(is_digit)?;
    let at = word.find(|c| is_digit(c) != starts)?;
    let (head, tail) = word.split_at(at);
    tail.chars().all(|c| is_digit(c) != starts).then_some([head, tail])
}

/// `teddybear` as `teddy` and `bear`: the first two words that some title has next to
/// each other.
fn run_together<'w>(lexicon: Lexicon<'_>, word: &'w str) -> Option<[&'w str; 2]> {
    let ends = word.char_indices().map(|(at, _)| at).skip(MIN_PREFIX);
    let cuts = ends.filter(|&at| word[at..].chars().count() >= MIN_PREFIX);
    cuts.map(|at| word.split_at(at))
        .find(|(one, other)| lexicon.has(&pair(one, other)))
        .map(|(one, other)| [one, other])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::{Class, Home, Terms, TermsReader, TermsWriter};

    /// The terms of a catalog of one document with these texts.
    fn terms(texts: &[&str]) -> TermsReader {
        let home = Home::memory();
        let mut terms = Terms::default();
        for text in texts {
            text::each_word(text, &mut |found| {
                terms.push(found.folded, Class::Title);
                stem::each_stem(found.folded, &mut |stem| terms.push(stem, Class::Title));
            });
        }
        let mut writer = TermsWriter::new();
        writer.add(&home, &terms, &[]).unwrap();
        writer.finish(&home).unwrap();
        TermsReader::open(&home, 1).unwrap()
    }

    /// `typed:ways` of each term, a way as `a|b+c`: alternatives of parts.
    fn planned(texts: &[&str], query: &str) -> Vec<String> {
        let terms = terms(texts);
        let mut written = std::collections::HashSet::new();
        for text in texts {
            text::each_word(text, &mut |found| {
                written.insert(found.folded.to_owned());
            });
        }
        // The singulars of words, which are terms too, are left out.
        let part = |part: &Part| {
            let words = part.iter().map(|(word, _)| word.as_str());
            let mut words: Vec<&str> = words.filter(|word| written.contains(*word)).collect();
            words.sort_unstable();
            words.join("|")
        };
        let way = |way: &Vec<Part>| way.iter().map(part).collect::<Vec<String>>().join("+");
        let lexicon = Lexicon { terms: &terms, grammars: &[] };
        let plan = Plan::new(lexicon, None, query);
        plan.terms
            .iter()
            .map(|term| {
                let ways: Vec<String> = term.ways.iter().map(way).collect();
                format!("{}: {}", term.typed, ways.join(" or "))
            })
            .collect()
    }

    #[test]
    fn queries_become_terms() {
        let texts = [
            "Tênis Amarelo 42",
            "Roteador Wi-Fi",
            "Fone wifi",
            "iPhone 15 256 GB",
            "Garrafa 500ml",
            "camiseta camisa",
            "liquidificador",
        ];
        let table: [(&str, &[&str]); 20] = [
            ("tenis AMARELO", &["tenis: tenis", "AMARELO: amarelo"]),
            ("tênis de amarelo", &["tênis: tenis", "amarelo: amarelo"]),
            ("de para", &["de: ", "para: "]),
            ("tênis tenis", &["tênis: tenis"]),
            ("tênis 43", &["tênis: tenis", "43: "]),
            ("wi-fi", &["wi-fi: wifi or wi+fi"]),
            ("wifi", &["wifi: wifi"]),
            ("fo-ne", &["fo-ne: fone"]),
            ("liquidi ficador", &["liquidi ficador: liquidificador"]),
            ("500 ml", &["500 ml: 500ml"]),
            ("256gb", &["256gb: 256gb"]),
            ("256 gb", &["256 gb: 256gb or 256+gb"]),
            ("iphone15", &["iphone15: iphone+15"]),
            ("cami", &["cami: camisa|camiseta"]),
            ("cami tenis", &["cami: ", "tenis: tenis"]),
            ("tenos", &["tenos: tenis"]),
            ("liquidifcadro", &["liquidifcadro: liquidificador"]),
            ("camisas", &["camisas: camisa"]),
            ("", &[]),
            ("!!", &[]),
        ];
        for (query, expected) in table {
            assert_eq!(planned(&texts, query), expected, "{query}");
        }
    }

    #[test]
    fn a_query_without_end_is_cut() {
        let words: Vec<String> = (0..40).map(|at| format!("w{at}w")).collect();
        let terms = terms(&["tênis"]);
        let lexicon = Lexicon { terms: &terms, grammars: &[] };
        let plan = Plan::new(lexicon, None, &words.join(" "));
        assert_eq!(plan.terms.len(), MAX_TERMS);
        assert_eq!(plan.beyond.len(), 40 - MAX_TERMS);
        assert_eq!(plan.beyond[0], "w32w");
    }
}
