//! One step of some boards.

use super::block::{BLACK, CHAIN, HUFFED, LANES, OVER, Octet};
use super::ending::{Cause, Ending};
use super::finals::Final;
use super::history::{Entry, MAX_ENTRIES};
use super::kernel::{self, Moves, Origins, Played, Scratch};
use super::lanes::Lanes;
use super::options::{AutoReset, IllegalPolicy, Starts, VectorOptions};
use super::random;
use super::shard::Shard;
use super::tables::{NOWHERE, Tables};
use crate::bitboard::{Bitboard, Square};
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
    /// The mask of the game's start.
    pub(super) start_mask: &'a [u64],
    /// Whether [`IDLE`] has a meaning.
    pub(super) subset: bool,
}

impl Stepper<'_> {
    /// Steps the boards of a shard of one grain.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(&self, shard: &mut Shard<'_>, actions: &[u16]) {
        let mut scratch = Scratch { steps: Origins::new(), hops: Origins::new() };
        for (index, actions) in actions.chunks(LANES).enumerate() {
            self.step_block::<L>(shard, index, actions, &mut scratch);
        }
    }

    #[inline(always)]
    fn step_block<L: Lanes>(&self, shard: &mut Shard<'_>, index: usize, actions: &[u16], scratch: &mut Scratch) {
        let first = index * LANES;
        let mut moves = Moves::default();
        let mut played = [0; LANES];
        let (mut active, mut fresh) = (0, 0);
        for (lane, &action) in actions.iter().enumerate() {
            match self.choose(shard, first + lane, action) {
                Choice::Nothing => {}
                Choice::Start => fresh |= 1 << lane,
                Choice::Play(action) => {
                    active |= 1 << lane;
                    played[lane] = action;
                    moves.add(self.tables, lane, action, shard.blocks[index].flags[lane]);
                }
            }
        }
        let mut all = Played::default();
        for at in (0..LANES).step_by(L::COUNT) {
            all.join(kernel::play::<L>(self.tables, &mut shard.blocks[index], at, &moves, scratch), at);
        }
        if active != 0 {
            self.count(shard, index, active, &all, &played);
            for lane in bits(active) {
                self.finish(shard, first + lane, &all, scratch);
            }
        }
        for lane in bits(fresh) {
            self.clear(shard, first + lane);
            self.start(shard, first + lane);
        }
        if !shard.dense.is_empty() || !shard.planes.is_empty() || !shard.bytes.is_empty() {
            for lane in bits(active | fresh) {
                self.observe(shard, first + lane);
            }
        }
    }

    /// Decides what a board does with the action it is given.
    #[inline(always)]
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
        if self.options.illegal == IllegalPolicy::Reject || is_legal(shard.mask(board), action) {
            return Choice::Play(action);
        }
        if self.options.illegal == IllegalPolicy::Lose {
            let winner = Some(shard.blocks[index].side(lane).opponent());
            self.end(shard, board, Ending { winner, cause: Cause::Illegal });
            self.observe(shard, board);
            return Choice::Nothing;
        }
        let mut rng = shard.blocks[index].rng[lane];
        let drawn = random::sample(shard.mask(board), &mut rng).expect("a running game has legal actions");
        shard.blocks[index].rng[lane] = rng;
        Choice::Play(drawn.0)
    }

    /// Counts actions, turns and quiet turns, and keeps the reversible ones.
    #[inline(always)]
    fn count(&self, shard: &mut Shard<'_>, index: usize, active: u8, all: &Played, played: &[u16; LANES]) {
        let block = &mut shard.blocks[index];
        let movers = block.flags;
        for lane in 0..LANES {
            let bit = |boards: u8| boards >> lane & 1;
            let (stepped, passed) = (bit(active), bit(all.passed));
            block.length[lane] += u32::from(stepped);
            block.turns[lane] += u32::from(passed);
            let quiet = block.quiet[lane].saturating_add(passed.into());
            block.quiet[lane] = if bit(all.progressed) == 1 { 0 } else { quiet };
            let kept = block.flags[lane] & if stepped == 1 { BLACK } else { 255 };
            let huffed = if bit(all.huffed) == 1 { HUFFED } else { 0 };
            let chain = if bit(all.chains) == 1 { CHAIN } else { 0 };
            block.flags[lane] = kept ^ passed | huffed | chain;
            shard.players[index * LANES + lane] = block.flags[lane] & BLACK;
        }
        let capacity = shard.history.len() / (shard.blocks.len() * LANES);
        if capacity == 0 {
            return;
        }
        let block = &mut shard.blocks[index];
        for lane in bits(all.progressed) {
            block.reversible[lane] = 0;
            if self.tables.huff {
                block.base_fault[lane] = self.game.zobrist().fault(block.side(lane), block.marks.get(lane));
            }
        }
        for lane in bits(all.passed & !all.progressed) {
            let mover = if movers[lane] & BLACK == 0 { Side::White } else { Side::Black };
            let [from, to] = self.tables.ends[played[lane] as usize].map(Square);
            let entry = Entry::new(self.game, mover, from, to, all.kings >> lane & 1 == 1);
            let entries = &mut shard.history[(index * LANES + lane) * capacity..][..capacity];
            push(entries, &mut block.reversible[lane], entry);
        }
    }

    /// Writes what is legal now, or ends the game.
    #[inline(always)]
    fn finish(&self, shard: &mut Shard<'_>, board: usize, all: &Played, scratch: &Scratch) {
        let tables = self.tables;
        let (block, lane) = (&shard.blocks[board / LANES], board % LANES);
        let bit = |boards: u8| boards >> lane & 1 == 1;
        let in_turn = bit(all.chains) || block.flags[lane] & HUFFED != 0;
        let blocked = !bit(all.legal.hops | all.legal.steps | all.legal.faults | all.chains);
        if bit(all.bare) || blocked {
            let decider = block.side(lane);
            let own = block.us.get(lane).is_empty();
            let cause = if bit(all.bare) { Cause::NoPieces } else { Cause::Blocked };
            let winner = if own || blocked && !bit(all.bare) { decider.opponent() } else { decider };
            return self.end(shard, board, Ending { winner: Some(winner), cause });
        }
        let may_draw = block.quiet[lane] >= tables.no_progress_limit
            || block.reversible[lane] >= tables.repetition_from
            || block.turns[lane] >= tables.max_turns
            || tables.lone_kings_draw && bit(all.few);
        if may_draw && !in_turn {
            let position = block.keyless(lane);
            let repetitions = || shard.history_of(board).repetitions(self.game, &position);
            if let Some(outcome) = position.judge_draw(self.game, block.turns[lane], repetitions) {
                return self.end(shard, board, Ending::from(outcome));
            }
        }
        let faults = if bit(all.legal.faults) { block.marks.get(lane) } else { Bitboard::EMPTY };
        let position = if tables.maximum && bit(all.legal.hops) { Some(block.keyless(lane)) } else { None };
        let mask = shard.mask(board);
        mask.fill(0);
        if tables.huff {
            write_moves(tables, &scratch.hops, lane, mask);
            if bit(all.chains) {
                tables.stop.into_iter().for_each(|stop| set(mask, stop));
            } else {
                write_moves(tables, &scratch.steps, lane, mask);
                faults.into_iter().for_each(|victim| set(mask, tables.huffs[victim.index()]));
            }
        } else if let Some(position) = position {
            write_mask(self.game, &position, mask);
        } else if bit(all.legal.hops) {
            write_moves(tables, &scratch.hops, lane, mask);
        } else {
            write_moves(tables, &scratch.steps, lane, mask);
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
            length: block.length[lane],
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
        let game = self.game;
        let (block, lane) = (board / LANES, board % LANES);
        let mut rng = shard.blocks[block].rng[lane];
        let position = match &self.options.starts {
            Starts::Start => game.start(),
            Starts::Random(range) => {
                let count = range.start() + random::below(&mut rng, u64::from(range.end() - range.start()) + 1) as u16;
                opening(game, count, &mut rng, shard.mask(board))
            }
            Starts::Positions(list) => list[random::below(&mut rng, list.len() as u64) as usize],
        };
        shard.blocks[block].rng[lane] = rng;
        if matches!(self.options.starts, Starts::Start) {
            shard.mask(board).copy_from_slice(self.start_mask);
        }
        self.place(shard, board, &position);
    }

    /// Puts a position on a board as the first of a game.
    pub(super) fn place(&self, shard: &mut Shard<'_>, board: usize, position: &Position) {
        shard.blocks[board / LANES].start(self.game, board % LANES, position);
        shard.players[board] = u8::from(position.side == Side::Black);
        write_mask(self.game, position, shard.mask(board));
    }

    /// Writes the dense mask and the observation of a board.
    pub(super) fn observe(&self, shard: &mut Shard<'_>, board: usize) {
        let boards = shard.blocks.len() * LANES;
        let width = shard.dense.len() / boards;
        if width > 0 {
            let words = shard.masks.len() / boards;
            let mask = &shard.masks[board * words..][..words];
            for (index, out) in shard.dense[board * width..][..width].iter_mut().enumerate() {
                *out = (mask[index / 64] >> (index % 64) & 1) as u8;
            }
        }
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

/// What a board does in a step.
enum Choice {
    Nothing,
    Start,
    Play(u16),
}

impl Default for Moves {
    fn default() -> Self {
        let nowhere = [NOWHERE.into(); LANES];
        let between = Octet::default();
        Self { from: nowhere, to: nowhere, between, moves: 0, huffs: 0, stops: 0, chains: 0, huffed: 0 }
    }
}

impl Moves {
    #[inline(always)]
    fn add(&mut self, tables: &Tables, lane: usize, action: u16, flags: u8) {
        let [from, to] = tables.ends[action as usize];
        self.from[lane] = from.into();
        self.to[lane] = to.into();
        self.between.set(lane, tables.between[action as usize]);
        let bit = 1 << lane;
        if action < tables.first_huff {
            self.moves |= bit;
        } else if Some(action) == tables.stop {
            self.stops |= bit;
        } else {
            self.huffs |= bit;
        }
        if flags & CHAIN != 0 {
            self.chains |= bit;
        }
        if flags & HUFFED != 0 {
            self.huffed |= bit;
        }
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
        self.bare |= part.bare << at;
        self.few |= part.few << at;
        self.legal.hops |= part.legal.hops << at;
        self.legal.steps |= part.legal.steps << at;
        self.legal.faults |= part.legal.faults << at;
    }
}

/// Gives the numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

#[inline(always)]
fn set(mask: &mut [u64], action: u16) {
    mask[action as usize / 64] |= 1 << (action % 64);
}

/// Adds the moves of a board to its mask.
#[inline(always)]
fn write_moves(tables: &Tables, origins: &Origins, lane: usize, mask: &mut [u64]) {
    for word in 0..2 {
        let mut groups = origins.groups[word][lane];
        while groups != 0 {
            let group = word * 64 + groups.trailing_zeros() as usize;
            groups &= groups - 1;
            let numbers = &tables.numbers[group];
            let (mut lo, mut hi) = (origins.sets[group].lo[lane], origins.sets[group].hi[lane]);
            while lo != 0 {
                set(mask, numbers[lo.trailing_zeros() as usize]);
                lo &= lo - 1;
            }
            while hi != 0 {
                set(mask, numbers[64 + hi.trailing_zeros() as usize]);
                hi &= hi - 1;
            }
        }
    }
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

/// Says whether an action is in a packed mask.
pub(super) fn is_legal(mask: &[u64], action: u16) -> bool {
    mask.get(action as usize / 64).is_some_and(|word| word >> (action % 64) & 1 != 0)
}

/// Writes the packed mask of a position.
pub(super) fn write_mask(game: &Game, position: &Position, mask: &mut [u64]) {
    mask.fill(0);
    position.each_action(game, |action| {
        mask[action.index() / 64] |= 1 << (action.index() % 64);
        true
    });
}

/// Plays random actions from the start; a game that ends on the way is begun again.
fn opening(game: &Game, count: u16, rng: &mut u64, mask: &mut [u64]) -> Position {
    loop {
        let mut position = game.start();
        for _ in 0..count {
            write_mask(game, &position, mask);
            match random::sample(mask, rng) {
                Some(action) => position = position.play(game, action),
                None => break,
            }
        }
        if position.winner(game).is_none() {
            return position;
        }
    }
}

const _: () = assert!(BLACK == 1, "the flag is the player's number");
