//! How a run begins: anew, or from its newest checkpoint; and what it leaves on disk.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use damma_env::{Encoder, EndgameTables, Game, Ruleset, Symmetry};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Run, TrainError};
use crate::checkpoint::{self, Checkpoint, CheckpointError, RunState};
use crate::config::{ConfigError, Repeated, SamplesConfig, TrainConfig};
use crate::learner::Learner;
use crate::monitor::{Event, Monitor};
use crate::network::{Device, Network};
use crate::record::GameRecord;
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
        let rules = |source| ConfigError::Rules { place: "config".to_owned(), source };
        let game = Game::new(config.selfplay_ruleset().map_err(rules)?).map_err(rules)?;
        Ok(Self { encoder: checkpoint::encoder(&config.network, &game), symmetries: Symmetry::all(&game), game })
    }

    /// Makes an empty window of games.
    fn replay(&self, config: &TrainConfig) -> Replay {
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
        let run = match newest {
            Some((_, path)) => Self::resume(config, board, &device, monitor, lock, &path)?,
            None => Self::start(config, board, &device, monitor, lock)?,
        };
        Ok(Self { tables, ..run })
    }

    fn start(
        config: TrainConfig,
        board: Board,
        device: &Device,
        monitor: &'m dyn Monitor,
        lock: File,
    ) -> Result<Self, TrainError> {
        // The first checkpoint comes before the first games, so somebody has removed it.
        if fs::read_dir(config.output.join("games")).is_ok_and(|mut games| games.next().is_some()) {
            return Err(CheckpointError::Orphans { path: config.output.clone() }.into());
        }
        let shape = checkpoint::shape(&config.network, &board.game);
        let network = Network::new(&config.network, shape, config.seed)?.on(device);
        let learner = Learner::new(&config.learner, &network)?;
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
            ruleset: config.ruleset().map_err(|source| ConfigError::Rules { place: "config".to_owned(), source })?,
            actions: shape.actions,
            observation: [shape.planes, shape.size, shape.size],
            unlearnt: 0,
            lockstep: 0,
            oldest_game: None,
            segments: Vec::new(),
            files: Vec::new(),
            config: config.clone(),
        };
        monitor.event(&Event::Started { iteration: 0, parameters: network.parameters(), resumed: false, device });
        let replay = board.replay(&config);
        let mut run = Self {
            config,
            board,
            learner,
            replay,
            state,
            monitor,
            tables: None,
            before: 0.0,
            cpu_before: 0.0,
            began: Instant::now(),
            saved: None,
            learning: learning_thread()?,
            _lock: lock,
        };
        run.calibrate();
        // A first checkpoint shows at once whether the folder can be written.
        run.save()?;
        Ok(run)
    }

    fn resume(
        config: TrainConfig,
        board: Board,
        device: &Device,
        monitor: &'m dyn Monitor,
        lock: File,
        path: &Path,
    ) -> Result<Self, TrainError> {
        let checkpoint = Checkpoint::read(path)?;
        let state = checkpoint.state.clone();
        let other = |what, found: String, wanted: String| {
            Err(TrainError::OtherRun { path: config.output.clone(), what, found, wanted })
        };
        if let Some(reason) = state.mismatch(&board.game) {
            return Err(CheckpointError::Mismatch { path: path.to_owned(), reason }.into());
        }
        if state.config.network != config.network {
            return other("network", format!("{:?}", state.config.network), format!("{:?}", config.network));
        }
        if state.config.learner.optimiser != config.learner.optimiser {
            let name = |config: &TrainConfig| format!("{:?}", config.learner.optimiser).to_lowercase();
            return other("optimiser", name(&state.config), name(&config));
        }
        if state.seed != config.seed {
            return other("seed", state.seed.to_string(), config.seed.to_string());
        }
        let rules = |source| ConfigError::Rules { place: "config".to_owned(), source };
        let (played, wanted) =
            (state.config.selfplay_ruleset().map_err(rules)?, config.selfplay_ruleset().map_err(rules)?);
        if played != wanted {
            // The games in the window were played to the old limits and are replayed to be learnt from.
            let limits = |rules: &Ruleset| {
                format!(
                    "no_progress_limit {}, repetition_limit {}, lone_kings_draw {}, max_turns {}",
                    rules.no_progress_limit, rules.repetition_limit, rules.lone_kings_draw, rules.max_turns
                )
            };
            return other("draw limit in self-play", limits(&played), limits(&wanted));
        }
        let learner = Learner::from_files(&config.learner, checkpoint.files())
            .map_err(|source| CheckpointError::Network { path: path.to_owned(), source })?
            .on(device);
        let mut games: Vec<GameRecord> = Vec::new();
        for segment in &state.segments {
            games.extend(checkpoint::read_games(&config.output, &segment.file)?);
        }
        games.retain(|game| state.oldest_game.is_some_and(|oldest| game.number >= oldest));
        let replay = board.replay(&config).restored(games, state.positions);
        let parameters = learner.play_network().parameters();
        monitor.event(&Event::Started { iteration: state.iteration, parameters, resumed: true, device });
        let (before, cpu_before) = (state.elapsed_seconds, state.cpu_seconds);
        let (saved, began) = (Some(path.to_owned()), Instant::now());
        let mut run = Self {
            config,
            board,
            learner,
            replay,
            state,
            monitor,
            tables: None,
            before,
            cpu_before,
            began,
            saved,
            learning: learning_thread()?,
            _lock: lock,
        };
        run.calibrate();
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
