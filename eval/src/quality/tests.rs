use std::collections::BTreeMap;
use std::sync::Arc;

use damma_env::{Action, Bitboard, Game, Position, Ruleset, Setup, Side, State};
use rand_pcg::Pcg64;

use super::*;
use crate::alphabeta::{AlphaBeta, Level};
use crate::player::RandomPlayer;

/// A game small enough to be solved here: 4x4, flying kings, captures forced.
fn tiny() -> Arc<Game> {
    let overrides = ["size=4", "home_rows=1", "no_progress_limit=0", "repetition_limit=0"];
    Game::new(Ruleset::preset("khreibga").unwrap().with_overrides(overrides).unwrap()).unwrap()
}

/// Every position of at most a king and a man against one piece, solved by going back from its
/// ends: what is never decided is drawn. Slow and plain on purpose.
struct Solution(BTreeMap<u64, (Position, Option<i8>)>);

impl Solution {
    fn of(game: &Game) -> Self {
        let mut open: Vec<Position> = Vec::new();
        for side in [Side::White, Side::Black] {
            for white in pieces(game) {
                for black in pieces(game).into_iter().filter(|set| set.0.len() == 1) {
                    let setup = Setup {
                        white: white.0,
                        black: black.0,
                        kings: white.1 | black.1,
                        side,
                        chain: None,
                        huffable: Bitboard::default(),
                        captured: Bitboard::default(),
                        no_progress: 0,
                    };
                    open.extend(setup.position(game).ok());
                }
            }
        }
        let mut known: BTreeMap<u64, (Position, Option<i8>)> = BTreeMap::new();
        while let Some(position) = open.pop() {
            if known.contains_key(&position.key()) {
                continue;
            }
            let won = position.winner(game).map(|(winner, _)| if winner == position.side() { 1 } else { -1 });
            if won.is_none() {
                open.extend(position.legal_actions(game).into_iter().map(|action| position.play(game, action)));
            }
            known.insert(position.key(), (position, won));
        }
        let mut solution = Self(known);
        while solution.settle(game) {}
        solution
    }

    /// Settles the positions that follow from others; `false` when there are none.
    fn settle(&mut self, game: &Game) -> bool {
        let undecided: Vec<Position> = self.0.values().filter(|known| known.1.is_none()).map(|known| known.0).collect();
        let mut changed = false;
        for position in undecided {
            let worths: Vec<Option<i8>> = position
                .legal_actions(game)
                .into_iter()
                .map(|action| {
                    let after = position.play(game, action);
                    let worth = self.0[&after.key()].1?;
                    Some(if after.side() == position.side() { worth } else { -worth })
                })
                .collect();
            let worth = if worths.contains(&Some(1)) {
                Some(1)
            } else {
                worths.iter().all(|worth| *worth == Some(-1)).then_some(-1)
            };
            if worth.is_some() {
                self.0.get_mut(&position.key()).unwrap().1 = worth;
                changed = true;
            }
        }
        changed
    }

    fn worth(&self, position: &Position) -> Option<i8> {
        self.0.get(&position.key()).map(|known| known.1.unwrap_or(0))
    }
}

/// Lists what a side may have: a king, a man, or both; with the kings among them.
fn pieces(game: &Game) -> Vec<(Bitboard, Bitboard)> {
    let none = Bitboard::default();
    let mut sets = Vec::new();
    for first in game.squares() {
        sets.extend([(first.bit(), none), (first.bit(), first.bit())]);
        sets.extend(
            game.squares()
                .into_iter()
                .filter(|other| *other != first)
                .map(|man| (first.bit() | man.bit(), first.bit())),
        );
    }
    sets
}

/// Plays what the solution says is best, or worst.
struct Knowing<'a> {
    solution: &'a Solution,
    best: bool,
}

impl Player for Knowing<'_> {
    fn name(&self) -> String {
        "knowing".to_owned()
    }

    fn choose(&mut self, game: &Game, states: &[&State], _: &mut [Pcg64]) -> Vec<Action> {
        let sign = if self.best { 1 } else { -1 };
        let choose = |state: &&State| {
            let position = state.position();
            let worth = |action: &Action| {
                let after = position.play(game, *action);
                let worth = self.solution.worth(&after).unwrap();
                sign * if after.side() == position.side() { worth } else { -worth }
            };
            position.legal_actions(game).into_iter().max_by_key(worth).unwrap()
        };
        states.iter().map(choose).collect()
    }
}

#[test]
fn who_knows_everything_errs_never_and_who_plays_the_worst_errs_wherever_one_can() {
    let game = tiny();
    let solution = Solution::of(&game);
    let oracle = |_: &Game, position: &Position| solution.worth(position);
    let choice =
        |known: &&(Position, Option<i8>)| known.0.winner(&game).is_none() && known.0.legal_actions(&game).len() > 1;
    let states: Vec<State> =
        solution.0.values().filter(choice).step_by(7).map(|known| State::from_position(&game, known.0)).collect();

    let by = |best: bool| mistakes(&game, &mut Knowing { solution: &solution, best }, &states, 1, &oracle).unwrap();
    let (perfect, perverse) = (by(true), by(false));
    let random = mistakes(&game, &mut RandomPlayer::new(), &states, 1, &oracle).unwrap();

    assert!(states.len() > 500 && perfect.total.decisions == states.len() as u32, "{} states", states.len());
    assert_eq!((perfect.total.mistakes(), perfect.unknown, perfect.examples.len()), (0, 0, 0));
    assert!(perverse.total.at_stake > 100);
    assert_eq!(perverse.total.mistakes(), perverse.total.at_stake);
    assert!(random.total.mistakes() > 0 && random.total.mistakes() < perverse.total.mistakes());
    assert_eq!(perverse.by_pieces.values().map(MistakeCount::mistakes).sum::<u32>(), perverse.total.mistakes());
    assert!(perverse.by_pieces.keys().all(|pieces| (2..=3).contains(pieces)));
}

