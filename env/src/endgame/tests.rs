//! The tables against a slow oracle that knows nothing of classes, numbers or taking steps back.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::class::Class;
use super::retract::each_step_back;
use super::solve::{placement, position};
use super::tables::EndgameTables;
use super::value::{EndgameValue, NOTHING, Score, turned};
use super::{Placement, Ranking};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::Ruleset;

pub(super) fn ruleset(preset: &str, options: &[&str]) -> Ruleset {
    Ruleset::preset(preset).expect("a preset").with_overrides(options.iter().copied()).expect("a ruleset")
}

pub(super) fn solved(ruleset: &Ruleset, pieces: usize) -> EndgameTables {
    let mut tables = EndgameTables::new(ruleset);
    for class in tables.classes(pieces) {
        tables.solve(class, |_| ());
    }
    tables
}

fn every_class(tables: &EndgameTables, pieces: usize) -> Vec<Class> {
    let mut classes = tables.classes(pieces);
    classes.extend(classes.clone().iter().map(|class| class.mirror()));
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Values of all positions that some positions lead to, found by going through all of them again
/// and again until nothing changes.
struct Oracle {
    /// By position as text, without its counter.
    numbers: HashMap<String, usize>,
    nodes: Vec<Node>,
}

struct Node {
    /// Number, and whether the turn passes.
    next: Vec<(usize, bool)>,
    end: Option<Score>,
    score: Option<Score>,
}

impl Oracle {
    fn new(game: &Game, starts: impl Iterator<Item = Position>) -> Self {
        let mut oracle = Self { numbers: HashMap::new(), nodes: Vec::new() };
        for start in starts {
            oracle.add(game, &start);
        }
        while oracle.sweep() {}
        oracle
    }

    fn name(game: &Game, position: &Position) -> String {
        // The same for both sides: what Black sees turned is what White would see.
        let fields = (position.us, position.them, position.kings, position.fault, position.waiting, position.chain);
        format!("{fields:?} {} {}", position.huffed, game.size())
    }

    /// Adds a position and all that it leads to.
    fn add(&mut self, game: &Game, position: &Position) {
        let mut open = Vec::new();
        self.number(game, position, &mut open);
        while let Some((number, position)) = open.pop() {
            for action in position.legal_actions(game) {
                let next = position.play(game, action);
                let passed = next.side() != position.side();
                let next = self.number(game, &next, &mut open);
                self.nodes[number].next.push((next, passed));
            }
        }
    }

    fn number(&mut self, game: &Game, position: &Position, open: &mut Vec<(usize, Position)>) -> usize {
        let name = Self::name(game, position);
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.nodes.len();
        self.numbers.insert(name, number);
        let end = match position.winner(game) {
            Some((winner, _)) if winner == position.side() => Some(EndgameValue::Win(1).score()),
            Some(_) => Some(EndgameValue::Loss(0).score()),
            None => position.judge_draw(game, 0, || 1).map(|_| 0),
        };
        self.nodes.push(Node { next: Vec::new(), end, score: end });
        if end.is_none() {
            open.push((number, *position));
        }
        number
    }

    fn sweep(&mut self) -> bool {
        let mut changed = false;
        for number in (0..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            if node.end.is_some() {
                continue;
            }
            let scores = node.next.iter().map(|&(next, passed)| {
                let score = self.nodes[next].score;
                if passed { score.map(turned) } else { score }
            });
            let best = scores.clone().map(|score| score.unwrap_or(NOTHING)).max().expect("a turn");
            let all_known = scores.clone().all(|score| score.is_some());
            let score = (best > 0 || all_known).then_some(best);
            if score != node.score {
                self.nodes[number].score = score;
                changed = true;
            }
        }
        changed
    }

    fn value(&self, game: &Game, position: &Position) -> EndgameValue {
        EndgameValue::from_score(self.nodes[self.numbers[&Self::name(game, position)]].score.unwrap_or(0))
    }
}

fn each_position(tables: &EndgameTables, pieces: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    for class in every_class(tables, pieces) {
        let ranking = tables.ranking(class);
        let mut cursor = ranking.cursor();
        positions.extend((0..ranking.len()).map(|number| position(&cursor.placement(number), tables.game())));
    }
    positions
}

/// Compares every value of up to `pieces` pieces, those at fault and in chains among them.
fn agree(ruleset: &Ruleset, pieces: usize) {
    let tables = solved(ruleset, pieces);
    let game = tables.game();
    let positions = each_position(&tables, pieces);
    let oracle = Oracle::new(game, positions.iter().copied());
    assert_eq!(tables.covered(), pieces);
    let mut seen = 0;
    let mut stack = positions;
    let mut met = std::collections::HashSet::new();
    while let Some(position) = stack.pop() {
        if !met.insert(Oracle::name(game, &position)) {
            continue;
        }
        let expected = oracle.value(game, &position);
        assert_eq!(tables.probe(&position), Some(expected), "{} of {ruleset:?}", game.position_text(&position));
        seen += 1;
        if position.judge_draw(game, 0, || 1).is_none() {
            stack.extend(position.legal_actions(game).into_iter().map(|action| position.play(game, action)));
        }
    }
    assert_eq!(seen, oracle.nodes.len());
}

const SMALL: [(&str, &[&str]); 13] = [
    ("khreibga", &["size=4", "home_rows=1"]),
    ("damma8", &["size=4", "home_rows=1"]),
    ("damma8", &["size=6", "home_rows=1"]),
    ("damma8", &["size=4", "home_rows=1", "capture=huff", "king=flying"]),
    ("kharberg", &["size=4", "home_rows=1"]),
    ("kharberg", &["size=4", "home_rows=1", "capture=forced"]),
    ("zamma", &["size=4", "home_rows=1"]),
    ("zamma", &["size=4", "home_rows=1", "chain=none", "lone_kings_draw=true"]),
    ("srand", &["size=4", "home_rows=1"]),
    ("srand", &["size=4", "home_rows=1", "removal=turn_end", "promotion=immediate", "man_steps=all"]),
    ("damma", &["size=4", "home_rows=1"]),
    ("damma", &["size=4", "home_rows=1", "king=short", "lone_kings_draw=true"]),
    ("dhamet", &["size=4", "home_rows=1", "king_landing=next"]),
];

#[test]
fn values_are_those_of_the_oracle_on_small_boards() {
    for (preset, options) in SMALL {
        agree(&ruleset(preset, options), 3);
    }
}

#[test]
fn values_are_those_of_the_oracle_with_four_pieces() {
    agree(&ruleset("damma8", &["size=4", "home_rows=1", "capture=huff"]), 4);
    agree(&ruleset("kharberg", &["size=4", "home_rows=1", "man_steps=forward"]), 4);
}

#[test]
fn values_are_those_of_the_oracle_for_random_rulesets() {
    let mut rng = Pcg64::seed_from_u64(11);
    let choices: [&[&str]; 11] = [
        &["lines=full", "lines=alquerque", "lines=diagonal"],
        &["man_steps=forward", "man_steps=all"],
        &["man_captures=all", "man_captures=forward", "man_captures=forward_off_diagonal"],
        &["king=flying", "king=short", "king=none"],
        &["king_landing=any", "king_landing=next"],
        &["capture=forced", "capture=huff"],
        &["chain=mandatory", "chain=none"],
        &["priority=free", "priority=maximum"],
        &["removal=hop", "removal=turn_end"],
        &["promotion=turn_end", "promotion=immediate"],
        &["lone_kings_draw=true", "lone_kings_draw=false"],
    ];
    let mut played = 0;
    while played < 16 {
        let options: Vec<&str> = choices.iter().map(|values| values[rng.random_range(0..values.len())]).collect();
        let options = ["size=4", "home_rows=1"].into_iter().chain(options);
        if let Ok(ruleset) = Ruleset::preset("damma").expect("a preset").with_overrides(options) {
            agree(&ruleset, 3);
            played += 1;
        }
    }
}

#[test]
fn numbers_and_placements_are_one_to_one() {
    for (preset, options) in
        SMALL.into_iter().chain([("kharberg", &[] as &[&str]), ("damma8", &["size=6", "home_rows=2"])])
    {
        let tables = EndgameTables::new(&ruleset(preset, options));
        for class in every_class(&tables, 4).into_iter().filter(|class| tables.count(*class) < 60_000) {
            let ranking = tables.ranking(class);
            assert_eq!(ranking.len(), tables.count(class));
            let mut cursor = ranking.cursor();
            for number in 0..ranking.len() {
                let placement = cursor.placement(number);
                assert_eq!(Class::of(&position(&placement, tables.game())), class);
                assert_eq!(ranking.rank(&placement), number);
                assert_eq!(placement.own & placement.enemy, crate::Bitboard::EMPTY);
            }
        }
    }
}

#[test]
fn large_numbers_are_read_back_in_any_order() {
    let mut rng = Pcg64::seed_from_u64(3);
    let tables = EndgameTables::new(&ruleset("zamma", &[]));
    for class in every_class(&tables, 6) {
        let ranking: Ranking = tables.ranking(class);
        let mut cursor = ranking.cursor();
        for _ in 0..50 {
            let number = rng.random_range(0..ranking.len());
            assert_eq!(ranking.rank(&cursor.placement(number)), number);
        }
    }
}

#[test]
fn a_step_back_is_the_step_forward() {
    for (preset, options) in SMALL {
        let tables = EndgameTables::new(&ruleset(preset, options));
        let game = tables.game();
        let mut forth = Vec::new();
        let mut back = Vec::new();
        for position in each_position(&tables, 3) {
            let class = Class::of(&position);
            for action in position.legal_actions(game) {
                let next = position.play(game, action);
                if next.side() != position.side() && Class::of(&next) == class.mirror() {
                    forth.push(format!("{:?} {:?}", placement(&position), placement(&next)));
                }
            }
            let after = placement(&position);
            each_step_back(game, &after, |before| {
                let before = super::solve::position(before, game);
                if !(game.ruleset().capture == crate::Capture::Forced && before.can_capture(game)) {
                    back.push(format!("{:?} {after:?}", placement(&before)));
                }
            });
        }
        forth.sort_unstable();
        back.sort_unstable();
        assert_eq!(forth, back, "{preset} {options:?}");
    }
}

#[test]
fn one_thread_and_two_find_the_same() {
    for (preset, options) in [("khreibga", &["size=4", "home_rows=1"] as &[&str]), ("damma8", &[]), ("kharberg", &[])] {
        let ruleset = ruleset(preset, options);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| solved(&ruleset, 3))
        };
        let (one, two) = (with(1), with(2));
        for class in every_class(&one, 3) {
            assert_eq!(one.bytes(class), two.bytes(class), "{class} of {preset}");
        }
    }
}

