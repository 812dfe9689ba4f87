//! Each board's own random stream, and drawing a legal action from a packed mask.

use super::lanes::Lanes;
use crate::action::Action;

/// Gives the first state of a board's stream; streams of different boards and seeds are unrelated.
pub(super) const fn stream(seed: u64, board: usize) -> u64 {
    let mut state = seed ^ 0x00DA_44A0;
    let mixed = next(&mut state);
    let mut state = mixed ^ (board as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    next(&mut state)
}

/// Draws 64 bits: `SplitMix64` (Steele, Lea, Flood 2014).
pub(super) const fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Draws a number below `count`, uniform to one part in 2^52.
pub(super) const fn below(state: &mut u64, count: u64) -> u64 {
    ((next(state) as u128 * count as u128) >> 64) as u64
}

/// Draws one of the legal actions of a mask, each with the same chance; `None` of an empty mask.
#[inline(always)]
pub(super) fn sample<L: Lanes>(mask: &[u64], state: &mut u64) -> Option<Action> {
    let mut used = L::used(mask);
    let total = L::count(mask);
    if total == 0 {
        return None;
    }
    let mut left = below(state, total.into()) as u32;
    loop {
        let index = used.trailing_zeros() as usize;
        used &= used - 1;
        let here = mask[index].count_ones();
        if left < here {
            return Some(Action((index * 64) as u16 + L::nth_bit(mask[index], left) as u16));
        }
        left -= here;
    }
}
