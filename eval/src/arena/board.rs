//! A game of a match while it is played.

use damma_env::{Action, Game, IllegalAction, Position, Side, State};
use rand_pcg::Pcg64;

use super::ending::{Adjudicate, Ending};
use super::opening::Opening;
use super::record::{MatchGame, Seat, Thought};
use super::{ACTION_CAP, Fixture};
use crate::player::{Choice, Decision, Forfeit};

/// A game of the match, over or not.
pub(super) struct Board {
    fixture: Fixture,
    opening_actions: usize,
    start: Position,
    start_text: Option<String>,
    pub(super) state: State,
    actions: Vec<Action>,
    thoughts: Vec<Thought>,
    note: Option<String>,
    pub(super) rng: Pcg64,
    pub(super) ending: Option<Ending>,
}

impl Board {
    pub(super) fn new(fixture: Fixture, opening: &Opening, start: Position, state: State, rng: Pcg64) -> Self {
        let actions: Vec<Action> = opening.actions().collect();
        Self {
            fixture,
            opening_actions: actions.len(),
            start,
            start_text: opening.start_text().map(str::to_owned),
            state,
            actions,
            thoughts: Vec::new(),
            note: None,
            rng,
            ending: None,
        }
    }

    pub(super) fn side(&self, seat: Seat) -> Side {
        if self.fixture.white == seat { Side::White } else { Side::Black }
    }

    /// Says whose decision it is; nobody's once the game is over.
    pub(super) fn to_decide(&self) -> Option<Seat> {
        let white = self.fixture.white;
        let seat = if self.state.position().side() == Side::White { white } else { white.other() };
        self.ending.is_none().then_some(seat)
    }

    pub(super) fn decision(&self, slot: usize) -> Decision<'_> {
        Decision { game: self.fixture.number, slot, start: &self.start, actions: &self.actions, state: &self.state }
    }

    /// Plays what a player answered, or ends the game if the player failed.
    pub(super) fn take(&mut self, game: &Game, answer: Result<Choice, Forfeit>) -> Result<(), IllegalAction> {
        match answer {
            Ok(Choice { action, opinion, nodes, spent }) => {
                self.state.try_play(game, action)?;
                if opinion.is_some() || nodes.is_some() || spent.is_some() {
                    let milliseconds = spent.map(|spent| spent.as_millis() as u64);
                    self.thoughts.push(Thought { action: self.actions.len(), opinion, nodes, milliseconds });
                }
                self.actions.push(action);
            }
            Err(Forfeit { fault, detail }) => {
                self.ending = Some(Ending::Forfeited { loser: self.state.position().side(), fault });
                self.note = Some(detail);
            }
        }
        Ok(())
    }

    /// Ends the game if it is over, too long, or known to a judge.
    pub(super) fn judge(&mut self, game: &Game, judge: Option<&Adjudicate<'_>>) {
        let capped = self.actions.len() - self.opening_actions >= ACTION_CAP;
        let begins = !self.state.position().has_progressed();
        let ending = self.ending.or_else(|| self.state.outcome().map(Ending::Over));
        self.ending = ending
            .or_else(|| judge.filter(|_| begins).and_then(|judge| judge(game, &self.state)).map(Ending::Adjudicated))
            .or(capped.then_some(Ending::Capped));
    }

    pub(super) fn finished(self) -> Option<MatchGame> {
        Some(MatchGame {
            opening: self.fixture.opening,
            opening_actions: self.opening_actions,
            white: self.fixture.white,
            start: self.start_text,
            actions: self.actions.iter().map(|action| action.0).collect(),
            turns: self.state.turns(),
            ending: self.ending?,
            note: self.note,
            thoughts: self.thoughts,
        })
    }
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    #[test]
    fn a_game_without_end_is_capped_and_counted_as_such() {
        let ruleset = Ruleset::preset("damma8").unwrap();
        let ruleset = ruleset.with_overrides(["no_progress_limit=0", "repetition_limit=0"]).unwrap();
        let game = Game::new(ruleset).unwrap();
        let fixture = Fixture { number: 0, opening: 0, white: Seat::B };
        let mut board = Board::new(fixture, &Opening::default(), game.start(), State::new(&game), Pcg64::new(1, 1));

        board.actions = vec![Action(0); ACTION_CAP - 1];
        board.judge(&game, None);
        assert_eq!((board.ending, board.to_decide()), (None, Some(Seat::A)));
        board.actions.push(Action(0));
        board.judge(&game, None);

        assert_eq!((board.ending, board.to_decide()), (Some(Ending::Capped), None));
        let record = board.finished().unwrap();
        assert_eq!((record.half_points(Seat::A), record.ending.cause()), (1, "capped"));
    }
}
