//! Saving and restoring a batch: every byte that its future depends on, at a fixed place.
//!
//! Layout, little-endian: a header, then for each board its state and its reversible turns, then
//! what the last step said of it, and a checksum. Masks and observations follow from these and are written anew.

use super::block::{Block, CHAIN, LANES, OVER, Octet};
use super::history::{Entry, history_bound, history_capacity};
use super::{VectorEnv, VectorError};

/// Names the format and its version.
const MAGIC: &[u8; 8] = b"DAMMAB01";
const WHOLE: &str = "the length was checked";

impl VectorEnv {
    /// Gives everything that the future of the batch depends on, as bytes of a fixed length for a
    /// game and a number of boards; more once a board has had over 128 reversible turns, where the
    /// rules allow so many.
    ///
    /// Options are not saved, nor are the finals of the last step and the statistics: restore into a
    /// batch of the same options.
    ///
    /// ```
    /// use damma_env::{Game, Ruleset, VectorEnv, VectorOptions};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// let mut boards = VectorEnv::new(game, 16, VectorOptions::default())?;
    /// let saved = boards.save();
    /// let mut actions = [0; 16];
    /// boards.sample_legal(&mut actions)?;
    /// boards.step(&actions)?;
    /// boards.restore(&saved)?;
    /// assert_eq!(boards.save(), saved);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        out.extend(self.rules_key().to_le_bytes());
        out.extend((self.boards as u64).to_le_bytes());
        out.extend((self.capacity() as u64).to_le_bytes());
        for block in &self.columns.blocks {
            put_block(&mut out, block);
        }
        out.extend(self.columns.history.iter().flat_map(|entry| entry.0.to_le_bytes()));
        out.extend(self.columns.rewards.as_flattened().iter().flat_map(|reward| reward.to_le_bytes()));
        out.extend_from_slice(&self.columns.causes);
        out.extend(checksum(&out).to_le_bytes());
        out
    }

    /// Puts a saved batch back; masks and observations are those of then.
    ///
    /// # Errors
    /// The bytes are of another game, number of boards or version, or damaged; nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), VectorError> {
        let refuse = |reason: &str| Err(VectorError::Snapshot(reason.to_owned()));
        let Some((bytes, sum)) = bytes.split_last_chunk() else { return refuse("they are cut off") };
        let whole = checksum(bytes) == u64::from_le_bytes(*sum);
        let mut bytes = Reader { bytes };
        if bytes.take::<8>() != Some(*MAGIC) {
            return refuse("they do not begin as one of this version does");
        }
        if bytes.number() != Some(self.rules_key()) {
            return refuse("they are of a game with other rules");
        }
        if bytes.number() != Some(self.boards as u64) {
            return refuse("they are of another number of boards");
        }
        let padded = self.columns.blocks.len() * LANES;
        let capacity = bytes.number().unwrap_or(0) as usize;
        if !(history_capacity(&self.game)..=history_bound(&self.game)).contains(&capacity) {
            return refuse("they are damaged");
        }
        let expected = self.columns.blocks.len() * BLOCK_BYTES + padded * (2 * capacity + 9);
        if bytes.bytes.len() != expected {
            return refuse("they are cut off or have something behind them");
        }
        if !whole {
            return refuse("they are damaged");
        }
        let blocks: Vec<Block> = self.columns.blocks.iter().map(|_| take_block(&mut bytes).expect(WHOLE)).collect();
        let history = (0..padded * capacity).map(|_| Entry(u16::from_le_bytes(bytes.take().expect(WHOLE)))).collect();
        let rewards: Vec<[f32; 2]> =
            (0..padded).map(|_| [0; 2].map(|_: u8| f32::from_le_bytes(bytes.take().expect(WHOLE)))).collect();
        let causes = bytes.bytes;
        if causes.iter().any(|&cause| cause > 7) || !self.are_positions(&blocks, capacity) {
            return refuse("they are damaged");
        }
        self.columns.blocks = blocks;
        self.columns.history = history;
        self.columns.rewards.copy_from_slice(&rewards);
        self.columns.causes.copy_from_slice(causes);
        self.show_all();
        Ok(())
    }

    /// Says whether every board holds what a game can hold, so that stepping it is safe.
    fn are_positions(&self, blocks: &[Block], capacity: usize) -> bool {
        let squares = self.game.squares();
        (0..self.boards).all(|board| {
            let (block, lane) = (&blocks[board / LANES], board % LANES);
            let position = block.keyless(lane);
            let pieces = position.own() | position.enemy();
            (position.own() & position.enemy()).is_empty()
                && pieces.without(squares).is_empty()
                && position.kings().without(pieces).is_empty()
                && block.focus.get(lane).without(pieces).is_empty()
                && block.marks.get(lane).without(pieces).is_empty()
                && usize::from(block.reversible[lane]) <= capacity
                && (block.flags[lane] & CHAIN == 0
                    || block.focus.get(lane).len() == 1 && block.focus.get(lane).without(position.own()).is_empty())
                && (block.flags[lane] & OVER != 0 || position.has_action(&self.game))
        })
    }
}

/// FNV-1a (Fowler, Noll, Vo) over words of eight bytes, the last one filled up with zeros.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xCBF2_9CE4_8422_2325, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(29)
    })
}

/// Bytes of a saved block.
const BLOCK_BYTES: usize = LANES * (5 * 16 + 8 + 8 + 4 + 2 + 2 + 2 + 1);

fn put_block(out: &mut Vec<u8>, block: &Block) {
    for set in [&block.us, &block.them, &block.kings, &block.focus, &block.marks] {
        out.extend(set.lo.iter().chain(&set.hi).flat_map(|word| word.to_le_bytes()));
    }
    out.extend(block.rng.iter().chain(&block.base_fault).flat_map(|word| word.to_le_bytes()));
    out.extend(block.turns.iter().flat_map(|turns| turns.to_le_bytes()));
    out.extend(block.length.iter().chain(&block.quiet).chain(&block.reversible).flat_map(|count| count.to_le_bytes()));
    out.extend_from_slice(&block.flags);
}

fn take_block(bytes: &mut Reader<'_>) -> Option<Block> {
    let mut block = Block::default();
    for set in [&mut block.us, &mut block.them, &mut block.kings, &mut block.focus, &mut block.marks] {
        *set = Octet { lo: bytes.numbers()?, hi: bytes.numbers()? };
    }
    block.rng = bytes.numbers()?;
    block.base_fault = bytes.numbers()?;
    for turns in &mut block.turns {
        *turns = u32::from_le_bytes(bytes.take()?);
    }
    for count in block.length.iter_mut().chain(&mut block.quiet).chain(&mut block.reversible) {
        *count = u16::from_le_bytes(bytes.take()?);
    }
    block.flags = bytes.take()?;
    Some(block)
}

/// What is left to read.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn numbers(&mut self) -> Option<[u64; LANES]> {
        let mut numbers = [0; LANES];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }
}
