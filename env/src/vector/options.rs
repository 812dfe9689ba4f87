//! How a batch behaves and what it keeps, and what can go wrong with it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use thiserror::Error;

use crate::action::Action;
use crate::position::Position;

/// What happens to a board whose game has ended, as Gymnasium names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AutoReset {
    /// The board stays ended until it is reset; its actions are not read.
    Off,
    /// The step that ends a game already returns the next game's start; what ended is in
    /// [`VectorEnv::finals`](crate::VectorEnv::finals).
    #[default]
    SameStep,
    /// The step that ends a game returns its end; the next step does not read the board's
    /// action, gives no reward and returns the next game's start.
    NextStep,
}

/// What an illegal action does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IllegalPolicy {
    /// The step is an error and no board changes.
    #[default]
    Reject,
    /// The board draws a legal action from its own random stream instead.
    Resample,
    /// The decider loses the game, with the cause [`Cause::Illegal`](crate::Cause::Illegal).
    Lose,
}

/// Which observations a batch writes after each step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Observations {
    /// None: the fastest.
    #[default]
    Off,
    /// Planes `[N, C, H, W]` of `f32`, as [`Encoder::new`](crate::Encoder::new) writes them.
    Planes,
    /// The same planes as `u8`: squares 0 or 1, counters as counts up to 255.
    Bytes,
}

/// Where a board's next game starts.
#[derive(Clone, Debug, Default)]
pub enum Starts {
    /// At the game's start.
    #[default]
    Start,
    /// After a random number of random actions within the range, drawn anew for each game.
    Random(RangeInclusive<u16>),
    /// At one of these positions, drawn anew for each game.
    Positions(Arc<[Position]>),
}

/// How a batch behaves and what it keeps.
#[derive(Clone, Debug, Default)]
pub struct VectorOptions {
    /// The number that all random streams come from.
    pub seed: u64,
    /// What happens to a board whose game has ended.
    pub auto_reset: AutoReset,
    /// What an illegal action does.
    pub illegal: IllegalPolicy,
    /// Whether dense action masks `[N, A]` are kept beside the packed ones.
    pub dense_masks: bool,
    /// Which observations are written.
    pub observations: Observations,
    /// Where games start.
    pub starts: Starts,
    /// How many threads step the boards; 0 takes rayon's pool, 1 the caller's thread alone.
    pub threads: usize,
}

/// Why a call on a batch was refused; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum VectorError {
    /// A batch needs boards.
    #[error("{0} boards asked for; a batch holds 1 to {MAX_BOARDS}")]
    BoardCount(usize),
    /// A list that goes with the boards has another length.
    #[error("{expected} {what} expected, one for each board, but {given} given")]
    Length {
        /// What the list holds.
        what: &'static str,
        /// How many were needed.
        expected: usize,
        /// How many came.
        given: usize,
    },
    /// There is no such board.
    #[error("there is no board {board}; the batch has boards 0 to {}", boards - 1)]
    NoSuchBoard {
        /// What was asked for.
        board: usize,
        /// How many there are.
        boards: usize,
    },
    /// The same board twice in one list.
    #[error("board {0} is in the list twice")]
    TwiceInList(usize),
    /// An action is not legal.
    #[error("action {} is not legal on board {board}{}; take one from the board's action mask", .action.0,
        .meaning.as_ref().map_or_else(String::new, |meaning| format!(" ({meaning})")))]
    Illegal {
        /// The first such board.
        board: usize,
        /// Its action.
        action: Action,
        /// What the action would have been, where the number means anything.
        meaning: Option<String>,
    },
    /// A list of start positions is empty, or a start is over already.
    #[error("impossible starts: {0}")]
    Starts(String),
    /// The threads could not be started.
    #[error("{0} threads could not be started: {1}")]
    Threads(usize, String),
    /// There is not enough memory.
    #[error("{0} bytes of memory could not be had; take fewer boards, or leave out observations or dense masks")]
    Memory(usize),
    /// Saved bytes do not fit.
    #[error("these bytes are no saved batch of this environment: {0}")]
    Snapshot(String),
}

/// The most boards of a batch.
pub const MAX_BOARDS: usize = 1 << 24;
