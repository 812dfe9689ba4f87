//! Playing one action on several boards at once and finding what is legal next, free of branches
//! on what a board holds.
//!
//! Written once over [`Lanes`]. Sets of boards are the low bits of a `u8`, counted from the part
//! of a block that is worked on. Legal moves come out as sets of origins by group, which is by
//! distance and direction; nothing is listed here.

use super::block::{Block, LANES, Octet};
use super::lanes::Lanes;
use super::moves::{Legal, Moves, Played, bits};
use super::split::{high_from, joined, split};
use super::star::{self, Star};
use super::tables::{Tables, Way};

/// Where the kernel leaves the legal moves of a block.
#[derive(Default)]
pub(super) struct Scratch {
    /// The origins of men and short kings, split: steps by direction, then hops by direction.
    pub(super) sets: [Octet; 16],
    /// By board: which of those sets hold legal moves, a bit each.
    pub(super) ways: [u16; LANES],
    /// Of the hops those that go on, where the maximum rule asks.
    pub(super) longer: [Octet; 8],
    /// By board: which of those sets are not empty.
    pub(super) longer_ways: [u16; LANES],
    /// The moves of each board's flying kings, where it has any.
    pub(super) stars: [Star; LANES],
}

/// The bits of [`Scratch::ways`] that are hops.
pub(super) const HOP_WAYS: u16 = 0xFF00;

/// The sets that moves are found from, split.
struct Board<L> {
    men: L,
    walkers: L,
    targets: L,
    empty: L,
}

/// Does something for each of the eight directions that has lines; written out, so that each is
/// compiled with its own shift. A macro, since a closure that is called eight times is not
/// inlined, and one that is not inlined lacks the instructions.
///
/// `STRIDE` is that of the board, known when compiled, or 0 where only the tables know.
macro_rules! each_way {
    ($tables:expr, $stride:ident, |$index:ident, $way:ident| $body:block) => {
        // Clockwise from straight ahead: three lead to higher bits, four to lower ones, one to higher.
        each_way!(@ $tables, $stride, $index, $way, $body,
            (0 true 0) (1 true 1) (2 true 2) (3 false 3) (4 false 0) (5 false 1) (6 false 2) (7 true 3));
    };
    (@ $tables:expr, $stride:ident, $index:ident, $way:ident, $body:block, $(($number:literal $rising:literal $by:literal))+) => {
        $(if $tables.directions[$number].used {
            let $index: usize = $number;
            let way = &$tables.directions[$number];
            let by = if $stride == 0 { way.by } else { [$stride, $stride + 1, 1, $stride.wrapping_sub(1)][$by] };
            let $way = Line::<$stride> { rising: $rising, by, way };
            $body
        })+
    };
}

/// A direction whose offset is known when compiled, if the stride is.
struct Line<'a, const STRIDE: u32> {
    rising: bool,
    by: u32,
    way: &'a Way,
}

impl<const STRIDE: u32> Line<'_, STRIDE> {
    /// Moves the squares of a split set against the direction: afterwards it holds the points from
    /// which they were reached.
    #[inline(always)]
    fn back<L: Lanes>(&self, set: L) -> L {
        match (self.rising, high_from(STRIDE) == 64) {
            (true, true) => set.down(self.by),
            (false, true) => set.up(self.by),
            (true, false) => set.down_within(self.by),
            (false, false) => set.up_within(self.by),
        }
    }
}

#[inline(always)]
fn flip<L: Lanes, const STRIDE: u32>(set: L, tables: &Tables) -> L {
    // The last point of the board is bit `size * stride - 2` of it.
    let (near, far) = match STRIDE {
        0 => (tables.flip[0], tables.flip[1]),
        _ => (u32::min(63, 129 - (STRIDE - 1) * STRIDE), (129 - (STRIDE - 1) * STRIDE).saturating_sub(63)),
    };
    let set = set.reversed().down(near);
    if far == 0 { set } else { set.down(far) }
}

