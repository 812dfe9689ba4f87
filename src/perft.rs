//! `damma perft`: counts what can be played, to check and to time the rules.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use damma_env::{Game, Position, perft_actions, perft_divide, perft_turns};
use serde_json::{Map, Value, json};

use crate::rules_args::GameArgs;

/// The most first turns that are listed apart.
const DIVIDE_LIMIT: usize = 2_000_000;

/// Count the sequences of turns or actions from a position.
///
/// Turns are complete turns, different paths of captures counted apart. Draws are not looked
/// at; a position with a winner has no moves.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PerftArgs {
    /// The greatest depth; one line is written for each depth from 1.
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: u32,
    /// Count by actions (a step, one hop, a huff, a stop) instead of complete turns.
    #[arg(long)]
    actions: bool,
    /// List each first turn (or action) with its share of the count at the greatest depth.
    #[arg(long)]
    divide: bool,
    /// The position to start from, in quotes: fields as `damma show` prints them, or the FEN of PDN [default: the start].
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Write one JSON object a depth.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma perft --depth 6
  damma perft --preset zamma --set capture=forced --depth 6
  damma perft --preset khreibga --depth 3 --divide
  damma perft --preset damma --depth 2 --actions --json
  damma perft --preset kharberg --depth 2 --position 'bb3/5/5/5/3ww w'";

/// What was counted at one depth.
struct Count {
    depth: u32,
    total: u64,
    time: Duration,
    divide: Option<Vec<(String, u64)>>,
}

/// Runs the subcommand.
///
/// # Errors
/// The rules or the position are wrong, too many first turns are to be listed, or the output
/// cannot be written.
pub fn run(args: &PerftArgs) -> anyhow::Result<ExitCode> {
    let game = args.game.game()?;
    let position = match &args.position {
        Some(text) => game.parse_fen(text).with_context(|| format!("position `{text}`"))?,
        None => game.start(),
    };
    let mut out = io::stdout().lock();
    if !args.json {
        writeln!(out, "{:>5} {:>20} {:>12} {:>14}", "depth", "count", "seconds", "nodes/s")?;
    }
    for depth in 1..=args.depth {
        let count = count(args, &game, &position, depth)?;
        if args.json {
            write_json(&mut out, args, &count)?;
        } else {
            write_text(&mut out, &count)?;
        }
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn count(args: &PerftArgs, game: &Game, position: &Position, depth: u32) -> anyhow::Result<Count> {
    let clock = Instant::now();
    let divide = match (args.divide && depth == args.depth, args.actions) {
        (false, _) => None,
        (true, true) => Some(divide_actions(game, position, depth)),
        (true, false) => Some(divide_turns(game, position, depth)?),
    };
    let total = match &divide {
        Some(shares) => shares.iter().map(|(_, share)| share).sum(),
        None if args.actions => perft_actions(game, position, depth),
        None => perft_turns(game, position, depth),
    };
    Ok(Count { depth, total, time: clock.elapsed(), divide })
}

fn divide_actions(game: &Game, position: &Position, depth: u32) -> Vec<(String, u64)> {
    let shares = perft_divide(game, position, depth, true);
    shares.into_iter().map(|(action, share)| (game.action_text(position, action), share)).collect()
}

fn divide_turns(game: &Game, position: &Position, depth: u32) -> anyhow::Result<Vec<(String, u64)>> {
    let turns = game.turns(position, DIVIDE_LIMIT).context("cannot list the first turns; --actions can")?;
    let share = |turn: &Vec<_>| {
        let next = turn.iter().fold(*position, |position, &action| position.play(game, action));
        // A huff of the last piece wins before the turn has passed; perft counts no turn there.
        let spent = u32::from(next.side() != position.side());
        (game.turn_text(position, turn), perft_turns(game, &next, depth - spent))
    };
    Ok(turns.iter().map(share).collect())
}

fn rate(count: &Count) -> f64 {
    count.total as f64 / count.time.as_secs_f64().max(1e-9)
}

fn write_text(out: &mut impl Write, count: &Count) -> io::Result<()> {
    let seconds = count.time.as_secs_f64();
    writeln!(out, "{:>5} {:>20} {seconds:>12.6} {:>14.0}", count.depth, count.total, rate(count))?;
    let Some(shares) = &count.divide else { return Ok(()) };
    writeln!(out)?;
    let width = shares.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    for (text, share) in shares {
        writeln!(out, "{text:<width$} {share:>16}")?;
    }
    Ok(())
}

fn write_json(out: &mut impl Write, args: &PerftArgs, count: &Count) -> io::Result<()> {
    let mut line = json!({
        "depth": count.depth,
        "by": if args.actions { "actions" } else { "turns" },
        "count": count.total,
        "seconds": count.time.as_secs_f64(),
        "nodes_per_second": rate(count).round(),
    });
    if let Some(shares) = &count.divide {
        let shares: Map<String, Value> = shares.iter().map(|(text, share)| (text.clone(), json!(share))).collect();
        line["divide"] = Value::Object(shares);
    }
    writeln!(out, "{line}")
}
