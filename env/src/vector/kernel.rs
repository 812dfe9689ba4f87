//! Playing one action on several boards at once and finding what is legal next, free of branches
//! on what a board holds.
//!
//! Written once over [`Lanes`]. Sets of boards are the low bits of a `u8`, counted from the part
//! of a block that is worked on. Legal moves come out as sets of origins by group, which is by
//! distance and direction; nothing is listed here.

use super::block::{Block, LANES, Octet};
use super::lanes::Lanes;
use super::tables::{GROUPS, Tables, Way};

/// What each board of a block plays.
pub(super) struct Moves {
    pub(super) from: [u64; LANES],
    pub(super) to: [u64; LANES],
    /// The points between, or the victim of a huff.
    pub(super) between: Octet,
    /// Boards that step or hop.
    pub(super) moves: u8,
    pub(super) huffs: u8,
    pub(super) stops: u8,
    /// Boards where a chain was going on.
    pub(super) chains: u8,
    /// Boards where the turn had begun with a huff.
    pub(super) huffed: u8,
}

/// What became of the boards.
#[derive(Clone, Copy, Default)]
pub(super) struct Played {
    /// Boards where the turn passed.
    pub(super) passed: u8,
    /// Boards where it passed after progress.
    pub(super) progressed: u8,
    /// Boards where a chain goes on.
    pub(super) chains: u8,
    /// Boards where the moved piece had been a king.
    pub(super) kings: u8,
    /// Boards where the turn in hand has begun with a huff.
    pub(super) huffed: u8,
    /// Boards where a side has no piece left.
    pub(super) bare: u8,
    /// Boards without men.
    pub(super) few: u8,
    pub(super) legal: Legal,
}

/// On which boards there is something to do.
#[derive(Clone, Copy, Default)]
pub(super) struct Legal {
    /// Boards with a hop.
    pub(super) hops: u8,
    /// Boards with a step.
    pub(super) steps: u8,
    /// Boards with pieces that may be huffed.
    pub(super) faults: u8,
}

/// Sets of origins by group.
pub(super) struct Origins {
    pub(super) sets: [Octet; GROUPS],
    /// The groups that are not empty, by board.
    pub(super) groups: [[u64; LANES]; 2],
}

impl Origins {
    pub(super) fn new() -> Self {
        Self { sets: [Octet::default(); GROUPS], groups: [[0; LANES]; 2] }
    }
}

/// Where the kernel leaves the legal moves of a block.
pub(super) struct Scratch {
    pub(super) steps: Origins,
    pub(super) hops: Origins,
}

/// The sets that moves are found from.
struct Board<L> {
    men: L,
    walkers: L,
    fliers: L,
    targets: L,
    empty: L,
}

/// Moves squares against a direction: afterwards a set holds the points from which it was reached.
#[inline(always)]
fn back<L: Lanes>(set: L, way: &Way) -> L {
    if way.rising { set.down(way.by) } else { set.up(way.by) }
}

#[inline(always)]
fn flip<L: Lanes>(set: L, tables: &Tables) -> L {
    let near = set.reversed().down(tables.flip[0]);
    if tables.flip[1] == 0 { near } else { near.down(tables.flip[1]) }
}

