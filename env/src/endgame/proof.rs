//! Exact values by search: who can force a win from a position, proved or disproved.
//!
//! Each side's "can it force a win?" is a question of its own, asked by depth-first proof-number
//! search (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) with
//! the weak count of T. Ueda et al. (2008), which suits games whose lines meet again. Neither can:
//! a draw. A position that comes back on its own line counts as no win for whoever is to prove one,
//! which infinite play is. So a proof is sound whatever came back; a disproof that leaned on a
//! return is believed only once `certificate` has made a strategy of it.

mod certificate;
mod table;

use std::collections::HashSet;

use super::tables::EndgameTables;
use super::value::EndgameValue;
use crate::action::Action;
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::Ruleset;
use table::{Numbers, ProofTable};

/// What a proof may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofLimits {
    /// Positions to look into, for each of the two questions.
    pub nodes: u64,
    /// Bytes of memory for each of the two questions.
    pub memory: u64,
}

/// What has been proved of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// By [`Side::index`], whether the side can force a win; `None` where the limits were too low.
    pub can_win: [Option<bool>; 2],
    /// By [`Side::index`], the positions looked into for the side's question.
    pub nodes: [u64; 2],
    /// A line of best actions, as far as the proof knows them; empty without a value.
    pub line: Vec<Action>,
}

impl Proof {
    /// Gives the value for a side without a distance, if it is proved.
    #[must_use]
    pub fn value(&self, side: Side) -> Option<std::cmp::Ordering> {
        match (self.can_win[side.index()], self.can_win[side.opponent().index()]) {
            (Some(true), _) => Some(std::cmp::Ordering::Greater),
            (_, Some(true)) => Some(std::cmp::Ordering::Less),
            (Some(false), Some(false)) => Some(std::cmp::Ordering::Equal),
            _ => None,
        }
    }
}

/// Proves who can force a win from a position, by the rules without what depends on history; the two
/// questions run side by side.
///
/// `tables`, if there are any, are asked instead of searching on; they must be of the same rules.
/// The result does not depend on the threads.
///
/// # Panics
/// The system has no thread to give.
#[must_use]
pub fn prove(ruleset: &Ruleset, position: &Position, tables: Option<&EndgameTables>, limits: ProofLimits) -> Proof {
    let game = Game::new(EndgameTables::timeless(ruleset)).expect("a ruleset without limits is as sound as with them");
    let mut searches = Side::BOTH.map(|target| Search::new(&game, target, tables, limits));
    let [white, black] = &mut searches;
    // Deep recursion: a line can go through thousands of positions.
    let thread = || std::thread::Builder::new().stack_size(STACK);
    let can_win = std::thread::scope(|scope| {
        let first = thread().spawn_scoped(scope, || white.ask(position)).expect("a thread");
        let second = thread().spawn_scoped(scope, || black.ask(position)).expect("a thread");
        [first, second].map(|one| one.join().expect("a search does not panic"))
    });
    let nodes = [0, 1].map(|index: usize| searches[index].nodes);
    let mut proof = Proof { can_win, nodes, line: Vec::new() };
    if let Some(value) = proof.value(position.side()) {
        let winner = match value {
            std::cmp::Ordering::Greater => Some(position.side()),
            std::cmp::Ordering::Less => Some(position.side().opponent()),
            std::cmp::Ordering::Equal => None,
        };
        proof.line = line(&game, &searches, position, winner);
    }
    proof
}

const STACK: usize = 1 << 29;
/// The most positions of a line; longer ones count as returns.
const DEPTH: u32 = 20_000;
/// A number that says: never.
const NEVER: u32 = u32::MAX;

/// One side's question.
struct Search<'a> {
    game: &'a Game,
    target: Side,
    tables: Option<&'a EndgameTables>,
    table: ProofTable,
    /// Positions at the start of a turn on the line in hand.
    line: HashSet<(u64, u64), rustc_hash::FxBuildHasher>,
    /// Whether any line was broken off because a position came back.
    returned: bool,
    nodes: u64,
    limit: u64,
    /// Bytes that are left for certificates.
    memory: u64,
}

/// A position one action ahead.
struct Child {
    position: Position,
    numbers: Numbers,
}

impl<'a> Search<'a> {
    fn new(game: &'a Game, target: Side, tables: Option<&'a EndgameTables>, limits: ProofLimits) -> Self {
        // No search stores more positions than it looks into; a quarter stays for certificates.
        let bytes = (limits.memory - limits.memory / 4).min(limits.nodes.saturating_mul(64));
        Self {
            game,
            target,
            tables,
            table: ProofTable::new(bytes),
            line: HashSet::default(),
            returned: false,
            nodes: 0,
            limit: limits.nodes,
            memory: limits.memory - bytes,
        }
    }

    /// Answers the question, or `None` where the limit was too low.
    fn ask(&mut self, position: &Position) -> Option<bool> {
        if let Some(answer) = self.decided(position) {
            return Some(answer);
        }
        match self.answer(position)? {
            false if self.returned => self.certify(position),
            answer => Some(answer),
        }
    }

