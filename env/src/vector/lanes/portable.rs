//! One board at a time, in plain Rust.

use super::Lanes;
use crate::bitboard::Bitboard;
use crate::vector::block::{LANES, Octet};

/// The set of one board.
#[derive(Clone, Copy)]
pub(in crate::vector) struct Portable(u64, u64);

impl Lanes for Portable {
    const COUNT: usize = 1;
    type Words = u64;

    #[inline(always)]
    fn load(octet: &Octet, at: usize) -> Self {
        Self(octet.lo[at], octet.hi[at])
    }

    #[inline(always)]
    fn store(self, octet: &mut Octet, at: usize) {
        octet.lo[at] = self.0;
        octet.hi[at] = self.1;
    }

    #[inline(always)]
    fn splat(set: Bitboard) -> Self {
        Self(set.0 as u64, (set.0 >> 64) as u64)
    }

    #[inline(always)]
    fn squares(numbers: &[u64; LANES], at: usize) -> Self {
        let number = numbers[at];
        let bit = 1u64 << (number % 64);
        Self(if number < 64 { bit } else { 0 }, if number >> 6 == 1 { bit } else { 0 })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0, self.1 & !other.1)
    }

    #[inline(always)]
    fn up(self, by: u32) -> Self {
        Self(self.0 << (by & 63), self.1 << (by & 63) | self.0 >> ((64 - by) & 63))
    }

    #[inline(always)]
    fn down(self, by: u32) -> Self {
        Self(self.0 >> (by & 63) | self.1 << ((64 - by) & 63), self.1 >> (by & 63))
    }

    #[inline(always)]
    fn up_within(self, by: u32) -> Self {
        Self(self.0 << (by & 63), self.1 << (by & 63))
    }

    #[inline(always)]
    fn down_within(self, by: u32) -> Self {
        Self(self.0 >> (by & 63), self.1 >> (by & 63))
    }

    #[inline(always)]
    fn split(self, from: u32) -> Self {
        Self(self.0, self.down(from).0)
    }

    #[inline(always)]
    fn joined(self, from: u32) -> Self {
        Self(self.0 | self.1 << (from & 63), self.1 >> ((64 - from) & 63))
    }

    #[inline(always)]
    fn back(self, downs: &[u64; LANES], ups: &[u64; LANES], at: usize) -> Self {
        if downs[at] != 0 { self.down(downs[at] as u32) } else { self.up(ups[at] as u32) }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(self.1.reverse_bits(), self.0.reverse_bits())
    }

    #[inline(always)]
    fn on(self, boards: u8, other: Self) -> Self {
        let keep = 0u64.wrapping_sub(u64::from(boards & 1));
        Self(self.0 & keep | other.0 & !keep, self.1 & keep | other.1 & !keep)
    }

    #[inline(always)]
    fn present(self) -> u8 {
        u8::from(self.0 | self.1 != 0)
    }

    #[inline(always)]
    fn no_words() -> u64 {
        0
    }

    #[inline(always)]
    fn mark(words: u64, set: Self, bit: u32) -> u64 {
        words | u64::from(set.present()) << bit
    }

    #[inline(always)]
    fn store_words(words: u64, out: &mut [u16; LANES], at: usize) {
        out[at] = words as u16;
    }
}