/// Plays on the boards from `at` on and finds what is legal next.
#[inline(always)]
pub(super) fn play<L: Lanes>(tables: &Tables, block: &mut Block, at: usize, moves: &Moves, out: &mut Scratch) -> Played {
    let part = |boards: u8| boards >> at & (((1u16 << L::COUNT) - 1) as u8);
    let (moved, huffs, stops) = (part(moves.moves), part(moves.huffs), part(moves.stops));
    let in_chain = part(moves.chains);
    let (mut us, mut them, mut kings) =
        (L::load(&block.us, at), L::load(&block.them, at), L::load(&block.kings, at));
    let (focus, marks) = (L::load(&block.focus, at), L::load(&block.marks, at));
    let (from, to) = (L::squares(&moves.from, at), L::squares(&moves.to, at));
    let far = L::splat(tables.far_rank);

    // The piece goes, and what it jumps over or what is huffed.
    let victim = L::load(&moves.between, at).and(them);
    let hops = victim.present() & moved;
    let steps = moved & !hops;
    let kings_moved = kings.and(from).present();
    us = us.without(from).or(to);
    kings = kings.without(from).or(to.only_on(kings_moved));
    let mut waiting = marks.only_on(in_chain);
    if tables.removes_at_turn_end {
        let huffed = victim.only_on(huffs);
        them = them.without(huffed);
        kings = kings.without(huffed);
        waiting = waiting.or(victim.only_on(hops));
    } else {
        them = them.without(victim);
        kings = kings.without(victim);
    }
    let mut promoted = 0;
    if tables.promotes_at_once {
        let due = to.and(far).without(kings);
        promoted = due.present();
        kings = kings.or(due);
    }

    let mut going = 0;
    if tables.chains && hops != 0 {
        let mover = to.only_on(hops);
        let board = Board::new(tables, mover, kings, us.or(them), them.without(waiting));
        going = can_hop(tables, &board) & hops;
    }
    let passed = (moved | stops) & !going;

    // Where the turn passes, captured pieces leave, men on the far rank become kings, and the
    // pieces that failed their duty are at fault.
    if tables.removes_at_turn_end {
        let captured = waiting.only_on(passed);
        them = them.without(captured);
        kings = kings.without(captured);
        waiting = waiting.without(captured);
    }
    if tables.kings {
        let last = to.on(moved, focus).only_on(passed);
        let due = last.and(far).without(kings);
        promoted |= due.present();
        kings = kings.or(due);
    }
    let mut at_fault = L::none();
    if tables.huff {
        let moved_capturer = focus.and(from).present();
        let duty = focus.without(from).or(to.only_on(moved_capturer));
        at_fault = duty.only_on(steps).or(focus.only_on(stops));
    }
    let irreversible = if tables.irreversible { !kings_moved } else { 0 };
    let progressed = passed & (hops | stops | promoted | irreversible | part(moves.huffed));

    let (theirs, ours) = (flip(us, tables), flip(them, tables));
    us = ours.on(passed, us);
    them = theirs.on(passed, them);
    kings = flip(kings, tables).on(passed, kings);
    let faults = flip(at_fault, tables).only_on(passed);
    // A board that is not stepped keeps its marks.
    let idle = !(moved | huffs | stops);
    let marks = faults.or(waiting.only_on(going)).or(marks.only_on(idle));
    us.store(&mut block.us, at);
    them.store(&mut block.them, at);
    kings.store(&mut block.kings, at);
    marks.store(&mut block.marks, at);

    let chains = going | in_chain & idle;
    let focus = to.only_on(going).or(focus.only_on(in_chain & idle));
    let movers = focus.on(chains, us);
    let waiting = marks.only_on(chains);
    let board = Board::new(tables, movers, kings, us.or(them), them.without(waiting));
    let (mut legal, capturers) = find(tables, &board, at, out);
    legal.faults = faults.present();
    let focus = if tables.huff { focus.on(chains, capturers) } else { focus };
    focus.store(&mut block.focus, at);
    let all = ((1u16 << L::COUNT) - 1) as u8;
    let bare = all & !(us.present() & them.present());
    let few = all & !us.or(them).without(kings).present();
    let huffed = huffs | part(moves.huffed) & !passed;
    Played { passed, progressed, chains, huffed, kings: kings_moved, bare, few, legal }
}

impl<L: Lanes> Board<L> {
    #[inline(always)]
    fn new(tables: &Tables, movers: L, kings: L, occupied: L, targets: L) -> Self {
        let own_kings = movers.and(kings);
        Self {
            men: movers.without(kings),
            walkers: if tables.short { own_kings } else { L::none() },
            fliers: if tables.flying { own_kings } else { L::none() },
            targets,
            empty: L::splat(tables.squares).without(occupied),
        }
    }

    /// Gives the origins that hop by a line of two points in a direction.
    #[inline(always)]
    fn able(&self, tables: &Tables, way: &Way) -> L {
        let men = self.men.and(L::splat(way.man_hops));
        if tables.short { men.or(self.walkers.and(L::splat(way.king_hops))) } else { men }
    }

