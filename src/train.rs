//! `damma train`: from a config file to a rated agent.

mod progress;
mod rating;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Args;
use damma_trainer::{Event, Monitor, Run, TrainConfig};

use crate::tensorboard::TensorBoard;
use crate::{contest, cpu};
use progress::Progress;
use rating::Rating;

/// Train an agent by self-play, as a config file says.
///
/// Started again with the same config, a run goes on from its newest checkpoint; Ctrl-C stops it
/// with one. At its end the last checkpoint is rated against the baseline, and some are rated while
/// it goes on, as `[evaluation]` says.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// The config, in TOML; configs/ holds examples.
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// Keep the run in this folder instead of the config's `output`.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// End after this many minutes of training, instead of the config's `run.minutes`.
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<f64>,
    /// End after this many iterations, instead of the config's `run.iterations`.
    #[arg(long, value_name = "COUNT")]
    pub iterations: Option<u64>,
    /// Threads to use; 0 is one a core. Without a time limit the result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Rate no checkpoint, neither at the end nor while training goes on.
    #[arg(long)]
    pub no_elo: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma train configs/quickstart.toml
  damma train configs/damma8.toml --minutes 10 --output runs/try
  tensorboard --logdir runs";

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set when training is over: then Ctrl-C need not wait for a checkpoint.
static TRAINED: AtomicBool = AtomicBool::new(false);

/// Runs the subcommand.
///
/// # Errors
/// The config is wrong, the output folder cannot be written or holds another run.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let mut config = TrainConfig::load(&args.config)?;
    if let Some(output) = &args.output {
        config.output.clone_from(output);
    }
    config.run.minutes = args.minutes.unwrap_or(config.run.minutes);
    config.run.iterations = args.iterations.unwrap_or(config.run.iterations);
    let limits = &config.run;
    anyhow::ensure!((0.0..=1e6).contains(&limits.minutes), "--minutes {} is outside 0 to 1000000", limits.minutes);
    anyhow::ensure!(
        limits.minutes > 0.0 || limits.iterations > 0,
        "the run has no end: give --minutes or --iterations above 0"
    );
    if !args.no_elo {
        contest::check_names(&config.evaluation.opponents)
            .with_context(|| format!("{}: evaluation.opponents", args.config.display()))?;
    }
    contest::start_threads(args.threads)?;
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) || TRAINED.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot watch for Ctrl-C")?;

    let progress = Arc::new(Progress::new(&config.run));
    let tensorboard = Arc::new(TensorBoard::new(&config.output));
    let shown = progress.clone();
    let say = Arc::new(move |text: &str| shown.line(text));
    let rating = if args.no_elo { None } else { Rating::start(&config, tensorboard.clone(), say) };
    let mut watcher = Watcher { progress, tensorboard, rating };
    let summary = Run::open(config.clone(), &watcher)?.train()?;
    TRAINED.store(true, Ordering::Relaxed);
    if let Some(rating) = &mut watcher.rating {
        rating.finish();
    }
    watcher.progress.finish();
    watcher.tensorboard.flush();
    let mut out = io::stdout();
    if !summary.complete {
        writeln!(
            out,
            "stopped after iteration {}; the same command goes on from {}",
            summary.iteration,
            summary.checkpoint.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "trained {} iterations; the last checkpoint is {}", summary.iteration, summary.checkpoint.display())?;
    if !args.no_elo && !config.evaluation.opponents.is_empty() {
        crate::elo::rate_last(&config, &summary.checkpoint, &watcher.tensorboard)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Passes events on to whatever shows them, and checkpoints to whoever rates them.
struct Watcher {
    progress: Arc<Progress>,
    tensorboard: Arc<TensorBoard>,
    rating: Option<Rating>,
}

impl Monitor for Watcher {
    fn event(&self, event: &Event<'_>) {
        self.progress.event(event);
        match event {
            Event::Started { iteration, .. } => {
                if let Some(rating) = &self.rating {
                    rating.begin(*iteration);
                }
            }
            Event::Iteration(report) => self.tensorboard.iteration(report),
            Event::Checkpoint { path, iteration } => {
                if let Some(Err(error)) = self.rating.as_ref().map(|rating| rating.offer(path, *iteration)) {
                    self.progress.line(&format!("warning: {error:#}"));
                }
            }
            Event::Game { .. } | Event::Step { .. } => {}
        }
    }

    fn should_stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }

    fn cpu_seconds(&self) -> f64 {
        let rating = self.rating.as_ref().map_or_else(Default::default, Rating::cpu_time);
        cpu::of_process().saturating_sub(rating).as_secs_f64()
    }
}
