//! What a config will ask of the machine, before anything is trained.

use damma_env::{Action, Game, State};
use rand::RngExt;
use serde::Serialize;

use crate::checkpoint::shape;
use crate::config::{ConfigError, Repeated, TrainConfig};
use crate::learner::Optimiser;
use crate::network::{Network, NetworkError};
use crate::record::Decision;
use crate::replay::Index;
use crate::rng::{Purpose, stream};
use crate::search::Tree;

/// Random games from which the number of legal actions is estimated.
const RANDOM_GAMES: u64 = 20;
/// Decisions of a random game at most; the rules of a config may let games go on for long.
const LONGEST: usize = 1000;

/// The size of a run's network and of what it keeps in memory.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Forecast {
    /// Numbers that training adjusts.
    pub parameters: usize,
    /// Bytes of the network that plays, as its file holds it.
    pub network_bytes: u64,
    /// Bytes of the weights in training, the optimiser's averages and the average that plays.
    pub learner_bytes: u64,
    /// Bytes of a checkpoint on disk: the learner's weights and averages, and the network that plays.
    pub checkpoint_bytes: u64,
    /// Legal actions of an average decision of random games, those without a choice left out.
    pub actions: f64,
    /// Games that go on at once.
    pub games_at_once: u64,
    /// Bytes of their search trees and of the batches of the network, at most.
    pub search_bytes: u64,
    /// Bytes of the replay window when it is first full.
    pub replay_bytes: u64,
    /// Bytes of the replay window at most.
    pub replay_limit_bytes: u64,
}

impl Forecast {
    /// Makes the forecast of a config.
    ///
    /// # Errors
    /// The config is wrong.
    pub fn of(config: &TrainConfig) -> Result<Self, ConfigError> {
        config.check()?;
        let game = Game::new(config.selfplay_ruleset().map_err(ConfigError::rules)?).map_err(ConfigError::rules)?;
        let shape = shape(&config.network, &game);
        let network = Network::new(&config.network, shape, config.seed).map_err(|error| match error {
            NetworkError::Setting(source) => ConfigError::Setting { place: "config".to_owned(), source },
            other => unreachable!("a new network has all its weights: {other}"),
        })?;
        let parameters = network.parameters();
        let network_bytes = 4 * parameters as u64;
        let actions = average_actions(&game, config.seed);
        let games_at_once = games_at_once(config);
        let batch_bytes = 4 * (shape.inputs() + shape.actions + 3) as u64;
        let replay_limit = config.replay.mebibytes << 20;
        Ok(Self {
            parameters,
            network_bytes,
            // The weights, and the average of them that plays if there is one.
            learner_bytes: network_bytes * (1 + kept_by_optimiser(config) + u64::from(config.learner.ema > 0.0)),
            checkpoint_bytes: network_bytes * (2 + kept_by_optimiser(config)),
            actions,
            games_at_once,
            search_bytes: games_at_once * (tree_bytes(config, actions) + batch_bytes),
            replay_bytes: (config.replay.positions * position_bytes(config, actions)).min(replay_limit),
            replay_limit_bytes: replay_limit,
        })
    }
}

/// Counts the averages that the optimiser keeps, each of the network's size.
const fn kept_by_optimiser(config: &TrainConfig) -> u64 {
    match config.learner.optimiser {
        Optimiser::AdamW => 2,
        Optimiser::Sgd => 1,
    }
}

/// Counts the games whose trees are there at once if there are threads for all shards.
fn games_at_once(config: &TrainConfig) -> u64 {
    let selfplay = &config.selfplay;
    let shards = selfplay.shards.min(selfplay.games);
    let of_shard = selfplay.games.div_ceil(shards).min(selfplay.most_at_once());
    (shards * of_shard) as u64
}

/// Gives the bytes of a tree after a full search.
fn tree_bytes(config: &TrainConfig, actions: f64) -> u64 {
    let nodes = u64::from(config.selfplay.simulations.max(config.selfplay.fast_simulations)) + 1;
    let tree = Tree::bytes(nodes, (nodes as f64 * actions) as u64);
    // What the game took is copied to another tree.
    if config.search.reuse_tree { 2 * tree } else { tree }
}

/// Gives the bytes that a position to learn from takes in the window, with its share of the actions
/// of the game.
fn position_bytes(config: &TrainConfig, actions: f64) -> u64 {
    let tried = (actions as u64).min(u64::from(config.selfplay.simulations)).max(1);
    let played = (2.0 / f64::from(config.selfplay.full_share)) as u64;
    let index = if config.samples.repeated == Repeated::Average { Index::BYTES as u64 } else { 0 };
    size_of::<Decision>() as u64 + 4 * tried.next_power_of_two().max(4) + played + index
}

