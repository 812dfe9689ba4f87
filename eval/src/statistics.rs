//! Statistics: what results say about strength, and how sure that is.
//!
//! What is independent in a match is the pair of games of one opening, not the game, so every
//! variance here is that of pairs (the pentanomial model of engine testing). A difference of `d`
//! Elo means an expected score of `1 / (1 + 10^(-d / 400))`. Formulas, sources and measured
//! coverage are in `docs/statistics.md`. Nothing here knows a rule, a player or a file.

mod davidson;
mod distinct;
mod elo;
mod fit;
mod graph;
mod ladder;
mod list;
mod matrix;
mod results;
mod sprt;
mod table;

pub use distinct::{MatchStatistics, Mirror};
pub use elo::Elo;
pub use ladder::{Ladder, Pairing, Rating};
pub use list::{Difference, RatedPlayer, RatingList};
pub use results::Results;
pub use sprt::{EloModel, Sprt, SprtDecision, SprtState};
pub use table::PairTable;

/// Half the width of a 95 % interval of the normal distribution, in standard deviations.
const Z95: f64 = 1.959_963_985;

/// Elo points of one natural logarithm of the odds.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

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

/// Gives the standard normal distribution function.
fn normal_below(x: f64) -> f64 {
    statrs::function::erf::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scores_give_the_known_differences() {
        for (score, elo) in [(0.5, 0.0), (0.64, 99.95), (0.75, 190.85), (0.9, 381.70), (0.25, -190.85)] {
            assert!((elo_of(score) - elo).abs() < 0.01);
            assert!((score_of(elo) - score).abs() < 0.0001);
        }
    }

    #[test]
    fn the_normal_distribution_is_right_where_tables_say() {
        for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (1.96, 0.975_002_1), (-2.5, 0.006_209_7)] {
            assert!((normal_below(x) - expected).abs() < 2e-7);
        }
        assert!((normal_below(Z95) - 0.975).abs() < 1e-9);
    }
}
