//! `damma quality`: what a player misses, beyond Elo.

mod measure;
mod output;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use damma_eval::{Level, PlayerSpec, Suite, SuiteConfig, make_suite};
use damma_trainer::Checkpoint;

use crate::elo::{network_sum, quality_file};
use crate::rules_args::GameArgs;
use crate::{contest, files};
use measure::{Budgets, Truth};

/// Measure what a player misses: tactics of a suite, choices of a deep search, values of tables.
///
/// A suite is a file of positions with their solutions (configs/suites/ has some); a deep level of
/// the baseline and endgame tables are asked about positions from games of the player and from
/// random play: the tables say which decisions turn a win into less or a draw into a loss. Each
/// figure is given for every budget: simulations of a checkpoint, where 1 is the network alone, or
/// depths of the baseline. With --make-suite such a file is made.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct QualityArgs {
    /// The player: random, ab-1 to ab-12, ab:nNODES, or mcts:PATH.
    #[arg(value_name = "PLAYER", required_unless_present = "make_suite")]
    pub player: Option<String>,
    /// Positions with the turns that solve them.
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,
    /// Level of the baseline to agree with [default: ab-6, where nothing else is asked].
    #[arg(long, value_name = "LEVEL")]
    pub deep: Option<String>,
    /// Positions that the deep level, and the tables, are asked about.
    #[arg(long, value_name = "COUNT", default_value_t = 300)]
    pub positions: usize,
    /// Endgame tables, made by `damma solve`, that tell which decisions lose value.
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
    /// Simulations of a checkpoint, or depths of the baseline, separated by commas [default: 1,50,200 simulations].
    #[arg(long, value_name = "COUNTS", value_delimiter = ',')]
    pub budget: Option<Vec<u32>>,
    /// Keep the figures of a run's checkpoint in its folder, for the page of `damma elo`.
    #[arg(long)]
    pub record: bool,
    /// Seed of the games that positions come from.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; 0 is one a core. The result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Find puzzles with one winning turn that a search of depth 1 misses, and write them to a file.
    #[arg(long, value_name = "FILE", value_parser = files::output(), conflicts_with_all = ["player", "suite", "record", "json"])]
    pub make_suite: Option<PathBuf>,
    /// Puzzles to find.
    #[arg(long, value_name = "COUNT", default_value_t = 40, requires = "make_suite")]
    pub count: usize,
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma quality mcts:runs/quickstart --suite configs/suites/damma8.txt
  damma quality mcts:runs/quickstart --deep ab-8 --positions 500 --budget 1,200 --record
  damma quality mcts:runs/quickstart --tables tables/damma8 --record
  damma quality ab-4 --suite configs/suites/srand.txt --budget 1,2,4,6
  damma quality --make-suite suite.txt --preset srand --deep ab-7 --count 32";

/// Runs the subcommand.
///
/// # Errors
/// A player, the rules or the suite are wrong, or a file cannot be written.
pub fn run(args: &QualityArgs) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        (1..=1_000_000).contains(&args.positions) && (1..=100_000).contains(&args.count),
        "--positions and --count take 1 and more, up to 1000000 and 100000"
    );
    contest::start_threads(args.threads)?;
    if let Some(file) = &args.make_suite {
        return make(args, file);
    }
    let player = args.player.as_deref().unwrap_or_default();
    let spec: PlayerSpec = player.parse()?;
    let suite = args.suite.as_deref().map(read_suite).transpose()?;
    let deep = match (&args.deep, &suite) {
        (Some(level), _) => Some(level.parse::<Level>()?),
        (None, None) if args.tables.is_none() => Some(Level::Depth(6)),
        (None, _) => None,
    };
    let game = match (&suite, args.game.is_given()) {
        (Some(suite), false) => suite.game.clone(),
        _ => args.game.game_or(contest::own_rules(&[player])?)?,
    };
    if let Some(suite) = suite.as_ref().filter(|suite| suite.game.ruleset() != game.ruleset()) {
        anyhow::bail!("the suite is of `{}`, and the arguments name another game; leave them out", suite.name);
    }
    let place = if args.record { Some(place_of(&spec)?) } else { None };
    let budgets = Budgets::new(&spec, args.budget.as_deref())?;
    let tables = args.tables.as_deref().map(|path| contest::tables(path, &game)).transpose()?;
    let truth = Truth { suite: suite.as_ref(), deep, tables: tables.as_deref() };
    let report = measure::measure(&game, &budgets, &truth, args)?;
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(io::stdout(), "{report}")?;
    }
    if let Some((run, iteration, crc32)) = place {
        quality_file::add(&run, iteration, crc32, &report.figures())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Finds the run's folder, the iteration and the network's checksum of a checkpoint.
fn place_of(spec: &PlayerSpec) -> anyhow::Result<(PathBuf, u64, u32)> {
    let PlayerSpec::Checkpoint { path, .. } = spec else {
        anyhow::bail!(
            "--record keeps figures of a run's checkpoints; give mcts:RUN_DIR or mcts:RUN_DIR/checkpoints/NNNNNN"
        );
    };
    let checkpoint = Checkpoint::open(path)?;
    let run = checkpoint.path.parent().and_then(Path::parent);
    let run = run.filter(|run| run.join("checkpoints").is_dir()).with_context(|| {
        format!("{} is not in the checkpoints/ of a run's folder, so --record has no place", checkpoint.path.display())
    })?;
    files::check(&quality_file::place(run))?;
    Ok((run.to_owned(), checkpoint.state.iteration, network_sum(&checkpoint.state)))
}

fn read_suite(path: &Path) -> anyhow::Result<Suite> {
    let text = files::read_text(path, "a suite, such as those in configs/suites")?;
    Ok(Suite::parse(&path.display().to_string(), &text)?)
}

fn make(args: &QualityArgs, file: &Path) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.game.rules.is_none(),
        "a suite names its game by preset and options, so --rules cannot be used; give --preset and --set"
    );
    let judge: Level = args.deep.as_deref().unwrap_or("ab-7").parse()?;
    let mut name = args.game.preset.clone().unwrap_or_else(|| crate::rules_args::DEFAULT_PRESET.to_owned());
    for option in &args.game.set {
        name = format!("{name} {option}");
    }
    let empty = Suite::of(&name).map_err(anyhow::Error::msg)?;
    let config = SuiteConfig { count: args.count, seed: args.seed, judge, margin: 150 };
    let bar = contest::bar(args.count as u64, "puzzles");
    let suite = make_suite(empty, &config, &mut |found, looked| {
        bar.set_position(found as u64);
        bar.set_message(format!("{looked} positions looked through"));
    })?;
    bar.finish_and_clear();
    anyhow::ensure!(!suite.puzzles.is_empty(), "no puzzle was found; try another --seed or a deeper --deep");
    let options = args.game.set.iter().fold(String::new(), |options, option| options + " --set " + option);
    let preset = args.game.preset.as_deref().unwrap_or(crate::rules_args::DEFAULT_PRESET);
    let head = [
        format!(
            "Made by: damma quality --make-suite FILE --preset {preset}{options} --deep {judge} --count {} --seed {}",
            args.count, args.seed
        ),
        format!(
            "(baseline {}). In each position one turn alone wins or gains, as {judge} proves after",
            damma_eval::VERSION
        ),
        "every turn, and a search of depth 1 neither plays nor expects it.".to_owned(),
    ];
    files::write_beside(file, suite.text(&head).as_bytes())?;
    writeln!(io::stdout(), "{} puzzles in {}", suite.puzzles.len(), file.display())?;
    Ok(ExitCode::SUCCESS)
}
