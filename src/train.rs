//! `damma train`: from a config file to a rated agent.

mod progress;
mod rating;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Args;
use damma_env::{EndgameTables, Game};
use damma_trainer::config::Override;
use damma_trainer::{Event, Monitor, Run, TrainConfig};

use crate::config_args::ConfigArgs;
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
    #[command(flatten)]
    pub config: ConfigArgs,
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
  damma train configs/damma8.toml --set search.c_puct=2 --set network.hidden=256
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
    let config = args.config.load(overrides(args)?)?;
    if !args.no_elo {
        args.config.check_opponents(&config)?;
    }
    let tables = tables(&config).with_context(|| format!("{}: search.tables", args.config.config.display()))?;
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
    let mut watcher = Watcher { progress, tensorboard, rating, config: config.clone() };
    let summary = Run::open(config.clone(), tables, &watcher)?.train()?;
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

/// Loads the endgame tables that the config names, if it names some.
fn tables(config: &TrainConfig) -> anyhow::Result<Option<Arc<EndgameTables>>> {
    let folder = &config.search.tables;
    if folder.is_empty() {
        return Ok(None);
    }
    contest::tables(Path::new(folder), &*Game::new(config.ruleset()?)?).map(Some)
}

/// Gives the settings that have arguments of their own.
fn overrides(args: &TrainArgs) -> anyhow::Result<Vec<Override>> {
    let mut found = Vec::new();
    if let Some(output) = &args.output {
        let text = output.to_str().with_context(|| format!("--output {} is not UTF-8", output.display()))?;
        found.push(Override::of("output", text, format!("--output {text}")));
    }
    if let Some(minutes) = args.minutes {
        found.push(Override::of("run.minutes", minutes, format!("--minutes {minutes}")));
    }
    if let Some(count) = args.iterations {
        let value = i64::try_from(count).unwrap_or(i64::MAX);
        found.push(Override::of("run.iterations", value, format!("--iterations {count}")));
    }
    Ok(found)
}

/// Passes events on to whatever shows them, and checkpoints to whoever rates them.
struct Watcher {
    progress: Arc<Progress>,
    tensorboard: Arc<TensorBoard>,
    rating: Option<Rating>,
    config: TrainConfig,
}

impl Monitor for Watcher {
    fn event(&self, event: &Event<'_>) {
        self.progress.event(event);
        match event {
            Event::Started { iteration, .. } => {
                // Four blanks before each line: TensorBoard shows Markdown.
                let config =
                    self.config.to_toml().lines().fold(String::new(), |text, line| text + "    " + line + "\n");
                self.tensorboard.text("config", &config);
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
            Event::Calibrated { .. } | Event::Game { .. } | Event::Step { .. } => {}
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