#[test]
fn english_draughts_has_the_published_numbers() {
    let tables = solved(&ruleset("damma8", &[]), 3);
    // The table of "Checkers Is Solved" counts positions where one side has nothing left too.
    let count = |pieces: usize| -> u64 {
        let classes = every_class(&tables, pieces).into_iter().filter(|class| class.pieces() == pieces);
        classes.map(|class| tables.count(class)).sum()
    };
    let alone = |pieces: u8| -> u64 {
        let class = |own_men: u8| Class { own_men, own_kings: pieces - own_men, enemy_men: 0, enemy_kings: 0 };
        (0..=pieces).map(|men| tables.count(class(men))).sum()
    };
    let published = [120, 6_972, 261_224, 7_092_774, 148_688_232];
    for (pieces, published) in (1..).zip(published) {
        assert_eq!(count(usize::from(pieces)) + 2 * alone(pieces), published, "{pieces} pieces");
    }
    // E. Trice's report of one king against one.
    let kings = Class { own_men: 0, own_kings: 1, enemy_men: 0, enemy_kings: 1 };
    let report = tables.report(kings).expect("a table");
    assert_eq!((report.won, report.drawn, report.lost, report.longest_win), (230, 654, 108, 11));
}

#[test]
fn two_kings_win_against_one_in_all_but_a_few_positions() {
    let tables = solved(&ruleset("damma8", &[]), 3);
    let report = |class: &str| tables.report(class.parse().expect("a class")).expect("a table");
    let kings = report("0m2k-0m1k");
    assert_eq!((kings.won, kings.drawn, kings.lost), (14_846, 34, 0));
    // The side with one king never wins but by a capture of both or of one at once.
    assert!(report("0m1k-0m2k").lost > 13_000);
}

