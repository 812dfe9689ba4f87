//! The sequential test: play until it is clear which of two hypotheses holds.
//!
//! The generalised sequential probability ratio test on pairs (Van den Bergh, as in
//! fishtest: <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> and
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>): the distribution
//! of a pair's result is unknown, so each hypothesis takes the one that fits the results best
//! among those with its strength, and the logarithm of the ratio of both likelihoods is the
//! statistic.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{POINTS, score_of};
use crate::arena::PairCounts;
use crate::error::EvalError;

/// The weight of a kind of pair that has not come up, in pairs; fishtest's.
const UNSEEN: f64 = 1e-3;

/// The scores of pairs.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What the hypotheses count in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Elo points of the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: the expected score over half, in standard deviations of a game, times
    /// `800 / ln 10`. The games that a test takes do not depend on how many are drawn.
    Normalized,
}

/// A test of `elo0` against `elo1`.
///
/// ```
/// use damma_eval::{SprtDecision, PairCounts, Sprt};
/// let sprt: Sprt = "0,10".parse()?;
/// assert_eq!(sprt.state(&PairCounts([1, 40, 300, 90, 9])).decision, SprtDecision::AcceptH1);
/// # Ok::<(), damma_eval::EvalError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// What the results so far mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtDecision {
    /// More games are needed.
    Continue,
    /// The difference is taken to be `elo0` or less.
    AcceptH0,
    /// The difference is taken to be `elo1` or more.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio of `elo1` over `elo0`.
    pub llr: f64,
    /// At or below this `elo0` is accepted.
    pub lower: f64,
    /// At or above this `elo1` is accepted.
    pub upper: f64,
    /// What to do.
    pub decision: SprtDecision,
}

impl Sprt {
    /// Makes a test in logistic Elo. `alpha` is the probability of accepting `elo1` though `elo0`
    /// is true, `beta` the other way round.
    ///
    /// # Errors
    /// [`EvalError::BadSprt`]: `elo0` is not below `elo1`, one is outside -1000 to 1000, or a
    /// probability is outside 0 to 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, EvalError> {
        Self::with_model(elo0, elo1, alpha, beta, EloModel::Logistic)
    }

    /// Makes a test in the Elo of a model; normalised Elo goes from -200 to 200.
    ///
    /// # Errors
    /// As [`Sprt::new`].
    pub fn with_model(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, EvalError> {
        let most = match model {
            EloModel::Logistic => 1000.0,
            EloModel::Normalized => 200.0,
        };
        let bad = |reason: String| Err(EvalError::BadSprt { reason });
        for elo in [elo0, elo1] {
            if !(-most..=most).contains(&elo) {
                return bad(format!("{elo} is outside -{most} to {most} Elo"));
            }
        }
        if elo0 >= elo1 {
            return bad(format!("ELO0 {elo0} must be below ELO1 {elo1}"));
        }
        for (name, rate) in [("ALPHA", alpha), ("BETA", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return bad(format!("{name} {rate} must be between 0 and 0.5"));
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Says where the test stands after some pairs.
    #[must_use]
    pub fn state(&self, counts: &PairCounts) -> SprtState {
        let (lower, upper) = ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln());
        let llr = if counts.total() == 0 { 0.0 } else { self.llr(counts) };
        let decision = match llr {
            _ if llr <= lower => SprtDecision::AcceptH0,
            _ if llr >= upper => SprtDecision::AcceptH1,
            _ => SprtDecision::Continue,
        };
        SprtState { llr, lower, upper, decision }
    }

    fn llr(&self, counts: &PairCounts) -> f64 {
        let weights = counts.0.map(|count| if count == 0 { UNSEEN } else { f64::from(count) });
        let total: f64 = weights.iter().sum();
        let seen = weights.map(|weight| weight / total);
        let best = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&seen, score_of(elo)),
            EloModel::Normalized => with_deviations(&seen, elo / (2.0 * POINTS) * std::f64::consts::SQRT_2),
        };
        let (null, other) = (best(self.elo0), best(self.elo1));
        weights.iter().zip(null.iter().zip(&other)).map(|(weight, (p0, p1))| weight * (p1 / p0).ln()).sum()
    }
}

/// Gives the likeliest distribution with a mean score.
fn with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(seen, &SCORES.map(|score| score - mean))
}

/// Gives the likeliest distribution whose mean is `t` standard deviations of a pair over half.
///
/// The condition is not linear; it is replaced by its tangent at the last estimate until that
/// stays where it is (section 4.1 of the second source above).
fn with_deviations(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..200 {
        let mean: f64 = found.iter().zip(SCORES).map(|(p, score)| p * score).sum();
        let variance: f64 = found.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = |score: f64| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let next = tilt(seen, &SCORES.map(tangent));
        let moved = found.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        found = next;
        if moved < 1e-13 {
            break;
        }
    }
    found
}

