//! One turn ahead: the best that the decider can reach, played out by the rules engine.
//!
//! What positions at the start of a turn are worth comes from the caller; pieces at fault and
//! chains in progress are looked through here, so tables need not hold them.

use super::value::{EndgameValue, NOTHING, Score, turned};
use crate::bitboard::Bitboard;
use crate::geometry::Game;
use crate::position::Position;

/// What one turn can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Outlook {
    /// The best of the turns whose value is known; [`NOTHING`] without any.
    pub(super) best: Score,
    /// How many turns lead to values that are not known.
    pub(super) unknown: u32,
}

impl Outlook {
    const EMPTY: Self = Self { best: NOTHING, unknown: 0 };

    fn add(&mut self, score: Option<Score>) {
        match score {
            Some(score) => self.best = self.best.max(score),
            None => self.unknown += 1,
        }
    }

    /// Gives the value if it is settled: a win, or all turns known. No turn at all is a loss.
    pub(super) fn score(self) -> Option<Score> {
        if self.best > 0 {
            Some(self.best)
        } else if self.unknown > 0 {
            None
        } else {
            Some(self.best.max(EndgameValue::Loss(0).score()))
        }
    }
}

/// The rules without history, and what positions at the start of a turn are worth.
pub(super) struct Lookahead<'a, F> {
    pub(super) game: &'a Game,
    /// Gives the score of a position at the start of a turn without pieces at fault, both players
    /// having pieces; `None` where it is not known.
    pub(super) table: F,
}

impl<F: Fn(&Position) -> Option<Score>> Lookahead<'_, F> {
    /// Gives the value of any position, if what follows from its turn is known.
    pub(super) fn score(&self, position: &Position) -> Option<Score> {
        if position.enemy().is_empty() {
            return Some(EndgameValue::Win(1).score());
        }
        if position.own().is_empty() {
            return Some(EndgameValue::Loss(0).score());
        }
        if position.has_progressed() { self.rest(position).score() } else { self.start_of_turn(position) }
    }

    /// Looks at all that the rest of the turn can lead to.
    pub(super) fn rest(&self, position: &Position) -> Outlook {
        let mut outlook = Outlook::EMPTY;
        self.walk(position, &mut outlook);
        outlook
    }

    fn walk(&self, position: &Position, outlook: &mut Outlook) {
        position.each_action(self.game, |action| {
            let next = position.play(self.game, action);
            if next.side() != position.side() {
                outlook.add(self.start_of_turn(&next).map(turned));
            } else if next.chain().is_some() {
                self.walk(&next, outlook);
            } else {
                outlook.add(self.after_huff(&next));
            }
            true
        });
    }

    /// Gives the score at the start of a turn, whoever is at fault.
    fn start_of_turn(&self, position: &Position) -> Option<Score> {
        if position.own().is_empty() {
            return Some(EndgameValue::Loss(0).score());
        }
        if position.at_fault().is_empty() {
            return (self.table)(position);
        }
        // The draw of lone kings comes before any right to huff.
        if position.judge_draw(self.game, 0, || 1).is_some() {
            return Some(0);
        }
        let mut outlook = Outlook::EMPTY;
        for victim in position.at_fault() {
            let huff = self.game.huff_of(victim).expect("pieces are at fault only where the game has huffs");
            outlook.add(self.after_huff(&position.play(self.game, huff)));
        }
        outlook.add((self.table)(&position.without_fault()));
        outlook.score()
    }

    /// Gives the score after a huff, in the same turn: that of a turn begun anew.
    fn after_huff(&self, position: &Position) -> Option<Score> {
        if position.enemy().is_empty() {
            return Some(EndgameValue::Win(1).score());
        }
        let fresh = Position { huffed: false, ..*position };
        if fresh.judge_draw(self.game, 0, || 1).is_some() {
            // A turn that has begun goes on, though lone kings would be a draw at its start.
            return self.rest(position).score();
        }
        (self.table)(&fresh)
    }
}

impl Position {
    /// Gives the position as if nobody were at fault.
    fn without_fault(&self) -> Self {
        // The key is that of another position: no table of endings asks for it.
        Self { fault: Bitboard::EMPTY, ..*self }
    }
}
