//! Legal actions as lists, and drawing from them.

use super::block::{LANES, OVER};
use super::shard::GRAIN;
use super::{VectorEnv, VectorError, check_length, random};

/// The legal actions of all boards as compressed rows: those of board `b` are
/// `indices[indptr[b]..indptr[b + 1]]`, in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LegalLists {
    /// Where each board's actions begin, `[N + 1]`.
    pub indptr: Vec<u32>,
    /// The actions, `[indptr[N]]`.
    pub indices: Vec<u16>,
}

impl VectorEnv {
    /// Lists the legal actions of all boards; a board whose game is over has none.
    pub fn legal_lists(&mut self) -> &LegalLists {
        let mut lists = std::mem::take(&mut self.lists);
        let words = self.start_mask.len();
        lists.indptr.clear();
        lists.indices.clear();
        lists.indptr.push(0);
        for mask in self.columns.masks.chunks_exact(words).take(self.boards) {
            for (index, &word) in mask.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    lists.indices.push((index * 64) as u16 + word.trailing_zeros() as u16);
                    word &= word - 1;
                }
            }
            lists.indptr.push(lists.indices.len() as u32);
        }
        self.lists = lists;
        &self.lists
    }

    /// Draws one legal action a board from the boards' own random streams, each action of a board
    /// with the same chance; [`VectorEnv::NO_ACTION`] where the game is over.
    ///
    /// # Errors
    /// `actions` has not room for `N`.
    pub fn sample_legal(&mut self, actions: &mut [u16]) -> Result<(), VectorError> {
        check_length("places for actions", self.boards, actions.len())?;
        let words = self.start_mask.len();
        let masks = self.columns.masks.chunks(GRAIN * LANES * words);
        for ((blocks, masks), actions) in
            self.columns.blocks.chunks_mut(GRAIN).zip(masks).zip(actions.chunks_mut(GRAIN * LANES))
        {
            for (board, action) in actions.iter_mut().enumerate() {
                let (block, lane) = (&mut blocks[board / LANES], board % LANES);
                let drawn = random::sample(&masks[board * words..][..words], &mut block.rng[lane]);
                debug_assert_eq!(drawn.is_none(), block.flags[lane] & OVER != 0);
                *action = drawn.map_or(Self::NO_ACTION, |action| action.0);
            }
        }
        Ok(())
    }
}
