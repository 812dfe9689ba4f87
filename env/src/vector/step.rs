//! One step of some boards.

use std::cell::Cell;

use super::block::{Block, LANES, OVER, lanes_with};
use super::ending::{Cause, Ending};
use super::kernel::{self, HOP_WAYS, Scratch};
use super::lanes::{Lanes, Portable};
use super::masks;
use super::moves::{Moves, Played, bits};
use super::options::{AutoReset, IllegalPolicy, Observations, VectorOptions};
use super::path::Work;
use super::random;
use super::shard::{GRAIN, Shard};
use super::star;
use super::tables::Tables;
use crate::geometry::Game;
use crate::observe::Encoder;
use crate::position::Position;

/// The action of a board that is not stepped.
pub(super) const IDLE: u16 = u16::MAX - 1;

/// What stepping needs to know, the same for all boards.
pub(super) struct Stepper<'a> {
    pub(super) game: &'a Game,
    pub(super) tables: &'a Tables,
    pub(super) options: &'a VectorOptions,
    pub(super) encoder: &'a Encoder,
    /// The game's start and its mask.
    pub(super) start: &'a Position,
    pub(super) start_mask: &'a [u64],
    /// Entries of a board's history.
    pub(super) capacity: usize,
    /// Whether [`IDLE`] has a meaning.
    pub(super) subset: bool,
}

