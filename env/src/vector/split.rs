//! Splitting sets so that no move goes from one word to the other.
//!
//! Moving the squares of 128 bits carries some from one word to the other, which costs more than
//! the moving itself. So where moves are looked for, the high word of a set begins further down:
//! the two overlap by so many rows that every origin shares a word with the two points ahead of
//! it. Which word that is depends on the direction alone.

use super::lanes::Lanes;
use crate::bitboard::Bitboard;

/// Gives the square with which the high word of a split set begins on boards of a stride; 64 where
/// sets are not split.
pub(super) const fn high_from(stride: u32) -> u32 {
    match stride {
        // Those that the kernel is compiled for.
        6 | 9 | 10 => 32,
        _ => 64,
    }
}

/// Splits the sets of some boards.
#[inline(always)]
pub(super) fn split<L: Lanes, const STRIDE: u32>(set: L) -> L {
    if high_from(STRIDE) == 64 { set } else { set.split(high_from(STRIDE)) }
}

/// Undoes [`split`]; of a square that both words can hold, one is enough.
#[inline(always)]
pub(super) fn joined<L: Lanes, const STRIDE: u32>(set: L) -> L {
    if high_from(STRIDE) == 64 { set } else { set.joined(high_from(STRIDE)) }
}

/// Splits one set.
#[inline(always)]
pub(super) const fn words(set: Bitboard, high_from: u32) -> [u64; 2] {
    [set.0 as u64, (set.0 >> high_from) as u64]
}

/// Splits the origins of moves in a direction, given by the bits to the next point, and leaves each
/// only in the word where its moves are found.
pub(super) fn origin_words(origins: Bitboard, offset: i8, high_from: u32) -> [u64; 2] {
    let low = if high_from == 64 { u64::MAX } else { u64::MAX >> (2 * offset.max(0)) };
    let low = Bitboard(low.into());
    [words(origins & low, high_from)[0], words(origins.without(low), high_from)[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_origin_shares_its_word_with_the_two_points_ahead() {
        for stride in [6, 9, 10] {
            let points = (0..(stride - 1) * stride).filter(|point| point % stride != stride - 1);
            let points: Vec<u32> = points.collect();
            for by in [1, stride - 1, stride, stride + 1].map(|by| by as i8) {
                for (offset, &point) in [by, -by].into_iter().flat_map(|by| points.iter().map(move |at| (by, at))) {
                    let ahead = [1, 2].map(|distance| point.wrapping_add_signed(i32::from(offset) * distance));
                    let on_board = |point: &&u32| points.contains(point);
                    let [low, high] = origin_words(Bitboard(1 << point), offset, high_from(stride));
                    assert_eq!(low.count_ones() + high.count_ones(), 1);
                    let word = if low != 0 { 0..64 } else { high_from(stride)..high_from(stride) + 64 };
                    assert!(word.contains(&point));
                    assert!(ahead.iter().filter(on_board).all(|point| word.contains(point)));
                }
            }
        }
    }
}
