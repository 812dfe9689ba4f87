//! A slow second reading of the rules, the oracle that the tests hold the engine against.
//!
//! Written from the rules page alone, in the most obvious way: a map from points to pieces, walks
//! point by point, every chain listed by brute force. It knows the options of a [`Ruleset`] and
//! nothing of the engine, because two readings that agree are worth something only if neither has
//! seen the other. Speed does not matter here.
#![allow(dead_code, unused_imports, reason = "every test binary uses another part of the oracle")]

mod board;
mod game;

pub use board::{Board, Piece, Point};
pub use game::{OracleGame, Verdict};

use std::collections::{BTreeMap, BTreeSet};

use damma_env::{
    Capture, Chain, King, KingLanding, Lines, ManCaptures, ManSteps, Middle, Priority, Promotion, Removal, Ruleset,
    Side,
};

/// Hops that one search for the longest chain may look at, unless [`Oracle::with_budget`] says otherwise.
const BUDGET: u64 = 200_000;

/// The eight directions as (files, ranks).
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// One decision, before it is written as text.
#[derive(Clone, Copy)]
enum Action {
    Step { from: Point, to: Point },
    Hop { from: Point, victim: Point, to: Point },
    Huff(Point),
    Stop,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Step { from, to } => write!(f, "{from}-{to}"),
            Self::Hop { from, to, .. } => write!(f, "{from}x{to}"),
            Self::Huff(point) => write!(f, "~{point}"),
            Self::Stop => f.write_str("."),
        }
    }
}

/// The rules of one ruleset, read slowly.
pub struct Oracle {
    ruleset: Ruleset,
    budget: u64,
}

impl Oracle {
    /// Gives the oracle of a ruleset.
    pub fn new(ruleset: &Ruleset) -> Self {
        Self { ruleset: ruleset.clone(), budget: BUDGET }
    }

    /// Gives the oracle with another limit on the hops that one call of [`Oracle::actions`] may look at.
    pub fn with_budget(self, budget: u64) -> Self {
        Self { budget, ..self }
    }

    /// Gives the ruleset.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Gives the start position.
    pub fn start(&self) -> Board {
        let rules = &self.ruleset;
        let (size, home) = (i32::from(rules.size), i32::from(rules.home_rows));
        let middle_is_filled = size % 2 == 1 && home == size / 2;
        let owner = |point: Point| {
            if point.rank < home {
                Some(Side::White)
            } else if point.rank >= size - home {
                Some(Side::Black)
            } else if middle_is_filled && point.file != size / 2 {
                let high_files = point.file > size / 2;
                Some(if high_files == (rules.middle == Middle::Right) { Side::White } else { Side::Black })
            } else {
                None
            }
        };
        let mut pieces = BTreeMap::new();
        for rank in 0..size {
            for file in 0..size {
                let point = Point { rank, file };
                if let Some(side) = owner(point).filter(|_| self.is_played_on(point)) {
                    pieces.insert(point, Piece { side, king: false });
                }
            }
        }
        Board::at_turn_start(pieces, rules.first)
    }

    /// Reads a position from its six fields.
    ///
    /// # Panics
    /// The text is no position of this ruleset.
    pub fn parse(&self, text: &str) -> Board {
        Board::parse(text, i32::from(self.ruleset.size))
    }

    /// Writes a position as six fields; the last one is the count of turns without progress.
    pub fn print(&self, board: &Board) -> String {
        board.print(i32::from(self.ruleset.size))
    }

    /// Gives the winner, if the opponent has no piece left or the side to decide has no action.
    pub fn winner(&self, board: &Board) -> Option<Side> {
        for side in Side::BOTH {
            if board.points_of(side).is_empty() {
                return Some(side.opponent());
            }
        }
        self.possible(board).is_empty().then(|| board.side.opponent())
    }

    /// Gives every legal action as text with the position after it; none where there is a winner.
    ///
    /// `None` if the search for the longest chain ran out of its budget.
    pub fn actions(&self, board: &Board) -> Option<BTreeMap<String, Board>> {
        if self.winner(board).is_some() {
            return Some(BTreeMap::new());
        }
        let mut legal = self.possible(board);
        if self.ruleset.priority == Priority::Maximum {
            legal = self.keep_longest(board, &legal)?;
        }
        Some(self.with_successors(board, &legal))
    }

    /// Says whether a piece of the side to decide could capture, `maximum` aside.
    pub fn can_capture(&self, board: &Board) -> bool {
        board.points_of(board.side).into_iter().any(|point| !self.hops(board, point).is_empty())
    }

