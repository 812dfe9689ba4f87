//! Actions: one decision each, and what their numbers mean.
//!
//! An action is numbered from the view of the player who decides: the board is turned so that
//! this player moves up the ranks. The number of a move is settled by direction, distance and
//! origin; whether it is a step or a hop follows from the board, so both share a number.

use crate::bitboard::{Bitboard, Square};

/// The number of a legal or illegal action of a game, from the decider's view.
///
/// Range: 0 to [`Game::action_count`](crate::Game::action_count) - 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action(pub u16);

impl Action {
    /// Gives the number as an index into an action mask or a policy.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One of the eight directions, clockwise from straight ahead, from the decider's view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Direction(pub u8);

impl Direction {
    /// All directions: ahead, ahead right, right, back right, back, back left, left, ahead left.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Straight ahead.
    pub const AHEAD: Self = Self(0);

    /// Gives the direction as an index into a table of 8.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Says whether the direction leads towards the far rank.
    #[must_use]
    pub const fn is_forward(self) -> bool {
        matches!(self.0, 0 | 1 | 7)
    }

    /// Says whether the direction changes file and rank.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self.0 % 2 == 1
    }

    /// Gives the change of file and of rank, each -1, 0 or 1.
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)][self.index()]
    }

    /// Finds the direction of a change of file and rank, each -1, 0 or 1.
    #[must_use]
    pub fn from_delta(file: i8, rank: i8) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| direction.delta() == (file, rank))
    }
}

/// What an action number stands for, from the decider's view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ActionKind {
    /// A step, or a hop if an enemy piece stands between.
    Move {
        /// Where the piece stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// The direction from `from` to `to`.
        direction: Direction,
        /// How many points away `to` is, at least 1.
        distance: u8,
        /// The points strictly between.
        between: Bitboard,
    },
    /// The removal of an enemy piece at fault.
    Huff {
        /// Where that piece stands.
        victim: Square,
    },
    /// The end of a chain that could go on.
    Stop,
}
