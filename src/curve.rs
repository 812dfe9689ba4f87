//! `damma curve`: strength over training time, of one run or of several seeds of one config.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use damma_env::Game;
use damma_eval::{CurvePoint, Rating, curve_svg};
use damma_trainer::Checkpoint;
use damma_trainer::checkpoint::{self, RunState};
use serde::Serialize;

use crate::elo::{Pace, Rater, TermsArgs, share_ladder};
use crate::table::table;
use crate::{contest, files};

/// How far a checkpoint's CPU time may be from what is asked for, as a share of that.
const NEAR: f64 = 0.25;

/// Rate runs after some minutes of training each: a table, JSON and a picture.
///
/// The runs are seeds of one config. Of each run the checkpoint that is nearest to each time is rated,
/// as `damma elo` does and in the same file; so checkpoints must have been kept, see `run.keep_every`.
/// Times are CPU time, all threads together: an hour of two busy cores is 120 minutes.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CurveArgs {
    /// Folders of runs.
    #[arg(value_name = "RUN_DIR", required = true)]
    pub runs: Vec<PathBuf>,
    /// Minutes of CPU time, separated by commas.
    #[arg(long, value_name = "MINUTES", value_delimiter = ',', default_values_t = [10.0, 30.0, 60.0, 120.0])]
    pub cpu_minutes: Vec<f64>,
    #[command(flatten)]
    terms: TermsArgs,
    /// Write the results to a file as JSON.
    #[arg(long, value_name = "FILE", value_parser = files::output())]
    pub out: Option<PathBuf>,
    /// Draw the curve into an SVG file.
    #[arg(long, value_name = "FILE", value_parser = files::output())]
    pub svg: Option<PathBuf>,
    /// Threads to use; 0 is one a core. The result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Print the results as JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma curve runs/damma8
  damma curve runs/zamma-1 runs/zamma-2 runs/zamma-3 --opponents ab-3,ab-5 --svg zamma.svg
  damma curve runs/damma8 --cpu-minutes 5,10,20 --games 200 --simulations 400 --out curve.json";

/// Strength after some minutes of training.
#[derive(Serialize)]
struct Row {
    cpu_minutes: f64,
    /// The mean of the runs' ratings; nothing where none has one.
    elo: Option<f64>,
    /// The weakest and the strongest of the runs.
    spread: Option<[f64; 2]>,
    runs: Vec<Cell>,
}

/// One run's checkpoint.
#[derive(Serialize)]
struct Cell {
    run: PathBuf,
    seed: u64,
    iteration: u64,
    cpu_minutes: f64,
    minutes: f64,
    games: u64,
    rating: Option<Rating>,
    /// Score in percent against each opponent.
    scores: Vec<(String, f64)>,
}

