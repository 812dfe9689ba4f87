//! A game in progress: a position with the history that draws depend on.

use thiserror::Error;

use crate::action::Action;
use crate::geometry::Game;
use crate::outcome::{DrawCause, Outcome};
use crate::position::Position;

/// A game in progress.
///
/// Search plays forth and back on one state with [`State::mark`] and [`State::rewind`].
///
/// ```
/// use damma_env::{Game, Ruleset, State};
/// let game = Game::new(Ruleset::preset("kharberg")?)?;
/// let mut state = State::new(&game);
/// let action = state.position().legal_actions(&game)[0];
/// state.play(&game, action);
/// assert_eq!((state.turns(), state.outcome()), (1, None));
/// # Ok::<(), damma_env::RulesetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct State {
    position: Position,
    turns: u32,
    /// Keys of the positions at the start of each turn.
    keys: Vec<u64>,
    /// Index into `keys` of the first position that can still come back.
    since: usize,
    outcome: Option<Outcome>,
}

/// A point of a game to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    position: Position,
    turns: u32,
    keys: usize,
    since: usize,
    outcome: Option<Outcome>,
}

/// An action that is not legal where it was tried; nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("action {} is not legal here", .0.0)]
pub struct IllegalAction(pub Action);

impl State {
    /// Starts a game.
    #[must_use]
    pub fn new(game: &Game) -> Self {
        Self::from_position(game, game.start())
    }

    /// Starts a game from a position, as if nothing had been played before but its quiet turns.
    #[must_use]
    pub fn from_position(game: &Game, position: Position) -> Self {
        let mut state = Self { position, turns: 0, keys: vec![position.key()], since: 0, outcome: None };
        state.outcome = state.judge(game);
        state
    }

    /// Gives the position on the board.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Counts the turns that were completed.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Says how the game ended, or `None` while it goes on.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Counts how often the position of the last turn start has stood, this time included.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        let key = self.keys.last();
        self.keys[self.since..].iter().filter(|earlier| Some(*earlier) == key).count() as u32
    }

    /// Plays a legal action.
    ///
    /// # Panics
    /// The game is over; or, in debug builds, the action is not legal.
    pub fn play(&mut self, game: &Game, action: Action) {
        assert!(self.outcome.is_none(), "a game that is over goes on no more");
        let next = self.position.play(game, action);
        if next.side() != self.position.side() {
            self.turns += 1;
            if next.quiet_turns() == 0 {
                self.since = self.keys.len();
            }
            self.keys.push(next.key());
        }
        self.position = next;
        self.outcome = self.judge(game);
    }

    /// Plays an action if it is legal.
    ///
    /// # Errors
    /// The game is over or the action is not legal; the state is unchanged.
    pub fn try_play(&mut self, game: &Game, action: Action) -> Result<(), IllegalAction> {
        if self.outcome.is_some() || !self.position.is_legal(game, action) {
            return Err(IllegalAction(action));
        }
        self.play(game, action);
        Ok(())
    }

    /// Marks this point of the game.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        Mark {
            position: self.position,
            turns: self.turns,
            keys: self.keys.len(),
            since: self.since,
            outcome: self.outcome,
        }
    }

    /// Goes back to a point marked earlier in this same game.
    pub fn rewind(&mut self, mark: &Mark) {
        self.position = mark.position;
        self.turns = mark.turns;
        self.keys.truncate(mark.keys);
        self.since = mark.since;
        self.outcome = mark.outcome;
    }

    fn judge(&self, game: &Game) -> Option<Outcome> {
        let ruleset = game.ruleset();
        let position = &self.position;
        if let Some((winner, cause)) = position.winner(game) {
            return Some(Outcome::Win { winner, cause });
        }
        if position.has_progressed() {
            return None;
        }
        let reached = |limit: u16, count: u32| limit > 0 && count >= u32::from(limit);
        if reached(ruleset.no_progress_limit, u32::from(position.quiet_turns())) {
            return Some(Outcome::Draw(DrawCause::NoProgress));
        }
        if ruleset.repetition_limit > 0 && reached(ruleset.repetition_limit, self.repetitions()) {
            return Some(Outcome::Draw(DrawCause::Repetition));
        }
        let lone_kings = ruleset.lone_kings_draw
            && position.own().len() == 1
            && position.enemy().len() == 1
            && position.kings().len() == 2
            && !position.can_capture(game);
        if lone_kings {
            return Some(Outcome::Draw(DrawCause::LoneKings));
        }
        (ruleset.max_turns > 0 && self.turns >= ruleset.max_turns).then_some(Outcome::Truncated)
    }
}
