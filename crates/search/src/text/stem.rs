//! Singulars that a word may be the plural of, in Portuguese, Spanish and English.
//!
//! A text rarely says its language truly (English brand words in Portuguese
//! titles), so all three grammars are tried and every outcome is a candidate.
//! Candidates that are no words do no harm: nobody types them. Verbs and other
//! endings are left alone, for a shop's words are nouns; gender is followed for
//! colours only, which labels name in one gender and buyers in both.

/// Endings of plurals with those of their singulars; all that fit count.
const PLURALS: [(&str, &str); 22] = [
    // Portuguese
    ("oes", "ao"),
    ("aes", "ao"),
    ("ais", "al"),
    ("eis", "el"),
    ("eis", "il"),
    ("ois", "ol"),
    ("uis", "ul"),
    ("is", "il"),
    ("ns", "m"),
    ("res", "r"),
    ("zes", "z"),
    ("ses", "s"),
    // Spanish
    ("nes", "n"),
    ("les", "l"),
    ("des", "d"),
    ("jes", "j"),
    ("ces", "z"),
    // English
    ("ies", "y"),
    ("hes", "h"),
    ("xes", "x"),
    ("ves", "f"),
    ("ves", "fe"),
];

/// Plurals that follow no rule, with their singulars.
const IRREGULAR: [(&str, &str); 9] = [
    ("children", "child"),
    ("feet", "foot"),
    ("geese", "goose"),
    ("knives", "knife"),
    ("loaves", "loaf"),
    ("men", "man"),
    ("mice", "mouse"),
    ("teeth", "tooth"),
    ("women", "woman"),
];

/// Colours in the feminine, by which the masculine is found too.
const FEMININE_COLOURS: [&str; 18] = [
    "amarela",
    "amarilla",
    "blanca",
    "branca",
    "colorida",
    "dorada",
    "dourada",
    "estampada",
    "listrada",
    "morada",
    "negra",
    "plateada",
    "prateada",
    "preta",
    "roja",
    "rosada",
    "roxa",
    "vermelha",
];

/// Shorter words are not taken for plurals.
const MIN_PLURAL: usize = 4;

/// Tells each form that the folded word `word` may be a plural (or, for colours,
/// a feminine) of; never `word` itself, perhaps one twice.
pub(crate) fn each_stem(word: &str, see: &mut dyn FnMut(&str)) {
    further(word, see);
    if word.len() < MIN_PLURAL || !word.ends_with('s') || word.ends_with("ss") {
        return;
    }
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    let mut form = String::with_capacity(word.len());
    for (plural, singular) in PLURALS {
        if let Some(root) = word.strip_suffix(plural)
            && !root.is_empty()
        {
            form.clear();
            form.push_str(root);
            form.push_str(singular);
            see(&form);
        }
    }
    let singular = &word[..word.len() - 1];
    see(singular);
    further(singular, see);
}

/// The singular of a plural that follows no rule.
pub(super) fn irregular(word: &str) -> Option<&'static str> {
    let at = IRREGULAR.binary_search_by_key(&word, |row| row.0).ok()?;
    Some(IRREGULAR[at].1)
}

/// What is to be said of a word that no ending tells.
fn further(word: &str, see: &mut dyn FnMut(&str)) {
    if let Some(singular) = irregular(word) {
        see(singular);
    }
    if FEMININE_COLOURS.binary_search(&word).is_ok()
        && let Some(root) = word.strip_suffix('a')
    {
        see(&format!("{root}o"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(word: &str) -> Vec<String> {
        let mut stems = Vec::new();
        each_stem(word, &mut |stem| stems.push(stem.to_owned()));
        stems
    }

    #[test]
    fn plurals_lead_to_their_singulars() {
        let portuguese = "promocoes promocao, calcoes calcao, paes pao, maos mao, camisas camisa, \
            jornais jornal, papeis papel, uteis util, lencois lencol, azuis azul, infantis \
            infantil, homens homem, colares colar, luzes luz, meses mes, meias meia, flores flor, \
            pretas preto, vermelhas vermelho";
        let spanish = "pantalones pantalon, azules azul, relojes reloj, luces luz, zapatos zapato, \
            collares collar, paredes pared, rojas rojo, camisones camison";
        let english = "shirts shirt, shoes shoe, batteries battery, hoodies hoodie, dresses dress, \
            watches watch, boxes box, knives knife, shelves shelf, scarves scarf, glasses glass, \
            womens woman, mens man, men man, children child, brushes brush";
        for pair in [portuguese, spanish, english].join(", ").split(", ") {
            let (plural, singular) = pair.split_once(char::is_whitespace).unwrap();
            let singular = singular.trim();
            assert!(stems(plural).iter().any(|stem| stem == singular), "{plural}: {singular}");
        }
    }

    #[test]
    fn a_stem_is_never_the_word_itself() {
        for word in ["dress", "bus", "gas", "42", "256gbs", "os", "camisa", "Σας", "tenis"] {
            assert!(!stems(word).iter().any(|stem| stem == word), "{word}");
        }
        for word in ["dress", "bus", "gas", "42", "256gbs", "os", "camisa", "bolsa", "porta"] {
            assert_eq!(stems(word), Vec::<String>::new(), "{word}");
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(IRREGULAR.is_sorted());
        assert!(FEMININE_COLOURS.is_sorted());
    }
}
