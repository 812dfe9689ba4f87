//! Squares and sets of squares.
//!
//! A board of `size` points a side lies in a `u128` with one unused column: the square of
//! `file` and `rank` (both from 0) is bit `rank * (size + 1) + file`. The unused column catches
//! whatever a one-step shift pushes over the edge, so no wrap masks are needed. This file knows
//! bits only; which squares exist and what joins them is `geometry`'s affair.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// One point of the board: its bit number, 0 to 127.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// Gives the square as an index into a table of 128.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Gives the set that holds only this square.
    #[must_use]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << self.0)
    }

    /// Gives the square `delta` bits away.
    ///
    /// The caller knows that the result is on the board.
    #[must_use]
    pub const fn offset(self, delta: i8) -> Self {
        Self(self.0.wrapping_add_signed(delta))
    }
}

/// A set of squares.
///
/// ```
/// use damma_env::{Bitboard, Square};
/// let set = Square(3).bit() | Square(40).bit();
/// assert_eq!(set.len(), 2);
/// assert!(set.contains(Square(40)));
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square(3), Square(40)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bitboard(pub u128);

impl Bitboard {
    /// The set without squares.
    pub const EMPTY: Self = Self(0);

    /// Says whether no square is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Counts the squares, 0 to 128.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Says whether `square` is in the set.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Gives the set without the squares of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Moves every square by `delta` bits; what leaves the 128 bits is dropped.
    #[must_use]
    pub const fn shift(self, delta: i8) -> Self {
        if delta >= 0 { Self(self.0 << delta) } else { Self(self.0 >> delta.unsigned_abs()) }
    }

    /// Moves every square up by `delta` bits, which is not negative.
    #[must_use]
    pub(crate) const fn shift_up(self, delta: i8) -> Self {
        Self(self.0 << delta)
    }

    /// Moves every square down by `delta` bits, which is not negative.
    #[must_use]
    pub(crate) const fn shift_down(self, delta: i8) -> Self {
        Self(self.0 >> delta)
    }

    /// Gives the lowest square, or `None` of an empty set.
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bit())
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}
