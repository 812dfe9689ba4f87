//! What a session begins with: a new network and no games, or what the newest checkpoint holds.

use std::fs;
use std::path::{Path, PathBuf};

use damma_env::Ruleset;

use super::TrainError;
use super::setup::Board;
use crate::checkpoint::{self, Checkpoint, CheckpointError, RunState};
use crate::config::{ConfigError, TrainConfig};
use crate::learner::Learner;
use crate::network::Network;
use crate::record::GameRecord;
use crate::replay::Replay;

/// Everything of a run that changes while it goes on.
pub(super) struct Begin {
    pub(super) learner: Learner,
    pub(super) replay: Replay,
    pub(super) state: RunState,
    /// The checkpoint that all of it is in already.
    pub(super) saved: Option<PathBuf>,
}

impl Begin {
    /// Begins a run.
    pub(super) fn new(config: &TrainConfig, board: &Board) -> Result<Self, TrainError> {
        // The first checkpoint comes before the first games, so somebody has removed it.
        if fs::read_dir(config.output.join("games")).is_ok_and(|mut games| games.next().is_some()) {
            return Err(CheckpointError::Orphans { path: config.output.clone() }.into());
        }
        let shape = checkpoint::shape(&config.network, &board.game);
        let network = Network::new(&config.network, shape, config.seed)?;
        let state = RunState {
            format: checkpoint::FORMAT,
            program: checkpoint::PROGRAM.to_owned(),
            iteration: 0,
            games: 0,
            reanalysed: 0,
            positions: 0,
            steps: 0,
            elapsed_seconds: 0.0,
            cpu_seconds: 0.0,
            seed: config.seed,
            ruleset: config.ruleset().map_err(ConfigError::rules)?,
            actions: shape.actions,
            observation: [shape.planes, shape.size, shape.size],
            unlearnt: 0,
            lockstep: 0,
            oldest_game: None,
            segments: Vec::new(),
            files: Vec::new(),
            config: config.clone(),
        };
        Ok(Self { learner: Learner::new(&config.learner, &network)?, replay: board.replay(config), state, saved: None })
    }

    /// Takes a run up from a checkpoint.
    pub(super) fn resumed(config: &TrainConfig, board: &Board, path: PathBuf) -> Result<Self, TrainError> {
        let checkpoint = Checkpoint::read(&path)?;
        let state = checkpoint.state.clone();
        if let Some(reason) = state.mismatch(&board.game) {
            return Err(CheckpointError::Mismatch { path, reason }.into());
        }
        expect_same(config, &state)?;
        let learner = Learner::from_files(&config.learner, checkpoint.files())
            .map_err(|source| CheckpointError::Network { path: path.clone(), source })?;
        let replay = board.replay(config).restored(games(&config.output, &state)?, state.positions);
        Ok(Self { learner, replay, state, saved: Some(path) })
    }
}

/// Reads the games of the window.
fn games(output: &Path, state: &RunState) -> Result<Vec<GameRecord>, CheckpointError> {
    let mut games: Vec<GameRecord> = Vec::new();
    for segment in &state.segments {
        games.extend(checkpoint::read_games(output, &segment.file)?);
    }
    games.retain(|game| state.oldest_game.is_some_and(|oldest| game.number >= oldest));
    Ok(games)
}

/// Checks that a config goes on with what a run was: other settings may change.
fn expect_same(config: &TrainConfig, state: &RunState) -> Result<(), TrainError> {
    let other = |what, found: String, wanted: String| {
        Err(TrainError::OtherRun { path: config.output.clone(), what, found, wanted })
    };
    let before = &state.config;
    if before.network != config.network {
        return other("network", format!("{:?}", before.network), format!("{:?}", config.network));
    }
    if before.learner.optimiser != config.learner.optimiser {
        let name = |config: &TrainConfig| format!("{:?}", config.learner.optimiser).to_lowercase();
        return other("optimiser", name(before), name(config));
    }
    if state.seed != config.seed {
        return other("seed", state.seed.to_string(), config.seed.to_string());
    }
    let (played, wanted) = (
        before.selfplay_ruleset().map_err(ConfigError::rules)?,
        config.selfplay_ruleset().map_err(ConfigError::rules)?,
    );
    if played != wanted {
        // The games in the window were played to the old limits and are replayed to be learnt from.
        return other("draw limit in self-play", limits(&played), limits(&wanted));
    }
    Ok(())
}

fn limits(rules: &Ruleset) -> String {
    format!(
        "no_progress_limit {}, repetition_limit {}, lone_kings_draw {}, max_turns {}",
        rules.no_progress_limit, rules.repetition_limit, rules.lone_kings_draw, rules.max_turns
    )
}
