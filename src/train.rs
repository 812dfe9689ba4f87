//! `damma train`: from a config file to a rated agent.

mod progress;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Args;
use damma_trainer::{Event, Monitor, Run, TrainConfig};

use crate::contest;
use crate::tensorboard::TensorBoard;
use progress::Progress;

/// Train an agent by self-play, as a config file says.
///
/// Started again with the same config, a run goes on from its newest checkpoint; Ctrl-C stops it
/// with one. At its end the last checkpoint is rated against the baseline.
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
    /// Do not rate the last checkpoint.
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

    let watcher = Watcher { progress: Progress::new(&config.run), tensorboard: TensorBoard::new(&config.output) };
    let summary = Run::open(config.clone(), &watcher)?.train()?;
    TRAINED.store(true, Ordering::Relaxed);
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
        crate::elo::rate_last(&config, &summary.checkpoint, &watcher.tensorboard, summary.iteration)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Passes events on to whatever shows them.
struct Watcher {
    progress: Progress,
    tensorboard: TensorBoard,
}

impl Monitor for Watcher {
    fn event(&self, event: &Event<'_>) {
        self.progress.event(event);
        if let Event::Iteration(report) = event {
            self.tensorboard.iteration(report);
        }
    }

    fn should_stop(&self) -> bool {
        STOP.load(Ordering::Relaxed)
    }
}
