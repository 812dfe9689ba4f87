//! The baseline as a whole: against plain alpha-beta, in positions with one right answer, in matches.

use std::sync::Arc;

use damma_env::{Capture, Outcome, Ruleset, Side};
use rand::RngExt as _;

use super::evaluation::{Evaluation, FAULT};
use super::ordering::{Kind, kind};
use super::search::WIN;
use super::*;
use crate::arena::play_match;
use crate::openings::{OpeningConfig, draw_openings};
use crate::player::RandomPlayer;

fn game(preset: &str) -> Arc<Game> {
    Game::new(Ruleset::preset(preset).unwrap()).unwrap()
}

fn state(game: &Game, position: &str) -> State {
    State::from_position(game, game.parse_position(position).unwrap())
}

fn analyse(game: &Game, state: &State, depth: u8) -> (String, i32) {
    let analysis = AlphaBeta::new(Level::Depth(depth)).analyse(game, state);
    (game.action_text(state.position(), analysis.action), analysis.score)
}

/// Plays random turns from the start.
fn random_state(game: &Game, turns: u32, stream: u128) -> Option<State> {
    let mut rng = Pcg64::new(11, stream);
    let mut state = State::new(game);
    while state.turns() < turns {
        let actions = state.position().legal_actions(game);
        state.play(game, actions[rng.random_range(0..actions.len())]);
        state.outcome().is_none().then_some(())?;
    }
    Some(state)
}

/// Where plain alpha-beta stands: turns from the root, captures of quiescence, and the turn in hand.
#[derive(Clone, Copy)]
struct Spot {
    ply: i32,
    taken: u32,
    paid: bool,
    begins: bool,
    quiet: bool,
}

/// Plain alpha-beta: what the search should find, without table, order, null windows or playing back.
struct Plain<'a> {
    game: &'a Game,
    evaluation: Evaluation,
}

impl Plain<'_> {
    /// The root's turn is paid for, be it forced or not.
    fn root(&self, state: &State, depth: u32) -> i32 {
        self.best(state, depth - 1, Spot { ply: 0, taken: 0, paid: true, begins: false, quiet: false }, -WIN, WIN)
    }

    fn after(&self, state: &State, action: Action, depth: u32, spot: Spot, alpha: i32, beta: i32) -> i32 {
        let side = state.position().side();
        let mut next = state.clone();
        next.play(self.game, action);
        match next.outcome() {
            Some(Outcome::Win { winner, .. }) if winner == side => WIN - spot.ply - 1,
            Some(Outcome::Win { .. }) => spot.ply + 1 - WIN,
            Some(_) => 0,
            None if next.position().side() == side => {
                self.best(&next, depth, Spot { begins: false, ..spot }, alpha, beta)
            }
            None => {
                let spot = Spot { ply: spot.ply + 1, paid: false, begins: true, ..spot };
                -self.best(&next, depth, spot, -beta, -alpha)
            }
        }
    }

    fn best(&self, state: &State, depth: u32, spot: Spot, alpha: i32, beta: i32) -> i32 {
        let position = state.position();
        if !spot.quiet && spot.begins && state.repetitions() > 1 {
            return 0;
        }
        let quiet = spot.quiet || spot.begins && depth == 0;
        let mut actions = position.legal_actions(self.game);
        let mut best = -WIN;
        if quiet && position.chain().is_none() {
            let value = self.evaluation.evaluate(position);
            let captures = position.can_capture(self.game);
            if spot.taken >= 8 || !captures && position.at_fault().is_empty() {
                return value;
            }
            if self.game.ruleset().capture == Capture::Huff {
                best = if captures { value - FAULT } else { value };
            }
            actions.retain(|action| matches!(kind(self.game, position, *action), Kind::Takes { .. }));
        }
        let pays = !quiet && !spot.paid && actions.len() > 1;
        let (depth, paid) = if pays { (depth - 1, true) } else { (depth, spot.paid) };
        let spot = Spot { paid, quiet, taken: spot.taken + u32::from(quiet), ..spot };
        for action in actions {
            if best >= beta {
                break;
            }
            best = best.max(self.after(state, action, depth, spot, alpha.max(best), beta));
        }
        best
    }
}

