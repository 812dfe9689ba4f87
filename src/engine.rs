//! `damma engine`: plays over the text protocols UGI and Hub, for match runners and front-ends.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use damma_serve::protocol::{EngineOptions, converse};
use damma_trainer::Checkpoint;

use crate::contest;
use crate::rules_args::GameArgs;

/// Play as an engine over standard input and output (UGI, or Hub version 2).
///
/// For match runners and front-ends; the first command chooses the protocol, and docs/protocol.md
/// describes every command. `go` without a
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
    contest::check(2, args.simulations)?;
    let own = args.checkpoint.as_ref().map(|path| Checkpoint::open(path)).transpose()?;
    let options = EngineOptions {
        game: args.game.game_or(own.map(|checkpoint| checkpoint.ruleset().clone()))?,
        level: args.level.parse()?,
        checkpoint: args.checkpoint.clone(),
        simulations: args.simulations,
    };
    converse(io::stdin().lock(), io::stdout(), options)?;
    Ok(ExitCode::SUCCESS)
}
