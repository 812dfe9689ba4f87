//! The search itself: principal variation search over the decisions of a game.
//!
//! A node is one decision. The value of a child is turned round only where the decision passes
//! to the other side, since a chain or a huff leaves it where it is. Depth counts turns: the first
//! decision of a turn that offers a choice pays for the whole turn, and forced turns are free.

use std::sync::atomic::{self, AtomicBool};
use std::time::Instant;

use damma_env::{Action, Bitboard, EndgameTables, EndgameValue, Game, Mark, Outcome, Side, Square, State};

use super::evaluation::Evaluation;
use super::ordering::{Kind, Lead, Ordering, Picker, kind};
use super::table::{Bound, Table};

/// The value of a win at once; a win in `n` turns is worth `n` less.
pub(super) const WIN: i32 = 30_000;

/// Values at least this great are wins.
pub(super) const WON: i32 = WIN - 1_000;

/// No turn is looked at that begins so many turns after the root.
const MAX_PLY: usize = 128;

/// From this many hops on, only the most promising way to go on is searched: a turn of flying
/// kings can have a million.
pub(super) const MAX_HOPS: u32 = 8;

/// The first of a node's actions, from 0, that is searched less deep at first.
const FIRST_REDUCED: usize = 4;

/// The first that is searched two turns less deep, where five or more are left.
const MUCH_REDUCED: usize = 12;

/// How many nodes are searched between two looks at the clock.
const CLOCK_EVERY: u64 = 1024;

/// Two to this many buckets of two entries: 4 MiB a thread.
const TABLE_BITS: u32 = 17;

/// Told apart in the table: whether the turn in hand has been paid for.
const PAID: u64 = 0x6C8E_9CF5_7093_2BD5;

/// What a thread keeps between searches, so that nothing is allocated anew. It holds no knowledge.
#[derive(Debug)]
pub(super) struct Workspace {
    table: Table,
    ordering: Ordering,
    pickers: Vec<Picker>,
}

impl Workspace {
    pub(super) fn new() -> Self {
        Self { table: Table::new(TABLE_BITS), ordering: Ordering::default(), pickers: Vec::new() }
    }
}

/// Where a node stands in the search.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// Decisions from the root.
    height: usize,
    /// Hops of the turn in hand.
    hops: u32,
    /// Whether the turn in hand has been paid for.
    paid: bool,
    /// Whether a turn begins here.
    begins: bool,
    /// What led here.
    lead: Lead,
}

impl At {
    pub(super) const ROOT: Self =
        Self { height: 0, hops: 0, paid: true, begins: false, lead: Lead { ply: 0, answered: None } };

    /// Counts the hops of the turn in hand.
    pub(super) const fn hops(self) -> u32 {
        self.hops
    }

    const fn paying(self) -> Self {
        Self { paid: true, ..self }
    }

    const fn same_turn(self, hopped: bool) -> Self {
        Self { height: self.height + 1, hops: self.hops + hopped as u32, begins: false, ..self }
    }

    const fn next_turn(self, action: Action) -> Self {
        let lead = Lead { ply: self.lead.ply + 1, answered: Some(action) };
        Self { height: self.height + 1, hops: 0, paid: false, begins: true, lead }
    }
}

