//! Action masks, packed and dense.

use super::block::Octet;
use super::kernel::{Origins, bits};
use super::lanes::{Lanes, Writer};
use super::tables::{Group, Tables};
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

/// Clears a mask; shorter than a call of `memset`.
#[inline(always)]
pub(super) fn clear(mask: &mut [u64]) {
    let (chunks, rest) = mask.as_chunks_mut::<8>();
    for chunk in chunks {
        *chunk = [0; 8];
    }
    for word in rest {
        *word = 0;
    }
}

/// Adds an action to a mask.
#[inline(always)]
pub(super) fn set(mask: &mut [u64], action: u16) {
    mask[action as usize / 64] |= 1 << (action % 64);
}

/// Writes the moves of a board's men and short kings into its mask.
#[inline(always)]
pub(super) fn write_moves<L: Lanes>(groups: &[Group; 8], origins: &Origins, lane: usize, writer: &mut Writer<'_>) {
    let mut ways = origins.groups[lane];
    while ways != 0 {
        let way = ways.trailing_zeros() as usize % 8;
        ways &= ways - 1;
        let set = &origins.sets[way];
        L::write_actions(&groups[way], [set.lo[lane], set.hi[lane]], writer);
    }
}

/// Adds the moves of a board's flying kings to its mask.
#[inline(always)]
pub(super) fn add_star<L: Lanes>(tables: &Tables, sets: &[Octet], ways: &[u8], mask: &mut [u64]) {
    for ((set, &ways), groups) in sets.iter().zip(ways).zip(&*tables.groups) {
        for way in bits(ways) {
            L::add_actions(&groups[way], [set.lo[way], set.hi[way]], mask);
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
        match whole.get_mut(index) {
            Some(out) => L::expand(mask[index], out),
            None => {
                let mut out = [0; 64];
                L::expand(mask[index], &mut out);
                rest.copy_from_slice(&out[..rest.len()]);
            }
        }
    }
}
