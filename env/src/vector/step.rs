//! One step of some boards.

use super::block::{BLACK, LANES, OVER};
use super::ending::{Cause, Ending};
use super::finals::Final;
use super::history::{Entry, MAX_ENTRIES};
use super::options::{AutoReset, IllegalPolicy, Starts, VectorOptions};
use super::random;
use super::shard::Shard;
use crate::action::{Action, ActionKind};
use crate::geometry::Game;
use crate::observe::Encoder;
use crate::outcome::Side;
use crate::position::Position;

/// The action of a board that is not stepped.
pub(super) const IDLE: u16 = u16::MAX - 1;

/// What stepping needs to know, the same for all boards.
pub(super) struct Stepper<'a> {
    pub(super) game: &'a Game,
    pub(super) options: &'a VectorOptions,
    pub(super) encoder: &'a Encoder,
    /// The mask of the game's start.
    pub(super) start_mask: &'a [u64],
    /// Whether [`IDLE`] has a meaning.
    pub(super) subset: bool,
}

impl Stepper<'_> {
    /// Steps the boards of a shard of one grain.
    pub(super) fn step(&self, shard: &mut Shard<'_>, actions: &[u16]) {
        for (board, &action) in actions.iter().enumerate() {
            if self.subset && action == IDLE {
                continue;
            }
            self.step_board(shard, board, action);
            self.observe(shard, board);
        }
    }

    fn step_board(&self, shard: &mut Shard<'_>, board: usize, action: u16) {
        let over = shard.blocks[board / LANES].flags[board % LANES] & OVER != 0;
        if over && self.options.auto_reset == AutoReset::Off {
            shard.rewards[board] = [0.0; 2];
            return;
        }
        if shard.causes[board] != 0 {
            self.clear(shard, board);
        }
        if over {
            return self.start(shard, board);
        }
        let (block, lane) = (board / LANES, board % LANES);
        let legal = is_legal(shard.mask(board), action);
        let action = match self.options.illegal {
            _ if legal => action,
            IllegalPolicy::Reject => unreachable!("checked before anything was changed"),
            IllegalPolicy::Lose => {
                let winner = Some(shard.blocks[block].side(lane).opponent());
                return self.end(shard, board, Ending { winner, cause: Cause::Illegal });
            }
            IllegalPolicy::Resample => {
                let mut rng = shard.blocks[block].rng[lane];
                let drawn = random::sample(shard.mask(board), &mut rng).expect("a running game has legal actions");
                shard.blocks[block].rng[lane] = rng;
                drawn.0
            }
        };
        self.play(shard, board, Action(action));
    }

    fn play(&self, shard: &mut Shard<'_>, board: usize, action: Action) {
        let game = self.game;
        let capacity = shard.history.len() / (shard.blocks.len() * LANES);
        let block = &mut shard.blocks[board / LANES];
        let lane = board % LANES;
        let before = block.position(game, lane);
        let after = before.play(game, action);
        block.set_position(game, lane, &after);
        block.length[lane] += 1;
        let mut quiet_step = None;
        if after.side != before.side {
            block.turns[lane] += 1;
            if after.quiet_turns == 0 {
                block.reversible[lane] = 0;
                block.base_fault[lane] = game.zobrist().fault(after.side, after.fault);
            } else if capacity > 0 {
                let Some(ActionKind::Move { from, to, .. }) = game.action_kind(action) else {
                    unreachable!("a quiet turn is a step")
                };
                quiet_step = Some(Entry::new(game, before.side, from, to, before.kings.contains(from)));
            }
        }
        if let Some(entry) = quiet_step {
            let entries = &mut shard.history[board * capacity..][..capacity];
            push(entries, &mut block.reversible[lane], entry);
        }
        shard.players[board] = u8::from(after.side == Side::Black);
        let turns = block.turns[lane];
        let outcome = after.judge(game, turns, || shard.history_of(board).repetitions(game, &after));
        match outcome {
            Some(outcome) => self.end(shard, board, Ending::from(outcome)),
            None => write_mask(game, &after, shard.mask(board)),
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
