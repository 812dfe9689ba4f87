//! The moves of one board's flying kings: all kings and all directions at once.
//!
//! Here the lanes are the eight directions of one board. Point by point away from the kings, each
//! direction keeps the kings whose way is still open, those that have just met a piece to capture,
//! and those that could land behind it.

use super::block::Octet;
use super::lanes::Lanes;
use super::tables::Tables;
use crate::bitboard::{Bitboard, Square};

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
    if L::COUNT < 4 {
        return rays(tables, kings, occupied, targets).any(|ray| ray.landings > 0);
    }
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
    if L::COUNT < 4 {
        find_by_rays(tables, kings, occupied, targets, star)
    } else {
        find_by_walks::<L>(tables, kings, occupied, targets, star)
    }
}

#[inline(always)]
fn find_by_walks<L: Lanes>(
    tables: &Tables,
    kings: Bitboard,
    occupied: Bitboard,
    targets: Bitboard,
    star: &mut Star,
) -> (bool, Bitboard) {
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

/// Where vectors are short, looking along one ray after the other is faster than walking.
#[inline(always)]
fn find_by_rays(
    tables: &Tables,
    kings: Bitboard,
    occupied: Bitboard,
    targets: Bitboard,
    star: &mut Star,
) -> (bool, Bitboard) {
    star.reached = tables.greatest_distance;
    let mut stepping = false;
    let mut capturers = Bitboard::EMPTY;
    for ray in rays(tables, kings, occupied, targets) {
        let king = ray.from.bit();
        for index in 0..ray.steps {
            add(&mut star.steps[index], &mut star.step_ways[index], ray.direction, king);
        }
        stepping |= ray.steps > 0;
        for index in ray.steps + 1..ray.steps + 1 + ray.landings {
            add(&mut star.hops[index], &mut star.hop_ways[index], ray.direction, king);
        }
        if ray.landings > 0 {
            capturers |= king;
        }
    }
    (stepping, capturers)
}

/// Adds a king to the set of a direction, which holds nothing that counts before its first.
#[inline(always)]
fn add(sets: &mut Octet, ways: &mut u8, direction: usize, king: Bitboard) {
    let known = if *ways >> direction & 1 == 1 { sets.get(direction) } else { Bitboard::EMPTY };
    sets.set(direction, known | king);
    *ways |= 1 << direction;
}

/// What a king meets in one direction.
struct Ray {
    from: Square,
    direction: usize,
    /// Empty points next to it.
    steps: usize,
    /// Empty points behind the piece after them, if that can be captured.
    landings: usize,
}

/// Looks from some kings in all directions.
#[inline(always)]
fn rays(tables: &Tables, kings: Bitboard, occupied: Bitboard, targets: Bitboard) -> impl Iterator<Item = Ray> {
    kings.into_iter().flat_map(move |from| {
        (0..8).map(move |direction| {
            let (lengths, lines) = (&tables.lengths[direction], &tables.rays[direction]);
            let rising = tables.directions[direction].rising;
            // Gives the empty points from a square on, and the piece after them.
            let look = |from: Square| {
                let blockers = lines[from.index()] & occupied;
                let length = usize::from(lengths[from.index()]);
                if blockers.is_empty() {
                    return (length, None);
                }
                let place = if rising { blockers.0.trailing_zeros() } else { blockers.0.ilog2() };
                let piece = Square(place as u8);
                (length - usize::from(lengths[piece.index()]) - 1, Some(piece))
            };
            let (steps, piece) = look(from);
            let landings = match piece {
                Some(piece) if targets.contains(piece) => look(piece).0.min(tables.greatest_landing),
                Some(_) | None => 0,
            };
            Ray { from, direction, steps, landings }
        })
    })
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
