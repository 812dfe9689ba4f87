//! From origins to actions: those of one distance and direction have consecutive numbers, in the
//! order of their origins.

use super::split::words;
use crate::bitboard::Square;

/// The actions of one distance and direction.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Group {
    /// The origins in the low and the high word of a split set.
    pub(super) halves: [Half; 2],
    /// By half: the bits that move down by 1, 2, 4 and so on, one step after the other, so that the
    /// origins come to lie side by side from the lowest bit on.
    pub(super) moving: [[u64; 6]; 2],
}

/// The origins in one word of a set, whose actions are consecutive.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Half {
    pub(super) origins: u64,
    /// Word and bit of a mask where the actions begin, and the word after it, if there is one.
    pub(super) word: u8,
    pub(super) next: u8,
    pub(super) bit: u8,
}

impl Group {
    /// Adds the next origin, given as split words, and its action.
    pub(super) fn add(&mut self, origin: [u64; 2], action: u16, last_word: u8) {
        let half = usize::from(origin[0] == 0);
        let (origin, moving) = (origin[half], &mut self.moving[half]);
        let half = &mut self.halves[half];
        if half.origins == 0 {
            half.word = (action / 64) as u8;
            half.next = (half.word + 1).min(last_word);
            half.bit = (action % 64) as u8;
        }
        let mut place = origin.trailing_zeros();
        let distance = place - half.origins.count_ones();
        for (step, moving) in moving.iter_mut().enumerate() {
            if distance >> step & 1 == 1 {
                *moving |= 1 << place;
                place -= 1 << step;
            }
        }
        half.origins |= origin;
    }

    /// Gives the action of one of the origins.
    pub(super) fn number(&self, from: Square, high_from: u32) -> u16 {
        let [low, high] = words(from.bit(), high_from);
        let (half, origin) = match &self.halves {
            [half, _] if half.origins & low != 0 => (half, low),
            [_, half] => (half, high),
        };
        u16::from(half.word) * 64 + u16::from(half.bit) + (half.origins & (origin - 1)).count_ones() as u16
    }
}

impl Half {
    /// Adds actions, given from the lowest bit on, to a mask.
    #[inline(always)]
    pub(super) fn write(&self, actions: u64, mask: &mut [u64]) {
        let bit = self.bit & 63;
        mask[self.word as usize] |= actions << bit;
        mask[self.next as usize] |= actions >> 1 >> (63 - bit);
    }
}
