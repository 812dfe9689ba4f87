//! `damma config`: checks configs and tells what may stand in them.
//!
//! This file only picks a subcommand; what the keys are is data in the trainer.

mod check;
mod explain;
mod reference;

pub use check::network_text;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Check a training config, or look up its keys.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConfigArgs {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  damma config check configs/damma8.toml
  damma config explain selfplay.simulations
  damma config schema > schema.json";

#[derive(Debug, Subcommand)]
enum Action {
    Check(check::CheckArgs),
    Explain(explain::ExplainArgs),
    Schema(SchemaArgs),
}

/// Write a JSON Schema (draft 2020-12) of configs, for editors.
///
/// Editors with taplo (Even Better TOML in VS Code) complete and check a config whose first line
/// names it: `#:schema schema.json`, relative to the config. configs/schema.json is this output.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  damma config schema
  damma config schema > schema.json")]
struct SchemaArgs {}

/// Runs the subcommand.
///
/// # Errors
/// The config or the key is wrong, or the output cannot be written.
pub fn run(args: &ConfigArgs) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Check(args) => check::run(args),
        Action::Explain(args) => explain::run(args),
        Action::Schema(SchemaArgs {}) => {
            writeln!(io::stdout(), "{:#}", damma_trainer::config::schema())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
