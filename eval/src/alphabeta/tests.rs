//! The baseline as a whole: against plain alpha-beta, in positions with one right answer, in matches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use damma_env::{Capture, Outcome, PRESETS, Ruleset, Side};
use rand::RngExt as _;

use super::evaluation::Evaluation;
use super::ordering::{Kind, kind};
use super::quiescence::MAX_TAKEN;
use super::search::{Search, WIN, WON, Workspace};
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

/// Analyses without reductions, which plain alpha-beta does not know.
fn exact(game: &Game, state: &State, depth: u8) -> i32 {
    let evaluation = Evaluation::new(game, &Weights::frozen(game));
    let mut workspace = Workspace::new();
    let mut search = Search::new(game, state, &evaluation, None, &mut workspace);
    search.reduces = false;
    search.analyse(Level::Depth(depth), None).score
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
            let captures = position.can_capture(self.game);
            let huffs = !position.at_fault().is_empty();
            let forced = captures && self.game.ruleset().capture == Capture::Forced;
            let takes = |action: Action| matches!(kind(self.game, position, action), Kind::Takes { .. });
            let promotes = |action: Action| kind(self.game, position, action) == Kind::Step { promotes: true };
            actions.retain(|action| if captures || huffs { takes(*action) } else { promotes(*action) });
            if spot.taken >= MAX_TAKEN || !forced {
                best = self.evaluation.evaluate(self.game, position, self.evaluation.placement(position));
                if spot.taken >= MAX_TAKEN {
                    return best;
                }
                best -= if captures { self.evaluation.fault() } else { 0 };
            }
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
        let plain = Plain { game: &game, evaluation: Evaluation::new(&game, &Weights::frozen(&game)) };
        for stream in 0..8 {
            let Some(state) = random_state(&game, 3 + 2 * stream as u32, stream) else { continue };
            let expected = plain.root(&state, depth);
            let position = game.position_text(state.position());
            assert_eq!(exact(&game, &state, depth as u8), expected, "{preset} {position}");
        }
    }
}

#[test]
fn what_pieces_are_worth_is_carried_along_without_a_mistake() {
    for preset in PRESETS {
        let game = game(preset.name);
        let evaluation = Evaluation::new(&game, &Weights::frozen(&game));
        for stream in 0..4 {
            let mut rng = Pcg64::new(5, stream);
            let mut state = State::new(&game);
            let mut carried = evaluation.placement(state.position());
            while state.outcome().is_none() {
                let before = *state.position();
                let actions = before.legal_actions(&game);
                let action = actions[rng.random_range(0..actions.len())];
                state.play(&game, action);
                carried += evaluation.gain(&game, &before, action, state.position());
                if state.position().side() != before.side() {
                    carried = -carried;
                }
                let position = game.position_text(state.position());
                assert_eq!(carried, evaluation.placement(state.position()), "{} {position}", preset.name);
            }
        }
    }
}

#[test]
fn a_promotion_beyond_the_last_turn_is_seen() {
    let game = game("damma8");
    let worth = |board: &str| analyse(&game, &state(&game, board), 1).1;
    // Black has one free move; then a white man is promoted, or is one step further away from it.
    let near = worth("8/2w5/8/8/7b/8/8/8 b");
    let far = worth("8/8/1w6/8/7b/8/8/8 b");
    let king = Weights::frozen(&game).king;
    assert!(far - near > (king - 100) * 3 / 4, "{near} {far}");
}

#[test]
fn a_win_that_is_seen_is_won_in_so_many_turns() {
    let (mut seen, game) = (0, game("khreibga"));
    let player = AlphaBeta::new(Level::Depth(6));
    for stream in 0..120 {
        let Some(mut state) = random_state(&game, 16 + stream as u32 % 8, stream) else { continue };
        let analysis = player.analyse(&game, &state);
        if analysis.score < WON {
            continue;
        }
        seen += 1;
        let last = state.turns() + (WIN - analysis.score) as u32;
        while state.outcome().is_none() {
            state.play(&game, player.analyse(&game, &state).action);
        }
        assert_eq!(state.outcome().and_then(Outcome::winner), Some(analysis.side), "stream {stream}");
        assert!(state.turns() <= last, "stream {stream}: {} turns instead of {last}", state.turns());
    }
    assert!(seen > 0);
}

#[test]
fn a_game_about_to_be_drawn_is_worth_nothing() {
    let game = game("damma8");
    let state = state(&game, "7B/8/8/8/3W4/4W3/8/8 w - - - 79");
    assert_eq!(analyse(&game, &state, 4).1, 0);
}

#[test]
fn the_play_is_that_of_this_version() {
    // Another number here is another player: give it another name in `VERSION`, and fit again.
    let expected: [(&str, u64); 7] = [
        ("damma", 1_502_743),
        ("dhamet", 94_749),
        ("zamma", 464_382),
        ("srand", 146_525),
        ("kharberg", 41_499),
        ("khreibga", 77_122),
        ("damma8", 56_122),
    ];
    let found = PRESETS.iter().map(|preset| (preset.name, signature(&game(preset.name)).nodes));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn a_search_by_time_always_answers() {
    let game = game("zamma");
    let state = random_state(&game, 8, 3).unwrap();
    let analysis = AlphaBeta::new(Level::Time(1)).analyse(&game, &state);
    assert!(state.position().is_legal(&game, analysis.action) && analysis.depth >= 1);
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

#[test]
fn a_search_that_is_told_to_stop_searches_one_turn_and_answers() {
    let game = game("zamma");
    let state = random_state(&game, 8, 3).unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    let analysis = AlphaBeta::new(Level::Nodes(u64::MAX)).stopped_by(stop).analyse(&game, &state);
    assert!(state.position().is_legal(&game, analysis.action));
    assert!(analysis.depth <= 2 && analysis.nodes < 100_000, "{analysis:?}");
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

#[test]
fn tables_show_a_win_far_beyond_the_depth() {
    let game = game("damma8");
    let mut tables = EndgameTables::new(game.ruleset());
    for class in tables.classes(3) {
        tables.solve(class, |_| ());
    }
    let state = State::from_position(&game, game.parse_position("8/8/8/4B3/8/2W5/8/W7 w").unwrap());
    let plain = AlphaBeta::new(Level::Depth(2));

    let advised = AlphaBeta::new(Level::Depth(2)).with_tables(Arc::new(tables));

    assert_eq!(plain.analyse(&game, &state).winner(), None);
    assert_eq!(advised.analyse(&game, &state).winner(), Some(Side::White));
    assert_eq!(advised.name(), "ab-2+tables");
}
