//! What the boards of a block play, and what became of them.

use super::block::{CHAIN, HUFFED, LANES, Octet, lanes_with};
use super::tables::{Deed, NOWHERE, Tables};

/// What each board of a block plays.
pub(super) struct Moves {
    pub(super) from: [u64; LANES],
    pub(super) to: [u64; LANES],
    /// The points between, or the victim of a huff.
    pub(super) between: Octet,
    /// Boards that step or hop.
    pub(super) moving: u8,
    pub(super) huffs: u8,
    pub(super) stops: u8,
    /// Boards where a chain was going on.
    pub(super) chains: u8,
    /// Boards where the turn had begun with a huff.
    pub(super) huffed: u8,
}

/// What became of the boards.
#[derive(Clone, Copy, Default)]
pub(super) struct Played {
    /// Boards where the turn passed.
    pub(super) passed: u8,
    /// Boards where it passed after progress.
    pub(super) progressed: u8,
    /// Boards where it passed with a step that can be taken back.
    pub(super) reversible: u8,
    /// Boards where a chain goes on.
    pub(super) chains: u8,
    /// Boards where the moved piece had been a king.
    pub(super) kings: u8,
    /// Boards with a flying king that may move.
    pub(super) fliers: u8,
    /// Boards where the turn in hand has begun with a huff.
    pub(super) huffed: u8,
    /// Boards where a side has no piece left.
    pub(super) bare: u8,
    /// Boards without men.
    pub(super) few: u8,
    pub(super) legal: Legal,
}

/// On which boards there is something to do.
#[derive(Clone, Copy, Default)]
pub(super) struct Legal {
    /// Boards with a hop.
    pub(super) hops: u8,
    /// Boards with a step.
    pub(super) steps: u8,
    /// Boards with pieces that may be huffed.
    pub(super) faults: u8,
}

impl Moves {
    #[inline(always)]
    pub(super) fn new(tables: &Tables, active: u8, actions: &[u16; LANES], flags: [u8; LANES]) -> Self {
        let nowhere = [NOWHERE.into(); LANES];
        let chains = lanes_with(flags, CHAIN) & active;
        let huffed = lanes_with(flags, HUFFED) & active;
        let between = Octet::default();
        let mut all = Self { from: nowhere, to: nowhere, between, moving: active, huffs: 0, stops: 0, chains, huffed };
        for (lane, &action) in actions.iter().enumerate() {
            if active >> lane & 1 == 1 {
                let Deed { between, ends: [from, to] } = tables.actions[action as usize];
                (all.from[lane], all.to[lane]) = (from.into(), to.into());
                [all.between.lo[lane], all.between.hi[lane]] = between;
            }
        }
        if tables.huff {
            for lane in bits(active) {
                if Some(actions[lane]) == tables.stop {
                    all.stops |= 1 << lane;
                } else if actions[lane] >= tables.first_huff {
                    all.huffs |= 1 << lane;
                }
            }
            all.moving &= !(all.stops | all.huffs);
        }
        all
    }
}

impl Played {
    /// Adds what became of the boards from `at` on.
    #[inline(always)]
    pub(super) fn join(&mut self, part: Self, at: usize) {
        self.passed |= part.passed << at;
        self.progressed |= part.progressed << at;
        self.reversible |= part.reversible << at;
        self.chains |= part.chains << at;
        self.huffed |= part.huffed << at;
        self.kings |= part.kings << at;
        self.fliers |= part.fliers << at;
        self.bare |= part.bare << at;
        self.few |= part.few << at;
        self.legal.hops |= part.legal.hops << at;
        self.legal.steps |= part.legal.steps << at;
        self.legal.faults |= part.legal.faults << at;
    }
}

/// Gives the numbers of the bits that are set.
#[inline(always)]
pub(super) fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}
