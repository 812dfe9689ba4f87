use std::sync::Arc;

use damma_env::{Outcome, Ruleset, Side, State, WinCause};

use super::*;
use crate::replay::ReplayConfig;
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
struct Given<'a> {
    seed: u64,
    window: Option<&'a Replay>,
    progress: f64,
    resign_below: Option<f32>,
}

const NOTHING: Given = Given { seed: 3, window: None, progress: 0.0, resign_below: None };

fn played(game: &Game, config: &SelfPlayConfig, given: &Given) -> Vec<GameRecord> {
    SelfPlay {
        game,
        encoder: &Encoder::flat(game),
        search: &SearchConfig::default(),
        config,
        seed: given.seed,
        evaluator: &Gloomy,
        tables: None,
        window: given.window.unwrap_or(&Replay::new(ReplayConfig::default(), 0.0, None)),
        progress: given.progress,
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

/// Gives a window of games.
fn window(games: Vec<GameRecord>) -> Replay {
    let mut window = Replay::new(ReplayConfig { positions: 100_000, ..ReplayConfig::default() }, 0.0, None);
    window.add(games);
    window
}

/// Counts the actions at the start that two games have in common.
fn common(one: &GameRecord, other: &GameRecord) -> usize {
    one.actions.iter().zip(&other.actions).take_while(|(one, other)| one == other).count()
}

#[test]
fn games_go_on_from_earlier_ones_and_leave_them() {
    let game = kharberg();
    let window = window(played(&game, &config(), &NOTHING));
    let config = SelfPlayConfig { earlier_share: 1.0, ..config() };
    let games = played(&game, &config, &Given { window: Some(&window), seed: 4, ..NOTHING });
    let mut depths = Vec::new();
    for record in &games {
        assert_eq!(replayed(&game, record).outcome(), Some(record.outcome));
        let most = window.newest_first().map(|earlier| common(earlier, record)).max().expect("earlier games");
        assert!(most + 1 >= record.random_actions as usize, "all but the last of its first actions are another's");
        assert!(record.decisions.iter().all(|decision| decision.ply >= record.random_actions));
        depths.push(record.random_actions);
    }
    depths.sort_unstable();
    assert!(depths[0] < 15 && depths[games.len() - 1] > 25, "{depths:?}");
}

#[test]
fn games_start_near_the_end_of_won_games_and_farther_from_it_as_the_run_goes_on() {
    let game = kharberg();
    let mut earlier = played(&game, &config(), &NOTHING);
    // Whoever knows nothing seldom wins.
    let won = Outcome::Win { winner: Side::White, cause: WinCause::NoPieces };
    for record in &mut earlier {
        record.outcome = won;
    }
    let window = window(earlier);
    let config = SelfPlayConfig { endgame_share: 1.0, endgame_until: 0.5, ..config() };
    let mut left = Vec::new();
    for progress in [0.0, 0.25, 0.5] {
        let games = played(&game, &config, &Given { window: Some(&window), progress, ..NOTHING });
        let mut own = 0;
        for record in &games {
            assert_eq!(replayed(&game, record).outcome(), Some(record.outcome));
            own += record.actions.len() - record.random_actions as usize;
        }
        left.push(own / games.len());
    }
    assert!(left[0] < left[1] && left[1] < left[2], "{left:?} actions of their own on average");
}

#[test]
fn without_earlier_games_every_game_starts_at_the_start() {
    let game = kharberg();
    let config = SelfPlayConfig { earlier_share: 0.5, endgame_share: 0.5, random_opening_share: 0.0, ..config() };
    assert!(played(&game, &config, &NOTHING).iter().all(|record| record.random_actions == 0));
}

#[test]
fn an_earlier_game_searched_anew_keeps_its_course_and_gets_new_decisions() {
    let game = kharberg();
    let encoder = Encoder::flat(&game);
    let search = SearchConfig { forced_playouts: 2.0, ..SearchConfig::default() };
    let config = config();
    let earlier = played(&game, &config, &NOTHING);
    let anew = |evaluator: &dyn Evaluator, shards| {
        let config = SelfPlayConfig { shards, ..config.clone() };
        let none = Replay::new(ReplayConfig::default(), 0.0, None);
        let selfplay = SelfPlay {
            game: &game,
            encoder: &encoder,
            search: &search,
            config: &config,
            seed: 3,
            evaluator,
            tables: None,
            window: &none,
            progress: 0.0,
            resign_below: None,
            stop: &|| false,
            finished: &|_| panic!("nothing is played"),
        };
        let again = selfplay.reanalyse(&earlier.iter().collect::<Vec<_>>(), 100);
        assert!(again.complete && again.work.simulations > 0);
        again.games
    };
    let (one, four) = (anew(&Gloomy, 1), anew(&Gloomy, 4));
    assert_eq!(one, four, "searches do not depend on each other");
    let mut changed = 0;
    for (number, (old, new)) in earlier.iter().zip(&one).enumerate() {
        assert_eq!(new.number, 100 + number as u64);
        assert_eq!((&old.actions, old.outcome, old.turns), (&new.actions, new.outcome, new.turns));
        assert!(new.notes.reanalysed);
        assert!(old.decisions.iter().map(|decision| decision.ply).eq(new.decisions.iter().map(|new| new.ply)));
        for decision in &new.decisions {
            let visits: u32 = decision.visits.iter().map(|&(_, visits)| u32::from(visits)).sum();
            assert!(visits > 0 && visits <= 16 + 12, "{visits} of 16 simulations");
        }
        changed += old.decisions.iter().zip(&new.decisions).filter(|(old, new)| old != new).count();
    }
    assert!(changed > 20, "{changed} decisions are another without noise");
}
