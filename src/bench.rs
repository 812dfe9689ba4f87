//! `damma bench`: how fast the parts are, each measured by a subcommand of its own.
//!
//! This file only picks one. Figures are of CPU time wherever possible, since machines are shared.

mod baseline;
mod batch;
mod clock;
mod env;
mod games;
mod perft;
mod plan;
mod report;
mod search;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Measure how fast things are on this machine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArgs {
    #[command(subcommand)]
    part: Part,
}

const EXAMPLES: &str = "\
Examples:
  damma bench env
  damma bench env --preset damma8 --json
  damma bench baseline
  damma bench search configs/damma8.toml";

#[derive(Debug, Subcommand)]
enum Part {
    Env(env::EnvArgs),
    Baseline(baseline::BaselineArgs),
    Search(search::SearchArgs),
}

/// Runs the subcommand.
///
/// # Errors
/// The arguments are wrong, or the output cannot be written.
pub fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    match &args.part {
        Part::Env(args) => env::run(args),
        Part::Baseline(args) => baseline::run(args),
        Part::Search(args) => search::run(args),
    }
}
