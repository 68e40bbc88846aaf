//! How far a mistyped word is from one of the catalog.
//!
//! A letter too many, one missing, one wrong and two neighbours swapped each
//! count one (optimal string alignment: no letter is touched twice).

/// Letters from which one slip is forgiven.
const ONE_SLIP: usize = 4;
/// Letters from which two are.
const TWO_SLIPS: usize = 8;

/// A word as typed, with room to measure others against it.
pub(crate) struct Typo {
    typed: Vec<char>,
    word: Vec<char>,
    /// The last three rows of the distance table.
    rows: [Vec<usize>; 3],
}

impl Typo {
    pub(crate) fn new(typed: &str) -> Self {
        Self { typed: typed.chars().collect(), word: Vec::new(), rows: Default::default() }
    }

    /// How many slips are forgiven: none in short words and in numbers.
    pub(crate) fn tolerance(&self) -> usize {
        match self.typed.len() {
            _ if self.typed.iter().any(|c| c.is_numeric()) => 0,
            TWO_SLIPS.. => 2,
            ONE_SLIP.. => 1,
            _ => 0,
        }
    }

    /// Whether `word` is at most `limit` slips away.
    pub(crate) fn is_within(&mut self, word: &str, limit: usize) -> bool {
        self.word.clear();
        self.word.extend(word.chars());
        if self.word.len().abs_diff(self.typed.len()) > limit {
            return false;
        }
        let [before, above, row] = &mut self.rows;
        above.clear();
        above.extend(0..=self.word.len());
        for (i, &typed) in self.typed.iter().enumerate() {
            row.clear();
            row.push(i + 1);
            for (j, &letter) in self.word.iter().enumerate() {
                let replaced = above[j] + usize::from(typed != letter);
                let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
                let swapped =
                    i > 0 && j > 0 && typed == self.word[j - 1] && self.typed[i - 1] == letter;
                if swapped {
                    least = least.min(before[j - 1] + 1);
                }
                row.push(least);
            }
            if row.iter().min().is_none_or(|&least| least > limit) {
                return false;
            }
            std::mem::swap(before, above);
            std::mem::swap(above, row);
        }
        above.last().is_some_and(|&distance| distance <= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slips_are_counted() {
        for (typed, word, distance) in [
            ("tenis", "tenis", 0),
            ("tenos", "tenis", 1),
            ("tnis", "tenis", 1),
            ("tenniss", "tenis", 2),
            ("etnis", "tenis", 1),
            ("camsieta", "camiseta", 1),
            ("camsietta", "camiseta", 2),
            ("ca", "abc", 3),
            ("", "ab", 2),
        ] {
            let mut typo = Typo::new(typed);
            assert!(typo.is_within(word, distance), "{typed} {word}");
            assert!(distance == 0 || !typo.is_within(word, distance - 1), "{typed} {word}");
        }
    }

    #[test]
    fn tolerance_grows_with_length_and_spares_numbers() {
        for (typed, slips) in
            [("cha", 0), ("vela", 1), ("camiset", 1), ("camiseta", 2), ("256gb", 0), ("çãéí", 1)]
        {
            assert_eq!(Typo::new(typed).tolerance(), slips, "{typed}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        #[test]
        fn distance_is_symmetric_and_early_exit_changes_nothing(
            one in "[abc]{0,7}", other in "[abc]{0,7}", limit in 0..8_usize,
        ) {
            let within = Typo::new(&one).is_within(&other, limit);
            prop_assert_eq!(within, Typo::new(&other).is_within(&one, limit));
            let distance = (0..8).find(|&d| Typo::new(&one).is_within(&other, d));
            prop_assert_eq!(within, distance.is_some_and(|distance| distance <= limit));
        }
    }
}
