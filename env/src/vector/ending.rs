//! How a board's game ended, as one small number and as words.

use crate::outcome::{DrawCause, Outcome, Side, WinCause};

/// Why a game ended, as the batch writes it: one byte a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Cause {
    /// The game goes on.
    #[default]
    None = 0,
    /// The loser has no piece left.
    NoPieces = 1,
    /// The loser must decide and has no legal action.
    Blocked = 2,
    /// Drawn after `no_progress_limit` quiet turns.
    NoProgress = 3,
    /// Drawn by repetition.
    Repetition = 4,
    /// Drawn with one king on each side.
    LoneKings = 5,
    /// Cut off at `max_turns`.
    Truncated = 6,
    /// Lost by an illegal action ([`IllegalPolicy::Lose`](crate::IllegalPolicy::Lose)).
    Illegal = 7,
}

impl Cause {
    /// All causes, each at its own number.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::NoPieces,
        Self::Blocked,
        Self::NoProgress,
        Self::Repetition,
        Self::LoneKings,
        Self::Truncated,
        Self::Illegal,
    ];

    /// Names the cause in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["none", "no_pieces", "blocked", "no_progress", "repetition", "lone_kings", "truncated", "illegal"]
            [self as usize]
    }
}

/// How a game ended: who won, if anyone, and why.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// Who won; nobody in a draw or a truncated game.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub cause: Cause,
}

impl Ending {
    pub(super) fn rewards(self) -> [f32; 2] {
        self.winner.map_or([0.0; 2], |winner| Side::BOTH.map(|side| if side == winner { 1.0 } else { -1.0 }))
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        let cause = match outcome {
            Outcome::Win { cause: WinCause::NoPieces, .. } => Cause::NoPieces,
            Outcome::Win { cause: WinCause::Blocked, .. } => Cause::Blocked,
            Outcome::Draw(DrawCause::NoProgress) => Cause::NoProgress,
            Outcome::Draw(DrawCause::Repetition) => Cause::Repetition,
            Outcome::Draw(DrawCause::LoneKings) => Cause::LoneKings,
            Outcome::Truncated => Cause::Truncated,
        };
        Self { winner: outcome.winner(), cause }
    }
}
