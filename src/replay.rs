//! `damma replay`: plays the games of a PDN file through the rules.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use damma_env::{Game, PdnError, PdnGame, PdnReader, ReplayFault, Ruleset};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::files;
use crate::rules_args::GameArgs;

/// Play every game of a PDN file through the rules.
///
/// Writes the first fault of each game that the rules do not allow, with its place in the file,
/// and the number of games. Without rules in the arguments each game is played with those that
/// its tags name, and with damma8 (English draughts) where they name none. Draws are not looked
/// at: files come from games with other draw rules.
///
/// Exit codes: 0 all games are clean, 1 some are not, 2 the file cannot be read or has no game.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReplayArgs {
    /// The file, in Portable Draughts Notation.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Write one JSON object a faulty game, and one with the counts at the end.
    #[arg(long)]
    pub json: bool,
    /// Which rules to play by.
    #[command(flatten)]
    pub game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma replay games.pdn
  damma replay --preset zamma --set capture=forced games.pdn
  damma replay --json games.pdn";

/// What is said of a file that may have been cut.
pub const CUT: &str = "the last game has no result behind its moves; the file may have been cut";

/// What is wrong with a game of a file.
#[derive(Debug, PartialEq)]
enum Fault {
    /// It cannot be read.
    Text(PdnError),
    /// The rules do not allow it.
    Rules(ReplayFault),
}

/// The outcome of a file: how many games, and the faulty ones with their numbers from 1.
#[derive(Debug, PartialEq)]
struct Report {
    games: usize,
    faults: Vec<(usize, Fault)>,
    /// Whether the text ends before the result of its last game.
    is_cut: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// The rules are wrong, the file cannot be read or has no game, or the output cannot be written.
pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let text = files::read_old_text(&args.file, "a PDN file")?;
    let report = check(&text, &args.game).with_context(|| args.file.display().to_string())?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.json {
        write_json(&mut out, &report)?;
    } else {
        write_text(&mut out, &args.file, &report)?;
    }
    out.flush()?;
    if report.is_cut && !args.json {
        let _ = writeln!(io::stderr(), "warning: {}: {CUT}", args.file.display());
    }
    Ok(ExitCode::from(u8::from(!report.faults.is_empty())))
}

/// Plays every game of a text.
fn check(text: &str, args: &GameArgs) -> anyhow::Result<Report> {
    let games: Vec<Result<PdnGame, PdnError>> = PdnReader::new(text).collect();
    if games.is_empty() {
        bail!("there is no game; a PDN file has tags such as [Event \"...\"], and moves such as 1. 9-14 23-19");
    }
    if games.iter().all(Result::is_err) {
        let first = games.into_iter().find_map(Result::err).expect("all are errors and there is one");
        return Err(first).context("no game can be read; is it a PDN file?");
    }
    let rules = choose_rules(&games, args)?;
    let check = |(pdn, rules): (&Result<PdnGame, PdnError>, &Arc<Game>)| match pdn {
        Ok(pdn) => rules.replay_pdn(pdn).err().map(Fault::Rules),
        Err(error) => Some(Fault::Text(error.clone())),
    };
    let checked: Vec<Option<Fault>> = games.par_iter().zip(&rules).map(check).collect();
    let faults = checked.into_iter().enumerate().filter_map(|(index, fault)| Some((index + 1, fault?))).collect();
    let is_cut = games.last().is_some_and(|last| last.as_ref().is_ok_and(|pdn| pdn.is_cut));
    Ok(Report { games: games.len(), faults, is_cut })
}

/// Gives the rules that each game is played by; games with the same ruleset share them.
fn choose_rules(games: &[Result<PdnGame, PdnError>], args: &GameArgs) -> anyhow::Result<Vec<Arc<Game>>> {
    let default = args.game()?;
    let mut known = vec![default.clone()];
    let of_tags = |pdn: &PdnGame| -> Option<Ruleset> {
        // Tags that name no ruleset are a fault of that game, found when it is played.
        if args.is_given() { None } else { pdn.ruleset().ok().flatten() }
    };
    games
        .iter()
        .map(|pdn| {
            let Some(ruleset) = pdn.as_ref().ok().and_then(of_tags) else { return Ok(default.clone()) };
            if let Some(game) = known.iter().find(|game| *game.ruleset() == ruleset) {
                return Ok(game.clone());
            }
            let game = Game::new(ruleset)?;
            known.push(game.clone());
            Ok(game)
        })
        .collect()
}

