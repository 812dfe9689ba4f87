//! A training run: play, learn, save, report; taken up again where it was left.

mod begin;
mod calibration;
mod lesson;
mod play;
mod setup;

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use damma_env::EndgameTables;
use rayon::ThreadPool;
use thiserror::Error;

use crate::checkpoint::{self, CheckpointError, RunState, Segment};
use crate::config::{ConfigError, RunConfig, TrainConfig};
use crate::files::write_beside;
use crate::learner::Learner;
use crate::monitor::{Event, IterationReport, Monitor, SelfPlayStats};
use crate::network::{DeviceError, NetworkError};
use crate::record::GameRecord;
use crate::replay::Replay;
use crate::selfplay::resign_errors;
use lesson::{Learnt, Lesson};
use play::Fresh;
use setup::Board;

/// Why a run cannot start or go on.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The config is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// What is to compute the network is not there.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A checkpoint cannot be written or used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The run in the output folder has another seed, game, network or optimiser.
    #[error(
        "{path} holds a run with another {what} ({found}, and the config has {wanted}); choose another output folder or restore the config"
    )]
    OtherRun {
        /// The output folder.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What the run has.
        found: String,
        /// What the config asks for.
        wanted: String,
    },
    /// The endgame tables are not those that the config names.
    #[error(
        "the endgame tables are {found}, and the config has search.tables = \"{wanted}\": load the tables of that folder"
    )]
    Tables {
        /// What was handed over.
        found: &'static str,
        /// The folder that the config names.
        wanted: String,
    },
    /// The system gives no thread.
    #[error("cannot start a thread to learn in; end other programs, then start the same command again")]
    Thread(#[from] rayon::ThreadPoolBuildError),
    /// Learning failed.
    #[error(transparent)]
    Learning(#[from] NetworkError),
}

/// What a session of training came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Iterations done, earlier sessions included.
    pub iteration: u64,
    /// The newest checkpoint.
    pub checkpoint: PathBuf,
    /// Whether the run has reached its end; otherwise the monitor stopped it.
    pub complete: bool,
}

/// A training run in hand.
pub struct Run<'m> {
    config: TrainConfig,
    board: Board,
    learner: Learner,
    replay: Replay,
    state: RunState,
    monitor: &'m dyn Monitor,
    /// The tables that `search.tables` names.
    tables: Option<Arc<EndgameTables>>,
    /// Seconds and CPU seconds of earlier sessions, and when this one began.
    before: f64,
    cpu_before: f64,
    began: Instant,
    saved: Option<PathBuf>,
    /// The thread that learns while others play.
    learning: ThreadPool,
    /// Keeps other processes out of the folder.
    _lock: File,
}

