//! `damma fit`: weights of the baseline's evaluation, from games of its search against itself.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use damma_env::{Game, Ruleset};
use damma_eval::{FEATURES, Fit, FitConfig, fit};
use serde_json::json;

use crate::{contest, files};

/// Fit the evaluation of the baseline to the outcomes of games that it plays against itself.
///
/// Games open with 2 to 10 random turns, and one decision in twenty is random. Quiet positions are
/// sampled, and a logistic regression says what each feature is worth; every fifth game is held
/// out. The result depends on the arguments alone, whatever the number of threads. The weights
/// that the baseline plays with are frozen in its source; this command makes them again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct FitArgs {
    /// The game's name; `damma rules` lists them.
    #[arg(long, value_name = "NAME")]
    preset: String,
    /// How many games are played.
    #[arg(long, value_name = "COUNT", default_value_t = 2000)]
    games: usize,
    /// Seed of the games.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// How deep both players look, in turns.
    #[arg(long, value_name = "TURNS", default_value_t = 2)]
    depth: u8,
    /// A feature to leave out; may be repeated, or several separated by commas.
    #[arg(long, value_name = "FEATURE", value_delimiter = ',')]
    without: Vec<String>,
    /// Where the weights are written, as TOML.
    #[arg(long, value_name = "FILE", value_parser = files::output())]
    out: PathBuf,
    /// Threads to use; 0 is one a core.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    threads: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma fit --preset khreibga --games 500 --out weights.toml
  damma fit --preset damma8 --games 3000 --seed 1 --depth 3 --out weights.toml
  damma fit --preset srand --without mobility,exposure --out weights.toml --json";

/// Runs the subcommand.
///
/// # Errors
/// The arguments are wrong, no game came to its end, or the weights cannot be written.
pub fn run(args: &FitArgs) -> anyhow::Result<ExitCode> {
    ensure!((10..=1_000_000).contains(&args.games), "--games {} is outside 10 to 1000000", args.games);
    ensure!((1..=12).contains(&args.depth), "--depth {} is outside 1 to 12", args.depth);
    if let Some(unknown) = args.without.iter().find(|name| !FEATURES.contains(&name.as_str())) {
        anyhow::bail!("--without {unknown}: there is no such feature; there are {}", FEATURES.join(", "));
    }
    contest::start_threads(args.threads)?;
    let game = Game::new(Ruleset::preset(&args.preset)?)?;
    let bar = contest::bar(args.games as u64, "games");
    let config = FitConfig { games: args.games, seed: args.seed, depth: args.depth, without: args.without.clone() };
    let mut found = fit(&game, &config, &|| bar.inc(1));
    bar.finish_and_clear();
    ensure!(found.learnt > 0 && found.held_out > 0, "no quiet position was found; play more games with --games");
    found.weights.command = command(args);
    let section = found.weights.section(&args.preset);
    let written = files::write_beside(&args.out, section.as_bytes());
    let mut out = io::stdout();
    if args.json {
        writeln!(out, "{}", as_json(args, &found))?;
    } else {
        writeln!(out, "{}", as_text(args, &found))?;
        match &written {
            Ok(()) => writeln!(out, "\nthe weights are in {}", args.out.display())?,
            Err(_) => writeln!(out, "\n{section}")?,
        }
    }
    written.map(|()| ExitCode::SUCCESS)
}

/// Gives the command that makes the same weights again, but for where they are written.
fn command(args: &FitArgs) -> String {
    let FitArgs { preset, games, seed, depth, without, .. } = args;
    let without = if without.is_empty() { String::new() } else { format!(" --without {}", without.join(",")) };
    format!("damma fit --preset {preset} --games {games} --seed {seed} --depth {depth}{without}")
}

fn as_text(args: &FitArgs, found: &Fit) -> String {
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["without", "held-out log-loss"]);
    table.add_rows(found.gains.iter().map(|(name, gain)| [(*name).to_owned(), format!("{gain:+.5}")]));
    table.column_mut(1).expect("the second of two columns").set_cell_alignment(CellAlignment::Right);
    format!(
        "{}: {} positions learnt from, {} held out\nheld-out log-loss {:.4} by the guessed weights, {:.4} by the \
         fitted ones\n\n{}",
        args.preset,
        found.learnt,
        found.held_out,
        found.before,
        found.after,
        table.trim_fmt()
    )
}

fn as_json(args: &FitArgs, found: &Fit) -> serde_json::Value {
    let gains: serde_json::Map<_, _> =
        found.gains.iter().map(|(name, gain)| ((*name).to_owned(), json!(gain))).collect();
    json!({
        "preset": args.preset,
        "learnt": found.learnt,
        "held_out": found.held_out,
        "log_loss_before": found.before,
        "log_loss_after": found.after,
        "log_loss_without": gains,
        "weights": found.weights,
    })
}