/// One search of one state. Values are those of whoever decides at the node in hand.
pub(super) struct Search<'a> {
    pub(super) game: &'a Game,
    pub(super) state: State,
    pub(super) evaluation: &'a Evaluation,
    tables: Option<&'a EndgameTables>,
    /// What the pieces of whoever decides are worth where they stand, less the other player's.
    placement: i32,
    /// From where a man can step onto the far rank.
    pub(super) near_promotion: Bitboard,
    workspace: &'a mut Workspace,
    pub(super) nodes: u64,
    /// The search stops here.
    pub(super) limit: u64,
    /// The search also stops then.
    pub(super) deadline: Option<Instant>,
    /// The search also stops when this is true.
    pub(super) stop: Option<&'a AtomicBool>,
    /// Whether late quiet actions are searched less deep at first.
    pub(super) reduces: bool,
    /// Counts values that hold only for the way they were reached, such as repetitions.
    by_path: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        game: &'a Game,
        state: &State,
        evaluation: &'a Evaluation,
        tables: Option<&'a EndgameTables>,
        workspace: &'a mut Workspace,
    ) -> Self {
        workspace.table.clear();
        workspace.ordering.clear(game);
        Self {
            game,
            state: state.clone(),
            evaluation,
            tables,
            placement: evaluation.placement(state.position()),
            near_promotion: near_promotion(game),
            workspace,
            nodes: 0,
            limit: u64::MAX,
            deadline: None,
            stop: None,
            reduces: true,
            by_path: 0,
        }
    }

    pub(super) const fn is_stopped(&self) -> bool {
        self.nodes >= self.limit
    }

    /// Values an action for whoever decides here, by a search of `depth` more turns.
    pub(super) fn try_action(&mut self, at: At, action: Action, depth: u32, alpha: i32, beta: i32) -> i32 {
        self.follow(at, action, alpha, beta, |search, at, alpha, beta| search.node(at, depth, alpha, beta))
    }

    /// Plays an action, values what follows for whoever decides here, and takes it back.
    pub(super) fn follow(
        &mut self,
        at: At,
        action: Action,
        alpha: i32,
        beta: i32,
        value: impl FnOnce(&mut Self, At, i32, i32) -> i32,
    ) -> i32 {
        let mark: Mark = self.state.mark();
        let before = *self.state.position();
        let (side, placement) = (before.side(), self.placement);
        self.state.play(self.game, action);
        self.count_node();
        let value = if let Some(outcome) = self.state.outcome() {
            self.end_value(outcome, side, at.lead.ply + 1)
        } else {
            let after = self.state.position();
            self.placement += self.evaluation.gain(self.game, &before, action, after);
            if after.side() == side {
                let hopped = after.chain().is_some();
                value(self, at.same_turn(hopped), alpha, beta)
            } else {
                self.placement = -self.placement;
                -value(self, at.next_turn(action), -beta, -alpha)
            }
        };
        self.placement = placement;
        self.state.rewind(&mark);
        value
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if is_late || self.stop.is_some_and(|stop| stop.load(atomic::Ordering::Relaxed)) {
                self.limit = self.limit.min(self.nodes);
            }
        }
    }

    /// Evaluates the position, at whose node a turn begins.
    pub(super) fn evaluate(&self) -> i32 {
        self.evaluation.evaluate(self.game, self.state.position(), self.placement)
    }

    fn end_value(&mut self, outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome {
            Outcome::Win { winner, .. } if winner == side => WIN - ply as i32,
            Outcome::Win { .. } => ply as i32 - WIN,
            Outcome::Draw(_) | Outcome::Truncated => {
                self.by_path += 1;
                0
            }
        }
    }

    fn node(&mut self, at: At, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        if at.begins {
            if self.stands_again() {
                self.by_path += 1;
                return 0;
            }
            if let Some(value) = self.look_up(at) {
                return value;
            }
            if depth == 0 || at.lead.ply >= MAX_PLY {
                return self.quiesce(at, 0, alpha, beta);
            }
        }
        let key = self.state.position().key() ^ if at.paid { PAID } else { 0 };
        let known = self.workspace.table.find(key);
        if let Some(entry) = known.filter(|entry| u32::from(entry.depth) >= depth && !self.ends_near(depth)) {
            let value = from_table(entry.value, at.lead.ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
                Bound::Unknown => false,
            };
            if enough {
                return value;
            }
        }
        let mut picker = self.take_picker(at);
        let count = picker.fill(self.game, self.state.position());
        self.order(&mut picker, at, known.and_then(|entry| entry.action()));
        let pays = count > 1 && !at.paid;
        let (below, left) = if pays { (at.paying(), depth - 1) } else { (at, depth) };
        let width = if at.hops >= MAX_HOPS { 1 } else { count };
        let (before, floor) = (self.by_path, alpha);
        let (mut best, mut best_action) = (-WIN, None);
        let mut index = 0;
        while let Some(action) = picker.next().filter(|_| index < width) {
            let mut value = alpha + 1;
            if index > 0 {
                let less = if pays { self.reduction(index, left, action) } else { 0 };
                if less > 0 {
                    value = self.try_action(below, action, left - less, alpha, alpha + 1);
                }
                if value > alpha {
                    value = self.try_action(below, action, left, alpha, alpha + 1);
                }
            }
            if index == 0 || value > alpha && value < beta {
                value = self.try_action(below, action, left, alpha, beta);
            }
            if self.is_stopped() {
                self.give_back(at, picker);
                return 0;
            }
            index += 1;
            if value > best {
                (best, best_action) = (value, Some(action));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                self.reward(&picker, action, at, depth);
                break;
            }
        }
        self.give_back(at, picker);
        let bound = if self.by_path != before {
            Bound::Unknown
        } else if best >= beta {
            Bound::Lower
        } else if best > floor {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.workspace.table.store(key, best_action, to_table(best, at.lead.ply), depth, bound);
        best
    }

    /// Gives the exact value of a position at whose node a turn begins, if tables know it.
    fn look_up(&mut self, at: At) -> Option<i32> {
        let value = match self.tables?.probe_in(self.game, &self.state)? {
            EndgameValue::Win(turns) => WIN - at.lead.ply as i32 - i32::from(turns),
            EndgameValue::Draw => 0,
            EndgameValue::Loss(turns) => at.lead.ply as i32 + i32::from(turns) - WIN,
        };
        // It holds with the counters as they are.
        self.by_path += 1;
        Some(value)
    }

    /// Says by how many turns less a late action is searched at first, where it is quiet.
    fn reduction(&self, index: usize, left: u32, action: Action) -> u32 {
        let late = match (index, left) {
            (..FIRST_REDUCED, _) | (_, ..2) => return 0,
            (..MUCH_REDUCED, _) | (_, ..5) => 1,
            _ => 2,
        };
        let quiet = kind(self.game, self.state.position(), action) == Kind::Step { promotes: false };
        if self.reduces && quiet { late } else { 0 }
    }

    /// Remembers an action that was good enough, if it is quiet.
    fn reward(&mut self, picker: &Picker, action: Action, at: At, depth: u32) {
        let (game, position) = (self.game, self.state.position());
        if matches!(kind(game, position, action), Kind::Step { .. }) {
            self.workspace.ordering.reward(position.side(), action, picker.earlier(), at.lead, depth);
        }
    }

    /// Says whether this turn begins where another one began before, in the game or in this search.
    ///
    /// Once is taken for as often as the rules want: going round in circles leads to a draw, and
    /// a player who is ahead should see that at once.
    fn stands_again(&self) -> bool {
        // A position can come back after four turns at the earliest, the first of which may be one that
        // began with a huff.
        self.game.ruleset().repetition_limit > 0
            && self.state.position().quiet_turns() >= 3
            && self.state.repetitions() > 1
    }

    /// Says whether the game may be cut off within the search below, which the table cannot know.
    fn ends_near(&self, depth: u32) -> bool {
        let ruleset = self.game.ruleset();
        let near = |limit: u32, count: u32| limit > 0 && count + 2 * depth + 8 >= limit;
        near(u32::from(ruleset.no_progress_limit), u32::from(self.state.position().quiet_turns()))
            || near(ruleset.max_turns, self.state.turns())
    }

    pub(super) fn take_picker(&mut self, at: At) -> Picker {
        let pickers = &mut self.workspace.pickers;
        if pickers.len() <= at.height {
            pickers.resize_with(at.height + 1, Picker::default);
        }
        std::mem::take(&mut pickers[at.height])
    }

    pub(super) fn give_back(&mut self, at: At, picker: Picker) {
        self.workspace.pickers[at.height] = picker;
    }

    pub(super) fn order(&self, picker: &mut Picker, at: At, first: Option<Action>) {
        picker.order(&self.workspace.ordering, self.game, self.state.position(), at.lead, first);
    }
}

/// Gives the points from which a man can step onto the far rank.
fn near_promotion(game: &Game) -> Bitboard {
    let last = game.size() as u8 - 1;
    let near = |square: &Square| game.coordinates(*square).1 + 1 == last;
    game.squares().into_iter().filter(near).collect()
}

/// Counts a win's turns from the node instead of the root.
fn to_table(value: i32, ply: usize) -> i32 {
    if value >= WON {
        value + ply as i32
    } else if value <= -WON {
        value - ply as i32
    } else {
        value
    }
}

fn from_table(value: i16, ply: usize) -> i32 {
    let value = i32::from(value);
    if value >= WON {
        value - ply as i32
    } else if value <= -WON {
        value + ply as i32
    } else {
        value
    }
}
