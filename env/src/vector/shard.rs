//! The columns of a batch, and splitting them so that threads work on disjoint boards.

use super::block::{Block, LANES};
use super::crew::Grains;
use super::finals::Final;
use super::history::{Entry, History};

/// Blocks that one thread steps at a time: 256 boards, whose state and packed masks fit in L2.
pub(super) const GRAIN: usize = 32;

macro_rules! columns {
    ($($(#[doc = $doc:literal])+ $field:ident: $type:ty,)+) => {
        /// Every column of a batch, padded to whole blocks.
        #[derive(Clone, Debug, Default)]
        pub(super) struct Columns {
            pub(super) blocks: Vec<Block>,
            /// Games that ended in the last call, one list for each [`GRAIN`] blocks.
            pub(super) finals: Vec<Vec<Final>>,
            $($(#[doc = $doc])+ pub(super) $field: Vec<$type>,)+
        }

        /// The columns of some consecutive blocks.
        pub(super) struct Shard<'a> {
            /// Number of the first board.
            pub(super) first: usize,
            pub(super) blocks: &'a mut [Block],
            finals: &'a mut [Vec<Final>],
            $(pub(super) $field: &'a mut [$type],)+
        }

        impl Columns {
            /// Gives the reversible turns of a board.
            pub(super) fn history_of(&self, board: usize) -> History<'_> {
                History::of(&self.history, &self.blocks, board)
            }

            /// Gives all boards as one shard.
            pub(super) fn shard(&mut self) -> Shard<'_> {
                Shard {
                    first: 0,
                    blocks: &mut self.blocks,
                    finals: &mut self.finals,
                    $($field: &mut self.$field,)+
                }
            }
        }

        impl Grains for Shard<'_> {
            fn grains(&self) -> usize {
                self.blocks.len().div_ceil(GRAIN)
            }

            fn split(self, grains: usize) -> (Self, Self) {
                let (all, blocks) = (self.blocks.len(), grains * GRAIN);
                $(let $field = { let width = self.$field.len() / all; self.$field.split_at_mut(width * blocks) };)+
                let (left, right) = self.blocks.split_at_mut(blocks);
                let (left_finals, right_finals) = self.finals.split_at_mut(grains);
                (
                    Self { first: self.first, blocks: left, finals: left_finals, $($field: $field.0,)+ },
                    Self {
                        first: self.first + blocks * LANES,
                        blocks: right,
                        finals: right_finals,
                        $($field: $field.1,)+
                    },
                )
            }
        }
    };
}

columns! {
    /// Reversible turns, `[N, capacity]`.
    history: Entry,
    /// Packed action masks, `[N, W]`.
    masks: u64,
    /// Dense action masks, `[N, A]`, or nothing.
    dense: u8,
    /// Observations, `[N, C, H, W]`, or nothing.
    planes: f32,
    /// Observations, `[N, C, H, W]`, or nothing.
    bytes: u8,
    /// Rewards of White and Black.
    rewards: [f32; 2],
    /// 0 where White decides, 1 where Black does.
    players: u8,
    /// Whether the game was won or drawn.
    terminated: u8,
    /// Whether the game was cut off.
    truncated: u8,
    /// Why the game ended.
    causes: u8,
}

impl Shard<'_> {
    /// Gives the list of games that ended; the shard is one grain.
    pub(super) fn finals(&mut self) -> &mut Vec<Final> {
        &mut self.finals[0]
    }

    /// Gives the packed mask of a board, counted from the shard's first.
    pub(super) fn mask(&mut self, board: usize) -> &mut [u64] {
        let width = self.masks.len() / (self.blocks.len() * LANES);
        &mut self.masks[board * width..][..width]
    }

    /// Gives the reversible turns of a board, counted from the shard's first.
    pub(super) fn history_of(&self, board: usize) -> History<'_> {
        History::of(self.history, self.blocks, board)
    }
}
