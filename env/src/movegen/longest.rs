//! The maximum rule: which hops begin a longest chain.
//!
//! A flying king can have tens of thousands of longest paths, so paths are never listed. What a
//! chain can become depends on which piece captures, what it has left to capture and where it
//! stands, not on the order of its captures; and the squares where it may stand after the same
//! captures are a set, which is followed as a whole. All chains are followed hop by hop until none
//! goes on; then the longest are followed back.

#[expect(clippy::inline_always, reason = "the innermost loops of the maximum rule; calls would double their time")]
mod crossing;
mod dive;
mod level;

use std::cell::Cell;

use super::Hopper;
use crate::action::Action;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::position::Position;
use crossing::Crossing;
use level::Level;

/// At this many chains of one length it is worth asking whether a chain captures everything.
const MANY: usize = 4096;
/// From this many chains on, the memory for them is given back.
const KEPT: usize = 1 << 14;

thread_local! {
    /// Memory for the next race of this thread: most races are too short to ask for it each time.
    static STORE: Cell<Store> = Cell::default();
}

/// Visits the hops that begin a chain of the greatest length until `visit` answers `false`; says
/// whether it never did.
pub(super) fn first_hops(position: &Position, game: &Game, visit: &mut impl FnMut(Action) -> bool) -> bool {
    let mut race = Race { crossing: Crossing::new(position, game), store: STORE.take() };
    race.begin(position, game);
    let leaders = race.leaders(position, game);
    let Store { firsts, good, .. } = &race.store;
    let going_on = match leaders {
        Leaders::All => firsts.iter().all(|first| visit(first.action)),
        Leaders::One(number) => visit(firsts[number].action),
        Leaders::Good => firsts
            .iter()
            .filter(|first| good[first.chains as usize].contains(first.to))
            .all(|first| visit(first.action)),
    };
    if race.store.chains.capacity() <= KEPT {
        STORE.set(race.store);
    }
    going_on
}

/// The hops that begin a chain of the greatest length.
enum Leaders {
    /// Every hop.
    All,
    /// One of them, by its number.
    One(usize),
    /// Those that lead to good squares.
    Good,
}

/// The chains of one piece that have made the same captures.
#[derive(Clone, Copy)]
struct Chains {
    /// What is left to capture.
    targets: Bitboard,
    /// Where the piece may stand now.
    squares: Bitboard,
    /// The first hops that may have led here, a bit each, and maybe some that have not: the bits
    /// are those of all chains, whatever the square.
    firsts: u64,
    /// Where the piece stood before the chain.
    from: Square,
    king: bool,
}

/// A hop that chains begin with.
struct First {
    action: Action,
    to: Square,
    /// The number of its [`Chains`].
    chains: u32,
}

/// A capture by which chains become other chains, by their numbers.
struct Capture {
    before: u32,
    after: u32,
    victim: Square,
    /// The number of the line in [`WAYS`](crate::geometry::WAYS).
    line: u8,
}

/// All chains.
#[derive(Default)]
struct Store {
    firsts: Vec<First>,
    /// Shorter ones first.
    chains: Vec<Chains>,
    captures: Vec<Capture>,
    /// By number of [`Chains`], the squares from where the longest chains go on.
    good: Vec<Bitboard>,
    level: Level,
}

/// The chains of a position, followed side by side.
struct Race<'g> {
    crossing: Crossing<'g>,
    store: Store,
}

impl Race<'_> {
    /// Makes the first hops.
    fn begin(&mut self, position: &Position, game: &Game) {
        let Store { firsts, chains, captures, level, .. } = &mut self.store;
        firsts.clear();
        chains.clear();
        captures.clear();
        level.start_at(0);
        for from in position.chain.map_or_else(|| position.capturers(game), Square::bit) {
            let hopper = position.hopper(from);
            hopper.each_hop(game, |hop| {
                let after = hopper.after(game, hop);
                let (squares, bit) = (after.at.bit(), 1 << (firsts.len() % 64));
                let new = Chains { targets: after.targets, squares, firsts: bit, from, king: after.king };
                let action = game.move_number(hop.direction, hop.distance, from);
                firsts.push(First { action, to: hop.to, chains: level.add(chains, new) });
                true
            });
        }
    }

    /// Follows the chains until one first hop is left in the race or none goes on.
    fn leaders(&mut self, position: &Position, game: &Game) -> Leaders {
        let mut start = 0;
        let mut dived = false;
        loop {
            let end = self.store.chains.len();
            let ahead = self.store.chains[start..].iter().fold(0, |all, chains| all | chains.firsts);
            if ahead.is_power_of_two() && self.store.firsts.len() <= 64 {
                return Leaders::One(ahead.trailing_zeros() as usize);
            }
            self.store.level.start_at(end);
            for before in start..end {
                self.go_on(before);
            }
            if self.store.chains.len() == end {
                if start == 0 {
                    return Leaders::All;
                }
                self.follow_back(start);
                return Leaders::Good;
            }
            start = end;
            if !dived && self.store.chains.len() - start > MANY {
                dived = true;
                if self.dive(position, game) {
                    return Leaders::Good;
                }
            }
        }
    }

    /// Looks for the longest chains depth first; says whether that found the good squares.
    fn dive(&mut self, position: &Position, game: &Game) -> bool {
        let Store { firsts, chains, good, .. } = &mut self.store;
        let pieces: Vec<(Square, Hopper)> = firsts
            .iter()
            .map(|first| {
                let Chains { from, king, targets, .. } = chains[first.chains as usize];
                let before = position.hopper(from);
                let gone = before.targets.without(targets);
                let occupied = if game.removes_at_turn_end() { before.occupied } else { before.occupied.without(gone) };
                (from, Hopper { at: first.to, king, occupied, targets })
            })
            .collect();
        let Some(able) = dive::leaders(game, &pieces) else {
            return false;
        };
        good.clear();
        good.resize(chains.len(), Bitboard::EMPTY);
        for (first, _) in firsts.iter().zip(able).filter(|(_, able)| *able) {
            good[first.chains as usize] |= first.to.bit();
        }
        true
    }

    fn go_on(&mut self, before: usize) {
        let Store { chains, captures, level, .. } = &mut self.store;
        let origin = chains[before];
        let promoting = if origin.king { Bitboard::EMPTY } else { self.crossing.promoting() };
        self.crossing.board(&origin).each_capture(|victim, line, landings| {
            let targets = origin.targets.without(victim.bit());
            let promoted = landings & promoting;
            for (squares, king) in [(promoted, true), (landings.without(promoted), origin.king)] {
                if !squares.is_empty() {
                    let after = level.add(chains, Chains { targets, squares, king, ..origin });
                    captures.push(Capture { before: before as u32, after, victim, line });
                }
            }
        });
    }

    /// Finds for all chains the squares from where the longest go on; those begin at `last`.
    fn follow_back(&mut self, last: usize) {
        let Store { chains, captures, good, .. } = &mut self.store;
        good.clear();
        good.resize(last, Bitboard::EMPTY);
        good.extend(chains[last..].iter().map(|chains| chains.squares));
        for &Capture { before, after, victim, line } in captures.iter().rev() {
            let (before, goal) = (before as usize, good[after as usize]);
            if !goal.is_empty() {
                let origins = self.crossing.board(&chains[before]).origins(victim, line, goal);
                good[before] |= origins;
            }
        }
    }
}
