//! How a session of a run is opened, and what it leaves on disk.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use damma_env::{Encoder, EndgameTables, Game, Symmetry};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::begin::Begin;
use super::{Run, TrainError};
use crate::checkpoint::{self, CheckpointError, RunState};
use crate::config::{ConfigError, Repeated, SamplesConfig, TrainConfig};
use crate::monitor::{Event, Monitor};
use crate::network::Device;
use crate::replay::{Index, Replay};
use crate::sample::Sampler;

/// The game of a run and what follows from it.
pub(super) struct Board {
    pub(super) game: Arc<Game>,
    pub(super) encoder: Encoder,
    pub(super) symmetries: Vec<Symmetry>,
}

impl Board {
    fn new(config: &TrainConfig) -> Result<Self, ConfigError> {
        let game = Game::new(config.selfplay_ruleset().map_err(ConfigError::rules)?).map_err(ConfigError::rules)?;
        Ok(Self { encoder: checkpoint::encoder(&config.network, &game), symmetries: Symmetry::all(&game), game })
    }

    /// Makes an empty window of games.
    pub(super) fn replay(&self, config: &TrainConfig) -> Replay {
        let index = || Index::new(self.game.clone(), self.encoder.clone());
        let index = (config.samples.repeated == Repeated::Average).then(index);
        Replay::new(config.replay.clone(), config.samples.surprise, index)
    }

    pub(super) fn sampler(&self, samples: &SamplesConfig) -> Sampler<'_> {
        Sampler {
            game: &self.game,
            encoder: &self.encoder,
            symmetries: &self.symmetries,
            outcome_share: samples.outcome_share,
        }
    }
}

impl<'m> Run<'m> {
    /// Starts a run, or takes it up from the newest checkpoint in its output folder.
    ///
    /// `tables` are those that `search.tables` names: files of tables are the affair of others.
    ///
    /// # Errors
    /// The config is wrong, the tables are not those that it names, its device is not there, the folder cannot
    /// be written, or what it holds is damaged or another run.
    pub fn open(
        config: TrainConfig,
        tables: Option<Arc<EndgameTables>>,
        monitor: &'m dyn Monitor,
    ) -> Result<Self, TrainError> {
        config.check()?;
        let board = Board::new(&config)?;
        check_tables(&config, &board.game, tables.as_deref())?;
        let device = Device::open(config.run.device)?;
        let lock = lock(&config.output)?;
        sweep(&config.output)?;
        let newest = checkpoint::list(&config.output)?.pop();
        let begin = match newest {
            Some((_, path)) => Begin::resumed(&config, &board, path)?,
            None => Begin::new(&config, &board)?,
        };
        let learner = begin.learner.on(&device);
        monitor.event(&Event::Started {
            iteration: begin.state.iteration,
            parameters: learner.play_network().parameters(),
            resumed: begin.saved.is_some(),
            device: &device,
        });
        let mut run = Self {
            config,
            board,
            learner,
            replay: begin.replay,
            monitor,
            tables,
            before: begin.state.elapsed_seconds,
            cpu_before: begin.state.cpu_seconds,
            state: begin.state,
            began: Instant::now(),
            saved: begin.saved,
            learning: learning_thread()?,
            _lock: lock,
        };
        run.calibrate();
        // A new run's first checkpoint shows at once whether the folder can be written.
        run.save()?;
        Ok(run)
    }

    /// Gives the state as a checkpoint records it, without the games that the window has left behind.
    pub(super) fn record_state(&mut self) -> RunState {
        self.state.oldest_game = self.replay.oldest();
        if let Some(oldest) = self.state.oldest_game {
            self.state.segments.retain(|segment| segment.end > oldest);
        }
        self.state.config = self.config.clone();
        checkpoint::PROGRAM.clone_into(&mut self.state.program);
        self.state.elapsed_seconds = self.elapsed();
        self.state.cpu_seconds = self.cpu_seconds();
        self.state.clone()
    }

    /// Removes checkpoints that are not to be kept, and games that none of the newest needs.
    pub(super) fn forget(&self) -> Result<(), TrainError> {
        let run = &self.config.run;
        let output = &self.config.output;
        let mut list = checkpoint::list(output)?;
        let newest = list.split_off(list.len().saturating_sub(run.keep_last));
        for (iteration, path) in list {
            if run.keep_every == 0 || !iteration.is_multiple_of(run.keep_every) {
                checkpoint::discard(&path)?;
            }
        }
        let needed = newest.iter().filter_map(|(_, path)| checkpoint::read_state(path).ok());
        let first = needed.filter_map(|state| state.segments.first().map(|segment| segment.file.name.clone())).min();
        remove_files(&output.join("games"), |name| {
            is_kind(name, "games") && first.as_ref().is_some_and(|first| name < first.as_str())
        })
    }
}

/// Checks that tables are there exactly where the config names some, and that they are of the game.
fn check_tables(config: &TrainConfig, game: &Game, tables: Option<&EndgameTables>) -> Result<(), TrainError> {
    let wanted = &config.search.tables;
    let found = match tables {
        None if wanted.is_empty() => return Ok(()),
        None => "not there",
        Some(_) if wanted.is_empty() => "there",
        Some(tables) if *tables.game().ruleset() != EndgameTables::timeless(game.ruleset()) => "of other rules",
        Some(_) => return Ok(()),
    };
    Err(TrainError::Tables { found, wanted: wanted.clone() })
}

fn learning_thread() -> Result<ThreadPool, TrainError> {
    let pool = ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "learning".to_owned());
    Ok(pool.build()?)
}

/// Makes sure that no other process trains in the folder; the lock ends with the process.
fn lock(output: &Path) -> Result<File, CheckpointError> {
    fs::create_dir_all(output).map_err(checkpoint::io_error(output))?;
    let path = output.join("lock");
    let file = File::create(&path).map_err(checkpoint::io_error(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse { path: output.to_owned() }),
        Err(TryLockError::Error(source)) => Err(checkpoint::io_error(&path)(source)),
    }
}

/// Removes what a killed session left half-written.
fn sweep(output: &Path) -> Result<(), TrainError> {
    remove_files(&output.join("games"), |name| is_kind(name, "tmp"))?;
    let Ok(entries) = fs::read_dir(output.join("checkpoints")) else { return Ok(()) };
    for entry in entries.flatten() {
        if is_kind(&entry.file_name().to_string_lossy(), "tmp") {
            checkpoint::remove(&entry.path())?;
        }
    }
    Ok(())
}

fn is_kind(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

fn remove_files(folder: &Path, unwanted: impl Fn(&str) -> bool) -> Result<(), TrainError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten().filter(|entry| unwanted(&entry.file_name().to_string_lossy())) {
        let path = entry.path();
        fs::remove_file(&path).map_err(checkpoint::io_error(&path))?;
    }
    Ok(())
}
