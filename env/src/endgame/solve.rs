//! Solving a class: from the positions that are decided at once, back through steps.
//!
//! First every position is looked at one turn ahead. Captures and promotions lead to classes that
//! are solved already; what is left are steps within the class and its mirror. Then level by
//! level: a position that ends in `d` turns is final once all nearer ones are, and what steps to it
//! is told. A lost position makes every step to it win in `d + 1`; a won one takes a turn off
//! the count of those that could still save the player, and the last one taken off decides.
//! What stays undecided is a draw. Positions whose steps may leave pieces at fault are not counted
//! but looked at anew, since there a step may be bad before its position is decided.

use rayon::prelude::*;

use super::class::Class;
use super::lookahead::{Lookahead, Outlook};
use super::ranking::{Placement, Ranking};
use super::retract::each_step_back;
use super::tables::EndgameTables;
use super::value::{NOTHING, Score, byte_of, code_of, score_of};
use super::work::{MOST_OPEN, State, Word, Work};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::{Capture, King};

/// What a class came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassReport {
    /// The class.
    pub class: Class,
    /// Positions won by the decider.
    pub won: u64,
    /// Positions drawn.
    pub drawn: u64,
    /// Positions lost by the decider.
    pub lost: u64,
    /// Turns of the longest win; 0 without one.
    pub longest_win: u16,
    /// Turns of the longest loss; 0 without one.
    pub longest_loss: u16,
}

/// How far the solving of a class and its mirror has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// So many more positions have been looked at one turn ahead.
    Looked(u64),
    /// All positions that end in so many turns are known.
    Settled(u16),
}

impl EndgameTables {
    /// Solves a class and its mirror, on the threads of the current pool.
    ///
    /// `progress` is called from many threads at once.
    ///
    /// # Panics
    /// A class that this one can become by capture or promotion has no table yet; see
    /// [`Class::in_order`].
    pub fn solve(&mut self, class: Class, progress: impl Fn(Moment) + Sync) {
        let classes = if class == class.mirror() { vec![class] } else { vec![class, class.mirror()] };
        let pair = Pair::new(self, &classes);
        pair.look(&progress);
        pair.go_back(&progress);
        let tables: Vec<(Class, Vec<u8>)> =
            pair.halves.iter().map(|half| (half.ranking.class(), half.bytes())).collect();
        for (class, bytes) in tables {
            self.put(class, bytes);
        }
    }

    /// Gives the memory that solving up to `pieces` pieces takes at most, in bytes.
    #[must_use]
    pub fn solving_memory(&self, pieces: usize) -> u64 {
        let (mut kept, mut most) = (0, 0);
        for class in self.classes(pieces) {
            let pair = if class == class.mirror() { 1 } else { 2 };
            let memory = self.memory(class) + self.memory(class.mirror());
            kept += memory / 2 * pair;
            // The numbering is made a second time for the work.
            most = most.max(kept + pair * Work::bytes(self.count(class)) + memory);
        }
        most
    }
}

/// One class with its work.
struct Half {
    ranking: Ranking,
    work: Work,
}

impl Half {
    fn bytes(&self) -> Vec<u8> {
        (0..self.work.len()).into_par_iter().map(|number| byte_of(self.work.get(number).code())).collect()
    }
}

/// A class and its mirror; only one of them where they are the same.
struct Pair<'a> {
    tables: &'a EndgameTables,
    game: &'a Game,
    halves: Vec<Half>,
}

impl<'a> Pair<'a> {
    fn new(tables: &'a EndgameTables, classes: &[Class]) -> Self {
        let half = |&class: &Class| {
            let ranking = tables.ranking(class);
            let work = Work::new(ranking.len());
            Half { ranking, work }
        };
        Self { tables, game: tables.game(), halves: classes.iter().map(half).collect() }
    }

    /// Looks at every position one turn ahead.
    fn look(&self, progress: &(impl Fn(Moment) + Sync)) {
        for half in &self.halves {
            (0..half.work.blocks()).into_par_iter().for_each(|block| {
                let mut cursor = half.ranking.cursor();
                for number in half.work.block(block) {
                    let word = self.first_look(&position(&cursor.placement(number), self.game));
                    half.work.begin(number, word);
                }
                let range = half.work.block(block);
                progress(Moment::Looked(range.end - range.start));
            });
        }
    }

