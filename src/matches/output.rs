//! The result file of a match: its terms, its report and its games.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, bail};
use damma_eval::{MatchGame, MatchReport, MatchResult};
use serde::{Deserialize, Serialize};

use super::journal;
use super::terms::Terms;
use crate::files::write_beside;

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Output {
    terms: Terms,
    report: MatchReport,
    games: Vec<MatchGame>,
}

/// Gives the games of a result file with the same terms; nothing where there is no such file.
/// The journal that led to it is removed.
///
/// # Errors
/// The file holds something else.
pub fn known(path: &Path, terms: &Terms) -> anyhow::Result<Option<Vec<MatchGame>>> {
    let name = path.display();
    let remedy = "give another --out, or remove it";
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {name}; {remedy}")),
    };
    let output: Output =
        serde_json::from_slice(&bytes).with_context(|| format!("{name} is no result of a match; {remedy}"))?;
    if output.terms != *terms {
        bail!("{name} holds another match ({}); {remedy}", terms.difference(&output.terms));
    }
    // A kill may have come between writing the one and removing the other.
    journal::remove_left_over(path, terms)?;
    Ok(Some(output.games))
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
    write_beside(path, &bytes)
}
