//! Repetition without keys: the reversible turns of a board, two bytes each.
//!
//! Since the last capture, huff, promotion or irreversible step every turn was one step, and a huff
//! has one behind it, so a position comes back exactly when the steps since then cancel out. Walking back over them finds
//! that at a quarter of the memory that keys would take.

use super::block::{Block, LANES};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::{Game, Kind};
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::Capture;

/// The greatest number of entries; older ones are forgotten.
pub(super) const MAX_ENTRIES: usize = u16::MAX as usize;

/// One reversible turn: a piece of a known kind went from one square of White's view to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub(super) struct Entry(pub(super) u16);

impl Entry {
    pub(super) fn new(game: &Game, side: Side, from: Square, to: Square, king: bool) -> Self {
        let (from, to) = (game.view_square(side, from), game.view_square(side, to));
        Self(u16::from(from.0) | u16::from(to.0) << 7 | u16::from(king) << 14)
    }

    const fn from(self) -> Square {
        Square((self.0 & 127) as u8)
    }

    const fn to(self) -> Square {
        Square((self.0 >> 7 & 127) as u8)
    }

    const fn king(self) -> bool {
        self.0 >> 14 != 0
    }

    /// Gives what the turn changed in the key of the pieces.
    fn key(self, game: &Game, mover: Side) -> u64 {
        let kind = match (mover, self.king()) {
            (Side::White, false) => Kind::OwnMan,
            (Side::White, true) => Kind::OwnKing,
            (Side::Black, false) => Kind::EnemyMan,
            (Side::Black, true) => Kind::EnemyKing,
        };
        let zobrist = game.zobrist();
        zobrist.piece(Side::White, kind, self.from()) ^ zobrist.piece(Side::White, kind, self.to())
    }

    /// Gives the key of the pieces at fault after the first of some turns, `self` being the last of
    /// all and `after` the position that it led to.
    pub(super) fn first_fault(self, game: &Game, entries: &[Self], after: &Position) -> u64 {
        let (first, rest) = entries.split_first().expect("there are earlier turns");
        let before = rest.iter().rev().fold(self.undo(game, after), |after, entry| entry.undo(game, &after));
        game.zobrist().fault(before.side, first.fault(game, &before))
    }

    /// Takes the turn back on the board after it: gives the position before, from the mover's view.
    fn undo(self, game: &Game, after: &Position) -> Position {
        let mover = after.side.opponent();
        let mut before = Position {
            us: game.flip(after.them),
            them: game.flip(after.us),
            kings: game.flip(after.kings),
            ..Position::empty(mover)
        };
        let both = game.view_square(mover, self.from()).bit() | game.view_square(mover, self.to()).bit();
        before.us ^= both;
        if self.king() {
            before.kings ^= both;
        }
        before
    }

    /// Gives the pieces at fault after the turn that led to `after`, from its decider's view.
    fn fault(self, game: &Game, after: &Position) -> Bitboard {
        let before = self.undo(game, after);
        let from = game.view_square(before.side, self.from()).bit();
        let duty = before.capturers(game);
        let fault = if (duty & from).is_empty() {
            duty
        } else {
            duty.without(from) | game.view_square(before.side, self.to()).bit()
        };
        game.flip(fault)
    }
}

/// The reversible turns that led to a position at the start of a turn.
#[derive(Clone, Copy)]
pub(super) struct History<'a> {
    pub(super) entries: &'a [Entry],
    /// Key of the pieces at fault before the first entry.
    pub(super) base_fault: u64,
}

impl<'a> History<'a> {
    /// Gives the turns of a board out of those of all boards of some blocks.
    pub(super) fn of(all: &'a [Entry], blocks: &[Block], board: usize) -> Self {
        let capacity = all.len() / (blocks.len() * LANES);
        let (block, lane) = (&blocks[board / LANES], board % LANES);
        Self {
            entries: &all[board * capacity..][..block.reversible[lane] as usize],
            base_fault: block.base_fault[lane],
        }
    }

    /// Counts how often the position has stood, this time included; 1 once a turn has made progress.
    pub(super) fn repetitions(&self, game: &Game, position: &Position) -> u32 {
        if position.has_progressed() {
            return 1;
        }
        let huff = game.ruleset().capture == Capture::Huff;
        let mut key = 0;
        let mut mover = position.side;
        let mut count = 1;
        for (index, entry) in self.entries.iter().enumerate().rev() {
            mover = mover.opponent();
            key ^= entry.key(game, mover);
            if key == 0 && mover == position.side && (!huff || self.same_fault(game, position, index)) {
                count += 1;
            }
        }
        count
    }

    /// Says whether the same pieces as now were at fault after the first `turns` turns, when all
    /// pieces stood as they do now.
    fn same_fault(&self, game: &Game, position: &Position, turns: usize) -> bool {
        if turns == 0 {
            game.zobrist().fault(position.side, position.fault) == self.base_fault
        } else {
            self.entries[turns - 1].fault(game, position) == position.fault
        }
    }

    /// Gives the keys of the positions before each entry, the first position first.
    pub(super) fn keys(&self, game: &Game, position: &Position) -> Vec<u64> {
        let huff = game.ruleset().capture == Capture::Huff;
        let mut after = *position;
        let mut keys = Vec::with_capacity(self.entries.len() + 1);
        for (index, entry) in self.entries.iter().enumerate().rev() {
            after = entry.undo(game, &after);
            let fault = match index.checked_sub(1) {
                None => self.base_fault,
                Some(last) if huff => game.zobrist().fault(after.side, self.entries[last].fault(game, &after)),
                Some(_) => 0,
            };
            keys.push(after.full_key(game.zobrist()) ^ fault);
        }
        keys.reverse();
        keys
    }
}

/// Counts the turns that a board's history can ever hold.
pub(super) fn history_bound(game: &Game) -> usize {
    let ruleset = game.ruleset();
    match (ruleset.repetition_limit, ruleset.no_progress_limit) {
        (0, _) => 0,
        (_, 0) => MAX_ENTRIES,
        (_, limit) => limit.into(),
    }
}

/// Counts the turns that a board's history holds at first.
pub(super) fn history_capacity(game: &Game) -> usize {
    history_bound(game).min(128)
}
