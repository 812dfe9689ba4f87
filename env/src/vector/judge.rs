//! Counting what was played, and telling which games it ended.

use super::block::{BLACK, Block, CHAIN, HUFFED, LANES, OVER};
use super::ending::{Cause, Ending};
use super::finals::Final;
use super::history::{Entry, MAX_ENTRIES};
use super::moves::{Played, bits};
use super::options::AutoReset;
use super::shard::Shard;
use super::step::Stepper;
use crate::bitboard::Square;
use crate::outcome::Side;
use crate::position::Position;

impl Stepper<'_> {
    /// Counts actions, turns and quiet turns, and keeps the reversible ones.
    #[inline(always)]
    pub(super) fn count(&self, shard: &mut Shard<'_>, index: usize, active: u8, all: &Played, played: &[u16; LANES]) {
        let block = &mut shard.blocks[index];
        let movers = block.flags;
        let (stepped, passed) = (SPREAD[active as usize], SPREAD[all.passed as usize]);
        let progressed = SPREAD[all.progressed as usize];
        for lane in 0..LANES {
            block.length[lane] = block.length[lane].saturating_add(stepped[lane].into());
            block.turns[lane] = block.turns[lane].saturating_add(passed[lane].into());
            let quiet = block.quiet[lane].saturating_add(passed[lane].into());
            block.quiet[lane] = quiet * u16::from(1 - progressed[lane]);
        }
        let spread = |boards: u8| u64::from_le_bytes(SPREAD[boards as usize]);
        let flags = u64::from_le_bytes(movers) & !(spread(active) * u64::from(CHAIN | HUFFED)) ^ spread(all.passed);
        let flags = flags | (spread(all.chains) * u64::from(CHAIN)) | (spread(all.huffed) * u64::from(HUFFED));
        block.flags = flags.to_le_bytes();
        let players = (flags & spread(u8::MAX)).to_le_bytes();
        shard.players[index * LANES..][..LANES].copy_from_slice(&players);
        if self.capacity == 0 {
            return;
        }
        let base = |block: &Block, lane| self.game.zobrist().fault(block.side(lane), block.marks.get(lane));
        for (reversible, progressed) in block.reversible.iter_mut().zip(progressed) {
            *reversible *= u16::from(1 - progressed);
        }
        if self.tables.huff {
            for lane in bits(all.progressed) {
                // Behind a huff nobody is at fault.
                block.base_fault[lane] = if all.reversible >> lane & 1 == 1 { 0 } else { base(block, lane) };
            }
        }
        for lane in bits(all.reversible) {
            let mover = if movers[lane] & BLACK == 0 { Side::White } else { Side::Black };
            let [from, to] = self.tables.actions[played[lane] as usize].ends.map(Square);
            let entry = Entry::new(self.game, mover, from, to, all.kings >> lane & 1 == 1);
            let entries = &mut shard.history[(index * LANES + lane) * self.capacity..][..self.capacity];
            if self.tables.huff && self.capacity < MAX_ENTRIES && block.reversible[lane] as usize == self.capacity {
                // The step behind a huff is none of the quiet turns, for which alone there is room.
                block.base_fault[lane] = entry.first_fault(self.game, entries, &block.keyless(lane));
                entries.rotate_left(1);
                block.reversible[lane] -= 1;
            }
            push(entries, &mut block.reversible[lane], entry);
        }
    }

    /// Ends the games that are over; gives their boards.
    #[inline(always)]
    pub(super) fn judge(&self, shard: &mut Shard<'_>, index: usize, active: u8, all: &Played) -> u8 {
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

    /// Ends a board's game.
    pub(super) fn end(&self, shard: &mut Shard<'_>, board: usize, ending: Ending) {
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

    /// Counts how often a board's position has stood, where observations tell.
    pub(super) fn repetitions(&self, shard: &Shard<'_>, board: usize, position: &Position) -> u32 {
        if self.game.ruleset().repetition_limit > 0 {
            shard.history_of(board).repetitions(self.game, position)
        } else {
            1
        }
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
