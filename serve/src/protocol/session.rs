//! What an engine remembers between commands, and what both protocols do with it.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use damma_env::{Action, Game, Position, State};

use super::error::EngineError;
use super::go::Limits;
use super::output::{Answer, Output, Protocol, Voice};
use super::search::{Brain, first_turn};
use super::settings::Settings;

/// A conversation.
pub struct Session {
    /// Which protocol is spoken.
    pub protocol: Protocol,
    /// Where lines go.
    pub output: Output,
    /// The options.
    pub settings: Settings,
    /// Whether the options have changed since the game and the player were made.
    pub changed: bool,
    /// The game.
    pub game: Arc<Game>,
    /// The game so far.
    pub state: State,
    /// How far the next search goes, where the protocol says so beforehand.
    pub limits: Limits,
    brain: Arc<Brain>,
    /// The answer to the last search.
    answer: Option<Answer>,
}

impl Session {
    /// Begins at the start of the game that the settings mean.
    ///
    /// # Errors
    /// The settings do not fit together.
    pub fn new(settings: Settings, output: Output) -> Result<Self, EngineError> {
        let (game, brain) = settings.build()?;
        let state = State::new(&game);
        let (protocol, limits) = (Protocol::Ugi, Limits::default());
        Ok(Self { protocol, output, settings, changed: false, game, state, limits, brain, answer: None })
    }

    /// Makes the game and the player anew where an option has changed.
    ///
    /// # Errors
    /// The options do not fit together.
    pub fn refresh(&mut self) -> Result<(), EngineError> {
        if self.changed {
            let (game, brain) = self.settings.build()?;
            if game.ruleset() != self.game.ruleset() {
                self.state = State::new(&game);
                self.game = game;
            }
            self.brain = brain;
            self.changed = false;
        }
        Ok(())
    }

    /// Plays legal actions from a position on.
    ///
    /// # Errors
    /// The game is over before the last of them.
    pub fn set_line(&mut self, start: Position, actions: &[Action]) -> Result<(), EngineError> {
        let mut state = State::from_position(&self.game, start);
        for action in actions {
            state.try_play(&self.game, *action).map_err(|_| EngineError::Over)?;
        }
        self.state = state;
        Ok(())
    }

    /// Starts a search of a game that goes on, on a thread of its own, and one that answers when the time is over.
    ///
    /// # Errors
    /// The output is closed.
    pub fn go(&mut self, limits: Limits) -> io::Result<()> {
        let begun = Instant::now();
        let (turn, only) = first_turn(&self.game, &self.state);
        let (output, protocol, game) = (self.output.clone(), self.protocol, self.game.clone());
        let answer = Answer::new(Voice { output, protocol, game, position: *self.state.position() }, turn);
        if only && !limits.infinite {
            return answer.give();
        }
        let (game, brain, state, own) = (self.game.clone(), self.brain.clone(), self.state.clone(), answer.clone());
        // Not waited for after `stop`: the answer is given once, whoever comes first.
        std::thread::spawn(move || {
            brain.think(&game, &state, limits, &own, begun);
            if !limits.infinite {
                let _ = own.give();
            }
        });
        if let Some(time) = limits.time.filter(|_| !limits.infinite) {
            let own = answer.clone();
            std::thread::spawn(move || own.give_at(begun + time));
        }
        self.answer = Some(answer);
        Ok(())
    }

    /// Has the search in hand answer now.
    ///
    /// # Errors
    /// The output is closed.
    pub fn stop(&mut self) -> io::Result<()> {
        self.answer.take().map_or(Ok(()), |answer| answer.give())
    }

    /// Ends the search in hand without an answer.
    pub fn forget(&mut self) {
        if let Some(answer) = self.answer.take() {
            answer.forget();
        }
    }

    /// Says whether the player who has the first turn of a game decides.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.state.position().side() == self.game.ruleset().first
    }
}
