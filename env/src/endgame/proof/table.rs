//! What proof-number search remembers of positions: a bounded table, the costliest kept.

use std::hash::{Hash as _, Hasher as _};

use crate::position::Position;

/// How far a position is from being proved and from being disproved: leaves still to decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    check: u32,
    /// Positions looked into for this one, 0 of an empty entry.
    work: u32,
    numbers: Numbers,
}

const WAYS: usize = 4;

/// A table of fixed size. Positions are told apart by 96 bits of two independent hashes.
#[derive(Debug)]
pub(super) struct ProofTable {
    buckets: Vec<[Entry; WAYS]>,
}

/// Gives two independent hashes of all that a position is.
pub(super) fn key(position: &Position) -> (u64, u64) {
    let mut hasher = rustc_hash::FxHasher::default();
    let Position { us, them, kings, waiting, fault, chain, side, huffed, .. } = position;
    (us.0, them.0, kings.0).hash(&mut hasher);
    (waiting.0, fault.0, chain.map_or(u8::MAX, |square| square.0), side.index(), *huffed).hash(&mut hasher);
    // A turn after a huff is no turn begun anew where lone kings draw.
    (position.key() ^ u64::from(*huffed).wrapping_mul(0x9E37_79B9_7F4A_7C15), hasher.finish())
}

impl ProofTable {
    /// Makes a table of at most so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let buckets = (bytes / size_of::<[Entry; WAYS]>() as u64).max(64);
        let empty = Entry { key: 0, check: 0, work: 0, numbers: Numbers { proof: 1, disproof: 1 } };
        Self { buckets: vec![[empty; WAYS]; buckets as usize] }
    }

    pub(super) fn find(&self, key: (u64, u64)) -> Option<Numbers> {
        self.entry(key).map(|(numbers, _)| numbers)
    }

    /// Gives the numbers of a position and what they cost.
    pub(super) fn entry(&self, key: (u64, u64)) -> Option<(Numbers, u32)> {
        let bucket = &self.buckets[self.index(key)];
        let found = bucket.iter().find(|entry| entry.work > 0 && entry.is_of(key))?;
        Some((found.numbers, found.work))
    }

    pub(super) fn store(&mut self, key: (u64, u64), numbers: Numbers, work: u64) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let work = work.clamp(1, u64::from(u32::MAX)) as u32;
        let slot = match bucket.iter().position(|entry| entry.work > 0 && entry.is_of(key)) {
            Some(slot) => slot,
            None => (0..WAYS).min_by_key(|&way| bucket[way].work).expect("a bucket has entries"),
        };
        let old = bucket[slot];
        let work = if old.is_of(key) { old.work.saturating_add(work) } else { work };
        bucket[slot] = Entry { key: key.0, check: key.1 as u32, work, numbers };
    }

    fn index(&self, key: (u64, u64)) -> usize {
        // The high half of a product spreads any number of buckets evenly.
        ((u128::from(key.0) * self.buckets.len() as u128) >> 64) as usize
    }
}

impl Entry {
    const fn is_of(&self, key: (u64, u64)) -> bool {
        self.key == key.0 && self.check == key.1 as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_of_a_bucket_makes_room() {
        let mut table = ProofTable::new(0);
        let numbers = |proof: u32| Numbers { proof, disproof: 1 };
        for (low, work) in [(1_u64, 50), (2, 40), (3, 2), (4, 30), (5, 60)] {
            table.store((low, low), numbers(low as u32), work);
        }
        assert_eq!(table.find((3, 3)), None);
        for low in [1, 2, 4, 5] {
            assert_eq!(table.find((low, low)), Some(numbers(low as u32)));
        }
        assert_eq!(table.find((1, 9)), None, "the second hash differs");
    }
}
