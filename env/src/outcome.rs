//! The two sides and how a game can end.

use serde::{Deserialize, Serialize};

/// One of the two players. White sits at the bottom and moves up the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The males of the Saharan games; the player at the bottom.
    White,
    /// The females of the Saharan games; the player at the top.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// Gives the other player.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Gives 0 for White and 1 for Black.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Gives the letter of positions and results, `w` or `b`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// Why a game was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinCause {
    /// The loser has no piece left.
    NoPieces,
    /// The loser must decide and has no legal action.
    Blocked,
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawCause {
    /// `no_progress_limit` turns passed without an irreversible one.
    NoProgress,
    /// The same position stood for `repetition_limit` times.
    Repetition,
    /// Each side has one king left and none can be captured at once (`lone_kings_draw`).
    LoneKings,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// One side won.
    Win {
        /// Who won.
        winner: Side,
        /// Why.
        cause: WinCause,
    },
    /// Nobody won.
    Draw(DrawCause),
    /// The game was cut off at `max_turns`: neither won nor drawn.
    Truncated,
}

impl Outcome {
    /// Gives the winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw(_) | Self::Truncated => None,
        }
    }

    /// Gives the result as `side` sees it: 1 won, 0 drawn or cut off, -1 lost.
    #[must_use]
    pub fn reward(self, side: Side) -> f32 {
        self.winner().map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 })
    }

    /// Names the cause in one word, as statistics and files write it.
    #[must_use]
    pub const fn cause(self) -> &'static str {
        match self {
            Self::Win { cause: WinCause::NoPieces, .. } => "no_pieces",
            Self::Win { cause: WinCause::Blocked, .. } => "blocked",
            Self::Draw(DrawCause::NoProgress) => "no_progress",
            Self::Draw(DrawCause::Repetition) => "repetition",
            Self::Draw(DrawCause::LoneKings) => "lone_kings",
            Self::Truncated => "truncated",
        }
    }
}
