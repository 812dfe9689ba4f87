//! `damma elo`: rates the checkpoints of a run against the ladder of baseline levels.

mod html;
mod ladder;
mod lock;
mod pace;
pub mod quality_file;
mod rater;
mod round;
mod terms;
mod watch;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use damma_env::Game;
use damma_trainer::checkpoint::RunState;
use damma_trainer::{Checkpoint, TrainConfig, checkpoint};

use crate::tensorboard::TensorBoard;
use crate::{contest, files};
pub use ladder::{ANCHOR, share as share_ladder};
pub use pace::Pace;
pub use rater::{FILE as RATINGS, Rated, Rater, network_sum, ratings_of};
pub use terms::TermsArgs;

/// Rate the checkpoints of a run against the baseline's levels.
///
/// Each checkpoint plays paired random openings against each level. The ladder's own ratings come
/// from matches between neighbouring levels, with ab-1 at 0 Elo. What was played is kept in
/// elo.json in the run's folder, with some of the games, and only what is missing is played. A
/// page with plots, tables and these games is written to elo.html: it needs nothing but a browser.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EloArgs {
    /// The run's folder.
    #[arg(value_name = "RUN_DIR")]
    pub run: PathBuf,
    #[command(flatten)]
    terms: TermsArgs,
    /// Rate only the newest checkpoint.
    #[arg(long, conflicts_with = "watch")]
    pub last: bool,
    /// Go on rating new checkpoints until the training run ends, or until Ctrl-C.
    #[arg(long)]
    pub watch: bool,
    /// Write the page to this file instead of elo.html in the run's folder.
    #[arg(long, value_name = "FILE", value_parser = files::output())]
    pub html: Option<PathBuf>,
    /// Threads to use; 0 is one a core. The result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Print one JSON object a checkpoint.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma elo runs/quickstart
  damma elo runs/quickstart --watch --threads 1
  damma elo runs/quickstart --last --games 200 --opponents ab-2
  damma elo runs/quickstart --html report.html
  damma elo runs/quickstart --json";

/// Runs the subcommand.
///
/// # Errors
/// The folder holds no run, a checkpoint is damaged, or the ratings cannot be written.
pub fn run(args: &EloArgs) -> anyhow::Result<ExitCode> {
    let newest = Checkpoint::open(&args.run)?;
    let terms = args.terms.over(&newest.state.config.evaluation)?;
    contest::start_threads(args.threads)?;
    let list = checkpoint::list(&args.run)?;
    anyhow::ensure!(!list.is_empty(), "{} is not a run's folder: it has no checkpoints/", args.run.display());
    let pace = if args.watch { watch::pace()? } else { std::sync::Arc::default() };
    let game = Game::new(newest.ruleset().clone())?;
    let report = args.html.clone().unwrap_or_else(|| html::place(&args.run));
    files::check(&report)?;
    let rater = Rater::new(&args.run, &game, terms, &pace)?;
    let session = Session { args, page: report, tensorboard: TensorBoard::new(&args.run), rater };
    if args.watch {
        watch::follow(&session, &pace)?;
    } else {
        let from = if args.last { list.len() - 1 } else { 0 };
        for (_, path) in &list[from..] {
            session.rate(&Checkpoint::open(path)?)?;
        }
        session.write_page(&newest.state)?;
    }
    if !args.json {
        let _ = writeln!(io::stderr(), "the report is {}", session.page.display());
    }
    session.tensorboard.flush();
    Ok(ExitCode::SUCCESS)
}

/// What a rating from the command line needs.
struct Session<'a> {
    args: &'a EloArgs,
    page: PathBuf,
    tensorboard: TensorBoard,
    rater: Rater<'a>,
}

impl Session<'_> {
    fn rate(&self, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        let (mut rated, new) = self.rater.rate(checkpoint)?;
        if new {
            report(&rated, &self.tensorboard);
        }
        rated.samples.clear();
        if self.args.json {
            writeln!(io::stdout(), "{}", serde_json::to_string(&rated)?)?;
        } else {
            writeln!(io::stdout(), "{}\n", rated.report)?;
        }
        Ok(())
    }

    fn write_page(&self, newest: &RunState) -> anyhow::Result<()> {
        html::write(&self.rater, &self.args.run, newest, &self.page)
    }
}

/// Rates the last checkpoint of a training run, prints it and writes the page.
///
/// # Errors
/// As [`run`].
pub fn rate_last(config: &TrainConfig, checkpoint: &Path, tensorboard: &TensorBoard) -> anyhow::Result<()> {
    let game = Game::new(config.ruleset()?)?;
    let terms = config.evaluation.clone();
    let _ = writeln!(io::stderr(), "rating it: {} games against each of {}", terms.games, terms.opponents.join(", "));
    let pace = Pace::default();
    let rater = Rater::new(&config.output, &game, terms, &pace)?;
    let report = rate_and_report(&rater, config, &Checkpoint::open(checkpoint)?, tensorboard)?;
    writeln!(io::stdout(), "{report}")?;
    let (file, run) = (html::place(&config.output), config.output.display());
    let _ = writeln!(io::stderr(), "the report is {}; `damma elo {run}` adds the other checkpoints", file.display());
    Ok(())
}

/// Rates a checkpoint of a training run, tells TensorBoard, and writes the page.
///
/// # Errors
/// As [`run`].
pub fn rate_and_report(
    rater: &Rater<'_>,
    config: &TrainConfig,
    checkpoint: &Checkpoint,
    tensorboard: &TensorBoard,
) -> anyhow::Result<damma_eval::EloReport> {
    let (found, new) = rater.rate(checkpoint)?;
    if new {
        report(&found, tensorboard);
        tensorboard.flush();
    }
    html::write(rater, &config.output, &checkpoint.state, &html::place(&config.output))?;
    Ok(found.report)
}

fn report(rated: &Rated, tensorboard: &TensorBoard) {
    for report in &rated.report.matches {
        tensorboard.scalar(&format!("eval/score_{}", report.b), report.total.score(), rated.iteration);
    }
    if let Some(rating) = rated.report.rating {
        tensorboard.scalar("eval/elo", rating.elo, rated.iteration);
    }
}
