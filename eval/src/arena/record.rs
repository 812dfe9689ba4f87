//! What a match leaves behind: its games and how to count them.

use std::collections::BTreeMap;

use damma_env::{Action, Game, Outcome, Side, State};
use serde::{Deserialize, Serialize};

/// The beginning of a game, from the start position on.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Opening {
    actions: Vec<u16>,
}

impl Opening {
    /// Makes an opening of actions.
    #[must_use]
    pub fn new(actions: &[Action]) -> Self {
        Self { actions: actions.iter().map(|action| action.0).collect() }
    }

    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }

    /// Plays the opening.
    ///
    /// # Errors
    /// The place and number of the first action that is not legal; or the number of actions and 0
    /// if the game is over after all of them.
    pub fn state(&self, game: &Game) -> Result<State, (usize, u16)> {
        let mut state = State::new(game);
        for (ply, action) in self.actions().enumerate() {
            state.try_play(game, action).map_err(|illegal| (ply, illegal.0.0))?;
        }
        if state.outcome().is_some() { Err((self.actions.len(), 0)) } else { Ok(state) }
    }
}

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

/// How a game of a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules.
    Over(Outcome),
    /// Cut off by the arena at [`ACTION_CAP`](super::ACTION_CAP) actions; counts as drawn.
    Capped,
}

impl Ending {
    /// Names the cause in one word.
    #[must_use]
    pub const fn cause(self) -> &'static str {
        match self {
            Self::Over(outcome) => outcome.cause(),
            Self::Capped => "capped",
        }
    }

    /// Gives what a side scored: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        let winner = match self {
            Self::Over(outcome) => outcome.winner(),
            Self::Capped => None,
        };
        winner.map_or(1, |winner| if winner == side { 2 } else { 0 })
    }
}

/// A game of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchGame {
    /// The number of its opening, from 0.
    pub opening: usize,
    /// How many of the actions are the opening's.
    pub opening_actions: usize,
    /// Who had White.
    pub white: Seat,
    /// Every action from the start position on.
    pub actions: Vec<u16>,
    /// Turns that were completed.
    pub turns: u32,
    /// How it ended.
    pub ending: Ending,
}

impl MatchGame {
    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }

    /// Says which side a player had.
    #[must_use]
    pub fn side(&self, seat: Seat) -> Side {
        if self.white == seat { Side::White } else { Side::Black }
    }

    /// Gives what a player scored: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(&self, seat: Seat) -> u8 {
        self.ending.half_points(self.side(seat))
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn, cut off or capped.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Counts the games.
    #[must_use]
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Gives the share of the points, 0 to 1; 0.5 of no games.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        f64::midpoint(f64::from(self.wins) * 2.0, f64::from(self.draws)) / f64::from(self.games())
    }

    /// Gives the games as the opponent sees them.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl std::ops::Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl FromIterator<u8> for Tally {
    /// Counts the half points of games.
    fn from_iter<I: IntoIterator<Item = u8>>(half_points: I) -> Self {
        let mut tally = Self::default();
        for points in half_points {
            match points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
        }
        tally
    }
}

/// Pairs of games of one opening by what the first player scored in both, 0 to 4 half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u32; 5]);

impl PairCounts {
    /// Counts the pairs.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Gives the pairs as the other player sees them.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

/// A match that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The first player's name.
    pub a: String,
    /// The second player's name.
    pub b: String,
    /// The seed of the players' random streams.
    pub seed: u64,
    /// The games: two for each opening, the first player's White game first.
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

    /// Counts pairs of games as the first player sees them.
    #[must_use]
    pub fn pairs(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        for pair in self.games.chunks_exact(2) {
            let points: u8 = pair.iter().map(|game| game.half_points(Seat::A)).sum();
            counts.0[usize::from(points)] += 1;
        }
        counts
    }

    /// Counts games by the cause of their end.
    #[must_use]
    pub fn causes(&self) -> BTreeMap<String, u32> {
        let mut causes = BTreeMap::new();
        for game in &self.games {
            *causes.entry(game.ending.cause().to_owned()).or_insert(0) += 1;
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