#[test]
fn positions_that_the_oracle_does_not_cover_are_counted_apart() {
    let game = tiny();
    let state = State::new(&game);
    let found = mistakes(&game, &mut RandomPlayer::new(), &[state], 1, &|_, _| None).unwrap();
    assert_eq!((found.unknown, found.total.decisions, found.total.share()), (1, 0, None));
}

#[test]
fn sampled_states_are_different_have_a_choice_and_depend_on_the_seed_alone() {
    let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
    let sample = |seed| {
        let wanted = Wanted { count: 60, per_game: 3, games: 40 };
        let few = |state: &State| state.position().own().len() < 38;
        sample_states(&game, &mut AlphaBeta::new(Level::Depth(1)), wanted, seed, &few).unwrap()
    };
    let texts =
        |states: &[State]| -> Vec<String> { states.iter().map(|state| game.position_text(state.position())).collect() };
    let states = sample(1);
    assert_eq!(states.len(), 60);
    assert!(states.iter().all(|state| state.position().legal_actions(&game).len() > 1));
    assert!(states.iter().all(|state| state.position().own().len() < 38));
    let mut different = texts(&states);
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 60);
    assert_eq!(texts(&states), texts(&sample(1)));
    assert_ne!(texts(&states), texts(&sample(2)));
}

#[test]
fn a_player_agrees_with_itself_in_everything() {
    let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
    let wanted = Wanted { count: 40, per_game: 2, games: 64 };
    let states = sample_states(&game, &mut RandomPlayer::new(), wanted, 3, &|_| true).unwrap();
    let by = |player: &mut dyn Player| agreement(&game, player, Level::Depth(3), &states, 1).unwrap();
    let (own, random) = (by(&mut AlphaBeta::new(Level::Depth(3))), by(&mut RandomPlayer::new()));
    assert_eq!((own.agreed, own.decisions), (40, 40));
    assert!(random.agreed < 35 && random.high < 1.0, "{random:?}");
}

const SUITE: &str = "\
# a man that takes two beats one that takes one
game: damma8

8/8/3b4/8/3b4/2w5/8/8 w ; c3xe5xc7 ; two at once
";

#[test]
fn a_suite_is_read_solved_and_written_again() {
    let suite = Suite::parse("s.txt", SUITE).unwrap();
    assert_eq!((suite.puzzles.len(), suite.puzzles[0].line), (1, 4));
    let solved = suite.solve(&mut AlphaBeta::new(Level::Depth(1)), 1).unwrap();
    assert_eq!(solved, Solved { solved: 1, total: 1, unsolved: vec![] });
    let again = Suite::parse("again", &suite.text(&["made".to_owned()])).unwrap();
    assert_eq!(
        (again.puzzles[0].position, &again.puzzles[0].turns),
        (suite.puzzles[0].position, &suite.puzzles[0].turns)
    );
}

#[test]
fn a_line_that_cannot_be_used_is_named_with_the_remedy() {
    let game = "game: damma8\n";
    let position = "8/8/3b4/8/3b4/2w5/8/8 w";
    for (text, place, words) in [
        (format!("{position} ; c3xe5xc7"), "s.txt:1:", "game: damma8"),
        ("game: dama8\n".to_owned(), "s.txt:1:", "damma8"),
        (format!("{game}{game}"), "s.txt:2:", "twice"),
        (format!("{game}{position}"), "s.txt:2:", "no solution"),
        (format!("{game}\n{position} ; c3xe5"), "s.txt:3:", "not over"),
        (format!("{game}# nothing\n{position} ; c3-d4"), "s.txt:3:", "not legal"),
        (format!("{game}9/8 w ; c3-d4"), "s.txt:2:", ""),
        (format!("{game}8/8/8/8/8/2w5/8/8 b ; c3-d4"), "s.txt:2:", "over"),
        (game.to_owned(), "s.txt:1:", "no position"),
        (String::new(), "s.txt:1:", "no game"),
    ] {
        let message = Suite::parse("s.txt", &text).unwrap_err().to_string();
        assert!(message.starts_with(place) && message.contains(words), "{text}\n{message}");
    }
}

#[test]
fn puzzles_are_found_that_a_deep_search_solves_and_a_shallow_one_does_not() {
    let config = SuiteConfig { count: 3, seed: 5, judge: Level::Depth(5), margin: 150 };
    let suite = make_suite(Suite::of("damma8").unwrap(), &config, &mut |_, _| ()).unwrap();
    assert_eq!(suite.puzzles.len(), 3);
    let solved = |level| suite.solve(&mut AlphaBeta::new(level), 1).unwrap().solved;
    assert_eq!((solved(Level::Depth(1)), solved(Level::Depth(6))), (0, 3));
}
