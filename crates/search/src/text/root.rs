//! The root that the forms of a word share: `run` for running and runs, the same for
//! promoção, promoções and promocao.
//!
//! Roots are made of folded words, so that a buyer who types no accents asks for
//! what one who does asks for. The Snowball stemmers want accents in some endings:
//! those that a folded ending always stands for are put back first. Plurals that
//! Snowball leaves apart from their singulars are made singular before that.

use super::fold;
use super::stem;
use catalog::LanguageTag;
use frostem::{Algorithm, Stemmer};

/// The shortest word that is taken for a form of another.
const MIN_LETTERS: usize = 4;

/// A language whose words are led back to roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grammar {
    English,
    Portuguese,
    Spanish,
}

impl Grammar {
    pub(crate) const ALL: [Self; 3] = [Self::English, Self::Portuguese, Self::Spanish];

    /// That of a text in `language`, if it is one of those known.
    pub(crate) fn of(language: &LanguageTag) -> Option<Self> {
        Self::named(&language.primary().to_ascii_lowercase())
    }

    /// That of a primary subtag in lower case.
    pub(crate) fn named(primary: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grammar| grammar.name() == primary)
    }

    /// Its primary subtag.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Portuguese => "pt",
            Self::Spanish => "es",
        }
    }

    /// The singulars of endings that Snowball does not lead back to one root, tried
    /// in this order.
    const fn plurals(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::English => &[],
            Self::Portuguese => &[
                ("oes", "ao"),
                ("aes", "ao"),
                ("aos", "ao"),
                ("ais", "al"),
                ("eis", "el"),
                ("ois", "ol"),
                ("uis", "ul"),
                ("is", "il"),
                ("ns", "m"),
            ],
            Self::Spanish => &[("ciones", "cion"), ("siones", "sion")],
        }
    }

    /// The accents that folded endings have lost.
    const fn accents(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::English => &[],
            Self::Portuguese => &[
                ("cao", "ção"),
                ("ao", "ão"),
                ("avel", "ável"),
                ("ivel", "ível"),
                ("ancia", "ância"),
                ("encia", "ência"),
            ],
            Self::Spanish => &[("cion", "ción"), ("sion", "sión"), ("logia", "logía")],
        }
    }

    const fn algorithm(self) -> Algorithm {
        match self {
            Self::English => Algorithm::English,
            Self::Portuguese => Algorithm::Portuguese,
            Self::Spanish => Algorithm::Spanish,
        }
    }

    /// The fewest letters of a root. Portuguese and Spanish roots have lost the vowel
    /// that tells short nouns apart: prato and prata, bola and bolo.
    const fn least_letters(self) -> usize {
        match self {
            Self::English => 3,
            Self::Portuguese | Self::Spanish => 5,
        }
    }

    /// The root of the folded `word`, folded; `None` of what is no word of letters,
    /// or too short to be a form of another.
    pub(crate) fn root(self, word: &str) -> Option<String> {
        if word.len() < MIN_LETTERS || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let word = stem::irregular(word).unwrap_or(word);
        let singular = with_ending(word, self.plurals());
        let accented = with_ending(singular.as_deref().unwrap_or(word), self.accents());
        let form = accented.as_deref().or(singular.as_deref()).unwrap_or(word);
        let stemmer = Stemmer::new(self.algorithm());
        let mut root = String::with_capacity(form.len());
        fold::fold_into(stemmer.stem(form).as_ref(), &mut root);
        (root.len() >= self.least_letters()).then_some(root)
    }
}

/// `word` with the first of the `endings` that it has put in place of another.
fn with_ending(word: &str, endings: &[(&str, &str)]) -> Option<String> {
    endings.iter().find_map(|(ending, other)| {
        let start = word.strip_suffix(ending).filter(|start| !start.is_empty())?;
        Some(format!("{start}{other}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(grammar: Grammar, words: &str) -> Vec<Option<String>> {
        let folded = words.split_whitespace().map(|word| {
            let mut folded = String::new();
            fold::fold_into(word, &mut folded);
            grammar.root(&folded)
        });
        folded.collect()
    }

    #[test]
    fn forms_share_a_root() {
        for (grammar, families) in [
            (
                Grammar::Portuguese,
                "promoção promoções promocao promocoes, camiseta camisetas, \
                 infantil infantis, decorado decoradas decoração decoracoes, \
                 confortável confortaveis, capitão capitães, menino meninas, \
                 impermeável impermeáveis, cozinha cozinhas, lençol lençóis",
            ),
            (
                Grammar::Spanish,
                "zapato zapatos, canción canciones cancion, decorado decoradas, \
                 colección colecciones coleccion, camiseta camisetas",
            ),
            (
                Grammar::English,
                "shoe shoes, running runs, woman women, knife knives, battery batteries, \
                 hike hiking, comfort comfortable, decoration decorations decorative",
            ),
        ] {
            for family in families.split(", ") {
                let roots = roots(grammar, family);
                assert!(
                    roots.iter().all(|root| root.is_some() && *root == roots[0]),
                    "{family}: {roots:?}"
                );
            }
        }
    }

    #[test]
    fn other_words_have_other_roots() {
        for (grammar, pairs) in [
            (Grammar::Portuguese, "camisa camiseta, cozinha cozido"),
            (Grammar::Spanish, "camisa camiseta, zapato zapatero"),
            (Grammar::English, "bus business, shirt short, lamp lampshade"),
        ] {
            for pair in pairs.split(", ") {
                let roots = roots(grammar, pair);
                assert_ne!(roots[0], roots[1], "{pair}");
            }
        }
        assert_eq!(
            roots(Grammar::Portuguese, "prato prata bola bolo bota bote"),
            [const { None }; 6]
        );
        assert_eq!(roots(Grammar::English, "42 1.5l gb tee 靴"), [const { None }; 5]);
    }

    #[test]
    fn a_root_knows_no_accents() {
        for grammar in Grammar::ALL {
            for word in ["promocao", "cancion", "confortaveis", "resistencia", "running"] {
                assert!(grammar.root(word).is_some_and(|root| root.is_ascii()), "{word}");
            }
        }
    }
}