/// Gives the likeliest distribution under which `values` have mean 0: `p / (1 + x * value)`, with
/// `x` the only root between the poles (proposition 1.1 of the first source above).
fn tilt(seen: &[f64; 5], values: &[f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = f64::midpoint(low, high);
        let slope: f64 = seen.iter().zip(values).map(|(p, value)| p * value / (1.0 + x * value)).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|kind| seen[kind] / (1.0 + x * values[kind]))
}

impl FromStr for Sprt {
    type Err = EvalError;

    /// Reads `ELO0,ELO1` or `ELO0,ELO1,ALPHA,BETA`, with `normalized:` before it for that model.
    fn from_str(text: &str) -> Result<Self, EvalError> {
        let (model, numbers) = text
            .strip_prefix("normalized:")
            .map_or((EloModel::Logistic, text), |numbers| (EloModel::Normalized, numbers));
        let shape = "write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,10 or 0,10,0.05,0.05";
        let number = |text: &str| {
            let bad = || EvalError::BadSprt { reason: format!("`{text}` is no number; {shape}") };
            text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(bad)
        };
        let numbers: Vec<f64> = numbers.split(',').map(number).collect::<Result<_, _>>()?;
        match numbers[..] {
            [elo0, elo1] => Self::with_model(elo0, elo1, 0.05, 0.05, model),
            [elo0, elo1, alpha, beta] => Self::with_model(elo0, elo1, alpha, beta, model),
            _ => Err(EvalError::BadSprt { reason: format!("`{text}` has {} numbers; {shape}", numbers.len()) }),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = if self.model == EloModel::Normalized { "normalized:" } else { "" };
        write!(f, "{model}{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decision = match self.decision {
            SprtDecision::Continue => "undecided",
            SprtDecision::AcceptH0 => "H0 accepted",
            SprtDecision::AcceptH1 => "H1 accepted",
        };
        write!(f, "LLR {:.2} ({:.2}, {:.2}): {decision}", self.llr, self.lower, self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reads_back_from_its_text() {
        for (text, shown) in [
            ("0,10", "0,10,0.05,0.05"),
            ("-1.5, 2.5, 0.01, 0.1", "-1.5,2.5,0.01,0.1"),
            ("normalized:0,5", "normalized:0,5,0.05,0.05"),
        ] {
            let sprt: Sprt = text.parse().unwrap();
            assert_eq!(sprt.to_string(), shown);
            assert_eq!(shown.parse::<Sprt>().unwrap(), sprt);
        }
    }

    #[test]
    fn a_text_that_is_no_test_is_an_error_that_says_what_is_wrong() {
        for (text, part) in [
            ("", "`` is no number; write ELO0,ELO1"),
            ("0", "has 1 numbers"),
            ("0,ten", "`ten` is no number"),
            ("0,inf", "`inf` is no number"),
            ("0,1,0.05", "has 3 numbers"),
            ("5,5", "ELO0 5 must be below ELO1 5"),
            ("0,2000", "2000 is outside -1000 to 1000"),
            ("normalized:0,300", "300 is outside -200 to 200"),
            ("0,5,0,0.05", "ALPHA 0 must be between"),
            ("0,5,0.05,0.5", "BETA 0.5 must be between"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn the_state_names_its_bounds_and_decision() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        assert_eq!(sprt.state(&PairCounts::default()).to_string(), "LLR 0.00 (-2.94, 2.94): undecided");
        assert_eq!(sprt.state(&PairCounts([0, 0, 20, 60, 40])).decision, SprtDecision::AcceptH1);
        assert_eq!(sprt.state(&PairCounts([40, 60, 20, 0, 0])).decision, SprtDecision::AcceptH0);
    }

    #[test]
    fn estimates_under_a_hypothesis_meet_it_even_far_from_the_results() {
        let seen = [0.001, 0.001, 0.001, 0.001, 0.996];
        for t in [-0.8, -0.1, 0.0, 0.3, 0.8] {
            let found = with_deviations(&seen, t);
            let mean: f64 = found.iter().zip(SCORES).map(|(p, score)| p * score).sum();
            let variance: f64 = found.iter().zip(SCORES).map(|(p, score)| p * (score - mean).powi(2)).sum();
            assert!((mean - 0.5 - t * variance.sqrt()).abs() < 1e-9 && found.iter().all(|p| *p > 0.0), "{t} {found:?}");
        }
    }
}