/// Runs the subcommand.
///
/// # Errors
/// A folder holds no run or one of another game, or a file cannot be written.
pub fn run(args: &CurveArgs) -> anyhow::Result<ExitCode> {
    for minutes in &args.cpu_minutes {
        anyhow::ensure!(*minutes > 0.0, "--cpu-minutes {minutes} is not above 0");
    }
    let first = Checkpoint::open(&args.runs[0])?;
    let terms = args.terms.over(&first.state.config.evaluation)?;
    let game = Game::new(first.ruleset().clone())?;
    contest::start_threads(args.threads)?;
    let mut rows: Vec<Row> = args.cpu_minutes.iter().map(|&minutes| Row::new(minutes)).collect();
    let pace = Pace::default();
    for run in &args.runs {
        let ruleset = Checkpoint::open(run)?.ruleset().clone();
        anyhow::ensure!(
            ruleset == *game.ruleset(),
            "{} is a run of other rules than {}; give runs of one game",
            run.display(),
            args.runs[0].display()
        );
        share_ladder(&args.runs[0], run)?;
        let rater = Rater::new(run, &game, terms.clone(), &pace)?;
        let kept = kept(run)?;
        for row in &mut rows {
            match nearest(&kept, row.cpu_minutes) {
                Some((path, _)) => row.runs.push(Cell::new(run, &rater, path)?),
                None => warn(run, row.cpu_minutes),
            }
        }
    }
    rows.iter_mut().for_each(Row::sum_up);
    write(args, &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// Lists the checkpoints of a run with what they say of themselves.
fn kept(run: &Path) -> anyhow::Result<Vec<(PathBuf, RunState)>> {
    let list = checkpoint::list(run)?;
    list.into_iter().map(|(_, path)| Ok((path.clone(), checkpoint::read_state(&path)?))).collect()
}

/// Finds the checkpoint whose CPU time is nearest, if it is near enough.
fn nearest(kept: &[(PathBuf, RunState)], minutes: f64) -> Option<&(PathBuf, RunState)> {
    let off = |state: &RunState| (state.cpu_seconds / 60.0 - minutes).abs();
    let best = kept.iter().min_by(|(_, a), (_, b)| off(a).total_cmp(&off(b)))?;
    (off(&best.1) <= NEAR * minutes).then_some(best)
}

fn warn(run: &Path, minutes: f64) {
    // A closed stderr leaves nobody to tell.
    let _ = writeln!(
        io::stderr(),
        "warning: {} has no checkpoint near {minutes} CPU-minutes; train longer, or keep more with run.keep_every",
        run.display()
    );
}

impl Row {
    const fn new(cpu_minutes: f64) -> Self {
        Self { cpu_minutes, elo: None, spread: None, runs: Vec::new() }
    }

    fn sum_up(&mut self) {
        let elos: Vec<f64> = self.runs.iter().filter_map(|cell| Some(cell.rating?.elo)).collect();
        if !elos.is_empty() {
            self.elo = Some(elos.iter().sum::<f64>() / elos.len() as f64);
            let ends = |pick: fn(f64, f64) -> f64| elos.iter().copied().reduce(pick).expect("there is one at least");
            self.spread = Some([ends(f64::min), ends(f64::max)]);
        }
    }

    /// Gives the point of the curve: the runs' spread, or one run's interval.
    fn point(&self) -> Option<CurvePoint> {
        let (elo, [low, high]) = (self.elo?, self.spread?);
        let margin = match self.runs.as_slice() {
            [only] => only.rating?.plus_minus,
            _ => 0.0,
        };
        Some(CurvePoint { cpu_minutes: self.cpu_minutes, elo, low: low - margin, high: high + margin })
    }

    fn words(&self) -> Vec<String> {
        let opponents = self.runs.first().map_or(&[][..], |cell| &cell.scores);
        let score = |place: usize| {
            let sum: f64 = self.runs.iter().map(|cell| cell.scores[place].1).sum();
            format!("{} {:.1} %", opponents[place].0, sum / self.runs.len() as f64)
        };
        let seeds = self.runs.iter().map(|cell| match cell.rating {
            Some(rating) => format!("{:.0} +- {:.0}", rating.elo, rating.plus_minus),
            None => "-".to_owned(),
        });
        vec![
            self.cpu_minutes.to_string(),
            self.elo.map_or_else(|| "-".to_owned(), |elo| format!("{elo:.0}")),
            self.spread.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.0} to {high:.0}")),
            seeds.collect::<Vec<_>>().join(", "),
            (0..opponents.len()).map(score).collect::<Vec<_>>().join(", "),
        ]
    }
}

impl Cell {
    fn new(run: &Path, by: &Rater<'_>, path: &Path) -> anyhow::Result<Self> {
        let checkpoint = Checkpoint::open(path)?;
        let (rated, _) = by.rate(&checkpoint)?;
        let state = &checkpoint.state;
        Ok(Self {
            run: run.to_owned(),
            seed: state.seed,
            iteration: state.iteration,
            cpu_minutes: state.cpu_seconds / 60.0,
            minutes: state.elapsed_seconds / 60.0,
            games: state.games,
            rating: rated.report.rating,
            scores: rated.report.matches.iter().map(|one| (one.b.clone(), 100.0 * one.total.score())).collect(),
        })
    }
}

fn write(args: &CurveArgs, rows: &[Row]) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(rows)?;
    if let Some(path) = &args.out {
        files::write_beside(path, json.as_bytes())?;
    }
    if let Some(path) = &args.svg {
        let points: Vec<CurvePoint> = rows.iter().filter_map(Row::point).collect();
        match curve_svg(&points) {
            Some(svg) => files::write_beside(path, svg.as_bytes())?,
            None => anyhow::bail!("there is nothing to draw: no checkpoint has a rating"),
        }
    }
    let mut out = io::stdout();
    if args.json {
        writeln!(out, "{json}")?;
    } else {
        let header = ["CPU-minutes", "Elo", "spread", "runs", "score on average"];
        writeln!(out, "{}", table(header, rows.iter().map(Row::words)))?;
    }
    Ok(())
}
