//! Actions waiting to be played, eight a batch, each with the board that it is played on.
//!
//! Nothing here knows a rule. Boards come from a block that has just been played, so a board is
//! copied once for all of its actions and not for each.

use super::block::{Block, LANES};
use super::lanes::Lanes;
use super::moves::Moves;
use super::tables::{Deed, NOWHERE, Tables};

/// Up to eight boards and what each of them plays.
pub(super) struct Batch {
    pub(super) block: Block,
    pub(super) moves: Moves,
    filled: usize,
}

impl Batch {
    fn new() -> Box<Self> {
        let nowhere = [NOWHERE.into(); LANES];
        let between = <_>::default();
        let moves = Moves { from: nowhere, to: nowhere, between, moving: 0, huffs: 0, stops: 0, chains: 0, huffed: 0 };
        Box::new(Self { block: Block::default(), moves, filled: 0 })
    }

    /// Gives the boards that play; what the others hold has no meaning.
    pub(super) const fn boards(&self) -> u8 {
        ((1u16 << self.filled) - 1) as u8
    }
}

/// A stack of batches, all full but one.
#[expect(clippy::vec_box, reason = "batches change hands between lists; a pointer moves, not a kilobyte")]
pub(super) struct Pending {
    open: Box<Batch>,
    full: Vec<Box<Batch>>,
    spare: Vec<Box<Batch>>,
}

impl Pending {
    pub(super) fn new() -> Self {
        Self { open: Batch::new(), full: Vec::new(), spare: Vec::new() }
    }

    /// Says whether a full batch waits.
    pub(super) const fn has_full(&self) -> bool {
        !self.full.is_empty()
    }

    /// Says whether an action waits.
    pub(super) const fn has_any(&self) -> bool {
        self.open.filled > 0 || self.has_full()
    }

    /// Takes a batch out, a full one if there is one.
    pub(super) fn take(&mut self) -> Box<Batch> {
        self.full.pop().unwrap_or_else(|| {
            let empty = self.fresh();
            std::mem::replace(&mut self.open, empty)
        })
    }

    /// Takes a batch back, to be filled again.
    pub(super) fn recycle(&mut self, batch: Box<Batch>) {
        self.spare.push(batch);
    }

    fn fresh(&mut self) -> Box<Batch> {
        let Some(mut batch) = self.spare.pop() else { return Batch::new() };
        batch.filled = 0;
        (batch.moves.moving, batch.moves.huffs, batch.moves.stops, batch.moves.chains) = (0, 0, 0, 0);
        batch
    }
}

/// Adds actions of one board to those that wait.
pub(super) struct Filler<'a> {
    pending: &'a mut Pending,
    tables: &'a Tables,
    parent: &'a Block,
    lane: usize,
    in_chain: bool,
    /// From here on the open batch lacks its boards.
    begin: usize,
}

impl<'a> Filler<'a> {
    #[inline(always)]
    pub(super) fn new(
        pending: &'a mut Pending,
        tables: &'a Tables,
        parent: &'a Block,
        lane: usize,
        in_chain: bool,
    ) -> Self {
        let begin = pending.open.filled;
        Self { pending, tables, parent, lane, in_chain, begin }
    }

    /// Adds the moves of men and short kings from some points, over `distance` points.
    #[inline(always)]
    pub(super) fn moves<L: Lanes>(&mut self, way: usize, distance: u64, origins: [u64; 2]) {
        let way = &self.tables.directions[way];
        let by = if way.rising { u64::from(way.by) } else { u64::from(way.by).wrapping_neg() };
        for (half, mut origins) in origins.into_iter().enumerate() {
            while origins != 0 {
                let from = half as u64 * u64::from(self.tables.high_from) + u64::from(origins.trailing_zeros());
                origins &= origins - 1;
                let mut between = [0; 2];
                if distance == 2 {
                    let over = from.wrapping_add(by);
                    between[over as usize / 64 % 2] = 1 << (over % 64);
                }
                self.add::<L>(from, from.wrapping_add(by.wrapping_mul(distance)), between);
            }
        }
    }

    /// Adds an action by its number.
    #[inline(always)]
    pub(super) fn action<L: Lanes>(&mut self, action: u16) {
        let board = 1 << self.pending.open.filled;
        if Some(action) == self.tables.stop {
            self.pending.open.moves.stops |= board;
        } else if action >= self.tables.first_huff {
            self.pending.open.moves.huffs |= board;
        }
        let Deed { between, ends: [from, to] } = self.tables.actions[action as usize];
        self.add::<L>(from.into(), to.into(), between);
    }

    #[inline(always)]
    fn add<L: Lanes>(&mut self, from: u64, to: u64, between: [u64; 2]) {
        let Batch { moves, filled, .. } = &mut *self.pending.open;
        let board = *filled % LANES;
        (moves.from[board], moves.to[board]) = (from, to);
        [moves.between.lo[board], moves.between.hi[board]] = between;
        *filled = board + 1;
        if *filled == LANES {
            self.finish::<L>();
            let empty = self.pending.fresh();
            let full = std::mem::replace(&mut self.pending.open, empty);
            self.pending.full.push(full);
        }
    }

    /// Gives the board to the actions that still lack it; must follow the last action.
    #[inline(always)]
    pub(super) fn finish<L: Lanes>(&mut self) {
        let Batch { block, moves, filled } = &mut *self.pending.open;
        let boards = ((1u16 << *filled) - (1u16 << self.begin)) as u8;
        self.begin = *filled % LANES;
        moves.moving |= boards & !(moves.huffs | moves.stops);
        if self.in_chain {
            moves.chains |= boards;
        }
        let (parent, lane) = (self.parent, self.lane);
        for at in (0..LANES).step_by(L::COUNT) {
            let part = boards >> at & L::ALL;
            if part == 0 {
                continue;
            }
            let pairs = [
                (&parent.us, &mut block.us),
                (&parent.them, &mut block.them),
                (&parent.kings, &mut block.kings),
                (&parent.focus, &mut block.focus),
                (&parent.marks, &mut block.marks),
            ];
            // Where nothing is huffed or waits for removal, the marks stay empty and the focus unread.
            let used = if self.tables.huff || self.tables.removes_at_turn_end { 5 } else { 3 };
            for (from, to) in pairs.into_iter().take(used) {
                L::splat(from.get(lane)).on(part, L::load(to, at)).store(to, at);
            }
        }
    }
}
