//! The figures: nDCG@10, recall@50 and whether anything was found at all.
//!
//! All take the grades of every product, and an answer as places in them.

/// Normalised discounted cumulative gain of the first `depth` answers, 0 to 1.
///
/// A product of grade g gains 2^g - 1, divided by log2(place + 1); the sum is
/// divided by that of the best possible answer. A product that is answered twice
/// gains once. 0 when nothing is relevant.
pub fn ndcg(grades: &[u8], answer: &[usize], depth: usize) -> f64 {
    let mut best = grades.to_vec();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = discounted(best.into_iter().take(depth));
    let seen = |place: usize, product: &usize| answer.iter().take(place).any(|p| p == product);
    let gained = answer.iter().enumerate().take(depth).map(|(place, product)| {
        if seen(place, product) { 0 } else { grades.get(*product).copied().unwrap_or(0) }
    });
    if ideal == 0.0 { 0.0 } else { discounted(gained) / ideal }
}

/// How much of what is relevant (grade 1 and up) is among the first `depth` answers,
/// of as much as fits there; 0 to 1, and 0 when nothing is relevant.
pub fn recall(grades: &[u8], answer: &[usize], depth: usize) -> f64 {
    let relevant = grades.iter().filter(|grade| **grade > 0).count().min(depth);
    let mut found: Vec<usize> = answer.iter().copied().take(depth).collect();
    found.sort_unstable();
    found.dedup();
    let found = found.iter().filter(|p| grades.get(**p).is_some_and(|grade| *grade > 0)).count();
    if relevant == 0 { 0.0 } else { found as f64 / relevant as f64 }
}

fn discounted(grades: impl Iterator<Item = u8>) -> f64 {
    // A fold, as the sum of no floats is -0.0.
    grades.enumerate().fold(0.0, |sum, (place, grade)| {
        sum + f64::from((1_u32 << grade) - 1) / (place as f64 + 2.0).log2()
    })
}

/// Means over several queries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Summary {
    /// How many queries.
    pub queries: usize,
    /// Mean nDCG@10, 0 to 1.
    pub ndcg: f64,
    /// Mean recall@50, 0 to 1.
    pub recall: f64,
    /// The share of queries without any answer, 0 to 1.
    pub zero: f64,
}

impl Summary {
    /// The means over the grades and the answer of each query.
    pub fn of<'a>(answers: impl IntoIterator<Item = (&'a [u8], &'a [usize])>) -> Self {
        let mut sum = Self::default();
        for (grades, answer) in answers {
            sum.queries += 1;
            sum.ndcg += ndcg(grades, answer, 10);
            sum.recall += recall(grades, answer, 50);
            sum.zero += f64::from(u8::from(answer.is_empty()));
        }
        let queries = sum.queries.max(1) as f64;
        Self {
            queries: sum.queries,
            ndcg: sum.ndcg / queries,
            recall: sum.recall / queries,
            zero: sum.zero / queries,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-4, "{a} is not {b}");
    }

    #[test]
    fn ndcg_by_hand() {
        // Grades 3, 2, 0, 1 gain 7, 3, 0, 1. Ideal: 7/1 + 3/1.58496 + 1/2 = 9.39279.
        let grades = [3, 2, 0, 1];
        close(ndcg(&grades, &[0, 1, 3], 10), 1.0);
        // 1/1 + 0/1.58496 + 7/2 + 3/2.32193 = 5.79203.
        close(ndcg(&grades, &[3, 2, 0, 1], 10), 5.79203 / 9.39279);
        // Cut off at 2: ideal 8.89279, gained 3/1 + 1/1.58496 = 3.63093.
        close(ndcg(&grades, &[1, 3, 0], 2), 3.63093 / 8.89279);
        close(ndcg(&grades, &[], 10), 0.0);
        close(ndcg(&[0, 0], &[0], 10), 0.0);
        // The second 0 gains nothing: 7/1 + 0 + 3/2 = 8.5.
        close(ndcg(&grades, &[0, 0, 1], 10), 8.5 / 9.39279);
    }

    #[test]
    fn recall_by_hand() {
        let grades = [3, 2, 0, 1];
        close(recall(&grades, &[0, 2], 50), 1.0 / 3.0);
        close(recall(&grades, &[0, 0, 1], 50), 2.0 / 3.0);
        // Only two fit, and one of the first two is relevant.
        close(recall(&grades, &[2, 3, 0], 2), 0.5);
        close(recall(&[0], &[0], 50), 0.0);
    }

    #[test]
    fn means_by_hand() {
        let (found, nothing): (&[usize], &[usize]) = (&[0], &[]);
        let sum = Summary::of([(&[3_u8, 1][..], found), (&[3, 0][..], nothing)]);
        // Ideal of the first: 7/1 + 1/1.58496 = 7.63093.
        close(sum.ndcg, 7.0 / 7.63093 / 2.0);
        close(sum.recall, 0.25);
        close(sum.zero, 0.5);
        assert_eq!(sum.queries, 2);
        assert_eq!(Summary::of([]), Summary::default());
    }
}
