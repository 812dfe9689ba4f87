//! Counting what can be played, eight boards at a time.
//!
//! Actions wait by how much of the depth their boards have spent; the deepest full batch is played
//! first, so few wait at a time and hardly any batch is not full. Where one turn is left,
//! legal moves are counted from their sets of origins, and only those that may not end the turn
//! are played.

use super::block::{Block, CHAIN, LANES, Octet};
use super::kernel::{self, Scratch};
use super::lanes::{Lanes, Portable};
use super::moves::{Played, bits};
use super::path::{Path, Work};
use super::pending::{Batch, Filler, Pending};
use super::star::Star;
use super::step::find_kings;
use super::tables::Tables;
use crate::geometry::Game;
use crate::position::Position;

/// Counts sequences of actions or of turns.
pub(crate) struct Counter<'g> {
    game: &'g Game,
    tables: Tables,
    by_actions: bool,
    depth: usize,
    /// By how much of the depth is spent.
    pending: Vec<Pending>,
    total: u64,
}

/// Boards that have just been played, and what is legal there.
struct Boards<'a> {
    block: &'a Block,
    all: Played,
    /// Boards where a man or a short king hops.
    short_hops: u8,
    scratch: &'a Scratch,
}

/// Which hops of men and short kings the maximum rule leaves.
enum Longest {
    /// All, none of which goes on.
    All,
    /// The only one that goes on.
    One,
    /// The sets do not tell.
    Unknown,
}

impl<'g> Counter<'g> {
    pub(crate) fn new(game: &'g Game, by_actions: bool) -> Self {
        Self { game, tables: Tables::new(game), by_actions, depth: 0, pending: Vec::new(), total: 0 }
    }

    /// Counts the sequences that take all of `depth`.
    pub(crate) fn count(&mut self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let actions = position.legal_actions(self.game);
        if depth == 1 && self.by_actions {
            return actions.len() as u64;
        }
        (self.depth, self.total) = (depth as usize, 0);
        let mut block = Block::default();
        block.set_position(self.game, 0, position);
        self.reach(0);
        let mut filler = Filler::new(&mut self.pending[0], &self.tables, &block, 0, position.chain.is_some());
        for action in actions {
            filler.action::<Portable>(action.0);
        }
        filler.finish::<Portable>();
        Path::best().run(&mut *self);
        self.total
    }

    /// Makes room for actions on boards that have spent so much.
    fn reach(&mut self, spent: usize) {
        if self.pending.len() <= spent {
            self.pending.resize_with(spent + 1, Pending::new);
        }
    }

    /// Takes the batch to be played next, and how much its boards have spent.
    fn next(&mut self) -> Option<(usize, Box<Batch>)> {
        let full = self.pending.iter().rposition(Pending::has_full);
        let spent = full.or_else(|| self.pending.iter().position(Pending::has_any))?;
        Some((spent, self.pending[spent].take()))
    }

    /// Plays what waits until nothing does.
    #[inline(always)]
    fn play_all<L: Lanes, const STRIDE: u32>(&mut self) {
        let mut scratch = Scratch::default();
        while let Some((spent, mut batch)) = self.next() {
            self.play::<L, STRIDE>(spent, &mut batch, &mut scratch);
            self.pending[spent].recycle(batch);
        }
    }

    #[inline(always)]
    fn play<L: Lanes, const STRIDE: u32>(&mut self, spent: usize, batch: &mut Batch, scratch: &mut Scratch) {
        let active = batch.boards();
        if !self.tables.maximum {
            // Other hops need not be played where one turn is left.
            self.tables.looks_ahead = !self.all_spend() && spent + 2 >= self.depth;
        }
        let mut all = Played::default();
        for at in (0..LANES).step_by(L::COUNT) {
            if active >> at != 0 {
                all.join(kernel::play::<L, STRIDE>(&self.tables, &mut batch.block, at, &batch.moves, scratch), at);
            }
        }
        let short_hops = all.legal.hops;
        if all.fliers & active != 0 {
            find_kings::<L>(&self.tables, &mut batch.block, active, &mut all, scratch);
        }
        // A huff of the last piece ends game and turn.
        let spending = if self.by_actions { active } else { active & (all.passed | all.bare) };
        if self.tables.maximum {
            for (lane, flags) in batch.block.flags.iter_mut().enumerate() {
                *flags = if all.chains >> lane & 1 == 1 { CHAIN } else { 0 };
            }
        }
        let boards = Boards { block: &batch.block, all, short_hops, scratch };
        for (lanes, spent) in [(spending, spent + 1), (active & !spending, spent)] {
            let going_on = lanes & !all.bare;
            if spent == self.depth {
                self.total += u64::from(lanes.count_ones());
            } else if going_on != 0 {
                self.reach(spent);
                if spent + 1 == self.depth {
                    self.total += self.ending::<L>(&boards, going_on);
                    self.expand::<L>(&boards, self.unsure(&boards, going_on), spent, true);
                } else {
                    self.expand::<L>(&boards, going_on, spent, false);
                }
            }
        }
    }

