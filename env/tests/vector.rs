//! A batch plays as single games do, bit for bit.

use std::sync::Arc;

use damma_env::{
    Action, Cause, Encoder, Ending, Game, Observations, PRESETS, Ruleset, State, VectorEnv, VectorOptions,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn preset(name: &str) -> Arc<Game> {
    Game::new(Ruleset::preset(name).expect("a preset")).expect("a game")
}

/// Draws rulesets until so many make sense.
fn random_rulesets(count: usize, rng: &mut Pcg64) -> Vec<Ruleset> {
    let mut rulesets = Vec::new();
    while rulesets.len() < count {
        let size = rng.random_range(4..=10);
        let pick = |values: &[&str], rng: &mut Pcg64| values[rng.random_range(0..values.len())].to_owned();
        let options = [
            format!("size={size}"),
            format!("home_rows={}", rng.random_range(1..=(size - 1) / 2)),
            format!("middle={}", pick(&["right", "left"], rng)),
            format!("lines={}", pick(&["full", "alquerque", "diagonal"], rng)),
            format!("man_steps={}", pick(&["forward", "all"], rng)),
            format!("man_captures={}", pick(&["all", "forward", "forward_off_diagonal"], rng)),
            format!("king={}", pick(&["flying", "flying", "short", "none"], rng)),
            format!("king_landing={}", pick(&["any", "next"], rng)),
            format!("capture={}", pick(&["forced", "huff"], rng)),
            format!("chain={}", pick(&["mandatory", "none"], rng)),
            format!("priority={}", pick(&["free", "maximum"], rng)),
            format!("removal={}", pick(&["hop", "turn_end"], rng)),
            format!("promotion={}", pick(&["turn_end", "immediate"], rng)),
            format!("first={}", pick(&["white", "black"], rng)),
            format!("no_progress_limit={}", pick(&["0", "12", "40", "200"], rng)),
            format!("repetition_limit={}", pick(&["0", "2", "3", "4"], rng)),
            format!("lone_kings_draw={}", pick(&["true", "false"], rng)),
            format!("max_turns={}", pick(&["0", "60", "150"], rng)),
        ];
        let base = Ruleset::preset("damma").expect("a preset");
        let Ok(ruleset) = base.with_overrides(options.iter().map(String::as_str)) else { continue };
        if ruleset.no_progress_limit > 0 || ruleset.max_turns > 0 {
            rulesets.push(ruleset);
        }
    }
    rulesets
}

/// One board of the batch, played singly.
struct Single {
    state: State,
    length: u32,
}

/// Steps a batch and as many single games with the same actions and compares all they say.
fn play_in_lockstep(game: &Arc<Game>, boards: usize, steps: usize, threads: usize) {
    let options = VectorOptions {
        seed: 7,
        dense_masks: true,
        observations: Observations::Planes,
        threads,
        ..VectorOptions::default()
    };
    let encoder = Encoder::new(game);
    let mut batch = VectorEnv::new(game.clone(), boards, options).expect("a batch");
    let mut singles: Vec<Single> = (0..boards).map(|_| Single { state: State::new(game), length: 0 }).collect();
    let mut actions = vec![0; boards];
    let mut legal = Vec::new();
    for step in 0..steps {
        let lists = batch.legal_lists().clone();
        for (board, single) in singles.iter().enumerate() {
            let position = single.state.position();
            let described = || format!("{:?} {}", game.ruleset(), game.position_text(position));
            position.legal_actions_into(game, &mut legal);
            let listed = &lists.indices[lists.indptr[board] as usize..lists.indptr[board + 1] as usize];
            assert!(listed.iter().copied().eq(legal.iter().map(|action| action.0)), "{}", described());
            let dense = batch.dense_masks().expect("kept");
            assert!(
                dense
                    .row(board)
                    .iter()
                    .enumerate()
                    .all(|(action, &bit)| (bit == 1) == listed.contains(&(action as u16)))
            );
            assert_eq!(batch.position(board).expect("a board"), *position, "{}", described());
            assert_eq!(batch.current_players()[board], position.side().index() as u8);
            let observation = encoder.observation(game, &single.state);
            let planes = batch.observations().expect("written");
            assert_eq!(planes.index_axis(ndarray::Axis(0), board), observation, "{}", described());
            if (step + board) % 16 == 0 {
                let state = batch.state(board).expect("a board");
                assert_eq!((state.turns(), state.outcome()), (single.state.turns(), None));
                if game.ruleset().repetition_limit > 0 {
                    assert_eq!(state.repetitions(), single.state.repetitions(), "{}", described());
                }
            }
        }
        batch.sample_legal(&mut actions).expect("room");
        batch.step(&actions).expect("legal actions");
        let mut ended = 0;
        for (board, single) in singles.iter_mut().enumerate() {
            let before = *single.state.position();
            single.state.play(game, Action(actions[board]));
            single.length += 1;
            let outcome = single.state.outcome();
            let described = || format!("{:?} {} {outcome:?}", game.ruleset(), game.position_text(&before));
            let ending = outcome.map(Ending::from);
            let cause = ending.map_or(Cause::None, |ending| ending.cause);
            assert_eq!(batch.causes()[board], cause as u8, "{}", described());
            assert_eq!(batch.truncated()[board] == 1, cause == Cause::Truncated);
            assert_eq!(batch.terminated()[board] == 1, cause != Cause::None && cause != Cause::Truncated);
            let winner = outcome.and_then(damma_env::Outcome::winner).map(|side| side.index());
            for side in 0..2 {
                let reward = winner.map_or(0.0, |winner| if winner == side { 1.0 } else { -1.0 });
                assert!((batch.rewards()[[board, side]] - reward).abs() < f32::EPSILON, "{}", described());
            }
            if let Some(ending) = ending {
                let last = &batch.finals().games()[ended];
                let observation = batch.finals().observations();
                assert_eq!(observation.index_axis(ndarray::Axis(0), ended), encoder.observation(game, &single.state));
                assert_eq!((last.board, last.ending), (board, ending), "{}", described());
                assert_eq!(
                    (last.length, last.turns, last.position.side()),
                    (single.length, single.state.turns(), single.state.position().side())
                );
                ended += 1;
                *single = Single { state: State::new(game), length: 0 };
            }
        }
        assert_eq!(batch.finals().games().len(), ended);
    }
}

#[test]
fn every_preset_steps_in_a_batch_as_singly() {
    for preset_of in PRESETS {
        play_in_lockstep(&preset(preset_of.name), 21, 700, 1);
    }
    let free = Ruleset::preset("srand").expect("a preset").with_overrides(["priority=free"]).expect("a ruleset");
    play_in_lockstep(&Game::new(free).expect("a game"), 40, 700, 2);
}

#[test]
fn random_rulesets_step_in_a_batch_as_singly() {
    let mut rng = Pcg64::seed_from_u64(11);
    for ruleset in random_rulesets(60, &mut rng) {
        play_in_lockstep(&Game::new(ruleset).expect("a game"), 9, 400, 1);
    }
}
