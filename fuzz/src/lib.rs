//! What the fuzz targets share: the games, and what must hold in a position that was accepted.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use damma_env::{Action, AutoReset, Encoder, Game, PRESETS, Position, Ruleset, State, VectorEnv, VectorOptions};

/// The game of every preset, and of some rulesets that differ from all of them.
pub static GAMES: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| {
    let presets = PRESETS.iter().map(|preset| (preset.name, None));
    let more = [("damma8", Some("capture=huff")), ("zamma", Some("king=short")), ("damma", Some("size=10"))];
    presets
        .chain(more)
        .map(|(preset, option)| {
            let ruleset = Ruleset::preset(preset).expect("a preset").with_overrides(option).expect("a ruleset");
            Game::new(ruleset).expect("a game")
        })
        .collect()
});

thread_local! {
    static BATCHES: RefCell<Vec<VectorEnv>> = RefCell::new(GAMES.iter().map(batch).collect());
}

fn batch(game: &Arc<Game>) -> VectorEnv {
    let options = VectorOptions { auto_reset: AutoReset::Off, threads: 1, ..VectorOptions::default() };
    VectorEnv::new(game.clone(), 1, options).expect("a batch")
}

/// Checks a position of the game numbered `index` of [`GAMES`], and plays on from it.
pub fn check_and_play(index: usize, position: Position, seed: &[u8]) {
    BATCHES.with_borrow_mut(|batches| play(&GAMES[index], &mut batches[index], position, seed));
}

/// Checks the start of any game, and plays on from it.
pub fn check_game(game: &Arc<Game>, seed: &[u8]) {
    play(game, &mut batch(game), game.start(), seed);
}

/// Plays up to 60 actions that `seed` picks, singly and in a batch of one board, and checks each state.
fn play(game: &Arc<Game>, batch: &mut VectorEnv, position: Position, seed: &[u8]) {
    let encoder = Encoder::new(game);
    let mut state = State::from_position(game, position);
    let placed = batch.set_positions(&[0], &[position]);
    assert_eq!(placed.is_err(), state.outcome().is_some(), "a game that is over starts on no board");
    let mut draw =
        seed.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME));
    for _ in 0..60 {
        check(game, state.position());
        let observation = encoder.observation(game, &state);
        assert!(observation.iter().all(|number| (0.0..=1.0).contains(number)) || unusual_counters(game, &state));
        if state.outcome().is_some() {
            break;
        }
        let legal = state.position().legal_actions(game);
        assert!(!legal.is_empty(), "a running game goes on");
        assert_eq!(*legal, listed(batch), "the batch and the position list the same");
        draw = draw.wrapping_mul(PRIME).rotate_left(29);
        let action = legal[(draw >> 33) as usize % legal.len()];
        state.try_play(game, action).expect("a listed action is legal");
        batch.step(&[action.0]).expect("a listed action is legal");
        assert_eq!(batch.causes()[0] != 0, state.outcome().is_some());
    }
}

/// The prime of the FNV-1a hash.
const PRIME: u64 = 0x0100_0000_01b3;

fn listed(batch: &mut VectorEnv) -> Vec<Action> {
    batch.legal_lists().indices.iter().map(|&action| Action(action)).collect()
}

/// Says whether a position came with more quiet turns than draw a game.
fn unusual_counters(game: &Game, state: &State) -> bool {
    let limit = game.ruleset().no_progress_limit;
    limit > 0 && state.position().quiet_turns() >= limit
}

/// Checks what holds in every position, and that its text is read back as the same.
fn check(game: &Game, position: &Position) {
    let (own, enemy, kings) = (position.own(), position.enemy(), position.kings());
    assert!((own & enemy).is_empty() && (own | enemy).without(game.squares()).is_empty());
    assert!(kings.without(own | enemy).is_empty());
    assert!((position.at_fault() | position.waiting()).without(enemy).is_empty());
    assert!(position.chain().is_none_or(|square| own.contains(square)));
    let text = game.position_text(position);
    let read = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((game.position_text(&read), read.key()), (text, position.key()));
}
