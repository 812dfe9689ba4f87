//! `damma ratings`: one rating list from many results.

mod pdn;
mod reports;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use damma_eval::{RatedPlayer, RatingList, Results};
use serde_json::json;

use crate::files;

/// Rate many players from the results in files.
///
/// Reads match reports (the JSON of `damma match --json`, one or more a file, or its --out), elo.json
/// of runs, and PDN files whose games name their players and results. Ratings are of maximum likelihood by
/// Davidson's model with an advantage for White; intervals count the pair of games of an opening
/// as the independent unit. The intervals of ratings are those of the difference from the anchor.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RatingsArgs {
    /// The files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Who stands at the anchor's Elo; without it ab-1, or else who played most.
    #[arg(long, value_name = "PLAYER")]
    pub anchor: Option<String>,
    /// The anchor's Elo.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub anchor_elo: f64,
    /// Add half a drawn pair between those who met, so that perfect scores have a rating too.
    #[arg(long)]
    pub prior: bool,
    /// Print the list as one JSON object, with the covariances.
    #[arg(long)]
    pub json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma ratings first.json second.json
  damma ratings runs/quickstart/elo.json --anchor ab-1
  damma ratings games.pdn --prior
  damma ratings matches.json --json";

/// The level that anchors where nobody else is asked for.
const ANCHOR: &str = "ab-1";

/// The most Elo that an anchor stands at, above or below 0.
const MOST_ELO: f64 = 10_000.0;

/// What was read.
#[derive(Debug, Default)]
struct Read {
    results: Results,
    /// What was left out, and why.
    warnings: Vec<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// A file is no report and no PDN, the anchor played no game, or others have no result that leads
/// to it.
pub fn run(args: &RatingsArgs) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.anchor_elo.abs() <= MOST_ELO,
        "--anchor-elo {:e} is outside -{MOST_ELO} to {MOST_ELO}",
        args.anchor_elo
    );
    let mut read = Read::default();
    let mut rules = reports::Rules::default();
    let mut seen = BTreeSet::new();
    for path in &args.files {
        if path.canonicalize().is_ok_and(|path| !seen.insert(path)) {
            read.warnings.push(format!("{}: the file was given before and counts once", path.display()));
            continue;
        }
        add(&mut read, path, &mut rules)?;
    }
    let anchor = match &args.anchor {
        Some(anchor) => anchor.clone(),
        None => default_anchor(&read.results)?,
    };
    let list = RatingList::fit(&read.results, &anchor, args.anchor_elo, args.prior)?;
    if args.json {
        let mut object = serde_json::to_value(&list)?;
        object["warnings"] = json!(read.warnings);
        writeln!(io::stdout(), "{object}")?;
    } else {
        for warning in &read.warnings {
            writeln!(io::stderr(), "warning: {warning}")?;
        }
        write!(io::stdout(), "{}", text(&list)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Adds the results of a file, JSON or PDN by its first letter.
fn add(read: &mut Read, path: &Path, rules: &mut reports::Rules) -> anyhow::Result<()> {
    let name = path.display();
    let text = files::read_old_text(path, "match reports as JSON, or PDN")?;
    let begin = text.trim_start();
    let inner = begin.get(1..).map_or("", str::trim_start);
    // PDN may begin with a bracket (a tag) or a brace (a remark) too; JSON goes on otherwise.
    let json = begin.starts_with('{') && inner.starts_with(['"', '}'])
        || begin.starts_with('[') && inner.starts_with(['{', ']']);
    if begin.is_empty() {
        anyhow::bail!("{name}, line 1: the file is empty; give match reports as JSON, or PDN");
    }
    if json { reports::add(read, path, &text, rules) } else { pdn::add(read, path, &text) }
}

/// Gives the baseline's first level if it played, or else who played most games.
fn default_anchor(results: &Results) -> anyhow::Result<String> {
    let games = results.games();
    let most = games.iter().map(|(_, count)| *count).max().context("there is no game between two players to rate")?;
    let first = games.iter().find(|(name, _)| *name == ANCHOR).or_else(|| games.iter().find(|(_, n)| *n == most));
    Ok(first.expect("somebody played most").0.to_owned())
}

fn text(list: &RatingList) -> Result<String, std::fmt::Error> {
    let width = list.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:>4} {:width$} {:>6} {:>5} {:>7} {:>7} {:>7} {:>7}\n",
        "rank", "player", "Elo", "+/-", "games", "score", "draws", "LOS"
    );
    for (rank, player) in (1..).zip(&list.players) {
        let los = player.los.map_or_else(String::new, |los| format!("{:.1} %", 100.0 * los));
        let (elo, error) = rating(player);
        let (score, draws) = (format!("{:.1} %", 100.0 * player.score), format!("{:.1} %", 100.0 * player.draws));
        let line = format!(
            "{rank:>4} {:width$} {elo:>6} {error:>5} {:>7} {score:>7} {draws:>7} {los:>7}",
            player.name, player.games
        );
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for player in &list.players {
        if let Some(note) = &player.note {
            writeln!(text, "{} {note}", player.name)?;
        }
    }
    let RatingList { anchor, white, white_plus_minus, .. } = list;
    let draws = 100.0 * list.draw_rate;
    writeln!(
        text,
        "anchor {anchor}; White is worth {white:+.0} +/- {white_plus_minus:.0} Elo; equals draw {draws:.1} %"
    )?;
    text.push_str("+/- at 95 %, against the anchor; LOS: how probably a player is stronger than the next\n");
    Ok(text)
}

/// Writes a rating, or the bound where there is none.
fn rating(player: &RatedPlayer) -> (String, String) {
    match (player.elo, player.plus_minus, player.low, player.high) {
        (Some(elo), Some(error), ..) => (format!("{elo:.0}"), format!("{error:.0}")),
        (_, _, Some(low), None) => (format!(">{low:.0}"), "-".to_owned()),
        (_, _, None, Some(high)) => (format!("<{high:.0}"), "-".to_owned()),
        _ => ("?".to_owned(), "-".to_owned()),
    }
}
