//! Games that were kept, played again: whether they are what the match would have kept.

use damma_env::Action;
use thiserror::Error;

use super::board::Board;
use super::ending::Ending;
use super::record::MatchGame;
use super::{Arena, Fixture};
use crate::player::Choice;

/// Why a record is no game of a match in its place.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordFault {
    /// It begins with another opening, or as another one would.
    #[error("it does not begin with opening {wanted}, whose turn it is")]
    Opening {
        /// The number of the opening, from 1.
        wanted: usize,
    },
    /// The colours are exchanged.
    #[error("the players have each other's colours")]
    Colours,
    /// One of its actions is not legal.
    #[error("its action {ply} ({action}) is not legal")]
    Illegal {
        /// Which of its actions, from 0.
        ply: usize,
        /// The action's number.
        action: u16,
    },
    /// It goes on although it is over.
    #[error("it goes on after its end, at action {ply}")]
    GoesOn {
        /// Which of its actions, from 0.
        ply: usize,
    },
    /// It ends otherwise than it says.
    #[error("its ending is not what its actions lead to")]
    Ending,
    /// It has another number of turns than it says.
    #[error("it has {found} turns and says {said}")]
    Turns {
        /// What it says.
        said: u32,
        /// What its actions make.
        found: u32,
    },
    /// Something was said of an action that it does not have.
    #[error("it holds thoughts of actions that were not played")]
    Thoughts,
}

impl Arena<'_> {
    /// Plays a record again from its fixture's opening, and compares everything that follows from
    /// its actions: colours, ending and turns.
    ///
    /// # Errors
    /// The first thing that this match would not have kept.
    pub fn check(&self, fixture: &Fixture, record: &MatchGame) -> Result<(), RecordFault> {
        let opening = &self.openings[fixture.opening];
        let given: Vec<Action> = opening.actions().collect();
        let begins = record.opening == fixture.opening
            && record.opening_actions == given.len()
            && record.start.as_deref() == opening.start_text()
            && record.actions().take(given.len()).eq(given.iter().copied());
        if !begins {
            return Err(RecordFault::Opening { wanted: fixture.opening + 1 });
        }
        if record.white != fixture.white {
            return Err(RecordFault::Colours);
        }
        let board = self.replayed(fixture, record)?;
        let ends_so = match (board.ending, record.ending) {
            (None, Ending::Forfeited { loser, .. }) => loser == board.state.position().side(),
            (found, said) => found == Some(said),
        };
        if !ends_so {
            return Err(RecordFault::Ending);
        }
        let (said, found) = (record.turns, board.state.turns());
        if said != found {
            return Err(RecordFault::Turns { said, found });
        }
        let places = record.thoughts.iter().map(|thought| thought.action);
        let sound = places.is_sorted() && record.thoughts.iter().all(|thought| thought.action < record.actions.len());
        if sound { Ok(()) } else { Err(RecordFault::Thoughts) }
    }

    /// Plays the actions behind the opening.
    fn replayed(&self, fixture: &Fixture, record: &MatchGame) -> Result<Board, RecordFault> {
        let mut board = self.board(fixture);
        for (ply, action) in record.actions().enumerate().skip(record.opening_actions) {
            if board.ending.is_some() {
                return Err(RecordFault::GoesOn { ply });
            }
            board
                .take(self.game, Ok(Choice::of(action)))
                .map_err(|_| RecordFault::Illegal { ply, action: action.0 })?;
            board.judge(self.game, self.adjudicate);
        }
        Ok(board)
    }
}
