//! The maximum rule: which hops begin a longest chain.
//!
//! A flying king can have tens of thousands of longest paths, so paths are never listed. The
//! question asked is only "can this piece make `need` more captures?". The answer depends on
//! where the piece stands and what is left to capture, which is remembered; and it is no as soon
//! as too few pieces could be captured even if every other one helped ([`Relaxed`]).

use rustc_hash::FxHashMap;

use super::{Hop, Hopper};
use crate::action::{Action, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::{King, KingLanding, Promotion};

/// From this many captures on, asking [`Relaxed`] costs less than the search that it saves.
const LOOK_AHEAD: u32 = 4;

/// The most first hops that are told apart by a bit each.
const FIRSTS: usize = 64;
/// The most different chains that are followed side by side without hashing.
const FEW: usize = 24;
/// The most different chains that are followed side by side.
const MANY: usize = 512;

/// Visits the hops that begin a chain of the greatest length until `visit` answers `false`; says
/// whether it never did.
pub(super) fn first_hops(position: &Position, game: &Game, visit: &mut impl FnMut(Action) -> bool) -> bool {
    let mut firsts = [Action(0); FIRSTS];
    let mut few = Few::new();
    let mut many = Vec::new();
    let mut count = 0;
    let movers = position.chain.map_or_else(|| position.capturers(game), Square::bit);
    let fits = movers.into_iter().all(|from| {
        let hopper = position.hopper(from);
        hopper.each_hop(game, |hop| {
            if count == FIRSTS {
                return false;
            }
            firsts[count] = game.move_number(hop.direction, hop.distance, from);
            let (bit, after) = (1 << count, hopper.after(game, hop));
            if !few.push(bit, after) {
                many.push((after, bit));
            }
            count += 1;
            true
        })
    });
    if !fits {
        return search(position, game, movers).into_iter().all(visit);
    }
    let best = if many.is_empty() {
        few.race(game).unwrap_or_else(|level| race(game, level.chains().collect()))
    } else {
        many.extend(few.chains());
        race(game, many)
    };
    (0..count).filter(|first| best >> first & 1 != 0).all(|first| visit(firsts[first]))
}

/// A few chains of the same length, each with the first hops that lead to it, a bit each.
struct Few {
    hoppers: [Hopper; FEW],
    firsts: [u64; FEW],
    count: usize,
}

impl Few {
    const fn new() -> Self {
        let nobody = Hopper { at: Square(0), king: false, occupied: Bitboard::EMPTY, targets: Bitboard::EMPTY };
        Self { hoppers: [nobody; FEW], firsts: [0; FEW], count: 0 }
    }

    /// Adds a chain, or another way to it; says whether there was room.
    fn push(&mut self, firsts: u64, hopper: Hopper) -> bool {
        if let Some(index) = (0..self.count).find(|&index| self.hoppers[index] == hopper) {
            self.firsts[index] |= firsts;
            return true;
        }
        let room = self.count < FEW;
        if room {
            (self.hoppers[self.count], self.firsts[self.count]) = (hopper, firsts);
            self.count += 1;
        }
        room
    }

    fn chains(&self) -> impl Iterator<Item = (Hopper, u64)> {
        self.hoppers.iter().copied().zip(self.firsts).take(self.count)
    }

    /// Follows the chains hop by hop until one first hop is left in the race or none goes on;
    /// gives the first hops that are then ahead. Most captures end after a hop or two, so this is
    /// all that is mostly needed.
    ///
    /// # Errors
    /// There is no room for the next hops; gives the chains before them.
    fn race(self, game: &Game) -> Result<u64, Self> {
        let mut level = self;
        loop {
            let ahead = level.chains().fold(0, |all, (_, firsts)| all | firsts);
            if ahead.is_power_of_two() {
                return Ok(ahead);
            }
            let mut next = Self::new();
            for index in 0..level.count {
                let (hopper, firsts) = (level.hoppers[index], level.firsts[index]);
                if !hopper.each_hop(game, |hop| next.push(firsts, hopper.after(game, hop))) {
                    return Err(level);
                }
            }
            if next.count == 0 {
                return Ok(ahead);
            }
            level = next;
        }
    }
}

/// Does as [`Few::race`] does with many chains; gives the first hops that lead to the longest.
fn race(game: &Game, mut level: Vec<(Hopper, u64)>) -> u64 {
    loop {
        let ahead = level.iter().fold(0, |all, (_, firsts)| all | firsts);
        if ahead.is_power_of_two() {
            return ahead;
        }
        let mut places: FxHashMap<(u8, bool, Bitboard), usize> = FxHashMap::default();
        let mut next: Vec<(Hopper, u64)> = Vec::new();
        for (hopper, firsts) in &level {
            hopper.each_hop(game, |hop| {
                let after = hopper.after(game, hop);
                let place = *places.entry((after.at.0, after.king, after.targets)).or_insert(next.len());
                match next.get_mut(place) {
                    Some((_, known)) => *known |= firsts,
                    None => next.push((after, *firsts)),
                }
                true
            });
            if next.len() > MANY {
                return best(game, &level);
            }
        }
        if next.is_empty() {
            return ahead;
        }
        level = next;
    }
}

/// Gives the first hops of the chains that can go on longest.
fn best(game: &Game, level: &[(Hopper, u64)]) -> u64 {
    let mut chains = Chains { game, known: FxHashMap::default() };
    let mut most = level.iter().map(|(hopper, _)| chains.greedy(*hopper)).max().unwrap_or(0);
    while level.iter().any(|(hopper, _)| chains.can_make(hopper, most + 1)) {
        most += 1;
    }
    level.iter().filter(|(hopper, _)| chains.can_make(hopper, most)).fold(0, |all, (_, firsts)| all | firsts)
}

/// Lists the hops that begin a chain of the greatest length, however many hops there are.
fn search(position: &Position, game: &Game, movers: Bitboard) -> Vec<Action> {
    let mut firsts: Vec<(Action, Hopper)> = Vec::new();
    for from in movers {
        let hopper = position.hopper(from);
        hopper.each_hop(game, |hop| {
            firsts.push((game.move_number(hop.direction, hop.distance, from), hopper.after(game, hop)));
            true
        });
    }
    let mut chains = Chains { game, known: FxHashMap::default() };
    let mut best = firsts.iter().map(|(_, after)| chains.greedy(*after)).max().unwrap_or(0);
    while firsts.iter().any(|(_, after)| chains.can_make(after, best + 1)) {
        best += 1;
    }
    firsts.into_iter().filter(|(_, after)| chains.can_make(after, best)).map(|(action, _)| action).collect()
}

/// What is known of chains: by square, kind and what is left to capture, the greatest number of
/// captures proved possible and the least proved impossible.
struct Chains<'g> {
    game: &'g Game,
    known: FxHashMap<(u8, bool, Bitboard), (u32, u32)>,
}

