//! A position: the pieces, whose decision it is, and what the turn so far has left open.
//!
//! Everything is from the decider's view: `us` moves up the ranks whichever side that is, and
//! the board is turned when the turn passes. A position holds no history; `state` adds it.

use crate::bitboard::{Bitboard, Square};
use crate::geometry::{Game, Kind, Zobrist};
use crate::outcome::Side;
use crate::ruleset::Middle;

/// A legal position of a game.
///
/// Made by [`Game::start`], by [`Position::play`](Position::play) from another, or from a
/// [`Setup`](crate::Setup) that is checked. Small and `Copy`: search keeps thousands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub(crate) us: Bitboard,
    pub(crate) them: Bitboard,
    pub(crate) kings: Bitboard,
    pub(crate) waiting: Bitboard,
    pub(crate) fault: Bitboard,
    pub(crate) key: u64,
    pub(crate) chain: Option<Square>,
    pub(crate) side: Side,
    pub(crate) huffed: bool,
    pub(crate) quiet_turns: u16,
}

impl Game {
    /// Gives the start position.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::start(self)
    }
}

impl Position {
    pub(crate) const fn empty(side: Side) -> Self {
        Self {
            us: Bitboard::EMPTY,
            them: Bitboard::EMPTY,
            kings: Bitboard::EMPTY,
            waiting: Bitboard::EMPTY,
            fault: Bitboard::EMPTY,
            key: 0,
            chain: None,
            side,
            huffed: false,
            quiet_turns: 0,
        }
    }

    fn start(game: &Game) -> Self {
        let ruleset = game.ruleset();
        let (size, rows) = (ruleset.size, ruleset.home_rows);
        let half = size / 2;
        let middle_filled = size % 2 == 1 && rows == half;
        let white = game.squares().into_iter().filter(|&square| {
            let (file, rank) = game.coordinates(square);
            let own_half = match ruleset.middle {
                Middle::Right => file > half,
                Middle::Left => file < half,
            };
            rank < rows || middle_filled && rank == half && own_half
        });
        let us: Bitboard = white.collect();
        // The start looks the same from both sides, so it is right for whoever has the first turn.
        let mut position = Self { us, them: game.flip(us), ..Self::empty(ruleset.first) };
        position.key = position.full_key(game.zobrist());
        position
    }

    /// Computes the key of everything that repetition compares.
    pub(crate) fn full_key(&self, zobrist: &Zobrist) -> u64 {
        let pieces = |set: Bitboard, man: Kind, king: Kind| {
            set.into_iter().fold(0, |key, square| {
                let kind = if self.kings.contains(square) { king } else { man };
                key ^ zobrist.piece(self.side, kind, square)
            })
        };
        let side = if self.side == Side::Black { zobrist.side() } else { 0 };
        side ^ pieces(self.us, Kind::OwnMan, Kind::OwnKing)
            ^ pieces(self.them, Kind::EnemyMan, Kind::EnemyKing)
            ^ zobrist.fault(self.side, self.fault)
            ^ zobrist.waiting(self.side, self.waiting)
            ^ self.chain.map_or(0, |square| zobrist.chain(self.side, square))
    }

    /// Says whose decision it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Gives the decider's pieces, from the decider's view.
    #[must_use]
    pub const fn own(&self) -> Bitboard {
        self.us
    }

    /// Gives the other player's pieces, those waiting for removal among them, from the decider's view.
    #[must_use]
    pub const fn enemy(&self) -> Bitboard {
        self.them
    }

    /// Gives the kings of both players, from the decider's view.
    #[must_use]
    pub const fn kings(&self) -> Bitboard {
        self.kings
    }

    /// Gives the piece that must go on capturing, from the decider's view.
    #[must_use]
    pub const fn chain(&self) -> Option<Square> {
        self.chain
    }

    /// Gives the enemy pieces that may be huffed, from the decider's view.
    #[must_use]
    pub const fn at_fault(&self) -> Bitboard {
        self.fault
    }

    /// Gives the enemy pieces captured in this turn and not yet removed, from the decider's view.
    #[must_use]
    pub const fn waiting(&self) -> Bitboard {
        self.waiting
    }

    /// Counts the turns in a row without progress, before the turn in hand.
    #[must_use]
    pub const fn quiet_turns(&self) -> u16 {
        self.quiet_turns
    }

    /// Says whether the turn in hand has already captured or huffed, so that it counts as progress.
    #[must_use]
    pub const fn has_progressed(&self) -> bool {
        self.huffed || self.chain.is_some()
    }

    pub(crate) const fn has_huffed(&self) -> bool {
        self.huffed
    }

    /// Gives the hash of pieces, side to decide, chain and huff state; equal positions have equal keys.
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.us | self.them
    }
}
