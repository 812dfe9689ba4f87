//! `damma inspect`: what a checkpoint is, and whether its files are whole.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use damma_trainer::checkpoint::{self, RunState};
use damma_trainer::{Checkpoint, Network, keys};
use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use crate::config::network_text;
use crate::elo::{self, Rated};
use crate::rules::Difference;

/// Tell what a checkpoint is: game, network, training, ratings.
///
/// All its files are read and compared with their checksums, and for the newest checkpoint of a run
/// also the games that it learns from. Nothing is changed. A damaged file is named, and the exit
/// code is 2 then.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct InspectArgs {
    /// A run's folder, for its newest checkpoint, or the folder of a checkpoint.
    #[arg(value_name = "RUN_DIR|CHECKPOINT")]
    path: PathBuf,
    /// Print only the config that it was trained with, as TOML that `damma train` takes.
    #[arg(long, conflicts_with = "json")]
    config: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma inspect runs/quickstart
  damma inspect runs/quickstart/checkpoints/000010 --json
  damma inspect runs/quickstart --config > again.toml";

/// What was found out about a checkpoint.
pub struct Findings {
    pub checkpoint: Checkpoint,
    network: Network,
    game: Difference,
    /// Files of games that were found whole; `None` where it is not the newest of a run.
    games_files: Option<usize>,
    pub ratings: Vec<Rated>,
}

/// Runs the subcommand.
///
/// # Errors
/// There is no checkpoint, or a file of it is damaged.
pub fn run(args: &InspectArgs) -> anyhow::Result<ExitCode> {
    let checkpoint = Checkpoint::open(&args.path)?;
    let mut out = io::stdout().lock();
    if args.config {
        write!(out, "{}", checkpoint.state.config.to_toml())?;
        return Ok(ExitCode::SUCCESS);
    }
    let findings = Findings::of(checkpoint)?;
    if args.json {
        writeln!(out, "{}", findings.json())?;
    } else {
        writeln!(out, "{}", findings.checkpoint.path.display())?;
        for (name, text) in findings.lines() {
            writeln!(out, "  {name:9} {text}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Findings {
    /// Looks at a checkpoint, its games and its ratings.
    ///
    /// # Errors
    /// A file is damaged.
    pub fn of(checkpoint: Checkpoint) -> anyhow::Result<Self> {
        let state = &checkpoint.state;
        let run = run_of(&checkpoint.path);
        Ok(Self {
            network: checkpoint.network()?,
            game: Difference::of(checkpoint.ruleset(), state.config.rules.preset.as_deref()),
            games_files: run.map(|run| check_games(run, &checkpoint)).transpose()?.flatten(),
            // A checkpoint that was given away has its ratings with it.
            ratings: elo::ratings_of(run.unwrap_or(&checkpoint.path), state)?,
            checkpoint,
        })
    }

    /// Gives what is known, a name and a text for each thing.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let RunState { iteration, games, positions, steps, seed, format, .. } = self.checkpoint.state;
        let state = &self.checkpoint.state;
        let network = format!(
            "{}: {} parameters; observation {:?}, {} actions",
            network_text(&state.config),
            HumanCount(self.network.parameters() as u64),
            state.observation,
            HumanCount(state.actions as u64)
        );
        let counts =
            [(iteration, "iterations"), (games, "games"), (positions, "positions to learn from"), (steps, "steps")];
        let trained = counts.map(|(count, name)| format!("{} {name}", HumanCount(count))).join(", ");
        let mut lines = vec![("game", self.game.to_string()), ("network", network), ("trained", trained)];
        lines.push(("time", self.time()));
        lines.push(("device", self.device()));
        lines.push(("seed", seed.to_string()));
        lines.push(("files", self.files()));
        let program = if state.program.is_empty() { "an early version" } else { &state.program };
        lines.push(("format", format!("{format}, written by damma {program}")));
        lines.extend(self.ratings.iter().map(|rated| ("Elo", elo_text(rated))));
        lines
    }

    fn time(&self) -> String {
        let state = &self.checkpoint.state;
        let seconds = |seconds: f64| format!("{} s", HumanCount(seconds.round() as u64));
        let cpu = if state.cpu_seconds > 0.0 { seconds(state.cpu_seconds) } else { "an unknown number".to_owned() };
        format!("{}, and {cpu} of CPU time", seconds(state.elapsed_seconds))
    }

    fn device(&self) -> String {
        let state = &self.checkpoint.state;
        let lockstep = match (state.config.selfplay.lockstep, state.lockstep) {
            (0, measured) => format!("; {measured} games of a group at once, as measured"),
            _ => String::new(),
        };
        format!("{}{lockstep}", state.config.run.device)
    }

    fn files(&self) -> String {
        let file = |sum: &checkpoint::FileSum| format!("{} {}", sum.name, HumanBytes(sum.bytes));
        let files: Vec<String> = self.checkpoint.state.files.iter().map(file).collect();
        let games = self.games_files.map_or_else(String::new, |count| format!(", {count} files of games"));
        format!("{}{games}: whole, checksums right", files.join(", "))
    }

    /// Gives what is known as one object.
    pub fn json(&self) -> Value {
        let state = &self.checkpoint.state;
        let ratings: Vec<Value> = self.ratings.iter().map(|rated| {
            let matches = rated.report.matches.iter().map(|report| json!({"opponent": report.b, "total": report.total}));
            json!({"simulations": rated.simulations, "rating": rated.report.rating, "matches": matches.collect::<Vec<_>>()})
        }).collect();
        json!({
            "path": self.checkpoint.path, "game": self.game, "ruleset": state.ruleset,
            "network": state.config.network, "parameters": self.network.parameters(),
            "observation": state.observation, "actions": state.actions,
            "iteration": state.iteration, "games": state.games, "positions": state.positions, "steps": state.steps,
            "elapsed_seconds": state.elapsed_seconds, "cpu_seconds": state.cpu_seconds, "seed": state.seed,
            "device": state.config.run.device, "lockstep": state.lockstep,
            "format": state.format, "program": state.program,
            "files": state.files, "games_files": self.games_files, "whole": true,
            "elo": ratings, "config": keys::plain(&state.config),
        })
    }
}

/// Gives the folder of the run that a checkpoint lies in, if it lies in one.
fn run_of(checkpoint: &Path) -> Option<&Path> {
    let list = checkpoint.parent()?;
    if list.file_name()? == "checkpoints" { list.parent() } else { None }
}

/// Reads the files of games of a run's newest checkpoint and counts them; those of older ones may
/// have been removed.
fn check_games(run: &Path, checkpoint: &Checkpoint) -> anyhow::Result<Option<usize>> {
    let list = checkpoint::list(run)?;
    if list.last().is_none_or(|(iteration, _)| *iteration != checkpoint.state.iteration) {
        return Ok(None);
    }
    for segment in &checkpoint.state.segments {
        checkpoint::read_games(run, &segment.file)?;
    }
    Ok(Some(checkpoint.state.segments.len()))
}

fn elo_text(rated: &Rated) -> String {
    let rating = match rated.report.rating {
        Some(rating) => format!("{:.0} +- {:.0} at 95 %", rating.elo, rating.plus_minus),
        None => "unknown".to_owned(),
    };
    let games: u32 = rated.report.matches.iter().map(|report| report.total.games()).sum();
    format!("{rating}, {} simulations, {games} games (ab-1 is 0)", rated.simulations)
}
