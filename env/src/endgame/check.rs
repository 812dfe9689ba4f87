//! Proving single values of finished tables again: one turn ahead, and by plain search.

use thiserror::Error;

use super::class::Class;
use super::lookahead::Lookahead;
use super::solve::position;
use super::tables::EndgameTables;
use super::value::{EndgameValue, NOTHING, Score, byte_of, code_of, turned};
use crate::geometry::Game;
use crate::position::Position;

/// A position whose stored value is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("class {class}, position {number} (`{position}`): stored {stored:?}, and {method} says {found:?}")]
pub struct Fault {
    /// The class.
    pub class: Class,
    /// The position's number.
    pub number: u64,
    /// The position as text, White to decide.
    pub position: String,
    /// What the table says.
    pub stored: EndgameValue,
    /// What the check says.
    pub found: EndgameValue,
    /// How that was found.
    pub method: &'static str,
}

impl EndgameTables {
    /// Checks a stored value against the values of all positions that one turn leads to.
    ///
    /// Where this holds for every position of every class, all wins and losses are right with their
    /// distances, and every draw can be held.
    ///
    /// # Errors
    /// The value that the successors say.
    ///
    /// # Panics
    /// The class has no table or no such number, or classes that it can become have no tables.
    pub fn check(&self, class: Class, number: u64) -> Result<(), Fault> {
        let position = position(&self.ranking_of(class).cursor().placement(number), self.game());
        let table = |position: &Position| self.table_score(Class::of(position), position);
        let outlook = Lookahead { game: self.game(), table }.rest(&position);
        let drawn = outlook.best != NOTHING && position.judge_draw(self.game(), 0, || 1).is_some();
        let score = if drawn { 0 } else { outlook.score().expect("the classes that a turn leads to have tables") };
        self.compare(class, number, &position, score, "one turn ahead")
    }

    /// Checks a stored value by a search that asks no table, `turns` turns deep; says whether that
    /// was enough to tell, which it may also not be because `nodes` positions were looked at.
    ///
    /// # Errors
    /// The value that the search says.
    ///
    /// # Panics
    /// The class has no table or no such number.
    pub fn check_by_search(&self, class: Class, number: u64, turns: u16, nodes: u64) -> Result<bool, Fault> {
        let position = position(&self.ranking_of(class).cursor().placement(number), self.game());
        let mut search = Search { game: self.game(), nodes };
        let found = search.score(&position, turns);
        if search.nodes == 0 {
            return Ok(false);
        }
        let stored = self.stored(class, number);
        match found {
            Some(score) => self.compare(class, number, &position, score, "plain search").map(|()| true),
            None if stored.distance().is_some_and(|distance| distance <= turns) => {
                self.compare(class, number, &position, 0, "plain search").map(|()| true)
            }
            None => Ok(stored.distance().is_some()),
        }
    }

    /// Gives the stored value of a position by its number.
    ///
    /// # Panics
    /// The class has no table or no such number.
    #[must_use]
    pub fn stored(&self, class: Class, number: u64) -> EndgameValue {
        EndgameValue::from_byte(self.bytes(class).expect("the class has a table")[number as usize])
    }

    fn compare(
        &self,
        class: Class,
        number: u64,
        position: &Position,
        score: Score,
        method: &'static str,
    ) -> Result<(), Fault> {
        let (stored, found) = (self.stored(class, number), EndgameValue::from_byte(byte_of(code_of(score))));
        if stored == found {
            return Ok(());
        }
        let position = self.game().position_text(position);
        Err(Fault { class, number, position, stored, found, method })
    }
}

/// A search of whole turns that knows nothing but the rules.
struct Search<'a> {
    game: &'a Game,
    /// How many more positions it may look at.
    nodes: u64,
}

impl Search<'_> {
    /// Gives the value of a position if `turns` turns are enough to settle it.
    fn score(&mut self, position: &Position, turns: u16) -> Option<Score> {
        if position.enemy().is_empty() {
            return Some(EndgameValue::Win(1).score());
        }
        let actions = position.legal_actions(self.game);
        if actions.is_empty() {
            return Some(EndgameValue::Loss(0).score());
        }
        if position.judge_draw(self.game, 0, || 1).is_some() {
            return Some(0);
        }
        if self.nodes == 0 {
            return None;
        }
        self.nodes -= 1;
        let mut best = Some(NOTHING);
        let mut win = NOTHING;
        for action in actions {
            let next = position.play(self.game, action);
            // A turn may end in itself: a player whose only action is a huff can be blocked behind it.
            let score = if next.side() == position.side() {
                self.score(&next, turns)
            } else {
                turns.checked_sub(1).and_then(|left| self.score(&next, left).map(turned))
            };
            best = best.zip(score).map(|(best, score)| best.max(score));
            win = win.max(score.unwrap_or(NOTHING));
        }
        if win > 0 { Some(win) } else { best }
    }
}