    /// Gives the points from which an adjacent target can be jumped in a direction.
    #[inline(always)]
    fn springs(&self, way: &Way) -> L {
        back(self.targets.and(back(self.empty, way)), way)
    }
}

/// Says on which boards a piece can hop.
#[inline(always)]
fn can_hop<L: Lanes>(tables: &Tables, board: &Board<L>) -> u8 {
    let mut any = L::none();
    for way in &tables.directions {
        any = any.or(board.springs(way).and(board.able(tables, way)));
    }
    if tables.flying && board.fliers.present() != 0 {
        for way in &tables.directions {
            slide(tables, board, way, |_, _, hops| any = any.or(hops));
        }
    }
    any.present()
}

/// Finds the origins of all steps and hops, and on which boards there are any; and the pieces
/// that hop.
#[inline(always)]
fn find<L: Lanes>(tables: &Tables, board: &Board<L>, at: usize, out: &mut Scratch) -> (Legal, L) {
    let (mut step_groups, mut hop_groups) = ([L::no_words(); 2], [L::no_words(); 2]);
    let (mut steps, mut hops) = (0, 0);
    let mut capturers = L::none();
    for (index, way) in tables.directions.iter().enumerate() {
        let hopping = board.springs(way).and(board.able(tables, way));
        hopping.store(&mut out.hops.sets[8 + index], at);
        let boards = hopping.present();
        hop_groups[0] = L::set_bit(hop_groups[0], boards, 8 + index as u32);
        hops |= boards;
        capturers = capturers.or(hopping);
        let men = board.men.and(L::splat(way.man_steps));
        let able = if tables.short { men.or(board.walkers.and(L::splat(way.line))) } else { men };
        let stepping = able.and(back(board.empty, way));
        stepping.store(&mut out.steps.sets[index], at);
        let boards = stepping.present();
        step_groups[0] = L::set_bit(step_groups[0], boards, index as u32);
        steps |= boards;
    }
    if tables.flying && board.fliers.present() != 0 {
        for (index, way) in tables.directions.iter().enumerate() {
            slide(tables, board, way, |distance, stepping, hopping| {
                let group = (distance as usize - 1) * 8 + index;
                let (word, bit) = (group / 64, (group % 64) as u32);
                let boards = stepping.present();
                steps |= boards;
                step_groups[word] = L::set_bit(step_groups[word], boards, bit);
                let set = &mut out.steps.sets[group];
                if distance == 1 { stepping.or(L::load(set, at)).store(set, at) } else { stepping.store(set, at) }
                let boards = hopping.present();
                hops |= boards;
                capturers = capturers.or(hopping);
                hop_groups[word] = L::set_bit(hop_groups[word], boards, bit);
                let set = &mut out.hops.sets[group];
                if distance == 2 { hopping.or(L::load(set, at)).store(set, at) } else { hopping.store(set, at) }
            });
        }
    }
    for word in 0..2 {
        L::store_words(step_groups[word], &mut out.steps.groups[word], at);
        L::store_words(hop_groups[word], &mut out.hops.groups[word], at);
    }
    (Legal { hops, steps, faults: 0 }, capturers)
}

/// Follows a direction from the flying kings: gives the distance, the kings that step so far and
/// those that hop so far.
#[inline(always)]
fn slide<L: Lanes>(tables: &Tables, board: &Board<L>, way: &Way, mut visit: impl FnMut(u32, L, L)) {
    let mut open = board.fliers.and(L::splat(way.line));
    // Kings that have met their victim at the last point, and those that have landed behind it.
    let (mut met, mut landed) = (L::none(), L::none());
    let (mut empty, mut targets) = (board.empty, board.targets);
    for distance in 1..=tables.greatest_distance {
        empty = back(empty, way);
        targets = back(targets, way);
        let behind = if tables.lands_anywhere { met.or(landed) } else { met };
        landed = behind.and(empty);
        met = open.and(targets);
        open = open.and(empty);
        if open.or(met).or(landed).present() == 0 {
            return;
        }
        visit(distance, open, landed);
    }
}
