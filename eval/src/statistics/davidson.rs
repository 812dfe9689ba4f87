//! Davidson's model of one game: Bradley and Terry's with draws.
//!
//! With `x` the difference of strengths in logits and `nu` the weight of draws, a game is won,
//! drawn and lost like `e^(x/2) : nu : e^(-x/2)` (Davidson 1970). Chosen over the
//! model of Rao and Kupper (1967) because it is an exponential family: the likelihood depends on
//! points, draws and White's points alone, and at its maximum everybody's expected points are
//! those scored. Without draws (`nu = 0`) it is the logistic model of half points.

/// What a game is expected to bring, and how that varies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Expected {
    /// The expected score, 0 to 1.
    pub score: f64,
    /// The probability of a draw.
    pub draw: f64,
    /// The variance of the score; also the score's slope in `x`.
    pub variance: f64,
    /// The covariance of score and draw.
    pub covariance: f64,
}

impl Expected {
    /// Computes them for a difference in logits and a weight of draws.
    pub(super) fn new(x: f64, nu: f64) -> Self {
        // Divided by the larger term, so that nothing overflows.
        let (loss, draw) = ((-x.abs()).exp(), nu * (-x.abs() / 2.0).exp());
        let sum = 1.0 + draw + loss;
        let (strong, draw, weak) = (1.0 / sum, draw / sum, loss / sum);
        let lead = (strong - weak) * x.signum();
        Self {
            score: f64::midpoint(1.0, lead),
            draw,
            variance: (strong + weak - lead * lead) / 4.0,
            covariance: -lead * draw / 2.0,
        }
    }

    /// The variance of whether the game is drawn.
    pub(super) fn draw_variance(&self) -> f64 {
        self.draw * (1.0 - self.draw)
    }
}

/// Gives the factor from logits to those of the logistic curve, by the slope between equals.
///
/// Where draws are many, the same logits mean a score nearer to one half. So that Elo keeps its
/// meaning, ratings are scaled by `2 / (2 + nu)`, as `BayesElo` scales those of Rao and Kupper. The
/// curve is then the logistic one exactly for no draws and for half of the games drawn (`nu = 2`).
pub(super) fn scale(nu: f64) -> f64 {
    2.0 / (2.0 + nu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_scores_are_logistic_without_draws_and_with_half_of_the_games_drawn() {
        for nu in [0.0, 2.0] {
            for elo in [-700.0_f64, -90.0, 0.0, 250.0] {
                let found = Expected::new(elo / crate::statistics::POINTS / scale(nu), nu).score;
                assert!((found - crate::score_of(elo)).abs() < 1e-12, "{nu} {elo} {found}");
            }
        }
    }

    #[test]
    fn the_variance_is_the_slope_of_the_score_and_the_covariance_that_in_the_draws() {
        let (x, nu, step) = (0.7_f64, 1.3_f64, 1e-5);
        let at = |x: f64, log: f64| Expected::new(x, (nu.ln() + log).exp());
        let here = at(x, 0.0);
        let slope = |value: &dyn Fn(f64) -> f64| (value(step) - value(-step)) / (2.0 * step);
        assert!((slope(&|by| at(x + by, 0.0).score) - here.variance).abs() < 1e-9);
        assert!((slope(&|by| at(x, by).score) - here.covariance).abs() < 1e-9);
        assert!((slope(&|by| at(x, by).draw) - here.draw_variance()).abs() < 1e-9);
        assert!(Expected::new(5_000.0, 1.0).score > 0.999_999 && Expected::new(-5_000.0, 1.0).score < 1e-6);
    }
}
