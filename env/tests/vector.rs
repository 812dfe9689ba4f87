//! A batch plays as single games do, bit for bit.

use std::sync::Arc;

use damma_env::{
    Action, AutoReset, Cause, Encoder, Ending, Game, IllegalPolicy, Observations, PRESETS, Position, Ruleset, Starts,
    State, VectorEnv, VectorError, VectorOptions,
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
            let winner = outcome.and_then(damma_env::Outcome::winner).map(damma_env::Side::index);
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

fn batch(game: &Arc<Game>, boards: usize, options: VectorOptions) -> VectorEnv {
    VectorEnv::new(game.clone(), boards, options).expect("a batch")
}

/// Steps a batch with legal actions from its own streams.
fn play_on(batch: &mut VectorEnv, steps: usize) {
    let mut actions = vec![0; batch.len()];
    for _ in 0..steps {
        batch.sample_legal(&mut actions).expect("room");
        batch.step(&actions).expect("legal actions");
    }
}

fn texts(batch: &VectorEnv) -> Vec<String> {
    (0..batch.len()).map(|board| batch.game().position_text(&batch.position(board).expect("a board"))).collect()
}

#[test]
fn a_saved_batch_goes_on_as_the_one_it_was_taken_from() {
    for name in ["zamma", "khreibga", "damma8"] {
        let game = preset(name);
        let options = VectorOptions {
            dense_masks: true,
            observations: Observations::Bytes,
            auto_reset: AutoReset::NextStep,
            ..VectorOptions::default()
        };
        let mut first = batch(&game, 19, options.clone());
        play_on(&mut first, 150);
        let saved = first.save();
        let mut second = batch(&game, 19, VectorOptions { seed: 5, ..options });
        second.restore(&saved).expect("our own bytes");
        assert_eq!(second.save(), saved);
        let mut copy = first.clone();
        for each in [&mut first, &mut second, &mut copy] {
            play_on(each, 300);
        }
        assert!(first.save() == second.save() && first.save() == copy.save());
        assert_eq!(first.packed_masks(), second.packed_masks());
        assert_eq!(first.dense_masks(), second.dense_masks());
        assert_eq!(first.byte_observations(), second.byte_observations());
        assert_eq!(first.terminated(), second.terminated());
    }
}

#[test]
fn damaged_bytes_are_refused_and_change_nothing() {
    let game = preset("damma");
    let mut boards = batch(&game, 5, VectorOptions::default());
    play_on(&mut boards, 40);
    let saved = boards.save();
    let other = batch(&preset("zamma"), 5, VectorOptions::default()).save();
    let fewer = batch(&game, 4, VectorOptions::default()).save();
    let mut longer = saved.clone();
    longer.push(0);
    for bytes in [&saved[..saved.len() - 1], &saved[..20], &[], &other, &fewer, &longer] {
        assert!(matches!(boards.restore(bytes), Err(VectorError::Snapshot(_))));
    }
    let mut rng = Pcg64::seed_from_u64(3);
    for _ in 0..300 {
        let mut bytes = saved.clone();
        let at = rng.random_range(32..bytes.len());
        bytes[at] ^= 1 << rng.random_range(0..8);
        assert!(boards.restore(&bytes).is_err(), "byte {at}");
    }
    boards.restore(&saved).expect("our own bytes");
    assert_eq!(boards.save(), saved);
}

#[test]
fn results_do_not_depend_on_threads() {
    let game = preset("zamma");
    let all: Vec<Vec<u8>> = [1, 2, 3, 0]
        .into_iter()
        .map(|threads| {
            let mut boards = batch(&game, 1100, VectorOptions { threads, ..VectorOptions::default() });
            play_on(&mut boards, 400);
            boards.save()
        })
        .collect();
    assert!(all.iter().all(|bytes| *bytes == all[0]));
}

#[test]
fn an_illegal_action_names_board_and_action_and_changes_nothing() {
    let game = preset("srand");
    let mut boards = batch(&game, 20, VectorOptions::default());
    play_on(&mut boards, 30);
    let mut actions = vec![0; 20];
    boards.sample_legal(&mut actions).expect("room");
    let saved = boards.save();
    for wrong in [u16::MAX, u16::MAX - 1, 1711, 1712, 64 * 27] {
        let mut actions = actions.clone();
        actions[17] = wrong;
        let error = boards.step(&actions).expect_err("not legal");
        assert!(matches!(&error, VectorError::Illegal { board: 17, action, .. } if action.0 == wrong), "{error}");
        assert!(boards.save() == saved);
    }
    assert!(boards.step(&actions[1..]).is_err());
    assert!(boards.step_boards(&[3, 3], &actions[..2]).is_err());
    assert!(boards.step_boards(&[20], &actions[..1]).is_err());
    assert!(boards.save() == saved);
}

#[test]
fn illegal_actions_can_be_drawn_anew_or_lose() {
    let game = preset("kharberg");
    let policy = |illegal| VectorOptions { illegal, auto_reset: AutoReset::Off, ..VectorOptions::default() };
    let mut lenient = batch(&game, 9, policy(IllegalPolicy::Resample));
    lenient.step(&[u16::MAX; 9]).expect("drawn anew");
    assert!((0..9).all(|board| lenient.episode_length(board) == Ok(1)));
    let mut strict = batch(&game, 9, policy(IllegalPolicy::Lose));
    strict.step(&[u16::MAX; 9]).expect("counted as a loss");
    assert!(strict.causes().iter().all(|&cause| cause == Cause::Illegal as u8));
    assert!(strict.rewards().rows().into_iter().all(|row| row[0] < 0.0 && row[1] > 0.0), "White had to move");
    assert!(strict.packed_masks().iter().all(|&word| word == 0));
    assert_eq!(strict.statistics().wins, [0, 9]);
}

#[test]
fn resets_are_those_of_gymnasium() {
    let game = preset("khreibga");
    for auto_reset in [AutoReset::Off, AutoReset::SameStep, AutoReset::NextStep] {
        let mut boards = batch(&game, 1, VectorOptions { auto_reset, ..VectorOptions::default() });
        let start = texts(&boards);
        while boards.finals().games().is_empty() {
            play_on(&mut boards, 1);
        }
        assert_eq!(boards.terminated()[0], 1);
        let last = game.position_text(&boards.finals().games()[0].position);
        match auto_reset {
            AutoReset::SameStep => assert_eq!(texts(&boards), start),
            AutoReset::Off | AutoReset::NextStep => assert_eq!(texts(&boards), [last]),
        }
        if auto_reset != AutoReset::SameStep {
            assert!(boards.packed_masks().iter().all(|&word| word == 0));
            boards.step(&[VectorEnv::NO_ACTION]).expect("not read");
            assert!(boards.rewards().iter().all(|reward| reward.abs() < f32::EPSILON));
            assert_eq!(boards.terminated()[0] == 1, auto_reset == AutoReset::Off);
            assert_eq!(texts(&boards) == start, auto_reset == AutoReset::NextStep);
        }
    }
}

#[test]
fn a_subset_is_stepped_and_reset_alone() {
    let game = preset("damma8");
    let mut boards = batch(&game, 30, VectorOptions::default());
    play_on(&mut boards, 7);
    let before = texts(&boards);
    let mut actions = vec![0; 30];
    boards.sample_legal(&mut actions).expect("room");
    boards.step_boards(&[4, 29], &[actions[4], actions[29]]).expect("legal actions");
    let after = texts(&boards);
    for board in 0..30 {
        assert_eq!(before[board] != after[board], board == 4 || board == 29, "board {board}");
    }
    boards.reset_boards(&[4, 5], Some(&[77, 77])).expect("boards");
    let (start, now) = (game.position_text(&game.start()), texts(&boards));
    assert_eq!((&now[4], &now[5], &now[29]), (&start, &start, &after[29]));
    // A stream follows from its seed alone.
    let mut alone = batch(&game, 1, VectorOptions::default());
    alone.reset_boards(&[0], Some(&[77])).expect("a board");
    boards.sample_legal(&mut actions).expect("room");
    let mut drawn = [0];
    alone.sample_legal(&mut drawn).expect("room");
    assert_eq!((actions[4], actions[5]), (drawn[0], drawn[0]));
}

#[test]
fn boards_stepped_by_halves_play_as_those_stepped_at_once() {
    for preset_of in PRESETS {
        let mut whole = batch(&preset(preset_of.name), 16, VectorOptions::default());
        let mut halves = whole.clone();
        let mut actions = [0; 16];
        for step in 0..3000 {
            whole.sample_legal(&mut actions).expect("room");
            halves.sample_legal(&mut actions).expect("room");
            whole.step(&actions).expect("legal actions");
            for half in 0..2 {
                let boards: Vec<usize> = (0..16).filter(|board| (board + step) % 2 == half).collect();
                let chosen: Vec<u16> = boards.iter().map(|&board| actions[board]).collect();
                halves.step_boards(&boards, &chosen).expect("legal actions");
            }
            assert!(whole.save() == halves.save(), "{} at step {step}", preset_of.name);
        }
    }
}

#[test]
fn games_that_end_together_are_listed_by_board() {
    let options = VectorOptions { illegal: IllegalPolicy::Lose, ..VectorOptions::default() };
    let mut boards = batch(&preset("khreibga"), 64, options);
    let mut actions = [0; 64];
    for step in 0..600 {
        boards.sample_legal(&mut actions).expect("room");
        actions[step % 64] = VectorEnv::NO_ACTION;
        boards.step(&actions).expect("a loss, no error");
        assert!(boards.finals().games().is_sorted_by_key(|last| last.board));
    }
}

#[test]
fn games_start_where_they_are_told_to() {
    let game = preset("zamma");
    let given: Arc<[Position]> = (1..4)
        .map(|turns| {
            let mut position = game.start();
            for _ in 0..turns {
                position = position.play(&game, position.legal_actions(&game)[0]);
            }
            position
        })
        .collect();
    let starts = Starts::Positions(given.clone());
    let boards = batch(&game, 40, VectorOptions { starts, ..VectorOptions::default() });
    let wanted: Vec<String> = given.iter().map(|position| game.position_text(position)).collect();
    assert!(texts(&boards).iter().all(|text| wanted.contains(text)));
    assert!(wanted.iter().all(|text| texts(&boards).contains(text)));

    for range in [0..=12, 1000..=1000] {
        let lone = Ruleset::preset("khreibga")
            .expect("a preset")
            .with_overrides(["king=short", "size=4", "home_rows=1", "lone_kings_draw=true"])
            .expect("a ruleset");
        let lone = Game::new(lone).expect("a game");
        let boards = batch(&lone, 200, VectorOptions { starts: Starts::Random(range), ..VectorOptions::default() });
        assert!((0..200).all(|board| boards.state(board).expect("a board").outcome().is_none()));
    }
    let refused =
        |starts| VectorEnv::new(game.clone(), 2, VectorOptions { starts, ..VectorOptions::default() }).is_err();
    assert!(refused(Starts::Random(1..=5000)) && refused(Starts::Positions(Arc::new([]))));
    assert!(VectorEnv::new(game.clone(), 0, VectorOptions::default()).is_err());
}

#[test]
fn a_board_is_small() {
    for preset_of in PRESETS {
        let boards = batch(&preset(preset_of.name), 1, VectorOptions::default());
        assert!(boards.bytes_per_board() < 600, "{} {}", preset_of.name, boards.bytes_per_board());
    }
}
