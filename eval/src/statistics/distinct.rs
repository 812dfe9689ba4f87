//! What in a match is information: each game once, and nothing of a player against itself.
//!
//! Deterministic players repeat their games exactly where openings repeat. Counted again, such
//! games would only narrow the intervals.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Elo, PairTable};
use crate::arena::{MatchGame, MatchResult, Seat};

/// Why a match says nothing about strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mirror {
    /// Both players have the same name.
    SamePlayer,
    /// In every pair both games are the same, action by action.
    SameGames,
}

impl fmt::Display for Mirror {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SamePlayer => "mirror match: no information, since a player met itself",
            Self::SameGames => "mirror match: no information, since both games of every pair are the same",
        })
    }
}

/// What the statistics of a match are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MatchStatistics {
    /// Games that differ from all before them.
    pub distinct_games: u32,
    /// Pairs that differ from all before them; only these are counted in `table`.
    pub distinct_pairs: u32,
    /// The distinct pairs by both results.
    pub table: PairTable,
    /// Why there is no estimate, where the match was one of a player against itself.
    pub mirror: Option<Mirror>,
}

impl MatchStatistics {
    /// Looks through the games of a match.
    #[must_use]
    pub fn new(result: &MatchResult) -> Self {
        let mut statistics = Self::default();
        let (mut games, mut pairs) = (BTreeSet::new(), BTreeSet::new());
        let mut same = !result.games.is_empty() && !result.series;
        for game in &result.games {
            statistics.distinct_games += u32::from(games.insert(played(game)));
        }
        for pair in result.games.chunks_exact(2).filter(|_| !result.series) {
            let [white, black] = pair else { continue };
            same &= played(white) == played(black);
            if pairs.insert((played(white), played(black))) {
                statistics.distinct_pairs += 1;
                statistics.table.add(white.half_points(Seat::A), black.half_points(Seat::A));
            }
        }
        let named = (result.a == result.b).then_some(Mirror::SamePlayer);
        statistics.mirror = named.or_else(|| same.then_some(Mirror::SameGames));
        statistics
    }

    /// Estimates the strength from the distinct pairs; nothing of a mirror match.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        if self.mirror.is_some() { None } else { Elo::estimate(&self.table.counts()) }
    }
}

/// Gives what two games have in common if they are the same.
fn played(game: &MatchGame) -> (Option<&str>, &[u16]) {
    (game.start.as_deref(), &game.actions)
}

#[cfg(test)]
mod tests {
    use damma_env::{DrawCause, Outcome, Side, WinCause};

    use super::*;
    use crate::arena::Ending;

    fn game(opening: usize, white: Seat, actions: &[u16], winner: Option<Side>) -> MatchGame {
        let outcome = match winner {
            Some(winner) => Outcome::Win { winner, cause: WinCause::Blocked },
            None => Outcome::Draw(DrawCause::Repetition),
        };
        let actions = actions.to_vec();
        let ending = Ending::Over(outcome);
        MatchGame {
            opening,
            opening_actions: 0,
            white,
            start: None,
            actions,
            turns: 1,
            ending,
            note: None,
            thoughts: Vec::new(),
        }
    }

    /// A match of pairs; of each the actions of both games and who won the first, the second being drawn.
    fn result(b: &str, pairs: &[(&[u16], &[u16], Option<Side>)]) -> MatchResult {
        let games = pairs.iter().enumerate().flat_map(|(number, &(first, second, winner))| {
            [game(number, Seat::A, first, winner), game(number, Seat::B, second, None)]
        });
        MatchResult { a: "a".to_owned(), b: b.to_owned(), seed: 1, series: false, games: games.collect() }
    }

    #[test]
    fn a_pair_that_was_played_before_is_counted_once() {
        let (new, repeated) = ((&[1, 2][..], &[1, 3][..], Some(Side::White)), (&[1, 2][..], &[4][..], None));
        let found = MatchStatistics::new(&result("b", &[new, new, repeated, new]));
        assert_eq!((found.distinct_games, found.distinct_pairs), (3, 2));
        assert_eq!(found.table, PairTable([[0; 3], [0, 1, 0], [0, 1, 0]]));
        assert_eq!(found.elo().expect("two pairs").pairs, 2);
        assert_eq!(found.mirror, None);
    }

    #[test]
    fn the_same_actions_from_another_position_are_another_game() {
        let pair = (&[1, 2][..], &[1, 3][..], Some(Side::White));
        let mut result = result("b", &[pair, pair]);
        result.games[3].start = Some("5/5/2b2/5/w4 w".to_owned());
        let found = MatchStatistics::new(&result);
        assert_eq!((found.distinct_games, found.distinct_pairs), (3, 2));
    }

    #[test]
    fn a_series_has_no_pairs_and_no_estimate() {
        let pair = (&[1, 2][..], &[1, 2][..], Some(Side::White));
        let series = MatchResult { series: true, ..result("b", &[pair]) };
        let found = MatchStatistics::new(&series);
        assert_eq!((found.distinct_games, found.distinct_pairs, found.mirror, found.elo()), (1, 0, None, None));
    }

    #[test]
    fn a_player_against_itself_has_no_estimate() {
        let pair = (&[1, 2][..], &[1, 3][..], Some(Side::White));
        let named = MatchStatistics::new(&result("a", &[pair]));
        assert_eq!((named.mirror, named.elo()), (Some(Mirror::SamePlayer), None));
        let (one, other) = ((&[1, 2][..], &[1, 2][..], None), (&[3][..], &[3][..], None));
        let same = MatchStatistics::new(&result("b", &[one, other]));
        assert_eq!((same.mirror, same.elo()), (Some(Mirror::SameGames), None));
        assert_eq!(MatchStatistics::new(&result("b", &[one, pair])).mirror, None);
    }
}