    /// Lists the actions that are legal but for `priority = maximum`.
    fn possible(&self, board: &Board) -> Vec<Action> {
        let may_omit = self.ruleset.capture == Capture::Huff;
        if let Some(point) = board.chain {
            let mut actions = self.hops(board, point);
            if may_omit && !actions.is_empty() {
                actions.push(Action::Stop);
            }
            return actions;
        }
        let own = board.points_of(board.side);
        let mut actions: Vec<Action> = own.iter().flat_map(|&point| self.hops(board, point)).collect();
        if may_omit || actions.is_empty() {
            actions.extend(own.iter().flat_map(|&point| self.steps(board, point)));
        }
        actions.extend(board.huffable.iter().map(|&point| Action::Huff(point)));
        actions
    }

    /// Keeps, of the hops, those that begin or continue a longest chain; `None` if the budget runs out.
    fn keep_longest(&self, board: &Board, actions: &[Action]) -> Option<Vec<Action>> {
        let mut budget = self.budget;
        let mut lengths = Vec::new();
        for &action in actions {
            lengths.push(match action {
                Action::Hop { from, victim, to } => self.chain_length(board, from, victim, to, &mut budget)?,
                _ => 0,
            });
        }
        let longest = lengths.iter().max().copied().unwrap_or(0);
        Some(actions.iter().zip(lengths).filter(|&(_, length)| length == longest).map(|(&action, _)| action).collect())
    }

    /// Counts the hops of the longest chain that opens with this hop.
    fn chain_length(&self, board: &Board, from: Point, victim: Point, to: Point, budget: &mut u64) -> Option<u32> {
        *budget = budget.checked_sub(1)?;
        let mut longest_rest = 0;
        if self.ruleset.chain == Chain::Mandatory {
            let after = self.jump(board, from, victim, to);
            for action in self.hops(&after, to) {
                if let Action::Hop { from, victim, to } = action {
                    longest_rest = longest_rest.max(self.chain_length(&after, from, victim, to, budget)?);
                }
            }
        }
        Some(1 + longest_rest)
    }

    fn with_successors(&self, board: &Board, actions: &[Action]) -> BTreeMap<String, Board> {
        let successors: BTreeMap<String, Board> =
            actions.iter().map(|&action| (action.to_string(), self.after(board, action))).collect();
        assert_eq!(successors.len(), actions.len(), "two actions have one text");
        successors
    }

    /// Gives the position after an action.
    fn after(&self, board: &Board, action: Action) -> Board {
        match action {
            Action::Step { from, to } => {
                let moved = board.pieces[&from];
                let mut after = board.clone();
                after.pieces.remove(&from);
                after.pieces.insert(to, moved);
                let irreversible = !moved.king && self.ruleset.man_steps == ManSteps::Forward;
                self.end_turn(after, to, self.faults_of_step(board, from, to), irreversible)
            }
            Action::Hop { from, victim, to } => {
                let after = self.jump(board, from, victim, to);
                if self.ruleset.chain == Chain::Mandatory && !self.hops(&after, to).is_empty() {
                    return after;
                }
                self.end_turn(after, to, BTreeSet::new(), true)
            }
            Action::Huff(point) => {
                let mut after = board.clone();
                after.pieces.remove(&point);
                after.huffable.clear();
                after.no_progress = 0;
                after.has_huffed = true;
                after
            }
            Action::Stop => {
                let point = board.chain.expect("only a chain can be stopped");
                self.end_turn(board.clone(), point, BTreeSet::from([point]), true)
            }
        }
    }

    /// Lists the pieces at fault after a step: all that could have captured, the moved one where it now stands.
    fn faults_of_step(&self, before: &Board, from: Point, to: Point) -> BTreeSet<Point> {
        if self.ruleset.capture == Capture::Forced {
            return BTreeSet::new();
        }
        let could_capture = |point: &Point| !self.hops(before, *point).is_empty();
        let duty = before.points_of(before.side).into_iter().filter(could_capture);
        duty.map(|point| if point == from { to } else { point }).collect()
    }

    /// Makes one hop and leaves the turn open.
    fn jump(&self, board: &Board, from: Point, victim: Point, to: Point) -> Board {
        let mut after = board.clone();
        let mut hopper = after.pieces.remove(&from).expect("a piece hops");
        if self.ruleset.promotion == Promotion::Immediate && self.is_promoted_at(hopper, to) {
            hopper.king = true;
        }
        after.pieces.insert(to, hopper);
        match self.ruleset.removal {
            Removal::Hop => drop(after.pieces.remove(&victim)),
            Removal::TurnEnd => drop(after.captured.insert(victim)),
        }
        after.chain = Some(to);
        after.huffable.clear();
        after.no_progress = 0;
        after
    }

