//! Ladders: ratings of many players from matches between them, relative to known ones.
//!
//! Maximum likelihood of the logistic model (Bradley and Terry 1952), by Newton's method. Each
//! pairing gets half a drawn pair of prior, so that nobody who won everything is infinitely good.
//! Errors come from the spread of pairs (the "sandwich" of White 1982), not from games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Spread, Z95, score_of};
use crate::arena::PairCounts;
use crate::error::EvalError;

/// Elo points of one natural logarithm of the odds.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The pairs that two players played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pairing {
    /// The first player's name.
    pub a: String,
    /// The second player's name.
    pub b: String,
    /// Pairs of games as the first player sees them.
    pub pairs: PairCounts,
}

/// Where a player stands on a ladder.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Elo points.
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for a rating that was given.
    pub plus_minus: f64,
}

/// Ratings by name. Differences mean something; the zero is wherever the known ratings put it.
///
/// ```
/// use damma_eval::{Ladder, PairCounts, Pairing};
/// let pairing = Pairing { a: "ab-4".into(), b: "ab-2".into(), pairs: PairCounts([0, 0, 500, 0, 500]) };
/// let ladder = Ladder::fit(&Ladder::anchored("ab-2", 0.0), &[pairing])?;
/// assert!((ladder.ratings["ab-4"].elo - 190.8).abs() < 1.0);
/// # Ok::<(), damma_eval::EvalError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Ladder {
    /// The ratings.
    pub ratings: BTreeMap<String, Rating>,
}

impl Ladder {
    /// Makes a ladder of one player, whose rating is the anchor of all others.
    #[must_use]
    pub fn anchored(name: &str, elo: f64) -> Self {
        Self { ratings: BTreeMap::from([(name.to_owned(), Rating { elo, plus_minus: 0.0 })]) }
    }

    /// Rates everybody in `pairings` whom `known` does not rate; known ratings stay as they are.
    ///
    /// With a ladder of levels as `known`, this rates a checkpoint from its matches against
    /// several of them. With one anchor, it makes that ladder from matches between levels. The
    /// errors are those of the matches given; errors of known ratings are not added.
    ///
    /// # Errors
    /// [`EvalError::Unconnected`]: somebody never met, even by way of others, a known player.
    pub fn fit(known: &Self, pairings: &[Pairing]) -> Result<Self, EvalError> {
        let mut free: Vec<&str> = pairings
            .iter()
            .flat_map(|pairing| [pairing.a.as_str(), pairing.b.as_str()])
            .filter(|name| !known.ratings.contains_key(*name))
            .collect();
        free.sort_unstable();
        free.dedup();
        let links: Vec<Link> = pairings.iter().filter_map(|pairing| Link::new(pairing, &free, known)).collect();
        if let Some(lost) = unconnected(&links, free.len()) {
            let anchor = known.ratings.keys().next().cloned().unwrap_or_default();
            return Err(EvalError::Unconnected { name: free[lost].to_owned(), anchor });
        }
        let mut logits = vec![0.0; free.len()];
        for _ in 0..200 {
            let (gradient, information, _) = slopes(&links, &logits);
            let step = invert(information).apply(&gradient);
            for (logit, by) in logits.iter_mut().zip(&step) {
                *logit += by.clamp(-1.0, 1.0);
            }
            if step.iter().all(|by| by.abs() < 1e-10) {
                break;
            }
        }
        let (_, information, noise) = slopes(&links, &logits);
        let inverse = invert(information);
        let mut ladder = known.clone();
        for (index, name) in free.iter().enumerate() {
            let row = &inverse.0[index];
            let variance: f64 = row.iter().zip(noise.apply(row)).map(|(a, b)| a * b).sum();
            let rating = Rating { elo: POINTS * logits[index], plus_minus: Z95 * POINTS * variance.sqrt() };
            ladder.ratings.insert((*name).to_owned(), rating);
        }
        Ok(ladder)
    }
}

/// A player in the fit: the place among the unknown ones, or a known rating in logits.
#[derive(Clone, Copy)]
enum Who {
    Free(usize),
    Known(f64),
}

impl Who {
    fn logit(self, logits: &[f64]) -> f64 {
        match self {
            Self::Free(index) => logits[index],
            Self::Known(logit) => logit,
        }
    }

    const fn place(self) -> Option<usize> {
        match self {
            Self::Free(index) => Some(index),
            Self::Known(_) => None,
        }
    }
}

/// A pairing with at least one unknown player and one pair.
struct Link {
    a: Who,
    b: Who,
    /// The points and pairs with the prior, in pairs.
    points: f64,
    pairs: f64,
    /// The variance of `points`.
    noise: f64,
}

impl Link {
    fn new(pairing: &Pairing, free: &[&str], known: &Ladder) -> Option<Self> {
        let who = |name: &str| match known.ratings.get(name) {
            Some(rating) => Who::Known(rating.elo / POINTS),
            None => Who::Free(free.binary_search(&name).expect("every unknown player was listed")),
        };
        let spread = Spread::of(&pairing.pairs)?;
        let (a, b) = (who(&pairing.a), who(&pairing.b));
        (a.place() != b.place()).then_some(Self {
            a,
            b,
            points: spread.score * spread.pairs + 0.25,
            pairs: spread.pairs + 0.5,
            noise: spread.variance * spread.pairs,
        })
    }

