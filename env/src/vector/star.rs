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
    let mut any = false;
    for at in (0..8).step_by(L::COUNT) {
        let mut walk = Walk::<L>::new(tables, kings, occupied, targets, at);
        for _ in 0..tables.greatest_distance {
            walk.step(tables, at);
            any |= walk.landed.present() != 0;
            if walk.is_over() {
                break;
            }
        }
    }
    any
}

/// Finds the moves of some kings; says whether one steps, and gives the kings that hop.
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
    for at in (0..8).step_by(L::COUNT) {
        let mut walk = Walk::<L>::new(tables, kings, occupied, targets, at);
        for index in 0..tables.greatest_distance {
            walk.step(tables, at);
            star.reached = star.reached.max(index + 1);
            let (steps, hops) = (walk.open.present(), walk.landed.present());
            stepping |= steps != 0;
            star.step_ways[index] |= steps << at;
            star.hop_ways[index] |= hops << at;
            walk.open.store(&mut star.steps[index], at);
            walk.landed.store(&mut star.hops[index], at);
            if hops != 0 {
                for direction in at..at + L::COUNT {
                    capturers |= star.hops[index].get(direction);
                }
            }
            if walk.is_over() {
                break;
            }
        }
    }
    (stepping, capturers)
}

/// All kings on their way, point by point, in some directions.
struct Walk<L> {
    /// What lies so many points away, moved back to where one looks from.
    empty: L,
    targets: L,
    /// Kings whose way is open so far.
    open: L,
    /// Kings that have met their victim at the last point.
    met: L,
    /// Kings that can land at the last point, behind their victim.
    landed: L,
}

impl<L: Lanes> Walk<L> {
    #[inline(always)]
    fn new(tables: &Tables, kings: Bitboard, occupied: Bitboard, targets: Bitboard, at: usize) -> Self {
        Self {
            empty: L::splat(tables.squares.without(occupied)),
            targets: L::splat(targets),
            open: L::splat(kings).and(L::load(&tables.lines, at)),
            met: L::none(),
            landed: L::none(),
        }
    }

    /// Goes one point on.
    #[inline(always)]
    fn step(&mut self, tables: &Tables, at: usize) {
        self.empty = self.empty.back(&tables.downs, &tables.ups, at);
        self.targets = self.targets.back(&tables.downs, &tables.ups, at);
        let behind = if tables.lands_anywhere { self.met.or(self.landed) } else { self.met };
        self.landed = behind.and(self.empty);
        self.met = self.open.and(self.targets);
        self.open = self.open.and(self.empty);
    }

    #[inline(always)]
    fn is_over(&self) -> bool {
        self.open.or(self.met).or(self.landed).present() == 0
    }
}
