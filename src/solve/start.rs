//! Proving who can force a win from the start, or from a position, by search.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use damma_env::{Action, Game, Position, ProofLimits, Side, prove};
use serde_json::json;

use super::SolveArgs;
use super::make::{GIB, say};
use crate::contest;

/// The least memory of a search, in GiB.
const LEAST: f64 = 0.001;

/// Runs the task.
///
/// # Errors
/// The rules or the position are wrong, or the tables are damaged or of other rules.
pub fn run(args: &SolveArgs, tables: Option<&Path>) -> anyhow::Result<ExitCode> {
    let clock = Instant::now();
    anyhow::ensure!(args.nodes > 0, "--nodes 0 looks into nothing; give 1 or more");
    anyhow::ensure!(args.memory >= LEAST, "--memory {} leaves no room; give {LEAST} GiB or more", args.memory);
    let ruleset = args.game.ruleset()?;
    let game = Game::new(ruleset.clone())?;
    let position = match &args.position {
        Some(text) => game.parse_fen(text).with_context(|| format!("position `{text}`"))?,
        None => game.start(),
    };
    let tables = match tables {
        Some(path) => Some(contest::tables(path, &game)?),
        None => None,
    };
    say(&format!("two searches of at most {} positions, {} GiB in all", args.nodes, args.memory));
    let limits = ProofLimits { nodes: args.nodes, memory: (args.memory * GIB / 2.0) as u64 };
    let spinner = contest::spinner("searching");
    let proof = prove(&ruleset, &position, tables.as_deref(), limits);
    spinner.finish_and_clear();
    let value = proof.value(Side::White).map(|value| match value {
        std::cmp::Ordering::Greater => "White wins",
        std::cmp::Ordering::Less => "Black wins",
        std::cmp::Ordering::Equal => "draw",
    });
    let line = turns(&game, &position, &proof.line);
    let seconds = clock.elapsed().as_secs_f64();
    let mut out = io::stdout().lock();
    if args.json {
        let line = json!({
            "position": game.position_text(&position), "value": value, "white_can_win": proof.can_win[0],
            "black_can_win": proof.can_win[1], "nodes": proof.nodes, "seconds": seconds, "line": line,
        });
        writeln!(out, "{line}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}", value.unwrap_or("not proved within the limits"))?;
    for side in Side::BOTH {
        let answer = match proof.can_win[side.index()] {
            Some(true) => "can force a win",
            Some(false) => "cannot force a win",
            None => "not known whether it can force a win",
        };
        writeln!(out, "  {side}: {answer} ({} positions looked into)", proof.nodes[side.index()])?;
    }
    if !line.is_empty() {
        writeln!(out, "  line: {}", line.join(" / "))?;
        writeln!(out, "To check: run the same with --position after any turn; the value must hold for best turns.")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes a line turn by turn.
fn turns(game: &Game, start: &Position, line: &[Action]) -> Vec<String> {
    let mut turns = Vec::new();
    let mut position = *start;
    let mut actions = Vec::new();
    let mut now = position;
    for &action in line {
        actions.push(action);
        now = now.play(game, action);
        if now.side() != position.side() || now.winner(game).is_some() {
            turns.push(game.turn_text(&position, &actions));
            actions.clear();
            position = now;
        }
    }
    turns
}
