//! The result file of a match: its terms, its report and its games.

use std::path::Path;

use anyhow::{Context as _, ensure};
use damma_eval::{MatchGame, MatchReport, MatchResult};
use serde::{Deserialize, Serialize};

use super::rounds::Rounds;
use super::terms::Terms;
use crate::files;

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Output {
    terms: Terms,
    report: MatchReport,
    games: Vec<MatchGame>,
}

/// Gives the result in a file with the same terms, each of its games played again; nothing where there
/// is no such file.
///
/// # Errors
/// The file holds something else, or a match that is not whole.
pub fn known(
    path: &Path,
    terms: &Terms,
    rounds: &Rounds<'_>,
    blank: MatchResult,
) -> anyhow::Result<Option<MatchResult>> {
    let name = path.display();
    let remedy = "give another --out, or remove it";
    let Some(bytes) = files::read_if_there(path)? else { return Ok(None) };
    let Output { terms: older, report, games } =
        serde_json::from_slice(&bytes).with_context(|| format!("{name} is no result of a match; {remedy}"))?;
    ensure!(older == *terms, "{name} holds another match ({}); {remedy}", terms.difference(&older));
    let result = rounds.take_up(blank, games, path)?;
    let count = result.games.len();
    ensure!(rounds.are_over(&result), "{name} has {count} games, and the match has more; {remedy}");
    let fits = report.total == result.tally() && report.pairs == result.pairs() && report.causes == result.causes();
    ensure!(fits, "{name}: the report does not fit the games; {remedy}");
    Ok(Some(result))
}

/// Writes the result file; without thoughts it is the same on every machine.
///
/// # Errors
/// The file cannot be written.
pub fn write(
    path: &Path,
    terms: &Terms,
    report: &MatchReport,
    result: &MatchResult,
    thoughts: bool,
) -> anyhow::Result<()> {
    let mut games = result.games.clone();
    if !thoughts {
        for game in &mut games {
            game.thoughts.clear();
        }
    }
    let output = Output { terms: terms.clone(), report: report.clone(), games };
    let mut bytes = serde_json::to_vec(&output)?;
    bytes.push(b'\n');
    files::write_beside(path, &bytes)
}