    /// Lists the unknown players with the sign of their rating in the difference.
    fn ends(&self) -> impl Iterator<Item = (usize, f64)> {
        self.a.place().map(|place| (place, 1.0)).into_iter().chain(self.b.place().map(|place| (place, -1.0)))
    }
}

/// Finds an unknown player who is connected with no known one.
fn unconnected(links: &[Link], count: usize) -> Option<usize> {
    let mut reached = vec![false; count];
    let is_reached = |who: Who, reached: &[bool]| who.place().is_none_or(|place| reached[place]);
    for _ in 0..count {
        for link in links {
            if is_reached(link.a, &reached) || is_reached(link.b, &reached) {
                link.ends().for_each(|(place, _)| reached[place] = true);
            }
        }
    }
    reached.iter().position(|reached| !reached)
}

/// Gives the slope of the log-likelihood, its negative curvature, and the variance of the slope.
fn slopes(links: &[Link], logits: &[f64]) -> (Vec<f64>, Matrix, Matrix) {
    let size = logits.len();
    let (mut slope, mut information, mut noise) = (vec![0.0; size], Matrix::zero(size), Matrix::zero(size));
    for link in links {
        let expected = score_of(POINTS * (link.a.logit(logits) - link.b.logit(logits)));
        for (row, sign) in link.ends() {
            slope[row] += sign * (link.points - link.pairs * expected);
            for (column, other) in link.ends() {
                information.0[row][column] += sign * other * link.pairs * expected * (1.0 - expected);
                noise.0[row][column] += sign * other * link.noise;
            }
        }
    }
    (slope, information, noise)
}

/// A square matrix by rows; ladders have a dozen players.
struct Matrix(Vec<Vec<f64>>);

impl Matrix {
    fn zero(size: usize) -> Self {
        Self(vec![vec![0.0; size]; size])
    }

    fn apply(&self, vector: &[f64]) -> Vec<f64> {
        self.0.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
    }
}

/// Inverts a positive definite matrix (Gauss and Jordan; such a one needs no pivoting).
fn invert(Matrix(mut left): Matrix) -> Matrix {
    let size = left.len();
    let mut right = Matrix::zero(size).0;
    for (index, row) in right.iter_mut().enumerate() {
        row[index] = 1.0;
    }
    for pivot in 0..size {
        let scale = 1.0 / left[pivot][pivot];
        for side in [&mut left, &mut right] {
            side[pivot].iter_mut().for_each(|value| *value *= scale);
        }
        for row in (0..size).filter(|row| *row != pivot) {
            let factor = left[row][pivot];
            for side in [&mut left, &mut right] {
                let source = side[pivot].clone();
                side[row].iter_mut().zip(source).for_each(|(value, by)| *value -= factor * by);
            }
        }
    }
    Matrix(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(a: &str, b: &str, pairs: [u32; 5]) -> Pairing {
        Pairing { a: a.to_owned(), b: b.to_owned(), pairs: PairCounts(pairs) }
    }

    #[test]
    fn a_chain_of_matches_adds_up_and_so_do_its_errors() {
        let win = [0, 0, 1000, 0, 1000];
        let pairings = [pairing("ab-2", "ab-1", win), pairing("ab-3", "ab-2", win)];

        let ladder = Ladder::fit(&Ladder::anchored("ab-1", 1000.0), &pairings).unwrap();

        let (second, third) = (ladder.ratings["ab-2"], ladder.ratings["ab-3"]);
        assert!((second.elo - 1190.8).abs() < 0.5 && (third.elo - 1381.7).abs() < 1.0, "{ladder:?}");
        assert!((third.plus_minus / second.plus_minus - 2.0_f64.sqrt()).abs() < 1e-6);
        // By hand: standard error of the score 0.25 / sqrt(2000), slope 400 / ln 10 / (0.75 * 0.25).
        assert!((second.plus_minus - 10.15).abs() < 0.1, "{ladder:?}");
    }

    #[test]
    fn a_player_is_rated_between_the_levels_that_agree_about_it() {
        let mut levels = Ladder::anchored("ab-1", 0.0);
        levels.ratings.insert("ab-3".to_owned(), Rating { elo: 381.7, plus_minus: 0.0 });
        let even = [0, 0, 500, 0, 500];

        let pairings = [pairing("new", "ab-1", even), pairing("ab-3", "new", even)];
        let ladder = Ladder::fit(&levels, &pairings).unwrap();

        assert!((ladder.ratings["new"].elo - 190.85).abs() < 0.1, "{ladder:?}");
        assert_eq!(ladder.ratings["ab-3"], levels.ratings["ab-3"]);
    }

    #[test]
    fn who_wins_everything_has_a_finite_rating() {
        let ladder = Ladder::fit(&Ladder::anchored("a", 0.0), &[pairing("b", "a", [0, 0, 0, 0, 10])]).unwrap();
        assert!((ladder.ratings["b"].elo - 645.2).abs() < 0.1, "{ladder:?}");
    }

    #[test]
    fn a_player_without_a_way_to_the_anchor_has_no_rating() {
        let error = Ladder::fit(&Ladder::anchored("ab-1", 0.0), &[pairing("b", "c", [0, 1, 2, 3, 4])]).unwrap_err();
        assert_eq!(error, EvalError::Unconnected { name: "b".to_owned(), anchor: "ab-1".to_owned() });
    }
}
