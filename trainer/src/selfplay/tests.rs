use std::sync::Arc;

use damma_env::{Outcome, Ruleset, State};

use super::*;
use crate::search::{Evaluations, Leaves};

/// Knows nothing: all actions alike, and who decides always somewhat behind.
struct Gloomy;

impl Evaluator for Gloomy {
    fn evaluate(&self, leaves: &Leaves) -> Evaluations {
        let wdl = [0.3, 0.2, 0.5].repeat(leaves.len());
        Evaluations { logits: vec![0.0; leaves.action_count()], wdl }
    }
}

fn kharberg() -> Arc<Game> {
    let rules = Ruleset::preset("kharberg").expect("a preset").with_overrides(["no_progress_limit=20"]);
    Game::new(rules.expect("rules")).expect("a game")
}

fn config() -> SelfPlayConfig {
    SelfPlayConfig {
        games: 24,
        shards: 2,
        lockstep: 6,
        simulations: 16,
        fast_simulations: 8,
        ..SelfPlayConfig::default()
    }
}

/// What games are played with besides their settings.
struct Given {
    seed: u64,
    resign_below: Option<f32>,
}

const NOTHING: Given = Given { seed: 3, resign_below: None };

fn played(game: &Game, config: &SelfPlayConfig, given: &Given) -> Vec<GameRecord> {
    SelfPlay {
        game,
        encoder: &Encoder::flat(game),
        search: &SearchConfig::default(),
        config,
        seed: given.seed,
        evaluator: &Gloomy,
        resign_below: given.resign_below,
        stop: &|| false,
        finished: &|_| (),
    }
    .play(0..config.games as u64)
    .games
}

/// Plays a record's actions, and gives the state that they lead to.
fn replayed(game: &Game, record: &GameRecord) -> State {
    let mut state = State::new(game);
    for action in record.actions() {
        assert!(state.position().legal_actions(game).contains(&action), "game {}", record.number);
        state.play(game, action);
    }
    state
}

#[test]
fn a_resigned_game_ends_early_for_the_other_side_and_one_played_through_does_not() {
    let game = kharberg();
    let config = SelfPlayConfig { resign_errors: 0.1, resign_playthrough: 0.4, ..config() };
    let games = played(&game, &config, &Given { resign_below: Some(0.5), ..NOTHING });
    let resigned = games.iter().filter(|record| record.notes.resigned).count();
    let through = games.iter().filter(|record| record.notes.lowest.is_some()).count();
    assert!(resigned > 4 && through > 4, "{resigned} resigned, {through} played through");
    for record in games {
        let state = replayed(&game, &record);
        if record.notes.resigned {
            assert_eq!((state.outcome(), record.cause()), (None, "resigned"));
            assert_eq!(record.outcome.winner(), Some(state.position().side().opponent()));
            assert_eq!(record.notes.lowest, None);
            assert!(record.to_pdn(&game, 1).to_string().contains("[Termination \"resigned\"]"));
        } else {
            assert_eq!(state.outcome(), Some(record.outcome));
        }
    }
}

#[test]
fn nobody_resigns_without_a_threshold_and_games_are_then_what_they_always_were() {
    let game = kharberg();
    let plain = played(&game, &config(), &NOTHING);
    let learning = SelfPlayConfig { resign_errors: 0.1, ..config() };
    let shown = played(&game, &learning, &NOTHING);
    assert!(shown.iter().all(|record| record.notes.lowest.is_some()), "every game shows what resigning would cost");
    for (plain, shown) in plain.iter().zip(&shown) {
        assert_eq!(plain.notes, crate::record::Notes::default());
        assert_eq!((&plain.actions, &plain.decisions), (&shown.actions, &shown.decisions));
        assert_ne!(plain.outcome, Outcome::Truncated);
    }
}