#[test]
fn every_value_agrees_with_its_successors() {
    for (preset, options) in [("kharberg", &[] as &[&str]), ("khreibga", &[]), ("damma8", &[])] {
        let tables = solved(&ruleset(preset, options), 3);
        let mut searched = 0;
        for class in every_class(&tables, 3) {
            for number in 0..tables.count(class) {
                tables.check(class, number).expect("right");
                if number % 97 == 0 && tables.check_by_search(class, number, 3, 2000).expect("right") {
                    searched += 1;
                }
            }
        }
        assert!(searched > 50, "{searched}");
    }
}

#[test]
fn a_turn_that_ends_in_itself_is_searched_through() {
    // Where men only go forward, a huff can be all that is left to a player, who is blocked behind it.
    let tables = solved(&ruleset("kharberg", &["man_steps=forward"]), 4);
    let class = "2m0k-2m0k".parse().expect("a class");
    for number in (0..tables.count(class)).step_by(3) {
        tables.check_by_search(class, number, 3, 2000).expect("right");
    }
}

#[test]
fn a_wrong_byte_is_found() {
    let mut tables = solved(&ruleset("damma8", &[]), 2);
    let class = Class { own_men: 0, own_kings: 1, enemy_men: 0, enemy_kings: 1 };
    let mut bytes = tables.bytes(class).expect("a table").to_vec();
    let won = bytes.iter().position(|byte| *byte == 2).expect("a capture");
    bytes[won] = 4;
    tables.insert(class, bytes).expect("as many");
    let fault = tables.check(class, won as u64).expect_err("wrong");
    assert_eq!((fault.stored, fault.found), (EndgameValue::Win(3), EndgameValue::Win(1)));
    tables.check_by_search(class, won as u64, 3, 10_000).expect_err("wrong");
    assert!(tables.insert(class, vec![0; 3]).is_err());
}

#[test]
fn what_is_not_covered_has_no_value() {
    let tables = solved(&ruleset("damma8", &[]), 2);
    assert_eq!(tables.covered(), 2);
    let game = tables.game();
    let three = game.parse_position("8/8/8/4B3/8/2W1W3/8/8 w").expect("a position");
    assert!(!tables.covers(&three) && tables.probe(&three).is_none());
    let full = game.parse_position("1b1b1b1b/b1b1b1b1/1b1b1b2/8/8/2w1w1w1/1w1w1w1w/w1w1w1w1 w").expect("a position");
    assert!(!tables.covers(&full) && tables.probe(&full).is_none());
    let nine = game.parse_position("7b/8/8/8/8/2w1w1w1/1w1w1w1w/w1w5 w").expect("a position");
    assert_eq!(tables.probe(&nine), None);
    let over = game.parse_position("8/8/8/4B3/8/8/8/8 w").expect("a position");
    assert_eq!(tables.probe(&over), Some(EndgameValue::Loss(0)));
    let _: Placement = placement(&three);
}
