//! `damma match`: two players, paired openings or a series, and what that says of their strength.

mod journal;
mod openings;
mod output;
mod pdn;
mod players;
mod rounds;
mod tables;
mod terms;

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use damma_env::{Game, State};
use damma_eval::{Arena, MatchReport, MatchResult, PairCounts, Player, Sprt, SprtDecision, verdict};

use crate::contest;
use crate::rules_args::GameArgs;
use journal::Journal;
use players::ProgramArgs;
use tables::TableArgs;
use terms::Terms;

/// Play two players against each other, and print wins, draws, losses and the Elo difference.
///
/// Every opening is played twice with colours swapped, and the 95 % interval comes from the pairs.
/// Without --openings they are random, fair by a short search. Without rules in the arguments a
/// checkpoint's own are taken. A program that crashes, is late or plays what is not legal loses
/// that game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MatchArgs {
    /// The first player: random, ab-1 to ab-12, ab:nNODES, mcts:PATH, mcts:PATH@SIMULATIONS,
    /// mcts:PATH@TIMEms, engine:COMMAND, or the name of an --engine.
    #[arg(value_name = "A")]
    pub a: String,
    /// The second player.
    #[arg(value_name = "B")]
    pub b: String,
    /// How many games; even, but for a series [default: 100, or all of the openings].
    #[arg(long, value_name = "COUNT")]
    pub games: Option<usize>,
    /// Simulations a decision of a checkpoint that names none.
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub simulations: u32,
    /// Seed of openings and players.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Threads to use; 0 is one a core. The result is the same for any, unless time is measured.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub threads: usize,
    /// Openings: random, ballots (damma8), or a file of one a line or of PDN.
    #[arg(long, value_name = "SOURCE", default_value = "random", help_heading = "Openings")]
    pub openings: String,
    /// Write the openings to a file, one a line.
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub save_openings: Option<PathBuf>,
    /// Play a series from one start instead of pairs: the winner has White in the next game.
    #[arg(long, help_heading = "Openings")]
    pub series: bool,
    /// Stop as soon as it is clear whether the first player is ELO0 or ELO1 stronger, by a sequential
    /// test on pairs with errors ALPHA and BETA [default: 0.05 each]; --games are the most.
    #[arg(
        long,
        value_name = "ELO0,ELO1[,ALPHA,BETA]",
        conflicts_with = "series",
        allow_hyphen_values = true,
        help_heading = "Stopping"
    )]
    pub sprt: Option<Sprt>,
    /// What tables know.
    #[command(flatten)]
    pub tables: TableArgs,
    /// Programs that play.
    #[command(flatten)]
    pub programs: ProgramArgs,
    /// Write the result with all games as JSON. A match that was killed goes on from FILE.part.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Keep time, opinion and nodes of each choice in that file too.
    #[arg(long, requires = "out", help_heading = "Output")]
    pub thoughts: bool,
    /// Write the games as PDN.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pdn: Option<PathBuf>,
    /// Print the report as one JSON object.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Which game.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma match ab-2 random --preset kharberg --games 20
  damma match ab-4 ab-2 --openings ballots
  damma match mcts:runs/quickstart ab-3 --games 200 --out match.json --pdn match.pdn
  damma match mcts:runs/a@400 mcts:runs/b@400 --json
  damma match ab-3 'engine:damma engine --level ab-2' --nodes 5000
  damma match mine ab-3 --engine mine='./engine --quiet' --time 100 --concurrency 4
  damma match mcts:runs/b mcts:runs/a --sprt 0,20 --games 2000
  damma match ab-3 ab-3 --series --games 10 --preset zamma";

/// Runs the subcommand.
///
/// # Errors
/// A player, the rules or the openings are wrong, a checkpoint is damaged or of another game, a
/// program is no engine, or a file cannot be written.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    contest::check(2, args.simulations)?;
    let (a, b) = (args.programs.entrant(&args.a)?, args.programs.entrant(&args.b)?);
    args.programs.check(&[&a, &b])?;
    contest::start_threads(args.threads)?;
    let game = args.game.game_or(players::own_rules(&[&a, &b])?)?;
    // First, so that a program that is missing is heard of at once.
    let tables = args.tables.load(&game)?;
    let mut first = a.player(&game, args.simulations, &args.programs, tables.as_ref())?;
    let mut second = b.player(&game, args.simulations, &args.programs, tables.as_ref())?;
    ensure!(
        args.sprt.is_none() || first.name() != second.name(),
        "--sprt of {} against itself: a player is as strong as itself; give two players",
        first.name()
    );
    let openings = openings::choose(&game, args)?;
    if let Some(path) = &args.save_openings {
        openings::save(&game, &openings, path)?;
    }
    let order = openings::order(args, args.programs.together(&[&a, &b]));
    let judge = |game: &Game, state: &State| verdict(tables.as_deref()?, game, state);
    let mut arena = Arena::new(&game, &openings, args.seed, order)?;
    if args.tables.adjudicate {
        arena = arena.adjudicated_by(&judge);
    }
    let terms = Terms::new(args, &game, [&a, &b], [first.name(), second.name()], &openings, order, tables.as_deref())?;
    let result = match args.out.as_ref().map(|path| output::known(path, &terms)).transpose()?.flatten() {
        Some(games) => {
            let result = MatchResult { games, ..blank(args, first.name(), second.name()) };
            args.pdn.as_ref().map_or(Ok(()), |path| pdn::write(&game, &result, path))?;
            result
        }
        None => play(args, &game, &arena, &terms, [first.as_mut(), second.as_mut()])?,
    };
    let report = MatchReport::new(&game, &result).tested(args.sprt);
    if args.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(io::stdout(), "{report}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the match, or what is left of it, and writes its files.
fn play(
    args: &MatchArgs,
    game: &Game,
    arena: &Arena<'_>,
    terms: &Terms,
    [a, b]: [&mut dyn Player; 2],
) -> anyhow::Result<MatchResult> {
    let mut journal = args.out.as_ref().map(|path| Journal::open(path, terms)).transpose()?;
    let blank = blank(args, a.name(), b.name());
    let decided = |sprt: &Sprt, pairs: &PairCounts| sprt.state(pairs).decision != SprtDecision::Continue;
    let mut stop = |pairs: &PairCounts| match &args.sprt {
        Some(sprt) if decided(sprt, pairs) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let result = rounds::play(arena, a, b, blank, journal.as_mut(), &mut stop)?;
    if let Some(path) = &args.pdn {
        pdn::write(game, &result, path)?;
    }
    if let Some(path) = &args.out {
        output::write(path, terms, &MatchReport::new(game, &result).tested(args.sprt), &result, args.thoughts)?;
    }
    journal.map_or(Ok(()), Journal::remove)?;
    Ok(result)
}

fn blank(args: &MatchArgs, a: String, b: String) -> MatchResult {
    MatchResult { a, b, seed: args.seed, series: args.series, games: Vec::new() }
}
