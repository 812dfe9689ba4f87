//! Looking for chains that capture all that could ever be captured, depth first.
//!
//! Among many scattered men most such chains exist and are found at once, where following all
//! chains side by side would take seconds. The search gives up after some work.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::super::Hopper;
use crate::action::Direction;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::ruleset::{King, KingLanding, Promotion};

/// Chains looked at before giving up: some tenths of a second.
const PATIENCE: u32 = 20_000;

/// What a chain becomes depends on where its piece began, where it stands, on its kind and on what
/// is left to capture.
type Key = (Square, Square, bool, Bitboard);

/// Gives for each piece after its first hop (with the square where it began) whether it can make
/// the most captures; `None` if that takes too long to find out.
pub(super) fn leaders(game: &Game, firsts: &[(Square, Hopper)]) -> Option<Vec<bool>> {
    let mut dive = Dive { game, known: FxHashMap::default(), patience: PATIENCE };
    let mut need = firsts.iter().map(|(_, hopper)| bound(game, hopper)).max()?;
    loop {
        let able = firsts.iter().map(|&(from, hopper)| dive.can_make(from, &hopper, need));
        let able = able.collect::<Option<Vec<bool>>>()?;
        if able.contains(&true) {
            return Some(able);
        }
        need -= 1;
    }
}

/// Counts the pieces that could be captured if every capture could be made at the best moment.
fn bound(game: &Game, hopper: &Hopper) -> u32 {
    Relaxed::new(game, hopper).victims.len()
}

struct Dive<'g> {
    game: &'g Game,
    /// The greatest number of captures proved possible and the least proved impossible.
    known: FxHashMap<Key, (u32, u32)>,
    patience: u32,
}

impl Dive<'_> {
    /// Says whether a piece that began on `from` can make `need` more captures; `None` if patience
    /// runs out.
    fn can_make(&mut self, from: Square, hopper: &Hopper, need: u32) -> Option<bool> {
        if need == 0 {
            return Some(true);
        }
        let key = (from, hopper.at, hopper.king, hopper.targets);
        let (possible, impossible) = self.known.get(&key).copied().unwrap_or((0, u32::MAX));
        if need <= possible || need >= impossible {
            return Some(need <= possible);
        }
        self.patience = self.patience.checked_sub(1)?;
        let mut hops: Vec<(u32, Hopper)> = Vec::new();
        hopper.each_hop(self.game, |hop| {
            let after = hopper.after(self.game, hop);
            let promise = bound(self.game, &after);
            if promise + 1 >= need {
                hops.push((promise, after));
            }
            true
        });
        hops.sort_by_key(|&(promise, _)| Reverse(promise));
        let mut found = false;
        for (_, after) in hops {
            if self.can_make(from, &after, need - 1)? {
                found = true;
                break;
            }
        }
        let (possible, impossible) = self.known.entry(key).or_insert((0, u32::MAX));
        if found {
            *possible = need.max(*possible);
        } else {
            *impossible = need.min(*impossible);
        }
        Some(found)
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
