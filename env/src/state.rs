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
    /// Keys of the positions at the start of each turn, and of those that a huff left its player.
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

    /// Counts how often the position has stood, this time included; 1 once the turn in hand has
    /// made progress, since nothing before can come back.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        if self.position.has_progressed() {
            return 1;
        }
        let key = self.keys.last();
        self.keys[self.since..].iter().filter(|earlier| Some(*earlier) == key).count() as u32
    }

    /// Counts how often the position has stood that has stood most among those that can still come
    /// back; 0 once the turn in hand has made progress.
    #[must_use]
    pub(crate) fn most_repeated(&self) -> u32 {
        if self.position.has_progressed() {
            return 0;
        }
        let mut keys = self.keys[self.since..].to_vec();
        keys.sort_unstable();
        keys.chunk_by(|one, other| one == other).map(<[u64]>::len).max().unwrap_or(0) as u32
    }

    /// Plays a legal action.
    ///
    /// # Panics
    /// The game is over; or, in debug builds, the action is not legal.
    pub fn play(&mut self, game: &Game, action: Action) {
        assert!(self.outcome.is_none(), "a game that is over goes on no more");
        let next = self.position.play(game, action);
        let passes = next.side() != self.position.side();
        let huffs = next.has_huffed() && !self.position.has_huffed();
        self.turns += u32::from(passes);
        // What a huff leaves its player can still come back, since a step may follow.
        if huffs || passes && next.quiet_turns() == 0 && !self.position.has_huffed() {
            self.since = self.keys.len();
        }
        if huffs || passes {
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
        self.position.judge(game, self.turns, || self.repetitions())
    }

    /// Takes up a game after `turns` turns; `keys` are those of the positions at the start of each
    /// turn that can still come back, the last one that of the turn in hand.
    pub(crate) fn resume(game: &Game, position: Position, turns: u32, keys: Vec<u64>) -> Self {
        let mut state = Self { position, turns, keys, since: 0, outcome: None };
        state.outcome = state.judge(game);
        state
    }
}

impl Position {
    /// Says how the game has ended after `turns` turns, if it has; `repetitions` counts how often
    /// the position has stood.
    pub(crate) fn judge(&self, game: &Game, turns: u32, repetitions: impl FnOnce() -> u32) -> Option<Outcome> {
        self.winner(game).map_or_else(
            || self.judge_draw(game, turns, repetitions),
            |(winner, cause)| Some(Outcome::Win { winner, cause }),
        )
    }

    /// Says whether a game that nobody has won is drawn or truncated.
    pub(crate) fn judge_draw(&self, game: &Game, turns: u32, repetitions: impl FnOnce() -> u32) -> Option<Outcome> {
        let ruleset = game.ruleset();
        if self.has_progressed() {
            return None;
        }
        let reached = |limit: u16, count: u32| limit > 0 && count >= u32::from(limit);
        if reached(ruleset.no_progress_limit, u32::from(self.quiet_turns())) {
            return Some(Outcome::Draw(DrawCause::NoProgress));
        }
        if ruleset.repetition_limit > 0 && reached(ruleset.repetition_limit, repetitions()) {
            return Some(Outcome::Draw(DrawCause::Repetition));
        }
        let lone_kings = ruleset.lone_kings_draw
            && self.own().len() == 1
            && self.enemy().len() == 1
            && self.kings().len() == 2
            && !self.can_capture(game);
        if lone_kings {
            return Some(Outcome::Draw(DrawCause::LoneKings));
        }
        (ruleset.max_turns > 0 && turns >= ruleset.max_turns).then_some(Outcome::Truncated)
    }
}
