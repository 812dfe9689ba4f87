//! Evaluations to look up again: different orders of the same turns often lead to one position.

use smallvec::SmallVec;

/// The most entries; a table of them all takes a few megabytes.
const MOST: usize = 1 << 15;

/// Evaluations by position; a new one takes the place of whatever shares its slot.
pub(super) struct Cache {
    entries: Vec<Entry>,
}

#[derive(Clone, Default)]
struct Entry {
    /// 0 where it was never filled.
    key: u64,
    wdl: [f32; 3],
    logits: SmallVec<[f32; 12]>,
}

impl Cache {
    /// Makes a cache for about so many evaluations.
    pub(super) fn new(evaluations: usize) -> Self {
        Self { entries: vec![Entry::default(); evaluations.next_power_of_two().min(MOST)] }
    }

    /// Gives the logits and the result probabilities that were kept of a position.
    pub(super) fn get(&self, key: u64) -> Option<(&[f32], [f32; 3])> {
        let entry = &self.entries[self.slot(key)];
        (entry.key == key).then_some((entry.logits.as_slice(), entry.wdl))
    }

    /// Keeps an evaluation.
    pub(super) fn insert(&mut self, key: u64, logits: &[f32], wdl: [f32; 3]) {
        let slot = self.slot(key);
        let entry = &mut self.entries[slot];
        entry.key = key;
        entry.wdl = wdl;
        entry.logits.clear();
        entry.logits.extend_from_slice(logits);
    }

    fn slot(&self, key: u64) -> usize {
        // The high bits of a product are mixed best.
        (key >> 32) as usize & (self.entries.len() - 1)
    }
}