impl Run<'_> {
    /// Trains until the run's end or until the monitor stops it.
    ///
    /// # Errors
    /// A file cannot be written, or the loss is no longer finite; the last checkpoint stands.
    pub fn train(mut self) -> Result<Summary, TrainError> {
        let mut complete = self.complete();
        while !complete && !self.monitor.should_stop() {
            if !self.iterate()? {
                break;
            }
            complete = self.complete();
            if complete {
                self.learn_rest()?;
            }
            if self.state.iteration.is_multiple_of(self.config.run.checkpoint_every) {
                self.save()?;
            }
        }
        let checkpoint = self.save()?;
        Ok(Summary { iteration: self.state.iteration, checkpoint, complete })
    }

    fn complete(&self) -> bool {
        self.progress() >= 1.0
    }

    fn progress(&self) -> f64 {
        let run = &self.config.run;
        let share = |done: f64, of: f64| if of > 0.0 { done / of } else { 0.0 };
        share(self.state.iteration as f64, run.iterations as f64)
            .max(share(self.elapsed(), run.minutes * 60.0))
            .max(share(self.cpu_seconds(), run.cpu_minutes * 60.0))
            .min(1.0)
    }

    fn elapsed(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    fn cpu_seconds(&self) -> f64 {
        self.cpu_before + self.monitor.cpu_seconds()
    }

    /// Makes one iteration; `false` if it was stopped, and then nothing has changed.
    fn iterate(&mut self) -> Result<bool, TrainError> {
        let iteration = self.state.iteration + 1;
        let began = Instant::now();
        let mut learner = self.learner.clone();
        let (Fresh { played, reanalysed, resign_below }, early) = self.play_and_learn(iteration, &mut learner);
        if !played.complete {
            return Ok(false);
        }
        let selfplay_seconds = began.elapsed().as_secs_f64();
        let early = early.transpose()?;
        let selfplay = SelfPlayStats::of(&played.games);
        let again = reanalysed.iter().map(|game| game.decisions.len()).sum();
        let new = (selfplay.positions + again) as u64;
        let resign_errors = resign_below.map_or(0.0, |threshold| resign_errors(&played.games, threshold));
        self.keep(iteration, played.games, reanalysed)?;
        let learnt = match early {
            Some(early) => {
                self.state.unlearnt = if early.steps > 0 { new } else { self.state.unlearnt + new };
                early
            }
            None => self.learn_after(iteration, new, &mut learner)?,
        };
        self.learner = learner;
        self.state.iteration = iteration;
        self.state.positions = self.replay.total();
        self.state.steps = self.learner.steps();
        self.saved = None;
        let report = IterationReport {
            selfplay,
            work: played.work,
            resign_threshold: resign_below,
            resign_errors,
            reanalysed: again,
            losses: learnt.losses,
            learning_rate: learnt.learning_rate,
            selfplay_seconds,
            learning_seconds: learnt.seconds,
            ..self.report()
        };
        self.monitor.event(&Event::Iteration(&report));
        Ok(true)
    }

    /// Writes the games of an iteration, with those searched anew behind them, and puts them into the window.
    fn keep(&mut self, iteration: u64, played: Vec<GameRecord>, again: Vec<GameRecord>) -> Result<(), TrainError> {
        let (count, count_again) = (played.len() as u64, again.len() as u64);
        self.show(iteration, &played)?;
        let mut games = played;
        games.extend(again);
        let file = checkpoint::write_games(&self.config.output, iteration, &games)?;
        self.state.games += count;
        self.state.reanalysed += count_again;
        self.state.segments.push(Segment { file, end: self.state.games + self.state.reanalysed });
        self.replay.add(games);
        Ok(())
    }

    /// Reports where the run stands.
    fn report(&self) -> IterationReport {
        IterationReport {
            iteration: self.state.iteration,
            games: self.state.games,
            positions: self.state.positions,
            steps: self.state.steps,
            replay_games: self.replay.games(),
            replay_positions: self.replay.positions(),
            replay_distinct: self.replay.distinct(),
            replay_bytes: self.replay.bytes(),
            elapsed_seconds: self.elapsed(),
            progress: self.progress(),
            ..IterationReport::default()
        }
    }

    /// Plays the games of an iteration; where the two overlap, learns meanwhile from the games before them, in
    /// one thread.
    fn play_and_learn(&self, iteration: u64, learner: &mut Learner) -> (Fresh, Option<Result<Learnt, NetworkError>>) {
        let network = learner.play_network();
        if !self.config.run.overlap {
            return (self.play(&network), None);
        }
        let lesson = self.lesson(iteration, self.state.unlearnt);
        let learn = || self.learning.install(|| lesson.learn(learner, || self.monitor.should_stop(), |_, _, _| ()));
        std::thread::scope(|scope| {
            let learning = scope.spawn(learn);
            let fresh = self.play(&network);
            let learnt = learning.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (fresh, Some(learnt))
        })
    }

    /// Learns from the games just played.
    fn learn_after(&mut self, iteration: u64, new: u64, learner: &mut Learner) -> Result<Learnt, NetworkError> {
        let lesson = self.lesson(iteration, self.state.unlearnt + new);
        let learnt = lesson.learn(
            learner,
            || false,
            |step, of, losses| self.monitor.event(&Event::Step { step, of, losses }),
        )?;
        // Too few for a step: they wait for more.
        self.state.unlearnt = if learnt.steps > 0 { 0 } else { self.state.unlearnt + new };
        Ok(learnt)
    }

    /// Learns from what is left at the end of a run whose learning was behind.
    fn learn_rest(&mut self) -> Result<(), TrainError> {
        if self.state.unlearnt == 0 {
            return Ok(());
        }
        let mut learner = self.learner.clone();
        // The stream of an iteration that is never played.
        let learnt = self.learn_after(self.state.iteration + 1, 0, &mut learner)?;
        if learnt.steps > 0 {
            self.learner = learner;
            self.state.steps = self.learner.steps();
            self.saved = None;
        }
        Ok(())
    }

    fn lesson(&self, iteration: u64, new: u64) -> Lesson<'_> {
        Lesson {
            board: &self.board,
            samples: &self.config.samples,
            replay: &self.replay,
            seed: self.config.seed,
            iteration,
            new,
            progress: self.progress(),
        }
    }

    /// Writes some games of every so many iterations as PDN, for people to look at.
    fn show(&self, iteration: u64, games: &[GameRecord]) -> Result<(), TrainError> {
        let RunConfig { pdn_every, pdn_games, .. } = self.config.run;
        if pdn_every == 0 || !iteration.is_multiple_of(pdn_every) {
            return Ok(());
        }
        let path = self.config.output.join(format!("pdn/{iteration:06}.pdn"));
        let game = &self.board.game;
        let shown = games.iter().take(pdn_games).map(|record| record.to_pdn(game, iteration).to_string());
        let text = shown.collect::<Vec<_>>().join("\n");
        std::fs::create_dir_all(self.config.output.join("pdn"))
            .and_then(|()| write_beside(&path, text.as_bytes()))
            .map_err(checkpoint::io_error(&path))?;
        Ok(())
    }

    /// Writes a checkpoint, unless this iteration's stands already, and gives its folder.
    fn save(&mut self) -> Result<PathBuf, TrainError> {
        if let Some(saved) = &self.saved {
            return Ok(saved.clone());
        }
        let state = self.record_state();
        let path = checkpoint::save(&self.config.output, state, &self.learner.to_files())?;
        self.forget()?;
        self.monitor.event(&Event::Checkpoint { path: &path, iteration: self.state.iteration });
        self.saved = Some(path.clone());
        Ok(path)
    }
}