fn write_text(out: &mut impl Write, path: &Path, report: &Report) -> io::Result<()> {
    let path = path.display();
    for (number, fault) in &report.faults {
        match fault {
            Fault::Text(PdnError { line, column, what, remedy }) => {
                writeln!(out, "{path}:{line}:{column}: game {number}: {what}; {remedy}")?;
            }
            Fault::Rules(ReplayFault { line, column, ply: 0, text, reason }) => {
                writeln!(out, "{path}:{line}:{column}: game {number}, tag {text}: {reason}")?;
            }
            Fault::Rules(ReplayFault { line, column, ply, text, reason }) => {
                writeln!(out, "{path}:{line}:{column}: game {number}, ply {ply}, {text}: {reason}")?;
            }
        }
    }
    let faulty = report.faults.len();
    writeln!(out, "{} games, {} clean, {faulty} faulty", report.games, report.games - faulty)
}

fn write_json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for (number, fault) in &report.faults {
        let line = match fault {
            Fault::Text(error) => json!({
                "game": number, "line": error.line, "column": error.column, "ply": Value::Null, "move": Value::Null,
                "reason": format!("{}; {}", error.what, error.remedy),
            }),
            Fault::Rules(fault) => json!({
                "game": number, "line": fault.line, "column": fault.column, "ply": fault.ply, "move": fault.text,
                "reason": fault.reason.to_string(),
            }),
        };
        writeln!(out, "{line}")?;
    }
    let faulty = report.faults.len();
    let counts =
        json!({ "games": report.games, "clean": report.games - faulty, "faulty": faulty, "cut": report.is_cut });
    writeln!(out, "{counts}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_report(text: &str) -> String {
        let report = check(text, &GameArgs::default()).expect("a file with games");
        let mut out = Vec::new();
        write_text(&mut out, Path::new("g.pdn"), &report).expect("memory takes it");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn faults_come_with_place_ply_move_and_reason_in_the_order_of_the_file() {
        let text = "1. 9-14 23-18 2. 5-9 *\n\n[GameType \"20\"]\n32-28 *\n\n[Event \"c\"]\n9-14 oops *\n9-14 *\n";
        let lines = text_report(text);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "g.pdn:1:18: game 1, ply 3, 5-9: not legal here; legal: 14x23");
        assert!(lines[1].starts_with("g.pdn:3:1: game 2, tag GameType: the file is of game type 20"));
        assert!(lines[2].starts_with("g.pdn:7:6: game 3: `oops` is no move"));
        assert_eq!(lines[3], "4 games, 1 clean, 3 faulty");
    }

    #[test]
    fn games_are_played_by_the_rules_that_their_tags_name() {
        let nine = "[GameType \"42,W,9,9,A0,0\"]\n[Ruleset \"zamma\"]\n1. f4-e5 *\n";
        assert_eq!(text_report(&format!("1. 9-14 *\n{nine}{nine}")), "3 games, 3 clean, 0 faulty\n");
        let eight = GameArgs { preset: Some("damma8".to_owned()), ..GameArgs::default() };
        assert_eq!(check(nine, &eight).expect("a game").faults.len(), 1);
    }

    #[test]
    fn json_is_one_object_a_faulty_game_and_the_counts() {
        let report = check("9-15 * 9-14 *", &GameArgs::default()).expect("games");
        let mut out = Vec::new();
        write_json(&mut out, &report).expect("memory takes it");
        let lines: Vec<Value> =
            out.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        assert_eq!((&lines[0]["game"], &lines[0]["ply"], &lines[0]["move"]), (&json!(1), &json!(1), &json!("9-15")));
        assert_eq!(lines[1], json!({ "games": 2, "clean": 1, "faulty": 1, "cut": false }));
    }

    #[test]
    fn files_without_a_game_are_refused_with_a_remedy() {
        let message = |text| format!("{:#}", check(text, &GameArgs::default()).expect_err("no game"));
        assert!(message("").starts_with("there is no game; a PDN file has tags"));
        assert!(message("[package]\nname = \"damma\"").starts_with("no game can be read; is it a PDN file?: line 1"));
    }
}