    /// Says whether every action takes of the depth.
    const fn all_spend(&self) -> bool {
        self.by_actions || !self.tables.chains
    }

    /// Counts the actions of some boards that are sure to take the last of the depth.
    #[inline(always)]
    fn ending<L: Lanes>(&self, boards: &Boards<'_>, lanes: u8) -> u64 {
        let Boards { block, all, short_hops, scratch } = boards;
        let tables = &self.tables;
        let stepping = lanes & if tables.huff { !all.chains } else { !all.legal.hops };
        let hopping = if tables.maximum { 0 } else { lanes & short_hops };
        let mut total = 0;
        for at in (0..LANES).step_by(L::COUNT) {
            let (stepping, hopping) = (stepping >> at, hopping >> at);
            if stepping | hopping == 0 {
                continue;
            }
            let (mut sets, mut used) = ([L::none(); 8], 0);
            for (index, way) in tables.directions.iter().enumerate() {
                if way.used {
                    let steps = L::load(&scratch.sets[index], at).only_on(stepping);
                    let hops = L::load(&scratch.sets[8 + index], at);
                    let sure = if self.all_spend() { hops } else { hops.without(L::load(&scratch.longer[index], at)) };
                    // No piece both steps and hops in one direction.
                    sets[used % 8] = steps.or(sure.only_on(hopping));
                    used += 1;
                }
            }
            total += L::count_squares(&sets[..used]);
        }
        for lane in bits(lanes & all.fliers) {
            let Star { steps, hops, step_ways, hop_ways, reached } = &scratch.stars[lane];
            if stepping >> lane & 1 == 1 {
                total += kings(&steps[..*reached], step_ways);
            }
            if self.all_spend() && !tables.maximum {
                total += kings(&hops[..*reached], hop_ways);
            }
        }
        if tables.huff {
            total += u64::from((lanes & all.chains).count_ones());
            if self.by_actions {
                total += bits(lanes & all.legal.faults).map(|lane| u64::from(block.marks.get(lane).len())).sum::<u64>();
            }
        }
        total
    }

    /// Gives the boards with actions that `ending` has not counted.
    #[inline(always)]
    fn unsure(&self, boards: &Boards<'_>, lanes: u8) -> u8 {
        let Boards { all, short_hops, scratch, .. } = boards;
        if self.tables.maximum {
            return lanes & all.legal.hops;
        }
        let mut unsure = if self.by_actions { 0 } else { all.legal.faults };
        if !self.all_spend() && all.legal.hops & lanes != 0 {
            for (lane, &ways) in scratch.longer_ways.iter().enumerate() {
                unsure |= (u8::from(ways != 0) << lane) & short_hops;
            }
            unsure |= all.fliers & all.legal.hops;
        }
        unsure & lanes
    }

    /// Adds the actions of some boards to those that wait; of the `last` only those that `ending`
    /// has not counted.
    #[inline(always)]
    fn expand<L: Lanes>(&mut self, boards: &Boards<'_>, lanes: u8, spent: usize, last: bool) {
        for lane in bits(lanes) {
            if self.tables.maximum && boards.all.legal.hops >> lane & 1 == 1 {
                self.expand_longest::<L>(boards, lane, spent, last);
            } else {
                self.expand_free::<L>(boards, lane, spent, last);
            }
        }
    }

    #[inline(always)]
    fn expand_free<L: Lanes>(&mut self, boards: &Boards<'_>, lane: usize, spent: usize, last: bool) {
        let all_spend = self.all_spend();
        let (tables, pending) = (&self.tables, &mut self.pending[spent]);
        let Boards { block, all, short_hops, scratch } = boards;
        let bit = |boards: u8| boards >> lane & 1 == 1;
        let (chain, hops) = (bit(all.chains), bit(all.legal.hops));
        let star = if bit(all.fliers) { Some(&scratch.stars[lane]) } else { None };
        let mut filler = Filler::new(pending, tables, block, lane, chain);
        if !last {
            add_moves::<L>(&mut filler, &scratch.sets, scratch.ways[lane], lane);
        } else if bit(*short_hops) && !all_spend {
            add_hops::<L>(&mut filler, &scratch.longer, scratch.longer_ways[lane], lane);
        }
        if hops
            && !(last && all_spend)
            && let Some(Star { hops, hop_ways, reached, .. }) = star
        {
            add_kings::<L>(&mut filler, tables, &hops[..*reached], hop_ways);
        }
        if !last
            && (tables.huff && !chain || !hops)
            && let Some(Star { steps, step_ways, reached, .. }) = star
        {
            add_kings::<L>(&mut filler, tables, &steps[..*reached], step_ways);
        }
        if tables.huff && chain && !last {
            tables.stop.into_iter().for_each(|stop| filler.action::<L>(stop));
        }
        if bit(all.legal.faults) {
            for victim in block.marks.get(lane) {
                filler.action::<L>(tables.huffs[victim.index()]);
            }
        }
        filler.finish::<L>();
    }

