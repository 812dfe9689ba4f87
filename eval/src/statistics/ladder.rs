//! Ladders: ratings of many players from matches between them, relative to known ones.
//!
//! The fit of [`RatingList`](super::RatingList) without a term for draws or colours, of which
//! pentanomials know nothing: the logistic model of half points (Bradley and Terry 1952). Each
//! pairing gets half a drawn pair of prior, so that nobody who won everything is infinitely good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fit::{Cluster, Fit, Game, Terms};
use super::graph::Connected;
use super::{POINTS, Z95};
use crate::arena::PairCounts;
use crate::error::EvalError;

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
        let mut names: Vec<&str> =
            pairings.iter().flat_map(|pairing| [pairing.a.as_str(), pairing.b.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        let given: Vec<Option<f64>> =
            names.iter().map(|name| known.ratings.get(*name).map(|rating| rating.elo / POINTS)).collect();
        let place = |name: &str| names.binary_search(&name).expect("every player was listed");
        let clusters: Vec<Cluster> = pairings
            .iter()
            .filter(|pairing| pairing.a != pairing.b)
            .flat_map(|pairing| clusters(pairing, place(&pairing.a), place(&pairing.b)))
            .collect();
        let mut met = vec![false; names.len()];
        for start in (0..names.len()).filter(|&start| given[start].is_some()) {
            let found = Connected::new(&clusters, names.len(), start).met;
            met.iter_mut().zip(found).for_each(|(met, found)| *met |= found);
        }
        if let Some(lost) = met.iter().position(|met| !met) {
            let anchor = known.ratings.keys().next().cloned().unwrap_or_default();
            return Err(EvalError::Unconnected { name: names[lost].to_owned(), anchor });
        }
        let fit = Fit::new(&clusters, &given, Terms { draws_and_colours: false, prior: 0.5 });
        let mut ladder = known.clone();
        for (place, name) in names.iter().enumerate().filter(|&(place, _)| given[place].is_none()) {
            let error = fit.covariance.0[place][place].sqrt();
            let rating = Rating { elo: POINTS * fit.strengths[place], plus_minus: Z95 * POINTS * error };
            ladder.ratings.insert((*name).to_owned(), rating);
        }
        Ok(ladder)
    }
}

/// Writes the pairs of a pairing as games; which of the two had which colour does not matter.
fn clusters(pairing: &Pairing, a: usize, b: usize) -> impl Iterator<Item = Cluster> {
    let game = move |half_points| Game { white: a, black: b, half_points };
    (0..5_u8)
        .zip(pairing.pairs.0)
        .filter(|(_, count)| *count > 0)
        .map(move |(points, count)| Cluster { games: vec![game(points / 2), game(points - points / 2)], count })
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