impl Chains<'_> {
    /// Says whether the piece can make `need` more captures.
    fn can_make(&mut self, hopper: &Hopper, need: u32) -> bool {
        if need == 0 {
            return true;
        }
        if (hopper.targets & self.game.capturable()).len() < need {
            return false;
        }
        let mut hops = Hops::of(hopper, self.game);
        if hops.count == 0 || need == 1 {
            return hops.count > 0;
        }
        if hops.count == 1 {
            return self.can_make(&hopper.after(self.game, hops.list[0]), need - 1);
        }
        let key = (hopper.at.0, hopper.king, hopper.targets);
        let (possible, impossible) = *self.known.entry(key).or_insert((0, u32::MAX));
        if need <= possible {
            return true;
        }
        if need >= impossible {
            return false;
        }
        let mut bound = u32::MAX - 1;
        let found = if need < LOOK_AHEAD {
            hops.iter().any(|hop| self.can_make(&hopper.after(self.game, hop), need - 1))
        } else {
            bound = Relaxed::new(self.game, hopper).victims.len();
            bound >= need && {
                let promising = hops.order(self.game, hopper, need - 1);
                hops.iter().take(promising).any(|hop| self.can_make(&hopper.after(self.game, hop), need - 1))
            }
        };
        let known = self.known.get_mut(&key).expect("inserted above");
        if found {
            known.0 = known.0.max(need);
        } else {
            known.1 = known.1.min(need).min(bound + 1);
        }
        found
    }

    /// Counts the captures of one chain that follows the best-looking hop each time.
    fn greedy(&self, mut hopper: Hopper) -> u32 {
        let mut length = 0;
        loop {
            let mut hops = Hops::of(&hopper, self.game);
            if hops.count == 0 {
                return length;
            }
            hops.order(self.game, &hopper, 0);
            hopper = hopper.after(self.game, hops.list[0]);
            length += 1;
        }
    }
}

