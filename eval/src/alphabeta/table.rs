//! The transposition table: what is known of positions met before in this search.
//!
//! Small, one a thread, and emptied for each search by a new generation number, so that a result
//! never depends on what the thread has searched before.

use damma_env::Action;

const NO_ACTION: u16 = u16::MAX;

/// What a stored value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// Nothing: only the action is known.
    Unknown,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
    /// The value is this.
    Exact,
}

/// What is known of a position. The value is the decider's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) value: i16,
    action: u16,
    generation: u16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

impl Entry {
    const EMPTY: Self = Self { key: 0, value: 0, action: NO_ACTION, generation: 0, depth: 0, bound: Bound::Unknown };

    /// Gives the action that was best or good enough.
    pub(super) fn action(&self) -> Option<Action> {
        (self.action != NO_ACTION).then_some(Action(self.action))
    }
}

/// Positions met before; two to a bucket, the deeper one and the latest.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Entry; 2]>,
    generation: u16,
}

impl Table {
    /// Makes a table of `2^bits` buckets.
    pub(super) fn new(bits: u32) -> Self {
        Self { buckets: vec![[Entry::EMPTY; 2]; 1 << bits], generation: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets.fill([Entry::EMPTY; 2]);
            self.generation = 1;
        }
    }

    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        bucket.iter().find(|entry| entry.key == key && entry.generation == self.generation).copied()
    }

    pub(super) fn store(&mut self, key: u64, action: Option<Action>, value: i32, depth: u32, bound: Bound) {
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let entry = Entry {
            key,
            value: value as i16,
            action: action.map_or(NO_ACTION, |action| action.0),
            generation: self.generation,
            depth: depth as u8,
            bound,
        };
        let [deep, _] = bucket;
        let slot = usize::from(deep.generation == self.generation && deep.key != key && deep.depth > entry.depth);
        bucket[slot] = entry;
    }

    fn index(&self, key: u64) -> usize {
        // The number of buckets is a power of two.
        key as usize & (self.buckets.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = Table::new(4);
        table.clear();
        table.store(9, Some(Action(3)), -7, 2, Bound::Exact);
        let entry = table.find(9).unwrap();
        assert_eq!((entry.value, entry.depth, entry.action()), (-7, 2, Some(Action(3))));

        table.clear();
        assert!(table.find(9).is_none());
    }

    #[test]
    fn the_deeper_of_two_positions_stays_beside_the_latest() {
        let mut table = Table::new(4);
        table.clear();
        for (key, depth) in [(1, 5), (17, 2), (33, 3)] {
            table.store(key, None, 0, depth, Bound::Lower);
        }
        assert!(table.find(1).is_some() && table.find(17).is_none() && table.find(33).is_some());
    }
}