    fn first_look(&self, position: &Position) -> Word {
        let Outlook { best, unknown } = self.outlook(position, 0);
        let blocked = best == NOTHING && unknown == 0;
        if !blocked && position.judge_draw(self.game, 0, || 1).is_some() {
            return Word::closed(0);
        }
        let settled = Outlook { best, unknown }.score();
        let code = settled.map_or(0, code_of);
        let capturing = position.can_capture(self.game);
        if unknown == 0 && !(capturing && self.huffs()) {
            return Word::closed(code);
        }
        if capturing {
            assert!(self.huffs(), "a forced capture leads to smaller classes, which are solved before");
            return Word::loaded(code);
        }
        // A turn that is known and not bad keeps the player from losing, as one that never closes.
        let count = unknown + u32::from(best >= 0);
        assert!(count <= MOST_OPEN, "so few pieces have at most {MOST_OPEN} turns");
        Word::open(code, count)
    }

    /// Settles level after level.
    fn go_back(&self, progress: &(impl Fn(Moment) + Sync)) {
        let mut code = 1;
        while self.halves.iter().any(|half| half.work.is_pending()) {
            for number in 0..self.halves.len() {
                let half = &self.halves[number];
                (0..half.work.blocks()).into_par_iter().with_min_len(16).for_each(|block| {
                    let mut cursor = half.ranking.cursor();
                    half.work.settle(block, code, |index| {
                        self.tell(number, &cursor.placement(index), code);
                    });
                });
            }
            progress(Moment::Settled(code - 1));
            code += 1;
        }
    }

    /// Tells all that step to a position that its value is `code`.
    fn tell(&self, number: usize, after: &Placement, code: u16) {
        let before = &self.halves[self.halves.len() - 1 - number];
        let lost = code % 2 == 1;
        each_step_back(self.game, after, |placement| {
            let index = before.ranking.rank(placement);
            let word = before.work.get(index);
            match word.state() {
                State::Closed => {}
                State::Open if lost => before.work.offer(index, code + 1),
                State::Open => {
                    if before.work.close_turn(index) {
                        before.work.offer(index, self.lost_code(placement, code));
                    }
                }
                State::Loaded => {
                    if (word.code() == 0 || word.code() > code)
                        && let Some(score) = self.outlook(&position(placement, self.game), code).score()
                        && score != 0
                    {
                        before.work.offer(index, code_of(score));
                    }
                }
            }
        });
    }

    /// Gives the code of a position all of whose turns are bad, the last of them since `code`.
    fn lost_code(&self, placement: &Placement, code: u16) -> u16 {
        if self.game.ruleset().king == King::None || placement.own.without(placement.kings).is_empty() {
            return code + 1;
        }
        // A promotion may have been the longer way to lose.
        let score = self.outlook(&position(placement, self.game), code).score();
        code_of(score.expect("every turn of the position is known"))
    }

    /// Looks one turn ahead, with the values of these classes up to `code`.
    fn outlook(&self, position: &Position, code: u16) -> Outlook {
        let table = |position: &Position| -> Option<Score> {
            let class = Class::of(position);
            let Some(half) = self.halves.iter().find(|half| half.ranking.class() == class) else {
                let known = self.tables.table_score(class, position);
                return Some(known.expect("classes that can be reached are solved before"));
            };
            if code == 0 {
                return None;
            }
            let found = half.work.get(half.ranking.rank(&placement(position))).code();
            (found > 0 && found <= code).then(|| score_of(found))
        };
        Lookahead { game: self.game, table }.rest(position)
    }

    fn huffs(&self) -> bool {
        self.game.ruleset().capture == Capture::Huff
    }
}

/// Gives the position of a placement, at the start of a turn.
pub(super) fn position(placement: &Placement, game: &Game) -> Position {
    let position = Position {
        us: placement.own,
        them: placement.enemy,
        kings: placement.kings,
        ..Position::empty(crate::outcome::Side::White)
    };
    // No table asks for the key; only the checks of debug builds do.
    if cfg!(debug_assertions) { Position { key: position.full_key(game.zobrist()), ..position } } else { position }
}

pub(super) fn placement(position: &Position) -> Placement {
    Placement { own: position.us, enemy: position.them, kings: position.kings }
}
