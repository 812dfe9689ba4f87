//! One step of some boards.

use std::cell::Cell;

use super::block::{BLACK, Block, CHAIN, HUFFED, LANES, OVER, Octet};
use super::ending::{Cause, Ending};
use super::finals::Final;
use super::history::{Entry, MAX_ENTRIES};
use super::kernel::{self, HOP_WAYS, Moves, Played, Scratch, bits};
use super::lanes::{Lanes, Portable};
use super::masks;
use super::options::{AutoReset, IllegalPolicy, Observations, Starts, VectorOptions};
use super::random;
use super::shard::Shard;
use super::star;
use super::tables::{Deed, NOWHERE, Tables};
use crate::bitboard::Square;
use crate::geometry::Game;
use crate::observe::Encoder;
use crate::outcome::Side;
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
        let mut scratch = SCRATCH.take();
        for (index, actions) in actions.chunks(LANES).enumerate() {
            self.step_block::<L, STRIDE>(shard, index, actions, &mut scratch);
        }
        SCRATCH.set(scratch);
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
                self.find_kings::<L>(&mut shard.blocks[index], active, &mut all, scratch);
            }
            self.count(shard, index, active, &all, &played);
            let over = self.judge(shard, index, active, &all);
            self.write::<L>(shard, index, active & !over, &all, scratch);
            for lane in bits(over) {
                self.refresh::<L>(shard, first + lane, u64::MAX);
            }
        }
        for lane in bits(fresh) {
            self.clear(shard, first + lane);
            self.start(shard, first + lane);
            self.refresh::<L>(shard, first + lane, u64::MAX);
        }
        if self.options.observations != Observations::Off {
            for lane in bits(active | fresh) {
                self.observe(shard, first + lane);
            }
        }
    }

    /// Finds the moves of flying kings, board by board.
    #[inline(always)]
    fn find_kings<L: Lanes>(&self, block: &mut Block, active: u8, all: &mut Played, scratch: &mut Scratch) {
        for lane in bits(all.fliers & active) {
            let (us, them, focus) = (block.us.get(lane), block.them.get(lane), block.focus.get(lane));
            let in_chain = all.chains >> lane & 1 == 1;
            let kings = if in_chain { focus } else { us } & block.kings.get(lane);
            let targets = if in_chain { them.without(block.marks.get(lane)) } else { them };
            let (steps, capturers) = star::find::<L>(self.tables, kings, us | them, targets, &mut scratch.stars[lane]);
            all.legal.steps |= u8::from(steps) << lane;
            if !capturers.is_empty() {
                all.legal.hops |= 1 << lane;
                if !self.tables.huff {
                    scratch.ways[lane] &= HOP_WAYS;
                }
            }
            if self.tables.huff && !in_chain {
                block.focus.set(lane, focus | capturers);
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
            self.clear(shard, board);
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

    /// Counts actions, turns and quiet turns, and keeps the reversible ones.
    #[inline(always)]
    fn count(&self, shard: &mut Shard<'_>, index: usize, active: u8, all: &Played, played: &[u16; LANES]) {
        let block = &mut shard.blocks[index];
        let movers = block.flags;
        let (stepped, passed) = (SPREAD[active as usize], SPREAD[all.passed as usize]);
        let progressed = SPREAD[all.progressed as usize];
        for lane in 0..LANES {
            block.length[lane] = block.length[lane].saturating_add(stepped[lane].into());
            block.turns[lane] += u32::from(passed[lane]);
            let quiet = block.quiet[lane].saturating_add(passed[lane].into());
            block.quiet[lane] = quiet * u16::from(1 - progressed[lane]);
        }
        let spread = |boards: u8| u64::from_le_bytes(SPREAD[boards as usize]);
        let flags = u64::from_le_bytes(movers) & !(spread(active) * u64::from(CHAIN | HUFFED)) ^ spread(all.passed);
        let flags = flags | spread(all.chains) * u64::from(CHAIN) | spread(all.huffed) * u64::from(HUFFED);
        block.flags = flags.to_le_bytes();
        let players = (flags & spread(u8::MAX)).to_le_bytes();
        shard.players[index * LANES..][..LANES].copy_from_slice(&players);
        if self.capacity == 0 {
            return;
        }
        let base = |block: &Block, lane| self.game.zobrist().fault(block.side(lane), block.marks.get(lane));
        for lane in 0..LANES {
            block.reversible[lane] *= u16::from(1 - progressed[lane]);
        }
        if self.tables.huff {
            for lane in bits(all.progressed) {
                block.base_fault[lane] = base(block, lane);
            }
        }
        for lane in bits(all.passed & !all.progressed) {
            let mover = if movers[lane] & BLACK == 0 { Side::White } else { Side::Black };
            let [from, to] = self.tables.actions[played[lane] as usize].ends.map(Square);
            let entry = Entry::new(self.game, mover, from, to, all.kings >> lane & 1 == 1);
            let entries = &mut shard.history[(index * LANES + lane) * self.capacity..][..self.capacity];
            push(entries, &mut block.reversible[lane], entry);
        }
    }

    /// Ends the games that are over; gives their boards.
    #[inline(always)]
    fn judge(&self, shard: &mut Shard<'_>, index: usize, active: u8, all: &Played) -> u8 {
        let tables = self.tables;
        let block = &shard.blocks[index];
        let mut may_draw = 0;
        for lane in 0..LANES {
            let reached = block.quiet[lane] >= tables.no_progress_limit
                || block.reversible[lane] >= tables.repetition_from
                || block.turns[lane] >= tables.max_turns;
            may_draw |= u8::from(reached) << lane;
        }
        if tables.lone_kings_draw {
            may_draw |= all.few;
        }
        let blocked = !(all.legal.hops | all.legal.steps | all.legal.faults | all.chains);
        let mut over = 0;
        for lane in bits(active & (may_draw & !(all.chains | all.huffed) | all.bare | blocked)) {
            let block = &shard.blocks[index];
            let bit = |boards: u8| boards >> lane & 1 == 1;
            let board = index * LANES + lane;
            let ending = if bit(all.bare) {
                let decider = block.side(lane);
                let winner = if block.us.get(lane).is_empty() { decider.opponent() } else { decider };
                Some(Ending { winner: Some(winner), cause: Cause::NoPieces })
            } else if bit(blocked) {
                Some(Ending { winner: Some(block.side(lane).opponent()), cause: Cause::Blocked })
            } else {
                let position = block.keyless(lane);
                let repetitions = || shard.history_of(board).repetitions(self.game, &position);
                position.judge_draw(self.game, block.turns[lane], repetitions).map(Ending::from)
            };
            if let Some(ending) = ending {
                over |= 1 << lane;
                self.end(shard, board, ending);
            }
        }
        over
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
            masks::clear(masks);
        } else {
            for lane in 0..LANES {
                if boards >> lane & 1 == 1 {
                    masks::clear(&mut masks[lane * words..][..words]);
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

    /// Ends a board's game.
    fn end(&self, shard: &mut Shard<'_>, board: usize, ending: Ending) {
        let lane = board % LANES;
        let position = shard.blocks[board / LANES].keyless(lane);
        let repetitions = self.repetitions(shard, board, &position);
        let block = &mut shard.blocks[board / LANES];
        let last = Final {
            board: shard.first + board,
            ending,
            position,
            repetitions,
            length: block.length[lane].into(),
            turns: block.turns[lane],
        };
        block.flags[lane] |= OVER;
        shard.finals().push(last);
        shard.rewards[board] = ending.rewards();
        shard.causes[board] = ending.cause as u8;
        shard.terminated[board] = u8::from(ending.cause != Cause::Truncated);
        shard.truncated[board] = u8::from(ending.cause == Cause::Truncated);
        if self.options.auto_reset == AutoReset::SameStep {
            self.start(shard, board);
        } else {
            shard.mask(board).fill(0);
        }
    }

    /// Clears what was said of a board's last game.
    pub(super) fn clear(&self, shard: &mut Shard<'_>, board: usize) {
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
        shard.players[board] = u8::from(position.side == Side::Black);
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
    fn refresh<L: Lanes>(&self, shard: &mut Shard<'_>, board: usize, before: u64) {
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
    fn observe(&self, shard: &mut Shard<'_>, board: usize) {
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

    /// Counts how often a board's position has stood, where observations tell.
    fn repetitions(&self, shard: &Shard<'_>, board: usize, position: &Position) -> u32 {
        if self.game.ruleset().repetition_limit > 0 {
            shard.history_of(board).repetitions(self.game, position)
        } else {
            1
        }
    }
}

thread_local! {
    /// Kept between calls: clearing it would cost as much as stepping ten boards.
    static SCRATCH: Cell<Box<Scratch>> = Cell::default();
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

/// What a board does in a step.
enum Choice {
    Nothing,
    Lose,
    Start,
    Play(u16),
}

impl Moves {
    #[inline(always)]
    fn new(tables: &Tables, active: u8, actions: &[u16; LANES], flags: [u8; LANES]) -> Self {
        let nowhere = [NOWHERE.into(); LANES];
        let chains = lanes_with(flags, CHAIN) & active;
        let huffed = lanes_with(flags, HUFFED) & active;
        let between = Octet::default();
        let mut all = Self { from: nowhere, to: nowhere, between, moves: active, huffs: 0, stops: 0, chains, huffed };
        for lane in 0..LANES {
            if active >> lane & 1 == 1 {
                let Deed { between, ends: [from, to] } = tables.actions[actions[lane] as usize];
                (all.from[lane], all.to[lane]) = (from.into(), to.into());
                [all.between.lo[lane], all.between.hi[lane]] = between;
            }
        }
        if tables.huff {
            for lane in bits(active) {
                if Some(actions[lane]) == tables.stop {
                    all.stops |= 1 << lane;
                } else if actions[lane] >= tables.first_huff {
                    all.huffs |= 1 << lane;
                }
            }
            all.moves &= !(all.stops | all.huffs);
        }
        all
    }
}

impl Played {
    /// Adds what became of the boards from `at` on.
    #[inline(always)]
    fn join(&mut self, part: Self, at: usize) {
        self.passed |= part.passed << at;
        self.progressed |= part.progressed << at;
        self.chains |= part.chains << at;
        self.huffed |= part.huffed << at;
        self.kings |= part.kings << at;
        self.fliers |= part.fliers << at;
        self.bare |= part.bare << at;
        self.few |= part.few << at;
        self.legal.hops |= part.legal.hops << at;
        self.legal.steps |= part.legal.steps << at;
        self.legal.faults |= part.legal.faults << at;
    }
}

/// The bits of each number as bytes 0 or 1.
const SPREAD: [[u8; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut number = 0;
    while number < 256 {
        let mut lane = 0;
        while lane < LANES {
            table[number][lane] = (number >> lane & 1) as u8;
            lane += 1;
        }
        number += 1;
    }
    table
};

/// Gives the boards that have a flag.
#[inline(always)]
fn lanes_with(flags: [u8; LANES], flag: u8) -> u8 {
    let ones = u64::from_le_bytes(flags) >> flag.trailing_zeros() & 0x0101_0101_0101_0101;
    (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Adds a turn to a board's history; the turn that ends the game by its number needs no place.
fn push(entries: &mut [Entry], length: &mut u16, entry: Entry) {
    if let Some(place) = entries.get_mut(*length as usize) {
        *place = entry;
        *length += 1;
    } else if entries.len() == MAX_ENTRIES {
        entries.rotate_left(1);
        entries[MAX_ENTRIES - 1] = entry;
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

const _: () = assert!(BLACK == 1, "the flag is the player's number");
