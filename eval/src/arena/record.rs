//! What a match leaves behind: its games and how to count them.

use std::collections::BTreeMap;

use damma_env::{Action, Game, Position, PositionTextError, Side};
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::tally::{PairCounts, Tally};
use crate::player::Opinion;

/// Which of the two players of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// The first, whose view results are given from.
    A,
    /// The second.
    B,
}

impl Seat {
    /// Gives the other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A game of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchGame {
    /// The number of its opening, from 0.
    pub opening: usize,
    /// How many of the actions are the opening's.
    pub opening_actions: usize,
    /// Who had White.
    pub white: Seat,
    /// The position where it began, if that is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Every action from there on.
    pub actions: Vec<u16>,
    /// Turns that were completed.
    pub turns: u32,
    /// How it ended.
    pub ending: Ending,
    /// What happened, where a player failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the players said of their choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Thought>,
}

/// What a player said of a choice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thought {
    /// Which of the game's actions, from 0.
    pub action: usize,
    /// How the decider stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opinion: Option<Opinion>,
    /// How many positions were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
}

impl MatchGame {
    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }

    /// Gives the position where it began.
    ///
    /// # Errors
    /// The record is of another game.
    pub fn start(&self, game: &Game) -> Result<Position, PositionTextError> {
        self.start.as_deref().map_or_else(|| Ok(game.start()), |text| game.parse_position(text))
    }

    /// Says which side a player had.
    #[must_use]
    pub fn side(&self, seat: Seat) -> Side {
        if self.white == seat { Side::White } else { Side::Black }
    }

    /// Says who has White in the next game of a series.
    #[must_use]
    pub fn white_next(&self) -> Seat {
        if self.ending.winner() == Some(Side::Black) { self.white.other() } else { self.white }
    }

    /// Gives what a player scored: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(&self, seat: Seat) -> u8 {
        self.ending.half_points(self.side(seat))
    }
}

/// A match that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The first player's name.
    pub a: String,
    /// The second player's name.
    pub b: String,
    /// The seed of the players' random streams.
    pub seed: u64,
    /// Whether the games are a series, in which the winner has White next, and no pairs.
    #[serde(default)]
    pub series: bool,
    /// The games: two for each opening, the first player's White game first; or a series.
    pub games: Vec<MatchGame>,
}

impl MatchResult {
    /// Counts results as the first player sees them.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.games.iter().map(|game| game.half_points(Seat::A)).collect()
    }

    /// Counts results of the games where the first player had `side`, as that player sees them.
    #[must_use]
    pub fn tally_as(&self, side: Side) -> Tally {
        self.games.iter().filter(|game| game.side(Seat::A) == side).map(|game| game.half_points(Seat::A)).collect()
    }

    /// Counts pairs of games as the first player sees them; a series has none.
    #[must_use]
    pub fn pairs(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        for pair in self.games.chunks_exact(2).filter(|_| !self.series) {
            let points: u8 = pair.iter().map(|game| game.half_points(Seat::A)).sum();
            counts.0[usize::from(points)] += 1;
        }
        counts
    }

    /// Counts games by the cause of their end; where a player failed, with that player's name.
    #[must_use]
    pub fn causes(&self) -> BTreeMap<String, u32> {
        let mut causes = BTreeMap::new();
        for game in &self.games {
            let cause = game.ending.cause();
            let name = match game.ending {
                Ending::Forfeited { loser, .. } if game.side(Seat::A) == loser => format!("{cause} of {}", self.a),
                Ending::Forfeited { .. } => format!("{cause} of {}", self.b),
                Ending::Over(_) | Ending::Capped | Ending::Adjudicated(_) => cause.to_owned(),
            };
            *causes.entry(name).or_insert(0) += 1;
        }
        causes
    }

    /// Gives the average numbers of actions and of turns of a game, its opening among them.
    #[must_use]
    pub fn mean_length(&self) -> (f64, f64) {
        let games = self.games.len().max(1) as f64;
        let actions: usize = self.games.iter().map(|game| game.actions.len()).sum();
        let turns: u32 = self.games.iter().map(|game| game.turns).sum();
        (actions as f64 / games, f64::from(turns) / games)
    }
}
