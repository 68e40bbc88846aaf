//! Words that tell nothing of what is wanted.

/// Articles, prepositions and the like of Portuguese, Spanish and English,
/// folded. `sem`, `sin` and `without` are not among them, for they do tell, nor
/// are those that name things in shops: `pro`, `se`, `mi`, `uno`.
const STOP_WORDS: [&str; 82] = [
    "a", "al", "an", "and", "ao", "aos", "are", "as", "at", "by", "com", "con", "da", "das", "de",
    "del", "do", "dos", "e", "el", "em", "en", "es", "esta", "este", "for", "from", "in", "is",
    "its", "la", "las", "los", "mais", "mas", "me", "meu", "minha", "my", "na", "nas", "no", "nos",
    "num", "numa", "o", "of", "on", "or", "os", "ou", "para", "pela", "pelas", "pelo", "pelos",
    "por", "pra", "que", "seu", "seus", "some", "su", "sua", "suas", "sus", "that", "the", "their",
    "this", "to", "um", "uma", "umas", "un", "una", "unas", "unos", "uns", "with", "y", "your",
];

/// Whether the folded `word` tells nothing.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(STOP_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(is_stop_word("para") && is_stop_word("the") && is_stop_word("los"));
        assert!(
            !is_stop_word("sem")
                && !is_stop_word("pro")
                && !is_stop_word("m")
                && !is_stop_word("42")
        );
    }
}
