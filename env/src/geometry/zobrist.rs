//! Random keys for incremental hashing (Zobrist 1970), fixed for all time.
//!
//! A key belongs to a colour and a square of White's view; the tables are laid out by the
//! decider's view, so that looking one up needs no turning of the board.

use crate::bitboard::{Bitboard, Square};
use crate::outcome::Side;

/// Whose piece and of which kind: an index into the piece keys.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    OwnMan = 0,
    OwnKing = 1,
    EnemyMan = 2,
    EnemyKing = 3,
}

#[derive(Debug)]
pub(crate) struct Zobrist {
    /// By side to decide, kind of piece, square.
    pieces: Box<[[[u64; 128]; 4]; 2]>,
    /// By side to decide, square.
    chain: Box<[[u64; 128]; 2]>,
    fault: Box<[[u64; 128]; 2]>,
    waiting: Box<[[u64; 128]; 2]>,
    side: u64,
}

impl Zobrist {
    pub(super) fn new(half_turn: impl Fn(Square) -> Square) -> Self {
        let mut state = 0x5EED_0F5A_4A2A_u64;
        let mut table = || -> Vec<u64> { (0..128).map(|_| split_mix(&mut state)).collect() };
        let colours = [[table(), table()], [table(), table()]];
        let (chain, fault, waiting) = (table(), table(), table());
        let by_view = |keys: &[u64]| -> [[u64; 128]; 2] {
            [
                std::array::from_fn(|square| keys[square]),
                std::array::from_fn(|square| keys[half_turn(Square(square as u8)).index()]),
            ]
        };
        let mut pieces = Box::new([[[0; 128]; 4]; 2]);
        for side in Side::BOTH {
            for (kind, keys) in colours[side.index()].iter().chain(&colours[side.opponent().index()]).enumerate() {
                pieces[side.index()][kind] = by_view(keys)[side.index()];
            }
        }
        Self {
            pieces,
            chain: Box::new(by_view(&chain)),
            fault: Box::new(by_view(&fault)),
            waiting: Box::new(by_view(&waiting)),
            side: split_mix(&mut state),
        }
    }

    pub(crate) const fn piece(&self, side: Side, kind: Kind, square: Square) -> u64 {
        self.pieces[side.index()][kind as usize][square.index()]
    }

    pub(crate) const fn chain(&self, side: Side, square: Square) -> u64 {
        self.chain[side.index()][square.index()]
    }

    pub(crate) fn fault(&self, side: Side, squares: Bitboard) -> u64 {
        squares.into_iter().fold(0, |key, square| key ^ self.fault[side.index()][square.index()])
    }

    pub(crate) fn waiting(&self, side: Side, squares: Bitboard) -> u64 {
        squares.into_iter().fold(0, |key, square| key ^ self.waiting[side.index()][square.index()])
    }

    pub(crate) const fn side(&self) -> u64 {
        self.side
    }
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