    /// Searches until the question of a position is answered; a disproof may be wrong if positions
    /// came back.
    fn answer(&mut self, position: &Position) -> Option<bool> {
        let numbers = self.look_into(position, Numbers { proof: NEVER, disproof: NEVER }, 0);
        numbers.is_final().then_some(numbers.proof == 0)
    }

    /// Says whether the target wins, where rules or tables say so at once.
    fn decided(&self, position: &Position) -> Option<bool> {
        if let Some((winner, _)) = position.winner(self.game) {
            return Some(winner == self.target);
        }
        if position.judge_draw(self.game, 0, || 1).is_some() {
            return Some(false);
        }
        let tables = self.tables.filter(|tables| tables.covers(position))?;
        match tables.probe(position)? {
            EndgameValue::Win(_) => Some(position.side() == self.target),
            EndgameValue::Draw => Some(false),
            EndgameValue::Loss(_) => Some(position.side() != self.target),
        }
    }

    /// Searches until a number reaches its threshold; gives the numbers.
    fn look_into(&mut self, position: &Position, thresholds: Numbers, depth: u32) -> Numbers {
        if depth >= DEPTH {
            self.returned = true;
            return Numbers::DISPROVED;
        }
        let before = self.nodes;
        self.nodes += 1;
        let key = table::key(position);
        let starts_turn = !position.has_progressed();
        if starts_turn {
            self.line.insert(key);
        }
        let mut children = self.children(position);
        let choosing = position.side() == self.target;
        let numbers = loop {
            let numbers = Numbers::of(children.iter().map(|child| child.numbers), choosing);
            let reached = numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof;
            if reached || numbers.is_final() || self.nodes >= self.limit {
                break numbers;
            }
            let (best, inner) = Numbers::choose(&children, numbers, thresholds, choosing);
            let position = children[best].position;
            children[best].numbers = self.look_into(&position, inner, depth + 1);
        };
        if starts_turn {
            self.line.remove(&key);
        }
        self.table.store(key, numbers, self.nodes - before);
        numbers
    }

    fn children(&mut self, position: &Position) -> Vec<Child> {
        let mut children = Vec::new();
        for action in position.legal_actions(self.game) {
            let position = position.play(self.game, action);
            let numbers = self.first_numbers(&position);
            children.push(Child { position, numbers });
        }
        children
    }

    fn first_numbers(&mut self, position: &Position) -> Numbers {
        let key = table::key(position);
        let known = self.table.find(key);
        if let Some(numbers) = known.filter(|numbers| numbers.is_final()) {
            return numbers;
        }
        // Only positions at the start of a turn are on the line.
        if self.line.contains(&key) {
            self.returned = true;
            return Numbers::DISPROVED;
        }
        known.unwrap_or_else(|| match self.decided(position) {
            Some(true) => Numbers::PROVED,
            Some(false) => Numbers::DISPROVED,
            None => Numbers { proof: 1, disproof: 1 },
        })
    }
}

impl Numbers {
    const PROVED: Self = Self { proof: 0, disproof: NEVER };
    const DISPROVED: Self = Self { proof: NEVER, disproof: 0 };

    const fn is_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Turns what is least of all children and what they add up to round, for the other player.
    const fn swapped(self, choosing: bool) -> Self {
        if choosing { self } else { Self { proof: self.disproof, disproof: self.proof } }
    }

    /// Gives the numbers of a position from those of its children.
    fn of(children: impl Iterator<Item = Self>, choosing: bool) -> Self {
        let (mut least, mut greatest, mut open) = (NEVER, 0, 0_u32);
        for child in children {
            let child = child.swapped(choosing);
            least = least.min(child.proof);
            greatest = greatest.max(child.disproof);
            open += u32::from(child.disproof > 0);
        }
        let sum = if least == 0 { NEVER } else { greatest.saturating_add(open.saturating_sub(1)) };
        Self { proof: least, disproof: sum }.swapped(choosing)
    }

    /// Chooses the child to look into and how far.
    fn choose(children: &[Child], now: Self, thresholds: Self, choosing: bool) -> (usize, Self) {
        let (now, thresholds) = (now.swapped(choosing), thresholds.swapped(choosing));
        let (mut best, mut second) = (0, NEVER);
        let mut least = NEVER;
        let mut widest = 0;
        for (index, child) in children.iter().enumerate() {
            let child = child.numbers.swapped(choosing);
            if child.proof < least || (child.proof == least && child.disproof < widest && child.proof < NEVER) {
                second = least;
                (least, best, widest) = (child.proof, index, child.disproof);
            } else {
                second = second.min(child.proof);
            }
        }
        let slack = thresholds.disproof.saturating_sub(now.disproof);
        let proof = thresholds.proof.min(second.saturating_add(1 + second / 8));
        let inner = Self { proof, disproof: widest.saturating_add(slack) };
        (best, inner.swapped(choosing))
    }
}

