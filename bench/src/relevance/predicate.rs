//! Judgments as predicates over a product's attributes.
//!
//! Why: a judgment such as "sandals whose text names the beach" says why a product
//! is relevant, survives a new delivery of the data and copies none of it. Which
//! words are the same word is decided here (case and diacritics are folded, nothing
//! is stemmed), independently of any search engine.
//!
//! `style:bag|handbag name:tote* !text:leather or id:x` reads: style bag or handbag,
//! *and* a name with a word that begins with "tote", *and* no "leather" in name or
//! description; or else the product x. `_` joins the words of a phrase.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What judgments can speak of.
#[derive(Debug, Clone, Default)]
pub struct Subject {
    /// The product's id, exactly.
    pub id: String,
    /// Its title, as it is shown.
    pub title: String,
    /// The words of the title.
    pub name: Vec<String>,
    /// The words of title, description, tags and options.
    pub text: Vec<String>,
    /// The broad category, in words.
    pub category: Vec<String>,
    /// The narrow category, in words.
    pub style: Vec<String>,
    /// `F`, `M` or empty.
    pub gender: String,
}

/// A judgment: holds when any of its clauses does.
#[derive(Debug, Clone)]
pub struct Predicate(Vec<Vec<Term>>);

#[derive(Debug, Clone)]
struct Term {
    wanted: bool,
    field: Field,
    alternatives: Vec<Alternative>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Id,
    Name,
    Text,
    Category,
    Style,
    Gender,
}

#[derive(Debug, Clone)]
struct Alternative {
    exact: String,
    words: Vec<String>,
    /// The last word may go on.
    open: bool,
}

impl Predicate {
    /// Reads a judgment.
    ///
    /// # Errors
    ///
    /// A term without a known field or without a value; the text says which.
    pub fn parse(text: &str) -> Result<Self, String> {
        let clauses = text.split(" or ").map(|clause| {
            let terms: Result<Vec<Term>, String> = clause.split_whitespace().map(term).collect();
            terms.and_then(|terms| match terms.as_slice() {
                [] => Err(format!("{text:?} has an empty clause")),
                _ => Ok(terms),
            })
        });
        Ok(Self(clauses.collect::<Result<_, _>>()?))
    }

    /// Whether the judgment holds of `subject`.
    pub fn holds(&self, subject: &Subject) -> bool {
        self.0.iter().any(|clause| clause.iter().all(|term| term.holds(subject)))
    }

    /// The product ids that it names, wanted or not.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let terms = self.0.iter().flatten().filter(|term| term.field == Field::Id);
        terms.flat_map(|term| term.alternatives.iter().map(|one| one.exact.as_str()))
    }
}

/// The words of a text, lower case and without diacritics.
pub fn words(text: &str) -> Vec<String> {
    let folded: String =
        text.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

fn term(text: &str) -> Result<Term, String> {
    let (wanted, rest) = match text.strip_prefix('!') {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    let (field, values) = rest.split_once(':').ok_or_else(|| format!("{text:?} has no field"))?;
    let field = match field {
        "id" => Field::Id,
        "name" => Field::Name,
        "text" => Field::Text,
        "category" => Field::Category,
        "style" => Field::Style,
        "gender" => Field::Gender,
        _ => return Err(format!("{text:?} has an unknown field")),
    };
    let alternatives: Vec<Alternative> = values.split('|').map(alternative).collect();
    if alternatives.iter().any(|one| one.words.is_empty()) {
        return Err(format!("{text:?} has an empty value"));
    }
    Ok(Term { wanted, field, alternatives })
}

fn alternative(text: &str) -> Alternative {
    Alternative { exact: text.to_owned(), words: words(text), open: text.ends_with('*') }
}

impl Term {
    fn holds(&self, subject: &Subject) -> bool {
        self.wanted == self.alternatives.iter().any(|one| one.holds(self.field, subject))
    }
}

impl Alternative {
    fn holds(&self, field: Field, subject: &Subject) -> bool {
        match field {
            Field::Id => subject.id == self.exact,
            Field::Gender => subject.gender == self.exact,
            Field::Category => subject.category == self.words,
            Field::Style => subject.style == self.words,
            Field::Name => self.occurs(&subject.name),
            Field::Text => self.occurs(&subject.text),
        }
    }

    fn occurs(&self, text: &[String]) -> bool {
        let Some((last, before)) = self.words.split_last() else { return false };
        text.windows(self.words.len()).any(|window| match window.split_last() {
            Some((end, start)) => {
                start == before && (end == last || self.open && end.starts_with(last))
            }
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bag() -> Subject {
        Subject {
            id: "b1".to_owned(),
            name: words("Eco-Chic Canvas Tote Bag"),
            text: words("Eco-Chic Canvas Tote Bag. Algodão cru, duas alças."),
            style: words("nuts/seeds"),
            gender: "F".to_owned(),
            ..Subject::default()
        }
    }

    fn holds(judgment: &str) -> bool {
        Predicate::parse(judgment).unwrap().holds(&bag())
    }

    #[test]
    fn clauses_terms_and_alternatives() {
        assert!(holds("name:tote"));
        assert!(holds("name:purse|tote gender:F"));
        assert!(!holds("name:tote gender:M"));
        assert!(holds("name:tote gender:M or id:b1"));
        assert!(!holds("name:tote !id:b1"));
        assert!(!holds("name:tot"), "words are whole");
        assert!(holds("name:tot*"));
        assert!(holds("name:eco-chic_canv*"), "a phrase whose last word goes on");
        assert!(!holds("name:canvas_bag"), "the words of a phrase follow each other");
        assert!(holds("text:algodao"), "diacritics are folded");
        assert!(!holds("name:algodao"));
        assert!(holds("style:nuts_seeds") && !holds("style:nuts"));
    }

    #[test]
    fn what_cannot_be_understood_is_refused() {
        for bad in ["", "tote", "colour:red", "name:", "name:a|", "name:a or "] {
            assert!(Predicate::parse(bad).is_err(), "{bad:?}");
        }
    }
}