    /// Ends the turn of the piece now at `moved`: removal, promotion, counting, and the other side decides.
    fn end_turn(&self, mut board: Board, moved: Point, faults: BTreeSet<Point>, is_progress: bool) -> Board {
        for point in std::mem::take(&mut board.captured) {
            board.pieces.remove(&point);
        }
        let piece = board.pieces[&moved];
        let promotes = self.is_promoted_at(piece, moved);
        if promotes {
            board.pieces.insert(moved, Piece { king: true, ..piece });
        }
        let progress = is_progress || promotes || board.has_huffed;
        Board {
            side: board.side.opponent(),
            chain: None,
            huffable: faults,
            no_progress: if progress { 0 } else { board.no_progress + 1 },
            has_huffed: false,
            ..board
        }
    }

    fn is_promoted_at(&self, piece: Piece, point: Point) -> bool {
        let far_rank = if piece.side == Side::White { i32::from(self.ruleset.size) - 1 } else { 0 };
        !piece.king && self.ruleset.king != King::None && point.rank == far_rank
    }

    /// Lists the steps of the piece at `from`.
    fn steps(&self, board: &Board, from: Point) -> Vec<Action> {
        let piece = board.pieces[&from];
        let mut steps = Vec::new();
        for direction in DIRECTIONS {
            if !piece.king && self.ruleset.man_steps == ManSteps::Forward && !is_forward(piece.side, direction) {
                continue;
            }
            let mut reached = self.next(from, direction);
            while let Some(to) = reached.filter(|to| !board.pieces.contains_key(to)) {
                steps.push(Action::Step { from, to });
                reached = if self.flies(piece) { self.next(to, direction) } else { None };
            }
        }
        steps
    }

    /// Lists the hops of the piece at `from`.
    fn hops(&self, board: &Board, from: Point) -> Vec<Action> {
        let piece = board.pieces[&from];
        let is_empty = |point: &Point| !board.pieces.contains_key(point);
        let mut hops = Vec::new();
        for direction in DIRECTIONS {
            if !self.may_capture_along(piece, from, direction) {
                continue;
            }
            let mut met = self.next(from, direction);
            while self.flies(piece) && met.as_ref().is_some_and(is_empty) {
                met = met.and_then(|point| self.next(point, direction));
            }
            let Some(victim) = met else { continue };
            let is_enemy = board.pieces.get(&victim).is_some_and(|other| other.side != piece.side);
            if !is_enemy || board.captured.contains(&victim) {
                continue;
            }
            let mut landing = self.next(victim, direction);
            while let Some(to) = landing.filter(is_empty) {
                hops.push(Action::Hop { from, victim, to });
                let goes_on = self.flies(piece) && self.ruleset.king_landing == KingLanding::Any;
                landing = if goes_on { self.next(to, direction) } else { None };
            }
        }
        hops
    }

    fn may_capture_along(&self, piece: Piece, from: Point, direction: (i32, i32)) -> bool {
        if piece.king {
            return true;
        }
        match self.ruleset.man_captures {
            ManCaptures::All => true,
            ManCaptures::Forward => is_forward(piece.side, direction),
            // Where there are no diagonals, forward along a line is straight ahead.
            ManCaptures::ForwardOffDiagonal => self.has_diagonals(from) || is_forward(piece.side, direction),
        }
    }

    fn flies(&self, piece: Piece) -> bool {
        piece.king && self.ruleset.king == King::Flying
    }

    fn is_played_on(&self, point: Point) -> bool {
        self.ruleset.lines != Lines::Diagonal || (point.file + point.rank) % 2 == 0
    }

    fn has_diagonals(&self, point: Point) -> bool {
        self.ruleset.lines == Lines::Full || (point.file + point.rank) % 2 == 0
    }

    /// Gives the next point along the line from `from` in a direction, if there is such a line.
    fn next(&self, from: Point, (files, ranks): (i32, i32)) -> Option<Point> {
        let is_diagonal = files != 0 && ranks != 0;
        let is_line = if is_diagonal { self.has_diagonals(from) } else { self.ruleset.lines != Lines::Diagonal };
        let to = Point { rank: from.rank + ranks, file: from.file + files };
        let board = 0..i32::from(self.ruleset.size);
        (is_line && board.contains(&to.rank) && board.contains(&to.file)).then_some(to)
    }
}

/// Says whether a direction is straight ahead or one of the two forward diagonals.
fn is_forward(side: Side, (_, ranks): (i32, i32)) -> bool {
    ranks == if side == Side::White { 1 } else { -1 }
}
