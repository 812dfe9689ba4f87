//! What can be wrong with a command.

use std::io;

use damma_env::{FenError, RulesetError};
use damma_eval::{EvalError, TurnLineError};
use damma_trainer::CheckpointError;
use thiserror::Error;

/// What can be wrong with a command, or end a conversation.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The rules are none.
    #[error(transparent)]
    Rules(#[from] RulesetError),
    /// The level is none.
    #[error(transparent)]
    Level(#[from] EvalError),
    /// The checkpoint is none, or of another game.
    #[error(transparent)]
    Checkpoint(#[from] Box<CheckpointError>),
    /// The position is none of this game.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A turn is not legal.
    #[error(transparent)]
    Turns(#[from] TurnLineError),
    /// A move is not legal.
    #[error("move {number}, `{word}`, is not legal there")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// The move.
        word: String,
    },
    /// Moves go on after the end of the game.
    #[error("the game is over before the last of the moves")]
    Over,
    /// An option is out of its range.
    #[error("{name} {value} is outside {range}")]
    Range {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        range: &'static str,
    },
    /// The command is not written as it should be.
    #[error("write {0}")]
    Form(&'static str),
    /// Input or output are closed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<CheckpointError> for EngineError {
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}
