//! What is known of the positions of one class while it is being solved.
//!
//! One word a position: the code of its value as far as it is known, how many turns are still
//! open, and a mark. Blocks of words remember which levels they may hold something for, so that a
//! level passes over most of them. Threads write at once; what they write does not depend on order.

use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// Positions a block.
pub(super) const BLOCK: u64 = 1024;

const CODE: u32 = 0xFFFF;
const COUNT_ONE: u32 = 1 << 16;
const COUNT: u32 = 0xFF << 16;
const CLOSED: u32 = 1 << 24;
const LOADED: u32 = 1 << 25;
/// The most open turns that fit.
pub(super) const MOST_OPEN: u32 = 0xFF;

/// What is known of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word(u32);

/// What may still change a position's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nothing.
    Closed,
    /// Steps, counted, to positions that do not yet count as bad.
    Open,
    /// Steps that may leave pieces at fault: looked at anew at each change.
    Loaded,
}

impl Word {
    /// A position whose value, a code, is final.
    pub(super) const fn closed(code: u16) -> Self {
        Self(CLOSED | code as u32)
    }

    /// A position that is lost once `count` turns are bad; `code` is what it is worth at least.
    pub(super) const fn open(code: u16, count: u32) -> Self {
        Self(count << 16 | code as u32)
    }

    /// A position with a turn that may leave pieces at fault.
    pub(super) const fn loaded(code: u16) -> Self {
        Self(LOADED | code as u32)
    }

    pub(super) const fn code(self) -> u16 {
        (self.0 & CODE) as u16
    }

    pub(super) const fn state(self) -> State {
        if self.0 & CLOSED != 0 {
            State::Closed
        } else if self.0 & LOADED != 0 {
            State::Loaded
        } else {
            State::Open
        }
    }
}

/// The words of a class.
pub(super) struct Work {
    words: Vec<AtomicU32>,
    /// By block, a bit for each level modulo 64.
    pending: Vec<AtomicU64>,
}

impl Work {
    pub(super) fn new(len: u64) -> Self {
        Self {
            words: (0..len).map(|_| AtomicU32::new(0)).collect(),
            pending: (0..len.div_ceil(BLOCK)).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Gives the bytes that a class of `len` positions takes.
    pub(super) const fn bytes(len: u64) -> u64 {
        len * 4 + len.div_ceil(BLOCK) * 8
    }

    pub(super) fn len(&self) -> u64 {
        self.words.len() as u64
    }

    pub(super) fn blocks(&self) -> usize {
        self.pending.len()
    }

    /// Gives the numbers of a block's positions.
    pub(super) fn block(&self, block: usize) -> std::ops::Range<u64> {
        let start = block as u64 * BLOCK;
        start..(start + BLOCK).min(self.len())
    }

    pub(super) fn get(&self, number: u64) -> Word {
        Word(self.words[number as usize].load(Relaxed))
    }

    pub(super) fn begin(&self, number: u64, word: Word) {
        self.words[number as usize].store(word.0, Relaxed);
        if word.code() > 0 {
            self.announce(number, word.code());
        }
    }

    /// Says that a position ends at least as soon as `code` says; whichever is nearest stays.
    pub(super) fn offer(&self, number: u64, code: u16) {
        let word = &self.words[number as usize];
        let nearer = |old: u32| {
            let now = Word(old).code();
            (now == 0 || now > code).then_some(old & !CODE | u32::from(code))
        };
        if word.try_update(Relaxed, Relaxed, nearer).is_ok() {
            self.announce(number, code);
        }
    }

    /// Counts one open turn of a position as bad; says whether it was the last.
    pub(super) fn close_turn(&self, number: u64) -> bool {
        self.words[number as usize].fetch_sub(COUNT_ONE, Relaxed) & COUNT == COUNT_ONE
    }

    fn announce(&self, number: u64, code: u16) {
        // Always written, and released: whoever takes the bit away in `settle` then sees the code that
        // was stored before. To look first whether the bit is set could lose the announcement to a
        // thread that is just about to clear it and has not seen the code.
        self.pending[(number / BLOCK) as usize].fetch_or(1 << (code % 64), Release);
    }

    /// Says whether any block still waits for a level.
    pub(super) fn is_pending(&self) -> bool {
        self.pending.iter().any(|pending| pending.load(Relaxed) != 0)
    }

    /// Visits the positions of a block whose code is `code`, and no other thread does.
    pub(super) fn settle(&self, block: usize, code: u16, mut visit: impl FnMut(u64)) {
        let bit = 1 << (code % 64);
        if self.pending[block].load(Relaxed) & bit == 0 {
            return;
        }
        // Pairs with the release in `announce`.
        self.pending[block].fetch_and(!bit, Acquire);
        for number in self.block(block) {
            let found = self.get(number).code();
            if found == code {
                visit(number);
            } else if found > code && found % 64 == code % 64 {
                self.announce(number, found);
            }
        }
    }
}
