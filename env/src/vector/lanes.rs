//! Sets of squares on several boards at once, whatever the machine has for it.
//!
//! The kernel is written once over [`Lanes`]; the implementations are one board at a time in plain
//! Rust, two in SSE2, four in AVX2 and eight in AVX-512. They must not differ in any result.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
pub(super) use portable::Portable;
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::Sse2;

use super::block::{LANES, Octet};
use super::groups::Group;
use crate::bitboard::Bitboard;

/// A set of squares on each of `COUNT` boards; a set of boards is the low bits of a `u8`.
///
/// Implementations that use instructions which not every machine has may be named only where
/// those instructions are known to be there.
pub(super) trait Lanes: Copy {
    /// Boards at once; divides [`LANES`].
    const COUNT: usize;
    /// All boards.
    const ALL: u8 = ((1u16 << Self::COUNT) - 1) as u8;
    /// A number for each board.
    type Words: Copy;

    /// Reads the sets of the boards from `at` on.
    fn load(octet: &Octet, at: usize) -> Self;
    /// Writes the sets of the boards from `at` on.
    fn store(self, octet: &mut Octet, at: usize);
    /// Gives the same set on each board.
    fn splat(set: Bitboard) -> Self;
    /// Gives on each board the set of the one square with this number; none from 128 on.
    fn squares(numbers: &[u64; LANES], at: usize) -> Self;
    /// Gives the squares in both sets.
    fn and(self, other: Self) -> Self;
    /// Gives the squares in either set.
    fn or(self, other: Self) -> Self;
    /// Gives the squares in this set but not in the other.
    fn without(self, other: Self) -> Self;
    /// Moves every square up by `by` bits, 1 to 63.
    fn up(self, by: u32) -> Self;
    /// Moves every square down by `by` bits, 1 to 63.
    fn down(self, by: u32) -> Self;
    /// Moves every square up by `by` bits, 1 to 63, within its word; those that leave it are lost.
    fn up_within(self, by: u32) -> Self;
    /// Moves every square down by `by` bits, 1 to 63, within its word; those that leave it are lost.
    fn down_within(self, by: u32) -> Self;
    /// Keeps the low word, and gives the 64 bits from bit `from`, 1 to 63, on as the high one.
    fn split(self, from: u32) -> Self;
    /// Gives the set whose low word, and whose 64 bits from bit `from`, 1 to 63, on have these squares.
    fn joined(self, from: u32) -> Self;
    /// Moves the squares of each set down and then up by a number of its own, one of the two 0.
    fn back(self, downs: &[u64; LANES], ups: &[u64; LANES], at: usize) -> Self;
    /// Reverses the 128 bits.
    fn reversed(self) -> Self;
    /// Gives this set on the boards of `boards`, the other on the rest.
    fn on(self, boards: u8, other: Self) -> Self;
    /// Gives the boards where the set is not empty.
    fn present(self) -> u8;

    /// Gives 0 for each board.
    fn no_words() -> Self::Words;
    /// Sets bit `bit` of the boards where a set is not empty.
    fn mark(words: Self::Words, set: Self, bit: u32) -> Self::Words;
    /// Writes the low 16 bits of the numbers of the boards from `at` on.
    fn store_words(words: Self::Words, out: &mut [u16; LANES], at: usize);

    /// Gives the words of a mask that are not zero, a bit each.
    #[inline(always)]
    fn used(mask: &[u64]) -> u64 {
        mask.iter().enumerate().fold(0, |used, (index, &word)| used | u64::from(word != 0) << (index % 64))
    }

    /// Counts the bits of a mask.
    #[inline(always)]
    fn count(mask: &[u64]) -> u32 {
        mask.iter().map(|word| word.count_ones()).sum()
    }

    /// Gives the place of the bit that has `n` set bits below it.
    #[inline(always)]
    fn nth_bit(mut word: u64, n: u32) -> u32 {
        for _ in 0..n {
            word &= word - 1;
        }
        word.trailing_zeros()
    }

    /// Adds the actions of some origins, given as split words, to a packed mask.
    #[inline(always)]
    fn add_actions(group: &Group, origins: [u64; 2], mask: &mut [u64]) {
        for ((half, moving), origins) in group.halves.iter().zip(&group.moving).zip(origins) {
            if origins != 0 {
                let mut actions = origins & half.origins;
                for (step, &moving) in moving.iter().enumerate() {
                    let moving = actions & moving;
                    actions = actions ^ moving | moving >> (1 << step);
                }
                half.write(actions, mask);
            }
        }
    }

    /// Counts the squares of at most eight sets on all boards together.
    #[inline(always)]
    fn count_squares(sets: &[Self]) -> u64 {
        let mut count = 0;
        for set in sets {
            let stored = set.stored(0);
            for (lo, hi) in stored.lo.iter().zip(&stored.hi).take(Self::COUNT) {
                count += u64::from(lo.count_ones() + hi.count_ones());
            }
        }
        count
    }

    /// Writes each bit as a byte.
    #[inline(always)]
    fn expand(word: u64, out: &mut [u8; 64]) {
        for (byte, out) in word.to_le_bytes().into_iter().zip(out.as_chunks_mut::<8>().0) {
            // Each copy of the byte keeps one bit, and what is not zero becomes one.
            let bits = (u64::from(byte) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
            *out = ((bits + 0x7F7F_7F7F_7F7F_7F7F) >> 7 & 0x0101_0101_0101_0101).to_le_bytes();
        }
    }

    /// Gives no square on any board.
    #[inline(always)]
    fn none() -> Self {
        Self::splat(Bitboard::EMPTY)
    }

    /// Gives the sets as stored.
    #[inline(always)]
    fn stored(self, at: usize) -> Octet {
        let mut octet = Octet::default();
        self.store(&mut octet, at);
        octet
    }

    /// Keeps the set on the boards of `boards` only.
    #[inline(always)]
    fn only_on(self, boards: u8) -> Self {
        self.on(boards, Self::none())
    }
}

/// Adds the actions of some origins to a mask as [`Lanes::add_actions`] does, with one instruction
/// to bring them side by side.
///
/// # Safety
/// The machine has BMI2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn gather(group: &Group, origins: [u64; 2], mask: &mut [u64]) {
    for (half, origins) in group.halves.iter().zip(origins) {
        if half.origins != 0 {
            // SAFETY: the caller knows that the instruction is there.
            let actions = unsafe { core::arch::x86_64::_pext_u64(origins, half.origins) };
            half.write(actions, mask);
        }
    }
}
