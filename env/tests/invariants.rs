//! What always holds, on random games of every preset.

use std::collections::HashSet;
use std::sync::Arc;

use damma_env::{
    Action, ActionKind, AutoReset, DrawCause, Encoder, Game, Outcome, PRESETS, Plane, Position, Ruleset, State,
    Symmetry, VectorEnv, VectorOptions,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn games() -> Vec<Arc<Game>> {
    let more = [
        ("damma", "size=10"),
        ("zamma", "lines=diagonal"),
        ("damma8", "capture=huff"),
        ("khreibga", "king=short"),
        ("srand", "lines=full"),
    ];
    let presets = PRESETS.iter().map(|preset| (preset.name, None));
    let more = more.into_iter().map(|(preset, option)| (preset, Some(option)));
    presets
        .chain(more)
        .map(|(preset, option)| {
            let ruleset = Ruleset::preset(preset).expect("a preset").with_overrides(option).expect("a ruleset");
            Game::new(ruleset).expect("a game")
        })
        .collect()
}

/// Visits every state of some random games.
fn visit(game: &Game, mut look: impl FnMut(&State)) {
    let mut rng = Pcg64::seed_from_u64(5);
    for _ in 0..6 {
        let mut state = State::new(game);
        look(&state);
        while state.outcome().is_none() {
            let legal = state.position().legal_actions(game);
            state.play(game, legal[rng.random_range(0..legal.len())]);
            look(&state);
        }
    }
}

#[test]
fn action_numbers_and_their_meanings_are_one_to_one() {
    for game in games() {
        let mut meanings = HashSet::new();
        for number in 0..game.action_count() {
            let action = Action(u16::try_from(number).expect("few actions"));
            let kind = game.action_kind(action).expect("every number means something");
            let back = match kind {
                ActionKind::Move { from, to, .. } => game.move_between(from, to),
                ActionKind::Huff { victim } => game.huff_of(victim),
                ActionKind::Stop => game.stop(),
            };
            assert_eq!(back, Some(action));
            assert!(meanings.insert(kind), "{kind:?} has two numbers");
        }
        let past = Action(u16::try_from(game.action_count()).expect("few actions"));
        assert_eq!(game.action_kind(past), None);
    }
}

#[test]
fn action_counts_are_those_of_the_geometry() {
    let count = |preset: &str| Game::new(Ruleset::preset(preset).expect("a preset")).expect("a game").action_count();
    // 9x9 alquerque: 1,712 moves; with huffs 81 more, and the stop.
    assert_eq!([count("srand"), count("zamma"), count("khreibga"), count("damma8")], [1712, 1794, 264, 170]);
}

#[test]
fn positions_and_their_keys_survive_being_written_and_read() {
    for game in games() {
        visit(&game, |state| {
            let position = state.position();
            let read = game.parse_position(&game.position_text(position)).expect("our own text");
            assert_eq!(read.key(), position.key());
            assert_eq!(read.setup(&game), position.setup(&game));
        });
    }
}

#[test]
fn the_mask_the_list_and_the_check_say_the_same() {
    for game in games() {
        visit(&game, |state| {
            let position = state.position();
            let listed = position.legal_actions(&game);
            let masked: Vec<Action> = game
                .action_mask(position)
                .iter()
                .enumerate()
                .filter(|(_, legal)| **legal)
                .map(|(number, _)| Action(u16::try_from(number).expect("few actions")))
                .collect();
            assert_eq!(listed, masked);
            assert_eq!(position.has_action(&game), !listed.is_empty());
            assert!(listed.iter().all(|action| position.is_legal(&game, *action)));
        });
    }
}

#[test]
fn going_back_restores_a_state() {
    for game in games() {
        let mut state = State::new(&game);
        let before = (*state.position(), state.turns(), state.repetitions());
        let mark = state.mark();
        for _ in 0..20 {
            if state.outcome().is_none() {
                let legal = state.position().legal_actions(&game);
                state.play(&game, legal[0]);
            }
        }
        state.rewind(&mark);
        assert_eq!((*state.position(), state.turns(), state.repetitions()), before);
    }
}

#[test]
fn symmetries_are_those_that_the_lines_allow() {
    let count = |preset: &str, option: Option<&str>| {
        let ruleset = Ruleset::preset(preset).expect("a preset").with_overrides(option).expect("a ruleset");
        Symmetry::all(&Game::new(ruleset).expect("a game")).len()
    };
    assert_eq!(count("zamma", None), 2);
    assert_eq!(count("damma8", None), 1);
    // Kharberg knows no forward: all eight turns and mirrors of the square.
    assert_eq!(count("kharberg", None), 8);
    assert_eq!(count("khreibga", None), 2);
    // On an even alquerque board mirroring moves the diagonals.
    assert_eq!(count("khreibga", Some("size=6")), 1);
}

#[test]
fn flat_observations_are_the_planes_without_what_repeats() {
    for game in games() {
        let (planes, flat) = (Encoder::new(&game), Encoder::flat(&game));
        visit(&game, |state| {
            let image = planes.observation(&game, state);
            let list = flat.observation(&game, state);
            let mut rest = list.iter();
            for (index, plane) in planes.planes().iter().enumerate() {
                let points: Vec<(u8, u8)> = match plane {
                    Plane::NoProgress | Plane::Repetition | Plane::Turns => vec![(0, 0)],
                    _ => game.squares().into_iter().map(|square| game.coordinates(square)).collect(),
                };
                for (file, rank) in points {
                    assert_eq!(rest.next(), Some(&image[[index, rank as usize, file as usize]]));
                }
            }
            assert_eq!(rest.next(), None);
        });
    }
}

#[test]
fn an_observation_shows_what_the_board_does_not() {
    let game = Game::new(Ruleset::preset("zamma").expect("a preset")).expect("a game");
    let encoder = Encoder::new(&game);
    let plane = |position: Position, wanted: Plane| {
        let index = encoder.planes().iter().position(|plane| *plane == wanted).expect("the game has it");
        let image = encoder.observation(&game, &State::from_position(&game, position));
        image.index_axis_move(ndarray::Axis(0), index)
    };
    // Black, who decides, sees the board turned: d3 is f7.
    let chain = "bbbbbbbbb/bbb2bbbb/bb1bb2bb/bb1b1b2b/1bbb2www/w4ww1w/w1bwb1www/ww1wwwwww/wwwwwwwww w d3 - c3 0";
    let position = game.parse_position(chain).expect("a position");
    let at = |file: usize, rank: usize| [rank, file];
    let is = |found: f32, expected: f32| (found - expected).abs() < 1e-6;
    assert!(is(plane(position, Plane::Chain)[at(3, 2)], 1.0));
    assert!(is(plane(position, Plane::Waiting)[at(2, 2)], 1.0));
    assert!(is(plane(position, Plane::NoProgress)[at(0, 0)], 0.0), "the turn has made progress");
    let stopped = position.play(&game, game.stop().expect("zamma has a stop"));
    assert!(is(plane(stopped, Plane::AtFault)[at(5, 6)], 1.0));
    assert!(is(plane(stopped, Plane::NoProgress)[at(0, 0)], 0.01));
}

#[test]
fn the_position_that_a_huff_leaves_counts_when_it_comes_back() {
    let overrides = "size=7 home_rows=3 man_steps=all man_captures=forward no_progress_limit=0 repetition_limit=2";
    let ruleset = Ruleset::preset("zamma").unwrap().with_overrides(overrides.split(' ')).unwrap();
    let game = Game::new(ruleset).unwrap();
    let text = "bbbbbbb/bbbbbbb/1b1bbbb/1wwwbb1/bwbwwww/www1bww/wwwwwww w - e4 - 4";
    let start = game.parse_position(text).unwrap();
    let mut state = State::from_position(&game, start);
    let mut batch =
        VectorEnv::new(game.clone(), 1, VectorOptions { auto_reset: AutoReset::Off, ..VectorOptions::default() })
            .unwrap();
    batch.set_positions(&[0], &[start]).unwrap();

    for action in ["~e4", "b4-c5", "e2-d2", "c5-b4", "d2-e2"] {
        assert_eq!(state.outcome(), None);
        let action = game.parse_action(state.position(), action).unwrap();
        batch.step(&[action.0]).unwrap();
        state.play(&game, action);
    }

    assert_eq!(state.outcome(), Some(Outcome::Draw(DrawCause::Repetition)));
    assert_eq!(batch.state(0).unwrap().outcome(), state.outcome());
}