/// Averages the legal actions over the choices of random games.
fn average_actions(game: &Game, seed: u64) -> f64 {
    let (mut choices, mut sum) = (0_u64, 0_u64);
    let mut legal: Vec<Action> = Vec::new();
    for number in 0..RANDOM_GAMES {
        let mut rng = stream(seed, Purpose::Game, number);
        let mut state = State::new(game);
        for _ in 0..LONGEST {
            if state.outcome().is_some() {
                break;
            }
            state.position().legal_actions_into(game, &mut legal);
            if legal.len() > 1 {
                choices += 1;
                sum += legal.len() as u64;
            }
            state.play(game, legal[rng.random_range(0..legal.len())]);
        }
    }
    sum as f64 / choices.max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::checkpoint::encoder;
    use crate::config::Override;
    use crate::record::GameRecord;
    use crate::replay::{Replay, ReplayConfig};
    use crate::selfplay::SelfPlay;

    fn forecast(sets: &[&str]) -> Forecast {
        let text = "output = \"a\"\nrun.minutes = 1\nrules.preset = \"damma8\"\n";
        let sets: Vec<Override> = sets.iter().map(|set| Override::parse(set).expect("an override")).collect();
        let config = TrainConfig::parse(Path::new("a.toml"), text, &sets).expect("a config");
        Forecast::of(&config).expect("a forecast")
    }

    #[test]
    fn the_forecast_follows_the_settings() {
        let small = forecast(&[]);
        assert_eq!(small.games_at_once, 256);
        assert!((5.0..12.0).contains(&small.actions), "{small:?}");
        let deep = forecast(&["selfplay.simulations=960"]);
        assert!(deep.search_bytes > 5 * small.search_bytes, "{small:?} {deep:?}");
        let few = forecast(&["selfplay.games=10"]);
        assert_eq!(few.games_at_once, 12, "10 games in 4 shards: 3 at once in the largest");
        let measured = forecast(&["selfplay.lockstep=0", "selfplay.games=10000"]);
        assert_eq!(measured.games_at_once, 4 * 1024, "the most that measuring may choose");
        let capped = forecast(&["replay.positions=1000000000", "replay.mebibytes=100"]);
        assert_eq!(capped.replay_bytes, 100 << 20);
        let plain = forecast(&["learner.ema=0"]);
        assert_eq!(plain.learner_bytes, 3 * plain.network_bytes);
        assert_eq!(plain.checkpoint_bytes, 4 * plain.network_bytes);
        let average = forecast(&["samples.repeated=average"]);
        assert_eq!(average.replay_bytes - small.replay_bytes, 20_000 * Index::BYTES as u64);
        let sgd = forecast(&["learner.optimiser=sgd"]);
        assert_eq!(sgd.learner_bytes, 3 * sgd.network_bytes);
    }

    #[test]
    fn positions_in_the_window_take_the_memory_that_was_forecast() {
        let text = "output = \"a\"\nrun.minutes = 1\nrules.preset = \"kharberg\"\nnetwork = {kind = \"mlp\", hidden = 8}\n\
                    selfplay = {games = 16, lockstep = 4}\n";
        let config = TrainConfig::parse(Path::new("a.toml"), text, &[]).expect("a config");
        let game = Game::new(config.selfplay_ruleset().expect("rules")).expect("a game");
        let network = Network::new(&config.network, shape(&config.network, &game), 1).expect("a network");
        let games = SelfPlay {
            game: &game,
            encoder: &encoder(&config.network, &game),
            search: &config.search,
            config: &config.selfplay,
            seed: 1,
            evaluator: &network,
            tables: None,
            window: &Replay::new(ReplayConfig::default(), 0.0, None),
            progress: 0.0,
            resign_below: None,
            stop: &|| false,
            finished: &|_| (),
        }
        .play(0..16)
        .games;
        let positions: usize = games.iter().map(|game| game.decisions.len()).sum();
        let found = games.iter().map(GameRecord::bytes).sum::<usize>() as f64 / positions as f64;
        let forecast = position_bytes(&config, average_actions(&game, 1)) as f64;
        assert!((0.6..1.6).contains(&(forecast / found)), "{forecast} forecast, {found} found");
    }
}
