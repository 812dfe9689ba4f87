//! `damma moves`: the legal actions or turns of many positions, for programs.
//!
//! Input and output are streams of lines in the shape of the conformance tables, so that any
//! other implementation can be compared with this one line by line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use damma_env::{Action, Game, Position};
use serde::{Deserialize, Serialize};

use crate::rules_args::GameArgs;

/// List the legal actions or turns of positions, one JSON object a line.
///
/// A line of input is a position as text, or a JSON object with the key `position`. Empty
/// lines, lines that begin with `#` and JSON objects with `preset` and no `position` are
/// skipped. A line of output is {"position", "winner", "actions": {action: position after}}.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MovesArgs {
    /// The file to read; `-` or nothing is standard input.
    file: Option<PathBuf>,
    /// List complete turns instead of actions, under the key `turns`.
    #[arg(long)]
    turns: bool,
    /// The most turns of one position; more are an error.
    #[arg(long, value_name = "TURNS", default_value_t = 100_000)]
    limit: usize,
    /// Accepted and without effect: the output is JSON anyway.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  echo '8/8/8/8/8/2b5/1w1w4/8 w' | damma moves
  echo '{\"position\": \"bb3/5/5/5/3ww w\"}' | damma moves --preset kharberg --turns";

/// One line of JSON input; whatever else it holds is left alone.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    position: Option<Cow<'a, str>>,
    preset: Option<serde::de::IgnoredAny>,
}

/// One line of output.
#[derive(Serialize)]
struct Row {
    position: String,
    winner: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<BTreeMap<String, String>>,
}

/// Runs the subcommand.
///
/// # Errors
/// The rules are wrong, the input cannot be read, a line is no position of the game (with file
/// and line), a position has more turns than the limit, or the output cannot be written.
pub fn run(args: &MovesArgs) -> anyhow::Result<ExitCode> {
    let game = args.game.game()?;
    let path = args.file.as_deref().filter(|path| *path != Path::new("-"));
    let name = path.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string());
    let input: Box<dyn Read> = match path {
        Some(path) => Box::new(File::open(path).with_context(|| format!("cannot read {name}"))?),
        None => Box::new(io::stdin().lock()),
    };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    for number in 1_u64.. {
        // A program that asks line by line gets its answer before we wait for the next line.
        if input.buffer().is_empty() {
            out.flush()?;
        }
        line.clear();
        if input.read_until(b'\n', &mut line).with_context(|| format!("cannot read {name}"))? == 0 {
            break;
        }
        if let Some(row) = row(args, &game, &line).with_context(|| format!("{name}, line {number}"))? {
            serde_json::to_writer(&mut out, &row).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Answers one line of input, or skips it.
fn row(args: &MovesArgs, game: &Game, line: &[u8]) -> anyhow::Result<Option<Row>> {
    let line = std::str::from_utf8(line).context("not UTF-8 text")?.trim();
    let Some(text) = position_of(line)? else { return Ok(None) };
    let position = game.parse_fen(&text).with_context(|| format!("position `{text:.200}`"))?;
    let mut row = Row {
        position: game.position_text(&position),
        winner: position.winner(game).map(|(side, _)| side.letter()),
        actions: None,
        turns: None,
    };
    if args.turns {
        let turns = game.turns(&position, args.limit).context("raise --limit")?;
        let texts = turns.iter().map(|turn| (game.turn_text(&position, turn), after(game, &position, turn)));
        row.turns = Some(texts.collect());
    } else {
        let actions = position.legal_actions(game);
        let texts =
            actions.iter().map(|&action| (game.action_text(&position, action), after(game, &position, &[action])));
        row.actions = Some(texts.collect());
    }
    Ok(Some(row))
}

/// Finds the position in a line of text or JSON; `None` of a line to skip.
fn position_of(line: &str) -> anyhow::Result<Option<Cow<'_, str>>> {
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if !line.starts_with('{') {
        return Ok(Some(Cow::Borrowed(line)));
    }
    let parsed: Line = serde_json::from_str(line).map_err(|error| {
        // The parser knows one line only; its own number would mislead.
        let reason = error.to_string();
        let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        anyhow!("not a JSON object with a position: {reason} at column {}", error.column())
    })?;
    match (parsed.position, parsed.preset) {
        (Some(position), _) => Ok(Some(position)),
        (None, Some(_)) => Ok(None),
        (None, None) => bail!("the JSON object has no key `position`"),
    }
}

fn after(game: &Game, position: &Position, actions: &[Action]) -> String {
    game.position_text(&actions.iter().fold(*position, |position, &action| position.play(game, action)))
}