/// Plays on the boards from `at` on and finds what is legal next.
#[inline(always)]
pub(super) fn play<L: Lanes, const STRIDE: u32>(
    tables: &Tables,
    block: &mut Block,
    at: usize,
    deeds: &Moves,
    out: &mut Scratch,
) -> Played {
    let part = |boards: u8| boards >> at & L::ALL;
    let (moving, huffs, halting) = (part(deeds.moving), part(deeds.huffs), part(deeds.stops));
    let in_chain = part(deeds.chains);
    let (mut us, mut them, mut kings) = (L::load(&block.us, at), L::load(&block.them, at), L::load(&block.kings, at));
    let (focus, marks) = (L::load(&block.focus, at), L::load(&block.marks, at));
    let (from, to) = (L::squares(&deeds.from, at), L::squares(&deeds.to, at));
    let far = L::splat(tables.far_rank);

    // The piece goes, and what it jumps over or what is huffed.
    let victim = L::load(&deeds.between, at).and(them);
    let hops = victim.present() & moving;
    let stepping = moving & !hops;
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
        let capturer = to.only_on(hops);
        let (occupied, targets) = (us.or(them), them.without(waiting));
        going = can_hop::<L, STRIDE>(tables, &Board::new::<STRIDE>(tables, capturer, kings, occupied, targets)) & hops;
        let fliers = if tables.flying { capturer.and(kings).present() } else { 0 };
        if fliers != 0 {
            let [capturer, occupied, targets] = [capturer, occupied, targets].map(|set| set.stored(at));
            for lane in bits(fliers) {
                let [capturer, occupied, targets] = [capturer, occupied, targets].map(|sets| sets.get(at + lane));
                if star::can_hop::<L>(tables, capturer, occupied, targets) {
                    going |= 1 << lane;
                }
            }
        }
    }
    let passed = (moving | halting) & !going;

    // Where the turn passes, captured pieces leave, men on the far rank become kings, and the
    // pieces that failed their duty are at fault.
    if tables.removes_at_turn_end {
        let captured = waiting.only_on(passed);
        them = them.without(captured);
        kings = kings.without(captured);
        waiting = waiting.without(captured);
    }
    if tables.kings {
        let last = to.on(moving, focus).only_on(passed);
        let due = last.and(far).without(kings);
        promoted |= due.present();
        kings = kings.or(due);
    }
    let mut at_fault = L::none();
    if tables.huff {
        let moved_capturer = focus.and(from).present();
        let duty = focus.without(from).or(to.only_on(moved_capturer));
        at_fault = duty.only_on(stepping).or(focus.only_on(halting));
    }
    let irreversible = if tables.irreversible { !kings_moved } else { 0 };
    let final_turns = passed & (hops | halting | promoted | irreversible);
    let progressed = final_turns | passed & part(deeds.huffed);
    let reversible = passed & !final_turns;

    let (theirs, ours) = (flip::<L, STRIDE>(us, tables), flip::<L, STRIDE>(them, tables));
    us = ours.on(passed, us);
    them = theirs.on(passed, them);
    kings = flip::<L, STRIDE>(kings, tables).on(passed, kings);
    let faults = flip::<L, STRIDE>(at_fault, tables).only_on(passed);
    // A board that is not stepped keeps its marks, and its focus below.
    let stepped = moving | huffs | halting;
    let marks = faults.or(waiting.only_on(going)).on(stepped, marks);
    us.store(&mut block.us, at);
    them.store(&mut block.them, at);
    kings.store(&mut block.kings, at);
    marks.store(&mut block.marks, at);

    let capturer = to.only_on(going);
    let active = capturer.on(going, us);
    let waiting = marks.only_on(going);
    let board = Board::new::<STRIDE>(tables, active, kings, us.or(them), them.without(waiting));
    let (mut legal, capturers) = find::<L, STRIDE>(tables, &board, going, at, out);
    legal.faults = faults.present();
    let next = if tables.huff { capturer.on(going, joined::<L, STRIDE>(capturers)) } else { capturer };
    next.on(stepped, focus).store(&mut block.focus, at);
    let bare = L::ALL & !(us.present() & them.present());
    let fliers = if tables.flying { active.and(kings).present() } else { 0 };
    let few = L::ALL & !us.or(them).without(kings).present();
    let huffed = huffs | part(deeds.huffed) & !passed;
    Played { passed, progressed, reversible, chains: going, huffed, kings: kings_moved, fliers, bare, few, legal }
}

impl<L: Lanes> Board<L> {
    #[inline(always)]
    fn new<const STRIDE: u32>(tables: &Tables, active: L, kings: L, occupied: L, targets: L) -> Self {
        let own_kings = active.and(kings);
        Self {
            men: split::<L, STRIDE>(active.without(kings)),
            walkers: if tables.short { split::<L, STRIDE>(own_kings) } else { L::none() },
            targets: split::<L, STRIDE>(targets),
            empty: split::<L, STRIDE>(L::splat(tables.squares).without(occupied)),
        }
    }

