//! Asking tables: what a position is worth, and which turns keep that.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use damma_env::{EndgameTables, EndgameValue, Game, MAX_PIECES, Position};
use damma_eval::EndgameFolder;
use serde_json::json;

use super::SolveArgs;

/// The most turns that are listed.
const LIMIT: usize = 100_000;

/// A turn with what it is worth to the player who plays it.
struct Turn {
    text: String,
    value: EndgameValue,
}

/// Runs the task.
///
/// # Errors
/// The position is wrong or has more pieces than the tables, or the tables are damaged.
pub fn run(args: &SolveArgs, text: &str, path: &Path) -> anyhow::Result<ExitCode> {
    let folder = EndgameFolder::open(path)?;
    if args.game.is_given() {
        folder.expect_rules(&args.game.ruleset()?)?;
    }
    let game = Game::new(folder.ruleset().clone())?;
    let position = game.parse_fen(text).with_context(|| format!("position `{text}`"))?;
    let pieces = (position.own().len() + position.enemy().len()) as usize;
    anyhow::ensure!(
        pieces <= MAX_PIECES,
        "`{text}` has {pieces} pieces, and tables are made for {MAX_PIECES} at most; search it instead with \
         `damma solve --start --position`"
    );
    let tables = folder.load(pieces, |_| ())?;
    let value = tables.probe(&position).with_context(|| {
        format!(
            "{0} covers up to {1} pieces, and `{text}` has {pieces}; make more with \
             `damma solve --pieces {pieces} --out {0}` and the same rules",
            path.display(),
            tables.covered()
        )
    })?;
    let turns = turns(&game, &tables, &position)?;
    let mut out = io::stdout().lock();
    if args.json {
        let list: Vec<_> = turns
            .iter()
            .map(|turn| json!({"turn": turn.text, "value": word(turn.value), "turns": turn.value.distance()}))
            .collect();
        let line = json!({
            "position": game.position_text(&position), "value": word(value), "turns": value.distance(), "choices": list,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{}: {}", position.side(), phrase(value))?;
        for turn in &turns {
            writeln!(out, "  {:<16} {}", turn.text, phrase(turn.value))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Lists the turns, the best first.
fn turns(game: &Game, tables: &EndgameTables, position: &Position) -> anyhow::Result<Vec<Turn>> {
    let mut turns = Vec::new();
    if position.winner(game).is_some() {
        return Ok(turns);
    }
    for actions in game.turns(position, LIMIT)? {
        let next = actions.iter().fold(*position, |position, &action| position.play(game, action));
        let value = tables.probe(&next).context("a table is missing that the position's own value needed")?;
        let value = if next.side() == position.side() { value } else { value.turn_earlier() };
        turns.push(Turn { text: game.turn_text(position, &actions), value });
    }
    // The sort is stable, so equal turns stay in the order of the rules.
    turns.sort_by_key(|turn| std::cmp::Reverse(turn.value));
    Ok(turns)
}

const fn word(value: EndgameValue) -> &'static str {
    match value {
        EndgameValue::Win(_) => "win",
        EndgameValue::Draw => "draw",
        EndgameValue::Loss(_) => "loss",
    }
}

fn phrase(value: EndgameValue) -> String {
    match value.distance() {
        None => "draw".to_owned(),
        Some(turns) => {
            let least = if value.is_saturated() { "at least " } else { "" };
            format!("{} in {least}{turns} turn{}", word(value), if turns == 1 { "" } else { "s" })
        }
    }
}
