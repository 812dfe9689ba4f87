//! `damma bench baseline`: nodes a second of the baseline, and the signature of its play.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use damma_eval::{Signature, VERSION, signature};

use super::clock::{rate, time};
use super::games::games;
use super::report;
use crate::contest;

/// Measure the alpha-beta baseline: nodes a second of one thread, and the signature of its play.
///
/// A node is one action played. The signature counts the nodes of fixed positions searched to a
/// fixed depth: it is the same on every machine, and changes with whatever changes the play.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BaselineArgs {
    /// A game to measure; may be repeated, or several separated by commas [default: all].
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Rules")]
    preset: Vec<String>,
    /// An option on top of each preset, such as priority=free; may be repeated.
    #[arg(long, value_name = "OPTION=VALUE", help_heading = "Rules")]
    set: Vec<String>,
    /// How long each game is measured, at least.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    seconds: f64,
    /// Print one JSON object a row.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma bench baseline
  damma bench baseline --preset damma8 --json
  damma bench baseline --preset srand --set priority=free --seconds 5";

/// What was measured of one game.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// What was searched.
    pub signature: Signature,
    /// Nodes searched in all.
    pub nodes: u64,
    /// Nodes in a second of CPU time.
    pub rate: f64,
}

/// Runs the subcommand.
///
/// # Errors
/// The arguments are wrong, or the output cannot be written.
pub fn run(args: &BaselineArgs) -> anyhow::Result<ExitCode> {
    let seconds = args.seconds;
    anyhow::ensure!((0.01..=60.0).contains(&seconds), "--seconds {seconds} is outside 0.01 to 60");
    let mut rows = Vec::new();
    let games = games(&args.preset, &args.set)?;
    let bar = contest::bar(games.len() as u64, "games");
    for game in games {
        bar.set_message(game.label());
        let searched = measure(&game.game, Duration::from_secs_f64(seconds));
        if args.json {
            bar.suspend(|| writeln!(io::stdout(), "{}", report::baseline_json(&game, &searched)))?;
        }
        rows.push((game, searched));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !args.json {
        writeln!(io::stdout(), "{VERSION}, one thread\n\n{}", report::baseline_table(&rows))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Searches the positions of the signature again and again for about so long.
fn measure(game: &damma_env::Game, least: Duration) -> Searched {
    let mut searched = Searched { signature: signature(game), nodes: 0, rate: 0.0 };
    let mut cpu = Duration::ZERO;
    while cpu < least {
        let taken = time(|| {
            searched.nodes += signature(game).nodes;
            Ok::<_, Infallible>(())
        });
        let Ok(taken) = taken;
        // Time that is too short for the clock still ends the measuring.
        cpu += taken.cpu.max(Duration::from_micros(1));
    }
    searched.rate = rate(searched.nodes as f64, cpu);
    searched
}