/// The hops of a piece: at most 8 directions with 8 landings.
struct Hops {
    list: [Hop; 64],
    count: usize,
}

impl Hops {
    fn of(hopper: &Hopper, game: &Game) -> Self {
        let none = Hop { direction: Direction::AHEAD, distance: 0, to: Square(0), victim: Square(0) };
        let mut hops = Self { list: [none; 64], count: 0 };
        hopper.each_hop(game, |hop| {
            hops.list[hops.count] = hop;
            hops.count += 1;
            true
        });
        hops
    }

    fn iter(&self) -> impl Iterator<Item = Hop> {
        self.list[..self.count].iter().copied()
    }

    /// Puts the hops first after which most pieces could still be captured; says how many of them
    /// leave at least `need`.
    fn order(&mut self, game: &Game, hopper: &Hopper, need: u32) -> usize {
        let mut promises = [0; 64];
        for (promise, hop) in promises.iter_mut().zip(self.iter()) {
            let after = hopper.after(game, hop);
            *promise = if after.can_hop(game) { Relaxed::new(game, &after).victims.len() } else { 0 };
        }
        let mut order: [usize; 64] = std::array::from_fn(|index| index);
        order[..self.count].sort_by_key(|&index| std::cmp::Reverse(promises[index]));
        let unsorted = self.list;
        for (place, &index) in self.list.iter_mut().zip(&order[..self.count]) {
            *place = unsorted[index];
        }
        promises[..self.count].iter().filter(|&&promise| promise >= need).count()
    }
}

/// The pieces that could be captured if every capture could be made at the best moment.
///
/// A superset of what any chain captures: with `removal = hop` each victim found may also have
/// left, so it blocks nothing; squares once reached stay reached.
struct Relaxed {
    victims: Bitboard,
}

impl Relaxed {
    fn new(game: &Game, hopper: &Hopper) -> Self {
        let ruleset = game.ruleset();
        let may_promote = ruleset.king != King::None && ruleset.promotion == Promotion::Immediate;
        let any_way = hopper.king || may_promote;
        let slides = any_way && game.flying();
        let free = game.squares().without(hopper.occupied);
        let mut reached = hopper.at.bit();
        let mut victims = Bitboard::EMPTY;
        loop {
            let before = (reached, victims);
            for direction in Direction::ALL {
                let passable = if game.removes_at_turn_end() { free } else { free | victims };
                let offset = game.offset(direction);
                let line = game.origins(direction, 1);
                let slide = |from: Bitboard| {
                    let mut all = from;
                    let mut front = from;
                    while !front.is_empty() {
                        front = (front & line).shift(offset) & passable;
                        front = front.without(all);
                        all |= front;
                    }
                    all
                };
                let hoppers = if slides {
                    slide(reached)
                } else {
                    reached & if any_way { game.origins(direction, 2) } else { game.man_hops(direction) }
                };
                let landings = (hoppers & line).shift(offset) & hopper.targets & line & passable.shift(-offset);
                victims |= landings;
                let landed = landings.shift(offset) & passable;
                reached |= if slides && ruleset.king_landing == KingLanding::Any { slide(landed) } else { landed };
            }
            if (reached, victims) == before {
                return Self { victims };
            }
        }
    }
}