impl Stepper<'_> {
    /// Gives the first board of a grain whose action is not legal.
    pub(super) fn find_illegal(&self, shard: &Shard<'_>, grain: usize, actions: &[u16]) -> Option<usize> {
        let first = grain * GRAIN * LANES;
        let words = self.start_mask.len();
        let actions = actions[first..].iter().take(GRAIN * LANES);
        let masks = shard.masks[first * words..].chunks_exact(words);
        let mut wrong = actions.zip(masks).enumerate().filter(|(_, (action, mask))| !masks::is_legal(mask, **action));
        let is_unread = |board: usize, action: u16| {
            let over = shard.blocks[board / LANES].flags[board % LANES] & OVER != 0;
            over || self.subset && action == IDLE
        };
        wrong.find(|(board, (action, _))| !is_unread(first + board, **action)).map(|(board, _)| first + board)
    }

    /// Steps the boards of a shard of one grain.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(&self, shard: &mut Shard<'_>, actions: &[u16]) {
        // The strides of the presets; shifts by a number known when compiled are shorter.
        match self.tables.stride {
            6 => self.step_strided::<L, 6>(shard, actions),
            9 => self.step_strided::<L, 9>(shard, actions),
            10 => self.step_strided::<L, 10>(shard, actions),
            _ => self.step_strided::<L, 0>(shard, actions),
        }
    }

    #[inline(always)]
    fn step_strided<L: Lanes, const STRIDE: u32>(&self, shard: &mut Shard<'_>, actions: &[u16]) {
        let mut scratch = SCRATCH.take().unwrap_or_default();
        for (index, actions) in actions.chunks(LANES).enumerate() {
            self.step_block::<L, STRIDE>(shard, index, actions, &mut scratch);
        }
        SCRATCH.set(Some(scratch));
    }

    #[inline(always)]
    fn step_block<L: Lanes, const STRIDE: u32>(
        &self,
        shard: &mut Shard<'_>,
        index: usize,
        actions: &[u16],
        scratch: &mut Scratch,
    ) {
        let first = index * LANES;
        let causes: [u8; LANES] = shard.causes[first..][..LANES].try_into().expect("columns are whole blocks");
        let plain = !self.subset && self.options.illegal == IllegalPolicy::Reject;
        let quiet = u64::from_le_bytes(causes) == 0 && lanes_with(shard.blocks[index].flags, OVER) == 0;
        let (mut active, mut fresh) = (0, 0);
        let mut played = [0; LANES];
        if plain && quiet && actions.len() == LANES {
            active = u8::MAX;
            played.copy_from_slice(actions);
        } else {
            for (lane, &action) in actions.iter().enumerate() {
                match self.choose(shard, first + lane, action) {
                    Choice::Nothing => {}
                    Choice::Lose => {
                        let winner = Some(shard.blocks[index].side(lane).opponent());
                        self.end(shard, first + lane, Ending { winner, cause: Cause::Illegal });
                        self.refresh::<L>(shard, first + lane, u64::MAX);
                        self.observe(shard, first + lane);
                    }
                    Choice::Start => fresh |= 1 << lane,
                    Choice::Play(action) => {
                        active |= 1 << lane;
                        played[lane] = action;
                    }
                }
            }
        }
        if active != 0 {
            let moves = Moves::new(self.tables, active, &played, shard.blocks[index].flags);
            let mut all = Played::default();
            for at in (0..LANES).step_by(L::COUNT) {
                all.join(kernel::play::<L, STRIDE>(self.tables, &mut shard.blocks[index], at, &moves, scratch), at);
            }
            if all.fliers & active != 0 {
                find_kings::<L>(self.tables, &mut shard.blocks[index], active, &mut all, scratch);
            }
            self.count(shard, index, active, &all, &played);
            let over = self.judge(shard, index, active, &all);
            self.write::<L>(shard, index, active & !over, &all, scratch);
            for lane in bits(over) {
                self.refresh::<L>(shard, first + lane, u64::MAX);
            }
        }
        for lane in bits(fresh) {
            Self::clear(shard, first + lane);
            self.start(shard, first + lane);
            self.refresh::<L>(shard, first + lane, u64::MAX);
        }
        if self.options.observations != Observations::Off {
            for lane in bits(active | fresh) {
                self.observe(shard, first + lane);
            }
        }
    }

    /// Decides what a board does with the action it is given.
    #[inline(never)]
    fn choose(&self, shard: &mut Shard<'_>, board: usize, action: u16) -> Choice {
        if self.subset && action == IDLE {
            return Choice::Nothing;
        }
        let (index, lane) = (board / LANES, board % LANES);
        if shard.blocks[index].flags[lane] & OVER != 0 {
            if self.options.auto_reset == AutoReset::NextStep {
                return Choice::Start;
            }
            shard.rewards[board] = [0.0; 2];
            return Choice::Nothing;
        }
        if shard.causes[board] != 0 {
            Self::clear(shard, board);
        }
        if self.options.illegal == IllegalPolicy::Reject || masks::is_legal(shard.mask(board), action) {
            return Choice::Play(action);
        }
        if self.options.illegal == IllegalPolicy::Lose {
            return Choice::Lose;
        }
        let mut rng = shard.blocks[index].rng[lane];
        let drawn = random::sample::<Portable>(shard.mask(board), &mut rng).expect("a running game has legal actions");
        shard.blocks[index].rng[lane] = rng;
        Choice::Play(drawn.0)
    }

    /// Writes what is legal on the boards whose games go on.
    #[inline(always)]
    fn write<L: Lanes>(&self, shard: &mut Shard<'_>, index: usize, boards: u8, all: &Played, scratch: &mut Scratch) {
        let tables = self.tables;
        let words = self.start_mask.len();
        let mut before = [0; LANES];
        let unsettled = if tables.maximum { settle(tables, all, scratch, boards) } else { 0 };
        let masks = &mut shard.masks[index * LANES * words..][..LANES * words];
        if self.options.dense_masks {
            for (used, mask) in before.iter_mut().zip(masks.chunks_exact(words)) {
                *used = L::used(mask);
            }
        }
        if boards == u8::MAX {
            masks.fill(0);
        } else {
            for lane in 0..LANES {
                if boards >> lane & 1 == 1 {
                    masks[lane * words..][..words].fill(0);
                } else {
                    scratch.ways[lane] = 0;
                }
            }
        }
        masks::write_moves::<L>(tables, scratch, masks);
        for lane in bits(all.fliers & boards & !unsettled) {
            let mask = &mut masks[lane * words..][..words];
            let bit = |boards: u8| boards >> lane & 1 == 1;
            let star = &scratch.stars[lane];
            let (hops, chain) = (bit(all.legal.hops), bit(all.chains));
            if if tables.huff { !chain } else { !hops } {
                masks::add_star::<L>(tables, &star.steps, &star.step_ways[..star.reached], mask);
            }
            masks::add_star::<L>(tables, &star.hops, &star.hop_ways[..star.reached], mask);
        }
        let block = &shard.blocks[index];
        if let Some(stop) = tables.stop {
            for lane in bits(all.chains & boards) {
                masks::set(&mut masks[lane * words..][..words], stop);
            }
        }
        for lane in bits(all.legal.faults & boards) {
            let mask = &mut masks[lane * words..][..words];
            block.marks.get(lane).into_iter().for_each(|victim| masks::set(mask, tables.huffs[victim.index()]));
        }
        for lane in bits(unsettled) {
            masks::write_mask(self.game, &block.keyless(lane), &mut masks[lane * words..][..words]);
        }
        if self.options.dense_masks {
            for lane in bits(boards) {
                self.refresh::<L>(shard, index * LANES + lane, before[lane]);
            }
        }
    }
}

