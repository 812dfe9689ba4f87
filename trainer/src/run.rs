//! A training run: play, learn, save, report; taken up again where it was left.

mod setup;

use std::fs::File;
use std::path::PathBuf;
use std::time::Instant;

use rand::RngExt;
use thiserror::Error;

use crate::checkpoint::{self, CheckpointError, RunState, Segment};
use crate::config::{ConfigError, RunConfig, TrainConfig};
use crate::files::write_beside;
use crate::learner::{Batch, Learner, Losses};
use crate::monitor::{Event, IterationReport, Monitor, SelfPlayStats};
use crate::network::NetworkError;
use crate::record::GameRecord;
use crate::replay::Replay;
use crate::rng::{Purpose, stream};
use crate::selfplay::{Played, SelfPlay};
use setup::Board;

/// Why a run cannot start or go on.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The config is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A checkpoint cannot be written or used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The run in the output folder has another seed, game or network.
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
    /// Seconds and CPU seconds of earlier sessions, and when this one began.
    before: f64,
    cpu_before: f64,
    began: Instant,
    saved: Option<PathBuf>,
    /// Keeps other processes out of the folder.
    _lock: File,
}

impl Run<'_> {
    /// Trains until the run's end or until the monitor stops it.
    ///
    /// # Errors
    /// A file cannot be written, or the loss is no longer finite; the last checkpoint stands.
    pub fn train(mut self) -> Result<Summary, TrainError> {
        while !self.complete() && !self.monitor.should_stop() {
            if !self.iterate()? {
                break;
            }
            if self.state.iteration.is_multiple_of(self.config.run.checkpoint_every) {
                self.save()?;
            }
        }
        let checkpoint = self.save()?;
        Ok(Summary { iteration: self.state.iteration, checkpoint, complete: self.complete() })
    }

    fn complete(&self) -> bool {
        self.progress() >= 1.0
    }

    fn progress(&self) -> f64 {
        let run = &self.config.run;
        let share = |done: f64, of: f64| if of > 0.0 { done / of } else { 0.0 };
        share(self.state.iteration as f64, run.iterations as f64)
            .max(share(self.elapsed(), run.minutes * 60.0))
            .min(1.0)
    }

    fn elapsed(&self) -> f64 {
        self.before + self.began.elapsed().as_secs_f64()
    }

    /// Makes one iteration; `false` if it was stopped, and then nothing has changed.
    fn iterate(&mut self) -> Result<bool, TrainError> {
        let began = Instant::now();
        let Played { games, complete, work } = self.play();
        if !complete {
            return Ok(false);
        }
        let selfplay_seconds = began.elapsed().as_secs_f64();
        let stats = SelfPlayStats::of(&games);
        let iteration = self.state.iteration + 1;
        let file = checkpoint::write_games(&self.config.output, iteration, &games)?;
        self.show(iteration, &games)?;
        self.state.games += games.len() as u64;
        self.state.segments.push(Segment { file, end: self.state.games });
        self.replay.add(games);
        let learning = Instant::now();
        let (losses, learning_rate) = self.learn(iteration, stats.positions)?;
        self.state.iteration = iteration;
        self.state.positions = self.replay.total();
        self.state.steps = self.learner.steps();
        self.saved = None;
        self.monitor.event(&Event::Iteration(&IterationReport {
            iteration,
            games: self.state.games,
            positions: self.state.positions,
            steps: self.state.steps,
            selfplay: stats,
            work,
            losses,
            learning_rate,
            replay_games: self.replay.games(),
            replay_positions: self.replay.positions(),
            replay_bytes: self.replay.bytes(),
            selfplay_seconds,
            learning_seconds: learning.elapsed().as_secs_f64(),
            elapsed_seconds: self.elapsed(),
            progress: self.progress(),
        }));
        Ok(true)
    }

    fn play(&self) -> Played {
        let count = self.config.selfplay.games as u64;
        let network = self.learner.play_network();
        let stop = || self.monitor.should_stop();
        let finished =
            |record: &GameRecord| self.monitor.event(&Event::Game { record, of: self.config.selfplay.games });
        SelfPlay {
            game: &self.board.game,
            encoder: &self.board.encoder,
            search: &self.config.search,
            config: &self.config.selfplay,
            seed: self.config.seed,
            evaluator: &network,
            stop: &stop,
            finished: &finished,
        }
        .play(self.state.games..self.state.games + count)
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

    /// Learns from the window, in proportion to the new positions; gives the average losses and
    /// the last learning rate.
    fn learn(&mut self, iteration: u64, new: usize) -> Result<(Losses, f64), TrainError> {
        let samples = &self.config.samples;
        let steps = (new as f64 * samples.per_position / samples.batch as f64).round() as u64;
        if steps == 0 || self.replay.positions() == 0 {
            return Ok((Losses::default(), 0.0));
        }
        let mut rng = stream(self.config.seed, Purpose::Learning, iteration);
        let encode = self.board.sampler(samples);
        let symmetries = if samples.symmetry { self.board.symmetries.len() } else { 1 };
        let replay = &self.replay;
        let mut next = || -> Batch {
            let drawn: Vec<_> = (0..samples.batch)
                .filter_map(|_| {
                    let (record, decision) = replay.draw(&mut rng)?;
                    Some((record, decision, rng.random_range(0..symmetries)))
                })
                .collect();
            encode.batch(&drawn)
        };
        let progress = self.progress();
        let mut sum = Losses::default();
        let mut rate = 0.0;
        let learner = &mut self.learner;
        let mut batch = next();
        for step in 1..=steps {
            rate = learner.config().learning_rate_at(learner.steps(), progress);
            // The next batch is made while this one is learnt from.
            let (losses, following) = rayon::join(
                || learner.train_batch(&batch, rate),
                || if step < steps { next() } else { Batch::default() },
            );
            let losses = losses?;
            batch = following;
            add(&mut sum, &losses, 1.0 / steps as f64);
            self.monitor.event(&Event::Step { step, of: steps, losses: &losses });
        }
        Ok((sum, rate))
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

/// Adds `share` of each loss to a sum.
fn add(sum: &mut Losses, losses: &Losses, share: f64) {
    sum.policy += share * losses.policy;
    sum.value += share * losses.value;
    sum.total += share * losses.total;
    sum.policy_entropy += share * losses.policy_entropy;
    sum.target_entropy += share * losses.target_entropy;
    sum.grad_norm += share * losses.grad_norm;
}
