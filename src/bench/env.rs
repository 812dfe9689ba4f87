//! `damma bench env`: steps a second of many boards in step, and positions a second of perft.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::games::{NamedGame, games};
use super::plan::{Setting, Wishes, plan};
use super::{batch, perft, report};

/// The most boards: with observations, twice so many take some gigabytes.
const MOST_BOARDS: usize = 1 << 18;

/// Measure the rules: steps a second of many boards in step, and perft.
///
/// Boards are played by a uniform random policy, a new game starting in the step that ends one.
/// Rates are medians, in millions of steps of one board a second: of CPU time and of wall time
/// for the steps alone, and of CPU time with the drawing of actions counted. Without options:
/// every preset at 4,096 boards on one thread, and the first one at all numbers of boards and
/// threads.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EnvArgs {
    /// A game to measure; may be repeated, or several separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Rules")]
    preset: Vec<String>,
    /// An option on top of each preset, such as capture=forced; may be repeated.
    #[arg(long, value_name = "OPTION=VALUE", help_heading = "Rules")]
    set: Vec<String>,
    /// How many boards are stepped together; may be repeated, or several separated by commas.
    #[arg(long, value_name = "COUNT", value_delimiter = ',')]
    boards: Vec<usize>,
    /// How many threads step them; may be repeated, or several separated by commas.
    #[arg(long, value_name = "COUNT", value_delimiter = ',')]
    threads: Vec<usize>,
    /// How long each row is measured; perft takes about four times as long.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.25)]
    seconds: f64,
    /// Measure every preset at 1, 64, 1024, 4096 and 16384 boards, on one thread and on all.
    #[arg(long)]
    full: bool,
    /// Print one JSON object a row.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma bench env
  damma bench env --preset zamma --preset srand --boards 4096 --threads 1
  damma bench env --preset srand --set priority=free --boards 64,1024
  damma bench env --full --json > speed.jsonl";

/// Runs the subcommand.
///
/// # Errors
/// The arguments are wrong, a batch cannot be made, or the output cannot be written.
pub fn run(args: &EnvArgs) -> anyhow::Result<ExitCode> {
    check(args)?;
    let games = games(&once(&args.preset), &args.set)?;
    let cores = available_parallelism().map_or(1, usize::from).min(256);
    let (boards, threads) = (once(&args.boards), once(&args.threads));
    let settings = plan(&games, &Wishes { boards: &boards, threads: &threads, full: args.full, cores });
    if !args.json {
        writeln!(io::stdout(), "{}\n", report::machine(cores))?;
    }
    let cost = settings.iter().map(|setting| step_cost(setting, args)).sum::<u64>();
    let bar = bar(cost + games.len() as u64 * perft_cost(args));
    measure_steps(args, &settings, &bar)?;
    measure_perft(args, &games, &bar)?;
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

fn measure_steps(args: &EnvArgs, settings: &[Setting<'_>], bar: &ProgressBar) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for setting in settings {
        bar.set_message(format!("{}, {} boards", setting.game.label(), setting.boards));
        let speed = batch::measure(setting, args.seconds)?;
        if args.json {
            bar.suspend(|| writeln!(io::stdout(), "{}", report::step_json(setting, &speed)))?;
        }
        rows.push((*setting, speed));
        bar.inc(step_cost(setting, args));
    }
    if !args.json {
        let table = report::step_table(&rows);
        let title = "Millions of steps a second: of CPU time, of wall time, and of CPU time with sampling counted";
        bar.suspend(|| writeln!(io::stdout(), "{title}\n\n{table}\n"))?;
    }
    Ok(())
}

fn measure_perft(args: &EnvArgs, games: &[NamedGame], bar: &ProgressBar) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for game in games {
        bar.set_message(format!("{}, perft", game.label()));
        let nodes = perft::measure(&game.game, 4.0 * args.seconds);
        if args.json {
            bar.suspend(|| writeln!(io::stdout(), "{}", report::perft_json(game, &nodes)))?;
        }
        rows.push((game, nodes));
        bar.inc(perft_cost(args));
    }
    if !args.json {
        let table = report::perft_table(&rows);
        bar.suspend(|| writeln!(io::stdout(), "Perft by turns, one thread\n\n{table}"))?;
    }
    Ok(())
}

fn check(args: &EnvArgs) -> anyhow::Result<()> {
    let seconds = args.seconds;
    anyhow::ensure!((0.01..=60.0).contains(&seconds), "--seconds {seconds} is outside 0.01 to 60");
    if let Some(boards) = args.boards.iter().find(|boards| !(1..=MOST_BOARDS).contains(*boards)) {
        anyhow::bail!("--boards {boards} is outside 1 to {MOST_BOARDS}");
    }
    if let Some(threads) = args.threads.iter().find(|threads| !(1..=256).contains(*threads)) {
        anyhow::bail!("--threads {threads} is outside 1 to 256; --full measures one thread and one a core");
    }
    Ok(())
}

/// Gives a list without what it holds twice.
fn once<T: Clone + PartialEq>(list: &[T]) -> Vec<T> {
    let mut kept = Vec::new();
    for item in list {
        if !kept.contains(item) {
            kept.push(item.clone());
        }
    }
    kept
}

/// Guesses how long a row takes, in milliseconds: the warm-up at a million steps a second.
fn step_cost(setting: &Setting<'_>, args: &EnvArgs) -> u64 {
    (args.seconds * 1000.0) as u64 + (batch::WARM_UP * setting.boards / 1000) as u64
}

/// Guesses how long a perft takes, in milliseconds.
fn perft_cost(args: &EnvArgs) -> u64 {
    (args.seconds * 4000.0) as u64
}

fn bar(length: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{elapsed_precise} {bar:24} {percent:>3}% ETA {eta} {msg}");
    ProgressBar::new(length).with_style(style.expect("the template is right"))
}
