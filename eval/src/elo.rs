//! Elo: how much stronger one player is, and how sure that is.
//!
//! What is independent in a match is the pair of games of one opening, not the game, so the
//! variance is that of pairs (the pentanomial model of engine testing). A difference of `d` means
//! an expected score of `1 / (1 + 10^(-d / 400))`.

mod ladder;

use serde::{Deserialize, Serialize};

use crate::arena::PairCounts;
pub use ladder::{Ladder, Pairing, Rating};

/// Half the width of a 95 % interval of the normal distribution, in standard deviations.
const Z95: f64 = 1.959_964;

/// The strength of one player against another, from a match.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Elo {
    /// Pairs of games.
    pub pairs: u32,
    /// The share of the points, 0 to 1.
    pub score: f64,
    /// The difference in Elo points, positive if the player is stronger. Where every point was
    /// won or lost there is no finite estimate, and this is the one with half a drawn pair added.
    pub elo: f64,
    /// The lower end of the 95 % interval; nothing where it is unbounded.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; nothing where it is unbounded.
    pub high: Option<f64>,
    /// The likelihood of superiority: how probable it is that the player is stronger, 0 to 1.
    pub los: f64,
}

impl Elo {
    /// Estimates from the pairs of a match; nothing without pairs.
    ///
    /// The interval is the score's plus and minus 1.96 standard errors, as Elo. The variance
    /// includes half a pair of prior, a quarter each at 0 % and 100 %, or a few equal pairs would
    /// look certain. Where every point was won (or lost) the normal distribution says nothing;
    /// then the bound is exact and one-sided in effect: if a pair is won in full with probability
    /// `q`, all `n` are with `q^n`, so `q` is at least `0.025^(1/n)`, and the score is no less.
    ///
    /// ```
    /// use damma_eval::{Elo, PairCounts};
    /// let elo = Elo::estimate(&PairCounts([0, 0, 50, 0, 50])).expect("there are pairs");
    /// assert!((elo.elo - 190.8).abs() < 0.1);
    /// ```
    #[must_use]
    pub fn estimate(counts: &PairCounts) -> Option<Self> {
        let spread = Spread::of(counts)?;
        let (pairs, score, error) = (spread.pairs, spread.score, spread.error());
        let los = normal_below((score - 0.5) / error);
        let mut elo = Self { pairs: counts.total(), score, elo: 0.0, low: None, high: None, los };
        let perfect = 0.025_f64.powf(1.0 / pairs);
        let drawn = |score: f64| (score * pairs + 0.25) / (pairs + 0.5);
        if counts.0[..4] == [0; 4] {
            (elo.elo, elo.low) = (elo_of(drawn(1.0)), finite_elo(perfect));
        } else if counts.0[1..] == [0; 4] {
            (elo.elo, elo.high) = (elo_of(drawn(0.0)), finite_elo(1.0 - perfect));
        } else {
            elo.elo = elo_of(score);
            elo.low = finite_elo(score - Z95 * error);
            elo.high = finite_elo(score + Z95 * error);
        }
        Some(elo)
    }
}

/// Gives the Elo difference that a score between 0 and 1 means.
#[must_use]
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Gives the score between 0 and 1 that an Elo difference means.
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

fn finite_elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| elo_of(score))
}

/// How the scores of pairs are spread.
#[derive(Clone, Copy)]
struct Spread {
    pairs: f64,
    score: f64,
    /// The variance of a pair's score, 0 to 0.25, the prior of half a pair included.
    variance: f64,
}

impl Spread {
    fn of(counts: &PairCounts) -> Option<Self> {
        let pairs = f64::from(counts.total());
        let weighted = |value: &dyn Fn(f64) -> f64| -> f64 {
            counts.0.iter().enumerate().map(|(points, count)| f64::from(*count) * value(points as f64 / 4.0)).sum()
        };
        let score = weighted(&|score| score) / pairs;
        let squares = weighted(&|other| (other - score).powi(2)) + 0.25 * (score.powi(2) + (1.0 - score).powi(2));
        (pairs > 0.0).then_some(Self { pairs, score, variance: squares / (pairs + 0.5) })
    }

    /// Gives the standard error of the score.
    fn error(&self) -> f64 {
        (self.variance / self.pairs).sqrt()
    }
}

/// Gives the standard normal distribution function.
///
/// Abramowitz and Stegun, formula 7.1.26: off by at most 1.5e-7.
fn normal_below(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let terms = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = terms.iter().fold(0.0, |sum, term| (sum + term) * t) * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(counts: [u32; 5]) -> Elo {
        Elo::estimate(&PairCounts(counts)).unwrap()
    }

    fn assert_near(found: f64, expected: f64, by: f64) {
        assert!((found - expected).abs() < by, "{found} is not {expected}");
    }

    #[test]
    fn known_scores_give_the_known_differences() {
        for (score, elo) in [(0.5, 0.0), (0.64, 99.95), (0.75, 190.85), (0.9, 381.70), (0.25, -190.85)] {
            assert_near(elo_of(score), elo, 0.01);
            assert_near(score_of(elo), score, 0.0001);
        }
    }

    #[test]
    fn the_interval_is_that_of_the_pairs() {
        // 100 pairs of 1.5 points on average: half 1, half 2. By hand, without the prior: variance
        // of a pair 0.0625, standard error 0.025, so 70.1 % to 79.9 %.
        let elo = estimate([0, 0, 50, 0, 50]);
        assert_near(elo.score, 0.75, 1e-9);
        assert_near(elo.elo, 190.85, 0.01);
        assert_near(elo.low.unwrap(), 148.0, 1.0);
        assert_near(elo.high.unwrap(), 239.8, 1.5);
        assert!(elo.los > 0.999);
    }

    #[test]
    fn pairs_that_are_all_shared_say_more_than_games_won_by_turns() {
        // Both 50 %, but decided openings (always one win each) are no noise between players.
        let shared = estimate([0, 0, 100, 0, 0]);
        let wild = estimate([50, 0, 0, 0, 50]);
        assert_near(shared.elo, 0.0, 1e-9);
        assert!(shared.high.unwrap() > 0.0 && shared.high.unwrap() < 10.0);
        assert_near(wild.high.unwrap(), 69.0, 2.0);
        assert_near(wild.los, 0.5, 1e-6);
    }

    #[test]
    fn a_clean_sweep_has_a_finite_estimate_and_no_upper_bound() {
        let (won, lost) = (estimate([0, 0, 0, 0, 10]), estimate([10, 0, 0, 0, 0]));
        // 10.25 of 10.5 pairs; and 0.025^(1/10) = 0.6915.
        assert_near(won.elo, 645.2, 0.1);
        assert_near(won.low.unwrap(), 140.2, 0.2);
        assert_eq!((won.high, lost.low), (None, None));
        assert_near(lost.high.unwrap(), -won.low.unwrap(), 1e-9);
        assert!(estimate([0, 0, 0, 0, 100]).low > won.low);
    }

    #[test]
    fn no_games_give_no_estimate() {
        assert_eq!(Elo::estimate(&PairCounts::default()), None);
    }

    #[test]
    fn the_normal_distribution_is_right_where_tables_say() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (1.96, 0.975_002_1), (-2.5, 0.006_209_7)] {
            assert_near(normal_below(x), expected, 2e-7);
        }
    }
}
