//! The tables of a game: one byte a position, and what they say of any position.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::class::Class;
use super::lookahead::Lookahead;
use super::ranking::{Ranking, Squares};
use super::solve::{ClassReport, placement};
use super::value::{EndgameValue, Score, score_of};
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::{King, Middle, Ruleset};
use crate::state::State;

/// The most pieces that tables are made for.
pub const MAX_PIECES: usize = 8;

/// The exact values of positions with few pieces.
///
/// The values are those of positions at the start of a turn, by the ruleset without what depends on
/// history: repetition, `no_progress_limit`, `max_turns`. Infinite play is a draw, and so are lone
/// kings where `lone_kings_draw` says so. In a real game a win that takes longer than the counter
/// allows may be drawn; [`EndgameValue::within`] is the cautious reading.
///
/// Can be shared between threads.
///
/// ```
/// use damma_env::{EndgameTables, EndgameValue, Game, Ruleset};
/// let game = Game::new(Ruleset::preset("damma8")?)?;
/// let mut tables = EndgameTables::new(game.ruleset());
/// for class in tables.classes(2) {
///     tables.solve(class, |_| ());
/// }
/// let position = game.parse_position("8/8/8/4B3/8/2W5/8/8 w")?;
/// // The kings face each other, and whoever has to move gives way.
/// assert_eq!(tables.probe(&position), Some(EndgameValue::Loss(6)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EndgameTables {
    game: Arc<Game>,
    squares: Arc<Squares>,
    /// By [`Class::slot`].
    tables: Vec<Option<Table>>,
    covered: usize,
}

#[derive(Debug)]
struct Table {
    ranking: Ranking,
    bytes: Vec<u8>,
}

/// A table does not fit its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("class {class} has {wanted} positions and the table {found}")]
pub struct WrongTable {
    /// The class.
    pub class: Class,
    /// Its positions.
    pub wanted: u64,
    /// Those of the table.
    pub found: u64,
}

impl EndgameTables {
    /// Makes tables that hold nothing yet.
    #[must_use]
    pub fn new(ruleset: &Ruleset) -> Self {
        let game = Game::new(Self::timeless(ruleset)).expect("a ruleset without limits is as sound as with them");
        let squares = Arc::new(Squares::new(&game));
        Self { game, squares, tables: (0..4096).map(|_| None).collect(), covered: 0 }
    }

    /// Gives the ruleset without what no table depends on: history, the start, who begins.
    ///
    /// Rulesets that are equal so have the same tables.
    #[must_use]
    pub fn timeless(ruleset: &Ruleset) -> Ruleset {
        Ruleset {
            home_rows: 1,
            middle: Middle::Right,
            first: Side::White,
            no_progress_limit: 0,
            repetition_limit: 0,
            max_turns: 0,
            ..ruleset.clone()
        }
    }

    /// Gives the game whose positions the tables hold, without what depends on history.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Lists the classes with up to `pieces` pieces in the order in which they can be solved, a
    /// class and its mirror once.
    #[must_use]
    pub fn classes(&self, pieces: usize) -> Vec<Class> {
        let kings = self.game.ruleset().king != King::None;
        let classes = Class::in_order(pieces.min(MAX_PIECES), kings);
        classes.into_iter().filter(|class| self.fits(*class)).collect()
    }

    /// Makes the numbering of a class.
    #[must_use]
    pub fn ranking(&self, class: Class) -> Ranking {
        Ranking::new(&self.squares, class)
    }

    /// Counts the positions of a class.
    #[must_use]
    pub fn count(&self, class: Class) -> u64 {
        self.squares.count(class)
    }

    /// Gives the memory that the table of a class and its numbering take, in bytes.
    #[must_use]
    pub fn memory(&self, class: Class) -> u64 {
        self.count(class) + self.squares.bytes(class)
    }

    /// Gives the bytes of a class, if it is there; see [`EndgameValue::from_byte`].
    #[must_use]
    pub fn bytes(&self, class: Class) -> Option<&[u8]> {
        self.table(class).map(|table| table.bytes.as_slice())
    }

    /// Puts in a table made earlier; the caller knows that it is of these rules.
    ///
    /// # Errors
    /// It has not as many positions as the class; nothing is changed.
    pub fn insert(&mut self, class: Class, bytes: Vec<u8>) -> Result<(), WrongTable> {
        let (wanted, found) = (self.count(class), bytes.len() as u64);
        if wanted != found {
            return Err(WrongTable { class, wanted, found });
        }
        self.put(class, bytes);
        Ok(())
    }

