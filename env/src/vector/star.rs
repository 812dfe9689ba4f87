//! The moves of one board's flying kings: all kings and all directions at once.
//!
//! Here the lanes are the eight directions of one board. Point by point away from the kings, each
//! direction keeps the kings whose way is still open, those that have just met a piece to capture,
//! and those that could land behind it.

use super::block::Octet;
use super::lanes::Lanes;
use super::tables::Tables;
use crate::bitboard::Bitboard;

/// Points that a king goes at most on the largest board.
const REACH: usize = 9;

/// The kings of one board that step or hop, by distance less one and direction.
#[derive(Default)]
pub(super) struct Star {
    pub(super) steps: [Octet; REACH],
    pub(super) hops: [Octet; REACH],
    /// By distance less one: the directions in which some king steps, and hops.
    pub(super) step_ways: [u8; REACH],
    pub(super) hop_ways: [u8; REACH],
    /// How many distances are filled.
    pub(super) reached: usize,
}

/// Says whether one of some kings can hop.
#[inline(always)]
pub(super) fn can_hop<L: Lanes>(tables: &Tables, kings: Bitboard, occupied: Bitboard, targets: Bitboard) -> bool {
    let mut any = 0;
    walk::<L>(tables, kings, occupied, targets, |_, _, _, hops| any |= hops.present());
    any != 0
}

/// Finds the moves of some kings; gives the kings that step and those that hop.
#[inline(always)]
pub(super) fn find<L: Lanes>(
    tables: &Tables,
    kings: Bitboard,
    occupied: Bitboard,
    targets: Bitboard,
    star: &mut Star,
) -> (bool, Bitboard) {
    star.reached = 0;
    star.step_ways = [0; REACH];
    star.hop_ways = [0; REACH];
    let mut stepping = false;
    let mut capturers = Bitboard::EMPTY;
    walk::<L>(tables, kings, occupied, targets, |at, index, steps, hops| {
        star.reached = star.reached.max(index + 1);
        let (step_ways, hop_ways) = (steps.present(), hops.present());
        stepping |= step_ways != 0;
        star.step_ways[index] |= step_ways << at;
        star.hop_ways[index] |= hop_ways << at;
        steps.store(&mut star.steps[index], at);
        hops.store(&mut star.hops[index], at);
        if hop_ways != 0 {
            let hops = &star.hops[index];
            for direction in at..at + L::COUNT {
                capturers |= hops.get(direction);
            }
        }
    });
    (stepping, capturers)
}

/// Visits each distance: the first direction of the part, the distance less one, the kings that
/// step so far and those that hop so far.
#[inline(always)]
fn walk<L: Lanes>(
    tables: &Tables,
    kings: Bitboard,
    occupied: Bitboard,
    targets: Bitboard,
    mut visit: impl FnMut(usize, usize, L, L),
) {
    for at in (0..8).step_by(L::COUNT) {
        let mut open = L::splat(kings).and(L::load(&tables.lines, at));
        let mut empty = L::splat(tables.squares.without(occupied));
        let mut targets = L::splat(targets);
        let (mut met, mut landed) = (L::none(), L::none());
        for index in 0..tables.greatest_distance {
            empty = empty.back(&tables.downs, &tables.ups, at);
            targets = targets.back(&tables.downs, &tables.ups, at);
            landed = if tables.lands_anywhere { met.or(landed) } else { met }.and(empty);
            met = open.and(targets);
            open = open.and(empty);
            visit(at, index, open, landed);
            if open.or(met).or(landed).present() == 0 {
                break;
            }
        }
    }
}
