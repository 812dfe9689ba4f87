//! `damma solve`: exact endings, made, checked and asked.
//!
//! This file says what is asked for; each task is a file of its own. None knows how values are
//! found or stored.

mod make;
mod probe;
mod report;
mod start;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::contest;
use crate::rules_args::GameArgs;

/// Solve endings exactly: every position with few pieces won, drawn or lost, and in how many turns.
///
/// Tables are made with --pieces and --out, one file a material class; a job that was stopped goes
/// on where it was with the same command. Values leave out what depends on history: repetition, the
/// counter of turns without progress, the greatest number of turns. Infinite play is a draw.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SolveArgs {
    /// Make tables of all positions with up to so many pieces, 2 to 8.
    #[arg(long, value_name = "COUNT", requires = "out", value_parser = clap::value_parser!(u8).range(2..=8), group = "task")]
    pieces: Option<u8>,
    /// The folder to write tables to.
    #[arg(long, value_name = "DIR", requires = "pieces")]
    out: Option<PathBuf>,
    /// Check the tables of a folder: every checksum, and samples of values.
    #[arg(long, value_name = "DIR", group = "task")]
    verify: Option<PathBuf>,
    /// Say what a position (fields, or the FEN of PDN) is worth and which turns are best, by the tables in DIR.
    #[arg(long, value_name = "POSITION", requires = "tables", group = "task")]
    probe: Option<String>,
    /// Prove by search who can force a win from the start of the game; asks the tables in DIR, if given.
    #[arg(long, group = "task")]
    start: bool,
    /// With --start: the position to begin from, in quotes, instead of the start of the game.
    #[arg(long, value_name = "POSITION", requires = "start")]
    position: Option<String>,
    /// With --start: give up after looking into so many positions for each side.
    #[arg(long, value_name = "COUNT", default_value_t = 100_000_000)]
    nodes: u64,
    /// The folder of tables to ask.
    #[arg(value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Refuse tables that are predicted to need more memory than this, in GiB; with --start, what to use.
    #[arg(long, value_name = "GIB", default_value_t = 4.0)]
    memory: f64,
    /// Positions to check again, in all; every class gets a share.
    #[arg(long, value_name = "COUNT", default_value_t = 100_000)]
    samples: u64,
    /// Threads to use; 0 is one a core. The result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    threads: usize,
    /// Write one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma solve --preset khreibga --pieces 4 --out tables/khreibga
  damma solve --preset damma8 --pieces 5 --out tables/damma8
  damma solve --verify tables/khreibga --samples 1000000
  damma solve --probe '5/1W3/5/3b1/5 w' tables/khreibga
  damma solve --probe 'W:WK15,20:BK28,12' tables/damma8 --json
  damma solve --start --preset kharberg --set man_steps=forward";

/// Runs the subcommand.
///
/// # Errors
/// The arguments do not fit together, the job needs too much memory, files cannot be read or
/// written, or a value is wrong.
pub fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    if let Some(tables) = args.tables.as_ref().filter(|_| args.probe.is_none() && !args.start) {
        let tables = tables.display();
        anyhow::bail!(
            "{tables} is given, but nothing to ask it: add --probe POSITION or --start, or say --verify {tables}"
        );
    }
    contest::start_threads(args.threads)?;
    if let (Some(pieces), Some(out)) = (args.pieces, &args.out) {
        make::run(args, usize::from(pieces), out)
    } else if let Some(folder) = &args.verify {
        verify::run(args, folder)
    } else if let (Some(position), Some(tables)) = (&args.probe, &args.tables) {
        probe::run(args, position, tables)
    } else if args.start {
        start::run(args, args.tables.as_deref())
    } else {
        anyhow::bail!(
            "nothing to do: give --pieces with --out, --verify, --probe or --start; `damma solve --help` has examples"
        )
    }
}
