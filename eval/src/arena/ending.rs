//! How games of a match end: by the rules, or by the arena, and then with its reason.

use damma_env::{Game, Outcome, Side, State};
use serde::{Deserialize, Serialize};

use crate::player::Fault;

/// How a game of a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By the rules.
    Over(Outcome),
    /// Cut off by the arena at [`ACTION_CAP`](super::ACTION_CAP) actions; counts as drawn.
    Capped,
    /// Broken off since the result is known.
    Adjudicated(Verdict),
    /// Lost by a player that failed.
    Forfeited {
        /// Who failed.
        loser: Side,
        /// In what way.
        fault: Fault,
    },
}

/// A result that is known before the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// Who wins; nobody in a draw.
    pub winner: Option<Side>,
    /// How that is known.
    pub cause: VerdictCause,
}

/// How the result of a game that is not over is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictCause {
    /// Endgame tables say so.
    Tables,
}

/// Says who wins a game that is not over, where that is known.
pub type Adjudicate<'a> = dyn Fn(&Game, &State) -> Option<Verdict> + Sync + 'a;

impl Ending {
    /// Names the cause in one word.
    #[must_use]
    pub const fn cause(self) -> &'static str {
        match self {
            Self::Over(outcome) => outcome.cause(),
            Self::Capped => "capped",
            Self::Adjudicated(Verdict { cause: VerdictCause::Tables, .. }) => "tables",
            Self::Forfeited { fault, .. } => match fault {
                Fault::Crash => "crash",
                Fault::IllegalMove => "illegal_move",
                Fault::Timeout => "timeout",
            },
        }
    }

    /// Gives the winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Over(outcome) => outcome.winner(),
            Self::Capped => None,
            Self::Adjudicated(verdict) => verdict.winner,
            Self::Forfeited { loser, .. } => Some(loser.opponent()),
        }
    }

    /// Gives what a side scored: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        self.winner().map_or(1, |winner| if winner == side { 2 } else { 0 })
    }
}