/// Follows best actions as far as the tables of the proofs know them.
fn line(game: &Game, searches: &[Search<'_>; 2], start: &Position, winner: Option<Side>) -> Vec<Action> {
    let mut line = Vec::new();
    let mut seen = HashSet::new();
    let mut position = *start;
    while position.winner(game).is_none() && seen.insert(table::key(&position)) {
        let side = position.side();
        let choices = position.legal_actions(game).into_iter().map(|action| (action, position.play(game, action)));
        let known = |search: &Search<'_>, next: &Position| match search.decided(next) {
            Some(answer) => Some((answer, 0)),
            None => search
                .table
                .entry(table::key(next))
                .filter(|(numbers, _)| numbers.is_final())
                .map(|(numbers, work)| (numbers.proof == 0, work)),
        };
        let best = match winner {
            Some(winner) => {
                // The loser holds out where the proof was hardest; the winner takes the easiest.
                let known = choices.filter_map(|choice| {
                    let (answer, work) = known(&searches[winner.index()], &choice.1)?;
                    answer.then_some((choice, work))
                });
                if side == winner { known.min_by_key(|(_, work)| *work) } else { known.max_by_key(|(_, work)| *work) }
            }
            None => choices
                .filter_map(|choice| {
                    let (answer, work) = known(&searches[side.opponent().index()], &choice.1)?;
                    (!answer).then_some((choice, work))
                })
                .max_by_key(|(_, work)| *work),
        };
        let Some(((action, next), _)) = best else { break };
        line.push(action);
        position = next;
    }
    line
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::endgame::tests::{ruleset, solved};

    const LIMITS: ProofLimits = ProofLimits { nodes: 200_000, memory: 1 << 23 };

    fn order(value: EndgameValue) -> Ordering {
        value.cmp(&EndgameValue::Draw)
    }

    #[test]
    fn proofs_agree_with_tables_where_positions_come_back() {
        let mut rng = Pcg64::seed_from_u64(2);
        for (preset, options) in [
            ("khreibga", &["size=4", "home_rows=1"] as &[&str]),
            ("damma8", &["size=6", "home_rows=1"]),
            ("kharberg", &["size=4", "home_rows=1"]),
            ("damma", &["size=4", "home_rows=1", "lone_kings_draw=true"]),
        ] {
            let ruleset = ruleset(preset, options);
            let tables = solved(&ruleset, 3);
            let (mut proved, mut drawn) = (0, 0);
            for class in tables.classes(3) {
                let ranking = tables.ranking(class);
                let mut cursor = ranking.cursor();
                for _ in 0..12 {
                    let number = rng.random_range(0..ranking.len());
                    let position = super::super::solve::position(&cursor.placement(number), tables.game());
                    let proof = prove(&ruleset, &position, None, LIMITS);
                    let Some(value) = proof.value(position.side()) else { continue };
                    assert_eq!(value, order(tables.stored(class, number)), "{class} {number} of {preset}");
                    proved += 1;
                    drawn += u32::from(value == Ordering::Equal);
                }
            }
            assert!(proved > 20 && drawn > 3, "{preset}: {proved}, {drawn} of them draws");
        }
    }

    #[test]
    fn the_line_of_a_win_ends_with_it() {
        let ruleset = ruleset("damma8", &["size=4", "home_rows=1"]);
        let game = Game::new(ruleset.clone()).expect("a game");
        let proof = prove(&ruleset, &game.start(), None, LIMITS);
        let value = proof.value(game.start().side()).expect("a small game");
        let end = proof.line.iter().fold(game.start(), |position, &action| position.play(&game, action));
        match end.winner(&game) {
            Some((winner, _)) => assert_eq!(proof.can_win[winner.index()], Some(true)),
            None => assert_eq!(value, Ordering::Equal),
        }
    }

    #[test]
    fn tables_at_the_leaves_do_not_change_the_value() {
        let ruleset = ruleset("kharberg", &["size=4", "home_rows=1", "man_steps=forward", "lines=alquerque"]);
        let game = Game::new(ruleset.clone()).expect("a game");
        let alone = prove(&ruleset, &game.start(), None, LIMITS);
        let with = prove(&ruleset, &game.start(), Some(&solved(&ruleset, 4)), LIMITS);
        assert!(alone.value(Side::White).is_some(), "{alone:?}");
        assert_eq!(alone.value(Side::White), with.value(Side::White));
        assert!(with.nodes.iter().sum::<u64>() < alone.nodes.iter().sum());
    }

    #[test]
    fn a_limit_leaves_the_question_open() {
        let ruleset = ruleset("khreibga", &[]);
        let start = Game::new(ruleset.clone()).expect("a game").start();
        let proof = prove(&ruleset, &start, None, ProofLimits { nodes: 10, memory: 0 });
        assert_eq!((proof.can_win, proof.line.len()), ([None, None], 0));
    }
}
