//! The Elo difference of a match, with an interval that holds for few and lopsided pairs too.
//!
//! The score of a pair is bounded, so the normal interval is too short for few pairs and wrong
//! near 0 % and 100 %. Here the mean score has a beta distribution with the mean and the variance
//! that a Dirichlet posterior over the kinds of pairs gives it. If pairs are only won or lost
//! whole, that is Jeffreys' interval (Brown, Cai and `DasGupta` 2001).

use serde::{Deserialize, Serialize};
use statrs::function::beta::beta_reg;

use super::elo_of;
use crate::arena::PairCounts;

/// Pairs of prior at 0 % and at 100 % each.
const PRIOR: f64 = 0.5;

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
    /// The interval holds 95 % of the posterior of the mean score, as Elo, 2.5 % on either side;
    /// with every point won (or lost) it has no upper (or lower) end. Its coverage is measured in
    /// `tests/statistics.rs`.
    ///
    /// ```
    /// use damma_eval::{Elo, PairCounts};
    /// let elo = Elo::estimate(&PairCounts([0, 0, 50, 0, 50])).expect("there are pairs");
    /// assert!((elo.elo - 190.8).abs() < 0.1);
    /// ```
    #[must_use]
    pub fn estimate(counts: &PairCounts) -> Option<Self> {
        let pairs = counts.total();
        if pairs == 0 {
            return None;
        }
        let total = f64::from(pairs);
        let points: f64 = counts.0.iter().zip(0_u32..).map(|(&n, quarters)| f64::from(n * quarters) / 4.0).sum();
        let score = points / total;
        let (won, lost) = (counts.0[..4] == [0; 4], counts.0[1..] == [0; 4]);
        let central = if won || lost { (points + 0.25) / (total + 0.5) } else { score };
        let posterior = Posterior::of(counts);
        Some(Self {
            pairs,
            score,
            elo: elo_of(central),
            low: (!lost).then(|| elo_of(posterior.quantile(0.025))),
            high: (!won).then(|| elo_of(posterior.quantile(0.975))),
            los: 1.0 - posterior.below(0.5),
        })
    }
}

/// The beta distribution of the mean score of a pair.
struct Posterior {
    a: f64,
    b: f64,
}

impl Posterior {
    fn of(counts: &PairCounts) -> Self {
        let mut weights = counts.0.map(f64::from);
        weights[0] += PRIOR;
        weights[4] += PRIOR;
        let total: f64 = weights.iter().sum();
        let scored = |value: &dyn Fn(f64) -> f64| -> f64 {
            weights.iter().zip(0_u32..).map(|(weight, quarters)| weight * value(f64::from(quarters) / 4.0)).sum()
        };
        let mean = scored(&|score| score) / total;
        // The variance of the mean of a Dirichlet distribution.
        let variance = scored(&|score| (score - mean).powi(2)) / total / (total + 1.0);
        let size = mean * (1.0 - mean) / variance - 1.0;
        Self { a: mean * size, b: (1.0 - mean) * size }
    }

    fn below(&self, score: f64) -> f64 {
        beta_reg(self.a, self.b, score)
    }

    fn quantile(&self, probability: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        // Halved to the last bit but a few; Elo needs relative precision at both ends.
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.below(middle) < probability { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }
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
    fn pairs_won_or_lost_whole_have_the_interval_of_jeffreys() {
        // The distribution function of beta(won + 1/2, lost + 1/2), integrated by hand with x = sin^2 t.
        let below = |score: f64, won: f64, lost: f64| {
            let slice = |from: f64, to: f64| -> f64 {
                let at = |t: f64| t.sin().powf(2.0 * won) * t.cos().powf(2.0 * lost);
                let width = (to - from) / 20_000.0;
                (0..20_000).map(|step| at(from + (f64::from(step) + 0.5) * width) * width).sum()
            };
            slice(0.0, score.sqrt().asin()) / slice(0.0, std::f64::consts::FRAC_PI_2)
        };
        for (won, lost) in [(10, 20), (3, 27), (29, 1)] {
            let elo = estimate([lost, 0, 0, 0, won]);
            let tail = |bound: Option<f64>| below(crate::score_of(bound.unwrap()), f64::from(won), f64::from(lost));
            assert_near(tail(elo.low), 0.025, 1e-6);
            assert_near(tail(elo.high), 0.975, 1e-6);
        }
    }

    #[test]
    fn many_pairs_have_the_interval_of_the_normal_distribution() {
        // 10,000 pairs, half 1 and half 2 points: variance of a pair 0.0625, standard error 0.0025.
        let elo = estimate([0, 0, 5000, 0, 5000]);
        assert_near(elo.score, 0.75, 1e-9);
        assert_near(elo.elo, 190.85, 0.01);
        assert_near(elo.low.unwrap(), elo_of(0.75 - 1.96 * 0.0025), 0.2);
        assert_near(elo.high.unwrap(), elo_of(0.75 + 1.96 * 0.0025), 0.2);
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
        // 10.25 of 10.5 pairs; and the quantile 0.025 of beta(10.5, 0.5).
        assert_near(won.elo, 645.2, 0.1);
        assert_near(crate::score_of(won.low.unwrap()), 0.7828, 1e-3);
        assert_eq!((won.high, lost.low), (None, None));
        assert_near(lost.high.unwrap(), -won.low.unwrap(), 1e-6);
        assert!(estimate([0, 0, 0, 0, 100]).low > won.low);
    }

    #[test]
    fn the_view_of_the_other_player_is_the_mirror_image() {
        let counts = PairCounts([3, 1, 7, 4, 11]);
        let (here, there) = (Elo::estimate(&counts).unwrap(), Elo::estimate(&counts.reversed()).unwrap());
        assert_near(here.elo, -there.elo, 1e-9);
        assert_near(here.low.unwrap(), -there.high.unwrap(), 1e-6);
        assert_near(here.los, 1.0 - there.los, 1e-9);
    }

    #[test]
    fn no_games_give_no_estimate() {
        assert_eq!(Elo::estimate(&PairCounts::default()), None);
    }
}
