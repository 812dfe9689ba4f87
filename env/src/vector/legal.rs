//! Legal actions as lists, and drawing from them.

use super::block::{Block, LANES};
use super::check::check_length;
use super::crew::Grains;
use super::lanes::Lanes;
use super::path::Work;
use super::shard::{Columns, GRAIN};
use super::{VectorEnv, VectorError, random};

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
        let (path, words) = (self.path, self.start_mask.len());
        let Columns { blocks, masks, .. } = &mut self.columns;
        self.crew.share(Draw { blocks, masks, actions, words }, |_, _| None, |part| path.run(part));
        Ok(())
    }
}

/// Drawing an action for each of some boards.
struct Draw<'a> {
    blocks: &'a mut [Block],
    masks: &'a [u64],
    actions: &'a mut [u16],
    words: usize,
}

impl Work for Draw<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (board, (action, mask)) in self.actions.iter_mut().zip(self.masks.chunks_exact(self.words)).enumerate() {
            let rng = &mut self.blocks[board / LANES].rng[board % LANES];
            *action = random::sample::<L>(mask, rng).map_or(VectorEnv::NO_ACTION, |action| action.0);
        }
    }
}

impl Grains for Draw<'_> {
    fn grains(&self) -> usize {
        self.blocks.len().div_ceil(GRAIN)
    }

    fn split(self, grains: usize) -> (Self, Self) {
        let (words, boards) = (self.words, grains * GRAIN * LANES);
        let (left, right) = self.blocks.split_at_mut(grains * GRAIN);
        let masks = self.masks.split_at(boards * words);
        let actions = self.actions.split_at_mut(boards);
        (
            Self { blocks: left, masks: masks.0, actions: actions.0, words },
            Self { blocks: right, masks: masks.1, actions: actions.1, words },
        )
    }
}
