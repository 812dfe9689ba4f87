//! Where games start, and showing boards that were not stepped.

use super::block::{LANES, OVER};
use super::ending::Cause;
use super::lanes::{Lanes, Portable};
use super::masks;
use super::options::Starts;
use super::random;
use super::shard::Shard;
use super::step::Stepper;
use crate::geometry::Game;
use crate::position::Position;

impl Stepper<'_> {
    /// Clears what was said of a board's last game.
    pub(super) fn clear(shard: &mut Shard<'_>, board: usize) {
        shard.rewards[board] = [0.0; 2];
        shard.causes[board] = 0;
        shard.terminated[board] = 0;
        shard.truncated[board] = 0;
    }

    /// Starts a board's next game.
    pub(super) fn start(&self, shard: &mut Shard<'_>, board: usize) {
        let (block, lane) = (board / LANES, board % LANES);
        let mut rng = shard.blocks[block].rng[lane];
        let position = match &self.options.starts {
            Starts::Start => {
                shard.blocks[block].start(self.game, lane, self.start);
                shard.players[board] = self.start.side.index() as u8;
                shard.mask(board).copy_from_slice(self.start_mask);
                return;
            }
            Starts::Random(range) => {
                let count = range.start() + random::below(&mut rng, u64::from(range.end() - range.start()) + 1) as u16;
                opening(self.game, count, &mut rng, shard.mask(board))
            }
            Starts::Positions(list) => list[random::below(&mut rng, list.len() as u64) as usize],
        };
        shard.blocks[block].rng[lane] = rng;
        self.place(shard, board, &position);
    }

    /// Puts a position on a board as the first of a game.
    pub(super) fn place(&self, shard: &mut Shard<'_>, board: usize, position: &Position) {
        shard.blocks[board / LANES].start(self.game, board % LANES, position);
        shard.players[board] = position.side.index() as u8;
        masks::write_mask(self.game, position, shard.mask(board));
    }

    /// Writes what follows from a board's state and cause: its player, its mask, how it ended.
    pub(super) fn describe(&self, shard: &mut Shard<'_>, board: usize) {
        let (block, lane) = (&shard.blocks[board / LANES], board % LANES);
        let (position, over) = (block.keyless(lane), block.flags[lane] & OVER != 0);
        let cause = shard.causes[board];
        shard.players[board] = position.side.index() as u8;
        shard.terminated[board] = u8::from(cause != 0 && cause != Cause::Truncated as u8);
        shard.truncated[board] = u8::from(cause == Cause::Truncated as u8);
        let mask = shard.mask(board);
        if over {
            mask.fill(0);
        } else {
            masks::write_mask(self.game, &position, mask);
        }
    }

    /// Writes a board's dense mask anew where a word of the packed one is used, or was before.
    #[inline(always)]
    pub(super) fn refresh<L: Lanes>(&self, shard: &mut Shard<'_>, board: usize, before: u64) {
        if self.options.dense_masks {
            let (words, actions) = (self.start_mask.len(), self.tables.actions.len());
            let mask = &shard.masks[board * words..][..words];
            masks::expand::<L>(mask, before, &mut shard.dense[board * actions..][..actions]);
        }
    }

    /// Writes the dense mask and the observation of a board that was not stepped.
    pub(super) fn show(&self, shard: &mut Shard<'_>, board: usize) {
        self.refresh::<Portable>(shard, board, u64::MAX);
        self.observe(shard, board);
    }

    /// Writes the observation of a board.
    pub(super) fn observe(&self, shard: &mut Shard<'_>, board: usize) {
        let boards = shard.blocks.len() * LANES;
        let (planes, bytes) = (shard.planes.len() / boards, shard.bytes.len() / boards);
        if planes == 0 && bytes == 0 {
            return;
        }
        let (block, lane) = (&shard.blocks[board / LANES], board % LANES);
        let (position, turns) = (block.keyless(lane), block.turns[lane]);
        let repetitions = self.repetitions(shard, board, &position);
        if planes > 0 {
            let out = &mut shard.planes[board * planes..][..planes];
            self.encoder.encode_position(self.game, &position, repetitions, turns, out);
        }
        if bytes > 0 {
            let out = &mut shard.bytes[board * bytes..][..bytes];
            self.encoder.count_position(self.game, &position, repetitions, turns, out);
        }
    }
}

/// Plays random actions from the start. A game that ends on the way is begun again, and stops
/// short where that happens many times.
fn opening(game: &Game, count: u16, rng: &mut u64, mask: &mut [u64]) -> Position {
    const TRIES: u16 = 20;
    for shorter in 0..=TRIES {
        let mut position = game.start();
        for _ in 0..(u32::from(count) * u32::from(TRIES - shorter) / u32::from(TRIES)) {
            masks::write_mask(game, &position, mask);
            match random::sample::<Portable>(mask, rng) {
                Some(action) => position = position.play(game, action),
                None => break,
            }
        }
        if position.judge(game, 0, || 1).is_none() {
            return position;
        }
    }
    unreachable!("the last try is the start itself")
}
