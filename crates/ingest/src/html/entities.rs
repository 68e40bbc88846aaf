//! The named characters of HTML 4 that shop texts use: markup, Latin-1, quotes
//! and dashes.

/// U+00A0 to U+00FF in order.
const LATIN_1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf",
    "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro",
    "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest",
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute",
    "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute",
    "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute",
    "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
    "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde",
    "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc",
    "uuml", "yacute", "thorn", "yuml",
];
const OTHERS: [(&str, char); 27] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("ndash", '–'),
    ("mdash", '—'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("sbquo", '‚'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("bdquo", '„'),
    ("hellip", '…'),
    ("bull", '•'),
    ("euro", '€'),
    ("trade", '™'),
    ("lsaquo", '‹'),
    ("rsaquo", '›'),
    ("prime", '′'),
    ("Prime", '″'),
    ("OElig", 'Œ'),
    ("oelig", 'œ'),
    ("le", '≤'),
    ("ge", '≥'),
    ("ensp", ' '),
    ("emsp", ' '),
];

/// The character that HTML calls `name`.
pub(crate) fn named_entity(name: &str) -> Option<char> {
    let other = OTHERS.iter().find(|(known, _)| *known == name).map(|(_, character)| *character);
    other.or_else(|| {
        let at = LATIN_1.iter().position(|known| *known == name)?;
        char::from_u32(0xA0 + u32::try_from(at).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_in_order() {
        for (name, character) in
            [("nbsp", '\u{a0}'), ("Atilde", 'Ã'), ("ccedil", 'ç'), ("yuml", 'ÿ'), ("times", '×')]
        {
            assert_eq!(named_entity(name), Some(character), "{name}");
        }
        assert_eq!(named_entity("amp"), Some('&'));
        assert_eq!(named_entity("AMP"), None);
    }
}
