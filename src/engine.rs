//! `damma engine`: plays over the text protocol UGI, for match runners and front-ends.
//!
//! Lines in, lines out; `docs/protocol.md` is the reference. Searches run on a thread of their
//! own, so that `stop`, `isready` and `quit` are heard at once.

mod go;
mod output;
mod search;
mod session;
mod settings;

use std::io::{self, BufRead as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::rules_args::GameArgs;
use session::Session;
use settings::Settings;

/// Play as an engine over standard input and output (UGI).
///
/// For match runners and front-ends; docs/protocol.md describes every command. `go` without a
/// limit plays at the level or with the simulations given here.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct EngineArgs {
    /// The baseline's level: ab-1 to ab-12, ab:dDEPTH or ab:nNODES.
    #[arg(long, value_name = "LEVEL", default_value = "ab-4")]
    pub level: String,
    /// Play with the network of a checkpoint or run instead.
    #[arg(long, value_name = "PATH")]
    pub checkpoint: Option<PathBuf>,
    /// Simulations a decision with a network.
    #[arg(long, value_name = "COUNT", default_value_t = 400)]
    pub simulations: u32,
    /// Which game; the option Preset can change it.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma engine --preset zamma --level ab-3
  damma engine --checkpoint runs/quickstart --simulations 800
  damma match ab-3 'engine:damma engine --level ab-2' --games 20";

/// Runs the subcommand: until `quit`, or the end of the input.
///
/// # Errors
/// The level, the rules or the checkpoint are wrong, or the output is closed.
pub fn run(args: &EngineArgs) -> anyhow::Result<ExitCode> {
    let mut session = Session::new(Settings::new(args)?)?;
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line).into_owned();
        line.clear();
        if session.hear(text.trim())?.is_break() {
            break;
        }
    }
    session.stop()?;
    Ok(ExitCode::SUCCESS)
}
