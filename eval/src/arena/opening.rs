//! Openings: where a game of a match begins.

use damma_env::{Action, Game, Position, PositionTextError, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The beginning of a game: a position, and actions from there on.
///
/// Written as a list of action numbers, or as `{ start, actions }` where the position is not the
/// usual one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct Opening {
    start: Option<String>,
    actions: Vec<u16>,
}

/// Why an opening cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningFault {
    /// It begins with what is no position of the game.
    #[error("its position is none of this game: {0}")]
    Start(#[from] PositionTextError),
    /// One of its actions is not legal.
    #[error("its action {ply} ({action}) is not legal")]
    Illegal {
        /// Which of its actions, from 0.
        ply: usize,
        /// The action's number.
        action: u16,
    },
    /// Nothing is left to play.
    #[error("the game is over at its end")]
    Over,
}

impl Opening {
    /// Makes an opening of actions from the game's start position.
    #[must_use]
    pub fn new(actions: &[Action]) -> Self {
        Self { start: None, actions: actions.iter().map(|action| action.0).collect() }
    }

    /// Makes an opening of actions from any position.
    #[must_use]
    pub fn from_position(game: &Game, start: &Position, actions: &[Action]) -> Self {
        let start = (*start != game.start()).then(|| game.position_text(start));
        Self { start, ..Self::new(actions) }
    }

    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }

    /// Gives the text of the position where it begins, if that is not the usual one.
    #[must_use]
    pub fn start_text(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Gives the position where it begins.
    ///
    /// # Errors
    /// Its text is no position of this game.
    pub fn start(&self, game: &Game) -> Result<Position, OpeningFault> {
        Ok(self.start.as_deref().map_or_else(|| Ok(game.start()), |text| game.parse_position(text))?)
    }

    /// Plays the opening.
    ///
    /// # Errors
    /// The first thing that cannot be played; or the game is over behind it.
    pub fn state(&self, game: &Game) -> Result<State, OpeningFault> {
        let mut state = State::from_position(game, self.start(game)?);
        for (ply, action) in self.actions().enumerate() {
            state.try_play(game, action).map_err(|_| OpeningFault::Illegal { ply, action: action.0 })?;
        }
        if state.outcome().is_some() { Err(OpeningFault::Over) } else { Ok(state) }
    }
}

/// An opening as it is written.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Moves(Vec<u16>),
    Placed { start: String, actions: Vec<u16> },
}

impl From<Form> for Opening {
    fn from(form: Form) -> Self {
        match form {
            Form::Moves(actions) => Self { start: None, actions },
            Form::Placed { start, actions } => Self { start: Some(start), actions },
        }
    }
}

impl From<Opening> for Form {
    fn from(Opening { start, actions }: Opening) -> Self {
        match start {
            None => Self::Moves(actions),
            Some(start) => Self::Placed { start, actions },
        }
    }
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    #[test]
    fn an_opening_reads_back_from_its_json_with_or_without_a_position() {
        let game = Game::new(Ruleset::preset("khreibga").unwrap()).unwrap();
        let position = game.parse_position("5/5/2b2/5/w4 w").unwrap();
        let action = position.legal_actions(&game)[0];
        let [plain, placed] =
            [Opening::new(&[Action(7), Action(9)]), Opening::from_position(&game, &position, &[action])];

        assert_eq!(serde_json::to_string(&plain).unwrap(), "[7,9]");
        for opening in [&plain, &placed] {
            let json = serde_json::to_string(opening).unwrap();
            assert_eq!(serde_json::from_str::<Opening>(&json).unwrap(), *opening);
        }
        assert_eq!(placed.state(&game).unwrap().turns(), 1);
        assert_eq!(Opening::from_position(&game, &game.start(), &[]), Opening::default());
    }

    #[test]
    fn an_opening_that_cannot_be_played_says_why() {
        let game = Game::new(Ruleset::preset("khreibga").unwrap()).unwrap();
        assert_eq!(
            Opening::new(&[Action(9_999)]).state(&game).unwrap_err(),
            OpeningFault::Illegal { ply: 0, action: 9_999 }
        );
        let placed = |start: &str| Opening { start: Some(start.to_owned()), actions: Vec::new() };
        assert!(matches!(placed("5/5 w").state(&game), Err(OpeningFault::Start(_))));
        assert_eq!(placed("5/5/5/5/w4 w").state(&game).unwrap_err(), OpeningFault::Over);
    }
}