    /// Gives the origins that hop by a line of two points in a direction.
    #[inline(always)]
    fn able(&self, tables: &Tables, way: &Way) -> L {
        let men = self.men.and(L::load(&way.man_hops, 0));
        if tables.short { men.or(self.walkers.and(L::load(&way.king_hops, 0))) } else { men }
    }

    /// Gives the points from which an adjacent target can be jumped in a direction.
    #[inline(always)]
    fn springs<const STRIDE: u32>(&self, line: &Line<'_, STRIDE>) -> L {
        line.back(self.targets.and(line.back(self.empty)))
    }
}

/// Says on which boards a piece can hop.
#[inline(always)]
fn can_hop<L: Lanes, const STRIDE: u32>(tables: &Tables, board: &Board<L>) -> u8 {
    let mut any = L::none();
    each_way!(tables, STRIDE, |_index, line| {
        any = any.or(board.springs(&line).and(board.able(tables, line.way)));
    });
    any.present()
}

/// Finds the origins of all hops and, on boards that no capture and no chain binds, of all steps;
/// on which boards there are any; and the pieces that hop.
#[inline(always)]
fn find<L: Lanes, const STRIDE: u32>(
    tables: &Tables,
    board: &Board<L>,
    chains: u8,
    at: usize,
    out: &mut Scratch,
) -> (Legal, L) {
    let mut ways = L::no_words();
    let (mut steppers, mut capturers) = (L::none(), L::none());
    each_way!(tables, STRIDE, |index, line| {
        let hopping = board.springs(&line).and(board.able(tables, line.way));
        hopping.store(&mut out.sets[8 + index], at);
        ways = L::mark(ways, hopping, 8 + index as u32);
        capturers = capturers.or(hopping);
    });
    let hops = capturers.present();
    if tables.looks_ahead && hops != 0 {
        find_longer::<L, STRIDE>(tables, board, at, out);
    }
    let free = if tables.huff { !chains } else { !hops } & L::ALL;
    if free != 0 {
        let (men, walkers) = (board.men.only_on(free), board.walkers.only_on(free));
        each_way!(tables, STRIDE, |index, line| {
            if line.way.steps {
                let men = men.and(L::load(&line.way.man_steps, 0));
                let able = if tables.short { men.or(walkers.and(L::load(&line.way.king_steps, 0))) } else { men };
                let stepping = able.and(line.back(board.empty));
                stepping.store(&mut out.sets[index], at);
                ways = L::mark(ways, stepping, index as u32);
                steppers = steppers.or(stepping);
            }
        });
    }
    L::store_words(ways, &mut out.ways, at);
    (Legal { hops, steps: steppers.present(), faults: 0 }, capturers)
}

/// Finds the hops of men and short kings after which the chain goes on, and those by which a man
/// becomes a king that might.
///
/// Whether it does can be told on the board as it is: the jumped piece and the square left behind
/// lie in the one direction in which the next hop cannot go.
#[inline(always)]
fn find_longer<L: Lanes, const STRIDE: u32>(tables: &Tables, board: &Board<L>, at: usize, out: &mut Scratch) {
    let (mut springs, mut king_springs) = (L::none(), L::none());
    each_way!(tables, STRIDE, |_index, line| {
        let all = board.springs(&line);
        springs = springs.or(all.and(L::load(&line.way.man_hops, 0)));
        if tables.short {
            king_springs = king_springs.or(all.and(L::load(&line.way.king_hops, 0)));
        }
    });
    let (mut springs, king_springs) = (joined::<L, STRIDE>(springs), joined::<L, STRIDE>(king_springs));
    if tables.promotes_at_once {
        springs = springs.or(L::splat(tables.far_rank));
    }
    // A hop may end where another word begins the next.
    let (springs, king_springs) = (split::<L, STRIDE>(springs), split::<L, STRIDE>(king_springs));
    let mut ways = L::no_words();
    each_way!(tables, STRIDE, |index, line| {
        let hops = L::load(&out.sets[8 + index], at);
        let mut longer = hops.and(line.back(line.back(springs)));
        if tables.short {
            let kings = hops.and(board.walkers).and(line.back(line.back(king_springs)));
            longer = longer.and(board.men).or(kings);
        }
        longer.store(&mut out.longer[index], at);
        ways = L::mark(ways, longer, index as u32);
    });
    L::store_words(ways, &mut out.longer_ways, at);
}
