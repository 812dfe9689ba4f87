//! `damma match`: two players, paired openings, and what that says of their strength.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Args;

use crate::contest::{self, Terms};
use crate::rules_args::GameArgs;

/// Play two players against each other, and print wins, draws, losses and the Elo difference.
///
/// Every opening is random, fair by a short search, and played twice with colours swapped. The
/// 95 % interval comes from the pairs. Without rules in the arguments a checkpoint's own are taken.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MatchArgs {
    /// The first player: random, ab-1 to ab-8, ab:nNODES, mcts:PATH or mcts:PATH@SIMULATIONS.
    #[arg(value_name = "A")]
    pub a: String,
    /// The second player.
    #[arg(value_name = "B")]
    pub b: String,
    /// How many games, an even number.
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    pub games: usize,
    /// Simulations a decision of a checkpoint that names none.
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub simulations: u32,
    /// Seed of openings and players.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; 0 is one a core. The result is the same for any.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Print the report as one JSON object.
    #[arg(long)]
    pub json: bool,
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma match ab-2 random --preset kharberg --games 20
  damma match ab-4 ab-2 --games 40
  damma match mcts:runs/quickstart ab-3 --games 200
  damma match mcts:runs/a@400 mcts:runs/b@400 --json";

/// Runs the subcommand.
///
/// # Errors
/// A player or the rules are wrong, or a checkpoint is damaged or of another game.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    contest::check(args.games, args.simulations)?;
    contest::start_threads(args.threads)?;
    let game = args.game.game_or(contest::own_rules(&[&args.a, &args.b])?)?;
    let mut a = contest::player(&args.a, &game, args.simulations)?;
    let mut b = contest::player(&args.b, &game, args.simulations)?;
    let terms = Terms { games: args.games, seed: args.seed };
    let report = contest::contest(&game, a.as_mut(), b.as_mut(), terms)?;
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(io::stdout(), "{report}")?;
    }
    Ok(ExitCode::SUCCESS)
}