    /// As [`Counter::expand_free`] where the maximum rule binds.
    #[inline(always)]
    fn expand_longest<L: Lanes>(&mut self, boards: &Boards<'_>, lane: usize, spent: usize, last: bool) {
        let longest = boards.longest(&self.tables, lane);
        let chain = boards.all.chains >> lane & 1 == 1;
        let mut filler = Filler::new(&mut self.pending[spent], &self.tables, boards.block, lane, chain);
        let all = (&boards.scratch.sets[8..], boards.scratch.ways[lane] >> 8);
        match longest {
            Longest::All if last => self.total += u64::from(count(all.0, all.1, lane)),
            Longest::All => add_hops::<L>(&mut filler, all.0, all.1, lane),
            Longest::One if last && self.by_actions => self.total += 1,
            Longest::One => {
                add_hops::<L>(&mut filler, &boards.scratch.longer, boards.scratch.longer_ways[lane], lane);
            }
            Longest::Unknown => {
                let mut count = 0;
                boards.block.keyless(lane).each_action(self.game, |action| {
                    if last && self.by_actions {
                        count += 1;
                    } else {
                        filler.action::<Portable>(action.0);
                    }
                    true
                });
                self.total += count;
            }
        }
        filler.finish::<L>();
    }
}

impl Work for &mut Counter<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        // As in a step of the batch: shifts by a number known when compiled are shorter.
        match self.tables.stride {
            6 => self.play_all::<L, 6>(),
            9 => self.play_all::<L, 9>(),
            10 => self.play_all::<L, 10>(),
            _ => self.play_all::<L, 0>(),
        }
    }
}

impl Boards<'_> {
    #[inline(always)]
    fn longest(&self, tables: &Tables, lane: usize) -> Longest {
        let star = &self.scratch.stars[lane];
        let kings_hop = self.all.fliers >> lane & 1 == 1 && star.hop_ways[..star.reached].iter().any(|&ways| ways != 0);
        if kings_hop || !tables.looks_ahead {
            return Longest::Unknown;
        }
        match count(&self.scratch.longer, self.scratch.longer_ways[lane], lane) {
            0 => Longest::All,
            1 => Longest::One,
            _ => Longest::Unknown,
        }
    }
}

/// Counts the squares that a board has in the sets of some directions.
#[inline(always)]
fn count(sets: &[Octet], ways: u16, lane: usize) -> u32 {
    bits(ways as u8).map(|way| sets[way].lo[lane].count_ones() + sets[way].hi[lane].count_ones()).sum()
}

/// Counts the moves of a board's flying kings.
#[inline(always)]
fn kings(sets: &[Octet], ways: &[u8]) -> u64 {
    let moves = |(set, &ways): (&Octet, &u8)| bits(ways).map(|way| u64::from(set.get(way).len())).sum::<u64>();
    sets.iter().zip(ways).map(moves).sum()
}

/// Adds moves of a board's men and short kings: steps by direction, then hops by direction.
#[inline(always)]
fn add_moves<L: Lanes>(filler: &mut Filler<'_>, sets: &[Octet; 16], mut ways: u16, lane: usize) {
    while ways != 0 {
        let way = ways.trailing_zeros() as usize % 16;
        ways &= ways - 1;
        filler.moves::<L>(way % 8, 1 + way as u64 / 8, [sets[way].lo[lane], sets[way].hi[lane]]);
    }
}

/// Adds hops of a board's men and short kings by direction.
#[inline(always)]
fn add_hops<L: Lanes>(filler: &mut Filler<'_>, sets: &[Octet], ways: u16, lane: usize) {
    for way in bits(ways as u8) {
        filler.moves::<L>(way, 2, [sets[way].lo[lane], sets[way].hi[lane]]);
    }
}

/// Adds the moves of a board's flying kings.
#[inline(always)]
fn add_kings<L: Lanes>(filler: &mut Filler<'_>, tables: &Tables, sets: &[Octet], ways: &[u8]) {
    for ((set, &ways), groups) in sets.iter().zip(ways).zip(&*tables.groups) {
        for way in bits(ways) {
            for from in set.get(way) {
                filler.action::<L>(groups[way].number(from, tables.high_from));
            }
        }
    }
}
