//! `damma elo`: rates the checkpoints of a run against the ladder of baseline levels.

mod ladder;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use damma_env::Game;
use damma_eval::{EloReport, MctsPlayer, VERSION};
use damma_trainer::config::EvaluationConfig;
use damma_trainer::{Checkpoint, TrainConfig, checkpoint};
use serde::{Deserialize, Serialize};

use crate::contest::{self, Terms};
use crate::files::write_beside;
use crate::tensorboard::TensorBoard;

/// Rate the checkpoints of a run against the baseline's levels.
///
/// Each checkpoint plays paired random openings against each level. The ladder's own ratings come
/// from matches between neighbouring levels, with ab-1 at 0 Elo. What was played is kept in
/// elo.json in the run's folder, and only what is missing is played.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EloArgs {
    /// The run's folder.
    #[arg(value_name = "RUN_DIR")]
    pub run: PathBuf,
    /// Opponents, separated by commas, instead of the config's: random, ab-1 to ab-8, ab:nNODES.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub opponents: Option<Vec<String>>,
    /// Games against each, an even number, instead of the config's.
    #[arg(long, value_name = "COUNT")]
    pub games: Option<usize>,
    /// Simulations a decision, instead of the config's.
    #[arg(long, value_name = "COUNT")]
    pub simulations: Option<u32>,
    /// Rate only the newest checkpoint.
    #[arg(long)]
    pub last: bool,
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
  damma elo runs/quickstart --last --games 200 --opponents ab-2
  damma elo runs/quickstart --json";

/// The file of ratings in a run's folder.
const FILE: &str = "elo.json";

/// A rated checkpoint.
#[derive(Clone, Serialize, Deserialize)]
struct Rated {
    iteration: u64,
    simulations: u32,
    /// Checksum of the network, so that no other is taken for it.
    crc32: u32,
    #[serde(flatten)]
    report: EloReport,
}

/// Runs the subcommand.
///
/// # Errors
/// The folder holds no run, a checkpoint is damaged, or the ratings cannot be written.
pub fn run(args: &EloArgs) -> anyhow::Result<ExitCode> {
    let newest = Checkpoint::open(&args.run)?;
    let mut terms = newest.state.config.evaluation.clone();
    terms.opponents = args.opponents.clone().unwrap_or(terms.opponents);
    terms.games = args.games.unwrap_or(terms.games);
    terms.simulations = args.simulations.unwrap_or(terms.simulations);
    contest::check(terms.games, terms.simulations)?;
    contest::start_threads(args.threads)?;
    let mut list = checkpoint::list(&args.run)?;
    anyhow::ensure!(!list.is_empty(), "{} is not a run's folder: it has no checkpoints/", args.run.display());
    if args.last {
        list.drain(..list.len() - 1);
    }
    let tensorboard = TensorBoard::new(&args.run);
    let game = Game::new(newest.ruleset().clone())?;
    let mut ratings = Rater::new(&args.run, &game, terms)?;
    for (iteration, path) in list {
        let rated = ratings.rate(iteration, &path)?;
        report(&rated, &tensorboard);
        if args.json {
            writeln!(io::stdout(), "{}", serde_json::to_string(&rated)?)?;
        } else {
            writeln!(io::stdout(), "{}\n", rated.report)?;
        }
    }
    tensorboard.flush();
    Ok(ExitCode::SUCCESS)
}

/// Rates the last checkpoint of a training run and prints it.
///
/// # Errors
/// As [`run`].
pub fn rate_last(
    config: &TrainConfig,
    checkpoint: &Path,
    tensorboard: &TensorBoard,
    iteration: u64,
) -> anyhow::Result<()> {
    let game = Game::new(config.ruleset()?)?;
    let terms = config.evaluation.clone();
    let _ = writeln!(io::stderr(), "rating it: {} games against each of {}", terms.games, terms.opponents.join(", "));
    let rated = Rater::new(&config.output, &game, terms)?.rate(iteration, checkpoint)?;
    report(&rated, tensorboard);
    tensorboard.flush();
    writeln!(io::stdout(), "{}", rated.report)?;
    Ok(())
}

fn report(rated: &Rated, tensorboard: &TensorBoard) {
    for report in &rated.report.matches {
        tensorboard.scalar(&format!("eval/score_{}", report.b), report.total.score(), rated.iteration);
    }
    if let Some(rating) = rated.report.rating {
        tensorboard.scalar("eval/elo", rating.elo, rated.iteration);
    }
}

/// Rates checkpoints and remembers what was played.
struct Rater<'g> {
    file: PathBuf,
    game: &'g Game,
    terms: EvaluationConfig,
    ladder: damma_eval::Ladder,
    known: Vec<Rated>,
}

impl<'g> Rater<'g> {
    fn new(run: &Path, game: &'g Game, terms: EvaluationConfig) -> anyhow::Result<Self> {
        let file = run.join(FILE);
        let known: Vec<Rated> = match std::fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is damaged; remove it to rate anew", file.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        let ladder = ladder::ladder(run, game, &terms)?;
        Ok(Self { file, game, terms, ladder, known })
    }

    fn rate(&mut self, iteration: u64, path: &Path) -> anyhow::Result<Rated> {
        let checkpoint = Checkpoint::open(path)?;
        let sum = checkpoint.state.files.iter().find(|file| file.name == damma_trainer::learner::MODEL_FILE);
        let crc32 = sum.map_or(0, |file| file.crc32);
        let mut player = MctsPlayer::new(&checkpoint, self.game, self.terms.simulations)?;
        let simulations = self.terms.simulations;
        let name = format!("checkpoint {iteration}, {simulations} simulations");
        let same = |rated: &Rated| (rated.iteration, rated.simulations) == (iteration, simulations);
        let old = self.known.iter().position(same).map(|place| self.known.remove(place));
        let mut matches = old.filter(|rated| rated.crc32 == crc32).map_or_else(Vec::new, |rated| rated.report.matches);
        matches.retain(|report| report.baseline == VERSION && report.ruleset == *self.game.ruleset());
        for opponent in &self.terms.opponents.clone() {
            let wanted = self.terms.games as u32;
            if matches.iter().any(|report| report.b == *opponent && report.total.games() >= wanted) {
                continue;
            }
            matches.retain(|report| report.b != *opponent);
            let mut other = contest::player(opponent, self.game, simulations)?;
            let terms = Terms { games: self.terms.games, seed: 1 };
            let mut report = contest::contest(self.game, &mut player, other.as_mut(), terms)?;
            report.a.clone_from(&name);
            report.b.clone_from(opponent);
            matches.push(report);
            // Kept after each match: a kill costs no more than the match in hand.
            let report = EloReport::new(&name, matches.clone(), self.ladder.clone());
            self.keep(Rated { iteration, simulations, crc32, report })?;
        }
        let report = EloReport::new(&name, matches, self.ladder.clone());
        let rated = Rated { iteration, simulations, crc32, report };
        self.keep(rated.clone())?;
        Ok(rated)
    }

    fn keep(&mut self, rated: Rated) -> anyhow::Result<()> {
        self.known.retain(|other| (other.iteration, other.simulations) != (rated.iteration, rated.simulations));
        self.known.push(rated);
        self.known.sort_by_key(|rated| (rated.iteration, rated.simulations));
        write_beside(&self.file, &serde_json::to_vec_pretty(&self.known)?)
    }
}
