//! What callers may not ask of a batch.

use super::VectorEnv;
use super::block::LANES;
use super::options::{Starts, VectorError};
use crate::action::Action;
use crate::geometry::Game;
use crate::position::Position;

impl VectorEnv {
    pub(super) fn check_boards(&self, boards: &[usize]) -> Result<(), VectorError> {
        let mut seen = vec![false; self.boards];
        for &board in boards {
            let seen = seen.get_mut(board).ok_or(VectorError::NoSuchBoard { board, boards: self.boards })?;
            if std::mem::replace(seen, true) {
                return Err(VectorError::TwiceInList(board));
            }
        }
        Ok(())
    }

    pub(super) fn illegal(&self, board: usize, action: Action) -> VectorError {
        let position = self.columns.blocks[board / LANES].keyless(board % LANES);
        let meaning = self.game.action_kind(action).map(|_| self.game.action_text(&position, action));
        VectorError::Illegal { board, action, meaning }
    }
}

pub(super) fn check_length(what: &'static str, expected: usize, given: usize) -> Result<(), VectorError> {
    if expected == given { Ok(()) } else { Err(VectorError::Length { what, expected, given }) }
}

pub(super) fn check_starts(game: &Game, starts: &Starts) -> Result<(), VectorError> {
    match starts {
        Starts::Random(range) if range.is_empty() => {
            Err(VectorError::Starts(format!("no number lies in {} to {}", range.start(), range.end())))
        }
        Starts::Random(range) if *range.end() > 1000 => {
            Err(VectorError::Starts(format!("{} random actions; at most 1,000", range.end())))
        }
        Starts::Start | Starts::Random(_) => Ok(()),
        Starts::Positions(list) if list.is_empty() => {
            Err(VectorError::Starts("the list of positions is empty".to_owned()))
        }
        Starts::Positions(list) => list.iter().try_for_each(|position| check_start(game, position)),
    }
}

pub(super) fn check_start(game: &Game, position: &Position) -> Result<(), VectorError> {
    let pieces = position.own() | position.enemy();
    if !pieces.without(game.squares()).is_empty() || position.setup(game).position(game).is_err() {
        return Err(VectorError::Starts("a position is of another game".to_owned()));
    }
    match position.judge(game, 0, || 1) {
        None => Ok(()),
        Some(outcome) => {
            let text = game.position_text(position);
            Err(VectorError::Starts(format!("the game is over in {text} ({})", outcome.cause())))
        }
    }
}
