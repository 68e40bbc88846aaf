//! Seeded chance: a small generator and the skewed choices that catalogs are made of.
//!
//! It stands here, and not in a crate, because a seed must give the same catalog in
//! every year: figures of two versions are compared over one generated catalog.

/// SplitMix64, by Steele, Lea and Flood (OOPSLA 2014): one addition and a mixer.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The same sequence for the same seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A sequence of its own for item `index` of the kind `salt`, so that an item
    /// can be made without those before it.
    pub fn of(seed: u64, salt: u64, index: u64) -> Self {
        let mut chance = Self(seed ^ salt.rotate_left(32));
        let mixed = chance.bits() ^ index.wrapping_mul(0xD134_2543_DE82_EF95);
        let mut chance = Self(mixed);
        Self(chance.bits())
    }

    /// 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to `end`, without it; 0 when `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let product = u128::from(self.bits()) * end as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// From 0 to 1, without 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in `percent` of a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, each as likely as the others.
    ///
    /// # Panics
    ///
    /// When there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Between the two bounds, so that each power of ten is as likely as another.
    pub fn log_uniform(&mut self, from: f64, to: f64) -> f64 {
        (from.ln() + self.unit() * (to.ln() - from.ln())).exp()
    }
}

/// Ranks by Zipf's law: rank `r` (from 0) has the weight `1 / (r + 1)^exponent`.
///
/// Walker's alias method: one choice costs the same however many ranks there are.
#[derive(Debug, Clone)]
pub struct Zipf {
    slots: Vec<(f64, u32)>,
}

impl Zipf {
    /// The law over `ranks` ranks, of which there must be one at least.
    pub fn new(ranks: u32, exponent: f64) -> Self {
        let weights: Vec<f64> = (1..=ranks).map(|r| f64::from(r).powf(-exponent)).collect();
        let mean = weights.iter().sum::<f64>() / f64::from(ranks);
        let mut slots: Vec<(f64, u32)> =
            weights.iter().zip(0..).map(|(weight, own)| (weight / mean, own)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..slots.len()).partition(|&rank| slots[rank].0 < 1.0);
        while let (Some(&poor), Some(&rich)) = (small.last(), large.last()) {
            small.pop();
            slots[poor].1 = u32::try_from(rich).unwrap_or(0);
            slots[rich].0 -= 1.0 - slots[poor].0;
            if slots[rich].0 < 1.0 {
                large.pop();
                small.push(rich);
            }
        }
        // What is left has a weight of one, but for rounding.
        for rank in small.into_iter().chain(large) {
            slots[rank].0 = 1.0;
        }
        Self { slots }
    }

    /// A rank, from 0.
    pub fn rank(&self, chance: &mut Chance) -> usize {
        let slot = chance.below(self.slots.len());
        let (share, other) = self.slots[slot];
        if chance.unit() < share { slot } else { other as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chance, Zipf};

    #[test]
    fn the_published_sequence_of_splitmix64() {
        let mut chance = Chance::new(1_234_567);
        let drawn = [(); 3].map(|()| chance.bits());
        assert_eq!(drawn, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn zipf_is_as_skewed_as_it_says() {
        let zipf = Zipf::new(60_000, 1.0);
        let mut chance = Chance::new(7);
        let mut counts = vec![0_u32; 60_000];
        for _ in 0..400_000 {
            counts[zipf.rank(&mut chance)] += 1;
        }
        // The harmonic number of 60,000 is 11.58: a word in twelve is the first.
        assert!((33_000..36_000).contains(&counts[0]), "{}", counts[0]);
        let ratio = f64::from(counts[0]) / f64::from(counts[9]);
        assert!((9.0..11.0).contains(&ratio), "{ratio}");
        let seen = counts.iter().filter(|count| **count > 0).count();
        assert!(seen > 20_000, "the tail is drawn from too: {seen}");
    }

    #[test]
    fn choices_stay_in_their_bounds() {
        let mut chance = Chance::of(1, 2, 3);
        for _ in 0..10_000 {
            assert!(chance.below(7) < 7);
            assert!((5.0..=9_000.0).contains(&chance.log_uniform(5.0, 9_000.0)));
        }
        assert_eq!(chance.below(0), 0);
    }
}