#[test]
fn the_search_finds_the_score_of_plain_alpha_beta() {
    for (preset, depth) in [("damma8", 4), ("khreibga", 4), ("srand", 3), ("kharberg", 2), ("zamma", 1)] {
        let game = game(preset);
        let plain = Plain { game: &game, evaluation: Evaluation::new(&game) };
        for stream in 0..8 {
            let Some(state) = random_state(&game, 3 + 2 * stream as u32, stream) else { continue };
            let expected = plain.root(&state, depth);
            let position = game.position_text(state.position());
            assert_eq!(analyse(&game, &state, depth as u8).1, expected, "{preset} {position}");
        }
    }
}

#[test]
fn the_chain_that_takes_everything_is_found() {
    let game = game("damma8");
    let state = state(&game, "8/8/5b2/8/3b4/2w1w3/8/8 w");
    assert_eq!(analyse(&game, &state, 1), ("c3xe5".to_owned(), WIN - 1));
}

#[test]
fn a_win_at_once_is_preferred_to_a_later_one() {
    let game = game("kharberg");
    let state = state(&game, "5/5/2b2/2w1w/2w2 w");
    for depth in 1..=4 {
        let (action, score) = analyse(&game, &state, depth);
        assert!(["c2xc4", "c1xc4"].contains(&action.as_str()), "{action}");
        assert_eq!(score, WIN - 1);
    }
}

#[test]
fn a_piece_at_fault_is_huffed_when_nothing_better_is_there() {
    let game = game("kharberg");
    let state = state(&game, "5/1b2b/5/5/w3w w - e4");
    assert_eq!(analyse(&game, &state, 3).0, "~e4");
}

#[test]
fn a_player_who_is_ahead_does_not_walk_into_a_repetition() {
    let game = game("damma8");
    let mut state = state(&game, "7B/8/8/8/3W4/4W3/8/8 w");
    let baseline = AlphaBeta::new(Level::Depth(4));
    let favourite = baseline.analyse(&game, &state).action;
    let text = game.action_text(state.position(), favourite);
    let (from, to) = text.split_once('-').unwrap();
    for action in [text.as_str(), "h8-g7", &format!("{to}-{from}"), "g7-h8"] {
        let action = game.parse_action(state.position(), action).unwrap();
        state.play(&game, action);
    }

    let analysis = baseline.analyse(&game, &state);

    assert_ne!(analysis.action, favourite);
    assert!(analysis.score_for(Side::White) > 100);
}

#[test]
fn a_batch_is_played_as_its_games_are_alone_and_on_any_number_of_threads() {
    for preset in ["damma8", "kharberg", "zamma"] {
        let game = game(preset);
        let states: Vec<State> = (0..12).filter_map(|stream| random_state(&game, 10, stream)).collect();
        let batch: Vec<&State> = states.iter().collect();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| AlphaBeta::new(Level::Depth(2)).choose(&game, &batch, &mut []))
        };

        let together = on(1);

        assert_eq!(together, on(2));
        let mut player = AlphaBeta::new(Level::Depth(2));
        let alone: Vec<Action> = batch.iter().map(|state| player.choose(&game, &[*state], &mut [])[0]).collect();
        assert_eq!(together, alone);
    }
}

#[test]
fn a_search_by_nodes_stops_near_them_and_always_answers() {
    let game = game("zamma");
    let state = random_state(&game, 8, 3).unwrap();
    for nodes in [1, 2_000] {
        let analysis = AlphaBeta::new(Level::Nodes(nodes)).analyse(&game, &state);
        assert!(state.position().is_legal(&game, analysis.action));
        assert!(analysis.depth == 1 || analysis.nodes <= nodes);
    }
}

/// Plays a short match; gives the first player's share of the points.
fn score(preset: &str, a: u8, b: Option<u8>, openings: usize) -> f64 {
    let game = game(preset);
    let config = OpeningConfig { level: Level::Depth(1), ..OpeningConfig::default() };
    let book = draw_openings(&game, openings, 1, &config).unwrap();
    let mut a = AlphaBeta::new(Level::Depth(a));
    let mut b: Box<dyn Player> = match b {
        Some(depth) => Box::new(AlphaBeta::new(Level::Depth(depth))),
        None => Box::new(RandomPlayer::new()),
    };
    play_match(&game, &mut a, &mut *b, &book.openings, 1, &mut |_| ()).unwrap().tally().score()
}

#[test]
fn thinking_deeper_wins() {
    assert!(score("damma8", 3, Some(1), 10) > 0.75);
}

#[test]
fn the_baseline_beats_random_play_with_and_without_huffs() {
    for preset in ["kharberg", "zamma", "damma8"] {
        assert!(score(preset, 1, None, 4) > 0.95, "{preset}");
    }
}