    /// Gives the number of pieces up to which every class is there: below it a probe answers always.
    ///
    /// A search asks this once and compares piece counts before it probes.
    #[must_use]
    pub const fn covered(&self) -> usize {
        self.covered
    }

    /// Says whether a probe of the position is sure to answer; costs two population counts.
    #[must_use]
    pub fn covers(&self, position: &Position) -> bool {
        (position.own().len() + position.enemy().len()) as usize <= self.covered
    }

    /// Gives the value of a position for the player who decides.
    ///
    /// Pieces at fault and chains in progress are looked through by playing the rest of the turn;
    /// a position at the start of a turn costs one look-up. `None` where a class that it needs is
    /// not there.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<EndgameValue> {
        let table = |position: &Position| self.table_score(Class::of(position), position);
        Lookahead { game: &self.game, table }.score(position).map(EndgameValue::from_score)
    }

    /// Gives the value of a game in progress for the player who decides, where its history leaves it
    /// sure: `None` also where a win may still be drawn, since it takes more turns than the counters
    /// leave, or since some position needs to come back only once more for a draw by repetition.
    ///
    /// `game` has the real limits.
    #[must_use]
    pub fn probe_in(&self, game: &Game, state: &State) -> Option<EndgameValue> {
        if !self.covers(state.position()) {
            return None;
        }
        let ruleset = game.ruleset();
        let left = |limit: u32, count: u32| if limit == 0 { u32::MAX } else { limit.saturating_sub(count) };
        let turns = left(ruleset.no_progress_limit.into(), state.position().quiet_turns().into())
            .min(left(ruleset.max_turns, state.turns()));
        let value = self.probe(state.position())?;
        if value.within(turns.min(u16::MAX.into()) as u16) != value {
            return None;
        }
        let repetitions = u32::from(ruleset.repetition_limit);
        let may_repeat = || repetitions > 0 && state.most_repeated() + 1 >= repetitions;
        (value == EndgameValue::Draw || !may_repeat()).then_some(value)
    }

    /// Counts what the table of a class holds, if it is there.
    #[must_use]
    pub fn report(&self, class: Class) -> Option<ClassReport> {
        let mut counts = [0_u64; 256];
        for &byte in self.bytes(class)? {
            counts[byte as usize] += 1;
        }
        let mut report = ClassReport { class, won: 0, drawn: 0, lost: 0, longest_win: 0, longest_loss: 0 };
        for (byte, count) in counts.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            match EndgameValue::from_byte(byte as u8) {
                EndgameValue::Win(distance) => {
                    report.won += count;
                    report.longest_win = distance;
                }
                EndgameValue::Draw => report.drawn += count,
                EndgameValue::Loss(distance) => {
                    report.lost += count;
                    report.longest_loss = distance;
                }
            }
        }
        Some(report)
    }

    /// Gives the numbering of a class that has a table.
    pub(super) fn ranking_of(&self, class: Class) -> &Ranking {
        &self.table(class).expect("the class has a table").ranking
    }

    pub(super) fn put(&mut self, class: Class, bytes: Vec<u8>) {
        self.tables[class.slot()] = Some(Table { ranking: self.ranking(class), bytes });
        let mut missing: BTreeMap<usize, bool> = BTreeMap::new();
        for class in self.classes(MAX_PIECES) {
            let absent = [class, class.mirror()].iter().any(|class| self.tables[class.slot()].is_none());
            *missing.entry(class.pieces()).or_default() |= absent;
        }
        self.covered = missing.iter().find(|(_, missing)| **missing).map_or(MAX_PIECES, |(pieces, _)| pieces - 1);
    }

    pub(super) fn table_score(&self, class: Class, position: &Position) -> Option<Score> {
        let table = self.table(class)?;
        let number = table.ranking.rank(&placement(position));
        Some(score_of(u16::from(table.bytes[number as usize])))
    }

    /// Gives the table of a class; larger classes, which have none, share the slots of smaller ones.
    fn table(&self, class: Class) -> Option<&Table> {
        self.tables[class.slot()].as_ref().filter(|table| table.ranking.class() == class)
    }

    fn fits(&self, class: Class) -> bool {
        let points = self.game.squares().len() as usize;
        let men = points - if self.game.ruleset().king == King::None { 0 } else { self.game.far_rank().len() as usize };
        class.pieces() <= points && class.own_men as usize <= men && class.enemy_men as usize <= men
    }
}