thread_local! {
    /// Kept between calls: clearing it would cost as much as stepping ten boards.
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// Stepping the boards of one grain.
pub(super) struct Step<'a, 'b> {
    pub(super) stepper: &'a Stepper<'b>,
    pub(super) shard: Shard<'a>,
    pub(super) actions: &'a [u16],
}

impl Work for Step<'_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        self.stepper.step::<L>(&mut self.shard, self.actions);
    }
}

/// Applies the maximum rule where it can be told from the next hops; gives the boards where it
/// cannot, with no moves left in `scratch`.
#[inline(always)]
fn settle(tables: &Tables, all: &Played, scratch: &mut Scratch, boards: u8) -> u8 {
    let mut unsettled = 0;
    for lane in bits(all.legal.hops & boards) {
        let star = &scratch.stars[lane];
        let kings_hop = all.fliers >> lane & 1 == 1 && star.hop_ways[..star.reached].iter().any(|&ways| ways != 0);
        let longer: u32 = bits(scratch.longer_ways[lane] as u8).map(|way| scratch.longer[way].get(lane).len()).sum();
        match longer {
            0 if !kings_hop && tables.looks_ahead => {}
            1 if !kings_hop && tables.looks_ahead => {
                for way in bits(scratch.longer_ways[lane] as u8) {
                    let origins = scratch.longer[way].get(lane);
                    scratch.sets[8 + way].set(lane, origins);
                }
                scratch.ways[lane] = scratch.longer_ways[lane] << 8;
            }
            _ => {
                scratch.ways[lane] = 0;
                unsettled |= 1 << lane;
            }
        }
    }
    unsettled
}

/// Finds the moves of flying kings, board by board.
#[inline(always)]
pub(super) fn find_kings<L: Lanes>(
    tables: &Tables,
    block: &mut Block,
    active: u8,
    all: &mut Played,
    scratch: &mut Scratch,
) {
    for lane in bits(all.fliers & active) {
        let (us, them, focus) = (block.us.get(lane), block.them.get(lane), block.focus.get(lane));
        let in_chain = all.chains >> lane & 1 == 1;
        let kings = if in_chain { focus } else { us } & block.kings.get(lane);
        let targets = if in_chain { them.without(block.marks.get(lane)) } else { them };
        let (steps, capturers) = star::find::<L>(tables, kings, us | them, targets, &mut scratch.stars[lane]);
        all.legal.steps |= u8::from(steps) << lane;
        if !capturers.is_empty() {
            all.legal.hops |= 1 << lane;
            if !tables.huff {
                scratch.ways[lane] &= HOP_WAYS;
            }
        }
        if tables.huff && !in_chain {
            block.focus.set(lane, focus | capturers);
        }
    }
}

/// What a board does in a step.
enum Choice {
    Nothing,
    Lose,
    Start,
    Play(u16),
}
