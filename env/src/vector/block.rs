//! What a batch stores: eight boards side by side, word by word.
//!
//! The same field of eight boards is contiguous, so that one vector instruction works on all of
//! them, and the fields of a block are neighbours, so that a block is a few cache lines.

use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::Capture;

/// Boards in a block.
pub(super) const LANES: usize = 8;

/// A set of squares on each of eight boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub(super) struct Octet {
    pub(super) lo: [u64; LANES],
    pub(super) hi: [u64; LANES],
}

impl Octet {
    /// Gives the same set on each board.
    pub(super) const fn all([lo, hi]: [u64; 2]) -> Self {
        Self { lo: [lo; LANES], hi: [hi; LANES] }
    }

    pub(super) fn get(&self, lane: usize) -> Bitboard {
        Bitboard(u128::from(self.lo[lane]) | u128::from(self.hi[lane]) << 64)
    }

    pub(super) fn set(&mut self, lane: usize, squares: Bitboard) {
        self.lo[lane] = squares.0 as u64;
        self.hi[lane] = (squares.0 >> 64) as u64;
    }
}

/// Black decides.
pub(super) const BLACK: u8 = 1;
/// A chain goes on: `focus` is the chaining piece and `marks` are the pieces waiting for removal.
pub(super) const CHAIN: u8 = 2;
/// The turn in hand has begun with a huff.
pub(super) const HUFFED: u8 = 4;
/// The game is over.
pub(super) const OVER: u8 = 8;

/// Eight boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub(super) struct Block {
    pub(super) us: Octet,
    pub(super) them: Octet,
    pub(super) kings: Octet,
    /// In a chain the piece that captures; otherwise, under the huff rule, the pieces that could.
    pub(super) focus: Octet,
    /// In a chain the enemy pieces waiting for removal; otherwise those at fault.
    pub(super) marks: Octet,
    /// State of each board's random stream.
    pub(super) rng: [u64; LANES],
    /// Key of the pieces at fault in the position that the history starts from.
    pub(super) base_fault: [u64; LANES],
    pub(super) turns: [u32; LANES],
    /// Actions played in this game, 65,535 at most.
    pub(super) length: [u16; LANES],
    pub(super) quiet: [u16; LANES],
    /// Entries of the board's history.
    pub(super) reversible: [u16; LANES],
    pub(super) flags: [u8; LANES],
}

impl Block {
    pub(super) const fn side(&self, lane: usize) -> Side {
        if self.flags[lane] & BLACK == 0 { Side::White } else { Side::Black }
    }

    /// Gives the position of a board, without its key.
    pub(super) fn keyless(&self, lane: usize) -> Position {
        let in_chain = self.flags[lane] & CHAIN != 0;
        let marks = self.marks.get(lane);
        let (waiting, fault) = if in_chain { (marks, Bitboard::EMPTY) } else { (Bitboard::EMPTY, marks) };
        Position {
            us: self.us.get(lane),
            them: self.them.get(lane),
            kings: self.kings.get(lane),
            waiting,
            fault,
            key: 0,
            chain: if in_chain { self.focus.get(lane).first() } else { None },
            side: self.side(lane),
            huffed: self.flags[lane] & HUFFED != 0,
            quiet_turns: self.quiet[lane],
        }
    }

    /// Gives the position of a board.
    pub(super) fn position(&self, game: &Game, lane: usize) -> Position {
        let mut position = self.keyless(lane);
        position.key = position.full_key(game.zobrist());
        position
    }

    /// Puts a position on a board; counters of the game and its history are left alone.
    pub(super) fn set_position(&mut self, game: &Game, lane: usize, position: &Position) {
        self.us.set(lane, position.us);
        self.them.set(lane, position.them);
        self.kings.set(lane, position.kings);
        let focus = match (position.chain, game.ruleset().capture) {
            (Some(at), _) => Square::bit(at),
            (None, Capture::Huff) => position.capturers(game),
            (None, Capture::Forced) => Bitboard::EMPTY,
        };
        self.focus.set(lane, focus);
        self.marks.set(lane, position.waiting | position.fault);
        self.quiet[lane] = position.quiet_turns;
        let mut flags = if position.side == Side::Black { BLACK } else { 0 };
        if position.chain.is_some() {
            flags |= CHAIN;
        }
        if position.huffed {
            flags |= HUFFED;
        }
        self.flags[lane] = flags;
    }

    /// Puts a position on a board as the first of a game.
    pub(super) fn start(&mut self, game: &Game, lane: usize, position: &Position) {
        self.set_position(game, lane, position);
        self.base_fault[lane] = game.zobrist().fault(position.side, position.fault);
        self.turns[lane] = 0;
        self.length[lane] = 0;
        self.reversible[lane] = 0;
    }
}

/// Gives the boards that have a flag.
#[inline(always)]
pub(super) fn lanes_with(flags: [u8; LANES], flag: u8) -> u8 {
    let ones = u64::from_le_bytes(flags) >> flag.trailing_zeros() & 0x0101_0101_0101_0101;
    (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}
