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
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Args;
use damma_env::{Game, State};
use damma_eval::{Arena, MatchReport, MatchResult, Player, Sprt, verdict};

use crate::rules_args::GameArgs;
use crate::{contest, files};
use journal::Journal;
use players::{Entrant, ProgramArgs};
use rounds::Rounds;
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
    /// mcts:PATH@TIMEms, mcts:PATH@levelN, engine:COMMAND, or the name of an --engine.
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
    #[arg(long, value_name = "FILE", value_parser = files::output(), help_heading = "Openings")]
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
    #[arg(long, value_name = "FILE", value_parser = files::output(), help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Keep time, opinion and nodes of each choice in that file too.
    #[arg(long, requires = "out", help_heading = "Output")]
    pub thoughts: bool,
    /// Write the games as PDN.
    #[arg(long, value_name = "FILE", value_parser = files::output(), help_heading = "Output")]
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
  damma match ab-3 random --series --games 10 --preset zamma";

/// Runs the subcommand.
///
/// # Errors
/// A player, the rules or the openings are wrong, a checkpoint is damaged or of another game, a
/// program is no engine, or a file cannot be written or holds something else.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    contest::check(2, args.simulations)?;
    check_files(args)?;
    let entrants = args.programs.entrants([&args.a, &args.b])?;
    let [a, b] = entrants.each_ref();
    contest::start_threads(args.threads)?;
    let game = args.game.game_or(players::own_rules(&[a, b])?)?;
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
    let order = openings::order(args, args.programs.together(&[a, b]));
    let judge = |game: &Game, state: &State| verdict(tables.as_deref()?, game, state);
    let mut arena = Arena::new(&game, &openings, args.seed, order)?;
    if args.tables.adjudicate {
        arena = arena.adjudicated_by(&judge);
    }
    let terms = Terms::new(args, &game, [a, b], [first.name(), second.name()], &openings, order, tables.as_deref())?;
    let rounds = Rounds { arena: &arena, sprt: args.sprt, programs: [a, b].map(Entrant::is_engine) };
    let result = play(args, &game, &rounds, &terms, [first.as_mut(), second.as_mut()])?;
    tell(args, &game, &result)?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that no file is named twice.
fn check_files(args: &MatchArgs) -> anyhow::Result<()> {
    let openings = Some(&args.openings).filter(|source| openings::is_file(source)).map(PathBuf::from);
    let journal = args.out.as_deref().map(journal::path_beside);
    let named = [
        ("--out", &args.out),
        ("the journal of --out", &journal),
        ("--pdn", &args.pdn),
        ("--save-openings", &args.save_openings),
        ("--openings", &openings),
        ("--rules", &args.game.rules),
    ];
    files::apart(&named.iter().filter_map(|(name, path)| Some((*name, path.as_deref()?))).collect::<Vec<_>>())
}

/// Plays the match, or what is left of it, and writes its result file; a finished one is only read.
fn play(
    args: &MatchArgs,
    game: &Game,
    rounds: &Rounds<'_>,
    terms: &Terms,
    players: [&mut dyn Player; 2],
) -> anyhow::Result<MatchResult> {
    let [a, b] = players.each_ref().map(|player| player.name());
    let blank = MatchResult { a, b, seed: args.seed, series: args.series, games: Vec::new() };
    let Some(path) = &args.out else { return rounds.play(players, blank, None) };
    if let Some(result) = output::known(path, terms, rounds, blank.clone())? {
        // A kill may have come between writing the one and removing the other.
        journal::remove_left_over(path, terms)?;
        return Ok(result);
    }
    let mut journal = Journal::open(path, terms)?;
    let known = std::mem::take(&mut journal.games);
    let begun = rounds.take_up(blank, known, journal.path())?;
    journal.tell_at_ctrl_c()?;
    let result = rounds.play(players, begun, Some(&mut journal))?;
    output::write(path, terms, &MatchReport::new(game, &result).tested(args.sprt), &result, args.thoughts)?;
    journal.remove()?;
    Ok(result)
}

/// Prints the report and writes the PDN; neither is lost where the other fails.
fn tell(args: &MatchArgs, game: &Game, result: &MatchResult) -> anyhow::Result<()> {
    let report = MatchReport::new(game, result).tested(args.sprt);
    let text = if args.json { serde_json::to_string(&report)? } else { report.to_string() };
    let printed = writeln!(io::stdout(), "{text}");
    if let Some(path) = &args.pdn {
        let written = pdn::write(game, result, path);
        match &args.out {
            Some(out) => written.with_context(|| {
                format!("the games are in {}, from which the same command writes them as PDN", out.display())
            })?,
            None => written?,
        }
    }
    Ok(printed?)
}
