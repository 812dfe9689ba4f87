//! Action masks, packed and dense.

use super::block::{LANES, Octet};
use super::kernel::Scratch;
use super::lanes::Lanes;
use super::moves::bits;
use super::split::words;
use super::tables::Tables;
use crate::geometry::Game;
use crate::position::Position;

/// Says whether an action is in a packed mask.
pub(super) fn is_legal(mask: &[u64], action: u16) -> bool {
    mask.get(action as usize / 64).is_some_and(|word| word >> (action % 64) & 1 != 0)
}

/// Writes the packed mask of a position.
pub(super) fn write_mask(game: &Game, position: &Position, mask: &mut [u64]) {
    mask.fill(0);
    position.each_action(game, |action| {
        mask[action.index() / 64] |= 1 << (action.index() % 64);
        true
    });
}

/// Adds an action to a mask.
#[inline(always)]
pub(super) fn set(mask: &mut [u64], action: u16) {
    mask[action as usize / 64] |= 1 << (action % 64);
}

/// Writes the moves of men and short kings into the cleared masks of a block.
///
/// One loop over the sets of four boards: a loop for each board would end at a place that no
/// processor can foresee.
#[inline(always)]
pub(super) fn write_moves<L: Lanes>(tables: &Tables, scratch: &Scratch, masks: &mut [u64]) {
    let width = masks.len() / LANES;
    let groups = tables.groups.as_flattened();
    for (quarter, ways) in scratch.ways.as_chunks::<4>().0.iter().enumerate() {
        let mut ways = ways.iter().rev().fold(0, |all, &ways| all << 16 | u64::from(ways));
        while ways != 0 {
            let bit = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            let (lane, way) = (quarter * 4 + bit / 16 % 4, bit % 16);
            let set = &scratch.sets[way];
            L::add_actions(&groups[way], [set.lo[lane], set.hi[lane]], &mut masks[lane * width..][..width]);
        }
    }
}

/// Adds the moves of a board's flying kings to its mask.
#[inline(always)]
pub(super) fn add_star<L: Lanes>(tables: &Tables, sets: &[Octet], ways: &[u8], mask: &mut [u64]) {
    for ((set, &ways), groups) in sets.iter().zip(ways).zip(&*tables.groups) {
        for way in bits(ways) {
            L::add_actions(&groups[way], words(set.get(way), tables.high_from), mask);
        }
    }
}

/// Writes a dense mask where a word of the packed one is used, or was `before`.
#[inline(always)]
pub(super) fn expand<L: Lanes>(mask: &[u64], before: u64, dense: &mut [u8]) {
    let mut words = (before | L::used(mask)) & (u64::MAX >> (64 - mask.len()));
    let (whole, rest) = dense.as_chunks_mut::<64>();
    while words != 0 {
        let index = words.trailing_zeros() as usize;
        words &= words - 1;
        if let Some(out) = whole.get_mut(index) {
            L::expand(mask[index], out);
        } else {
            let mut out = [0; 64];
            L::expand(mask[index], &mut out);
            rest.copy_from_slice(&out[..rest.len()]);
        }
    }
}
