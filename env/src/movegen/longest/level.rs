//! Finding chains of the same length that have made the same captures.

use super::Chains;

/// Up to this many, chains are compared one by one.
const FEW: usize = 8;

/// The chains of one length, which lie one after the other; a hash table once they are many.
#[derive(Default)]
pub(super) struct Level {
    start: usize,
    /// By hash, the number of chains plus 1; 0 is free. Empty as long as they are few.
    places: Vec<u32>,
}

impl Level {
    /// Begins a level whose chains will be numbered from `start` on.
    pub(super) fn start_at(&mut self, start: usize) {
        self.start = start;
        self.places.clear();
    }

    /// Adds chains, or other squares to those known; gives their number.
    #[inline]
    pub(super) fn add(&mut self, all: &mut Vec<Chains>, new: Chains) -> u32 {
        let count = all.len() - self.start;
        let mut place = 0;
        let known = if self.places.is_empty() {
            all[self.start..].iter().position(|chains| chains.same(&new)).map(|index| self.start + index)
        } else {
            place = self.find(all, &new);
            (self.places[place] as usize).checked_sub(1)
        };
        if let Some(number) = known {
            all[number].squares |= new.squares;
            all[number].firsts |= new.firsts;
            return number as u32;
        }
        all.push(new);
        if let Some(place) = self.places.get_mut(place) {
            *place = all.len() as u32;
        }
        if count + 1 > FEW && (count + 1) * 2 > self.places.len() {
            self.grow(all, (count + 1) * 4);
        }
        all.len() as u32 - 1
    }

    #[cold]
    fn grow(&mut self, all: &[Chains], size: usize) {
        self.places.clear();
        self.places.resize(size.next_power_of_two(), 0);
        for (index, chains) in all.iter().enumerate().skip(self.start) {
            let place = self.find(all, chains);
            self.places[place] = index as u32 + 1;
        }
    }

    /// Finds the place of chains, or a free one for them.
    fn find(&self, all: &[Chains], wanted: &Chains) -> usize {
        let last = self.places.len() - 1;
        let mut place = wanted.hash() as usize & last;
        while self.places[place] != 0 && !all[self.places[place] as usize - 1].same(wanted) {
            place = (place + 1) & last;
        }
        place
    }
}

impl Chains {
    /// Says whether the same piece has made the same captures.
    const fn same(&self, other: &Self) -> bool {
        self.targets.0 == other.targets.0 && self.from.0 == other.from.0 && self.king == other.king
    }

    const fn hash(&self) -> u64 {
        let (low, high) = (self.targets.0 as u64, (self.targets.0 >> 64) as u64);
        let piece = (self.from.0 as u64) << 1 | self.king as u64;
        let mixed = (low ^ piece << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed ^ mixed >> 32
    }
}
