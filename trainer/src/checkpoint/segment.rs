//! A file with the games of one iteration.

use std::fs;
use std::path::{Path, PathBuf};

use damma_env::Outcome;
use serde::Deserialize;

use super::{CheckpointError, FileSum, io_error};
use crate::files::write_beside;
use crate::record::{Decision, GameRecord, Notes};
use crate::value::Value;

const MAGIC: &[u8; 8] = b"DAMMAGM2";
/// The beginning of files from before decisions had a surprise and games had notes.
const OLD_MAGIC: &[u8; 8] = b"DAMMAGM1";

/// A decision of an old file: ply, visits and value.
type OldDecision = (u32, Vec<(u16, u16)>, Value);

/// A game of an old file.
#[derive(Deserialize)]
struct OldGame {
    number: u64,
    actions: Vec<u16>,
    random_actions: u32,
    decisions: Vec<OldDecision>,
    outcome: Outcome,
    turns: u32,
}

impl From<OldGame> for GameRecord {
    fn from(old: OldGame) -> Self {
        let decisions = old.decisions.into_iter();
        Self {
            number: old.number,
            actions: old.actions,
            random_actions: old.random_actions,
            decisions: decisions.map(|(ply, visits, value)| Decision { ply, visits, value, surprise: 0.0 }).collect(),
            outcome: old.outcome,
            turns: old.turns,
            notes: Notes::default(),
        }
    }
}

/// Writes the games of an iteration and sums the file up.
///
/// # Errors
/// The file cannot be written.
pub fn write_games(run: &Path, iteration: u64, games: &[GameRecord]) -> Result<FileSum, CheckpointError> {
    let name = format!("{iteration:06}.games");
    let folder = run.join("games");
    fs::create_dir_all(&folder).map_err(io_error(&folder))?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(postcard::to_stdvec(games).expect("games are plain data"));
    let path = folder.join(&name);
    write_beside(&path, &bytes).map_err(io_error(&path))?;
    Ok(FileSum::of(&name, &bytes))
}

/// Reads the games of an iteration; nothing surprised in games that earlier versions wrote.
///
/// # Errors
/// The file is missing, is not the one summed up, or holds no games.
pub fn read_games(run: &Path, sum: &FileSum) -> Result<Vec<GameRecord>, CheckpointError> {
    let path: PathBuf = run.join("games").join(&sum.name);
    let games = |reason: String| CheckpointError::Games { path: path.clone(), reason };
    let bytes = fs::read(&path).map_err(|error| games(error.to_string()))?;
    sum.check(&bytes).map_err(games)?;
    let read = if let Some(body) = bytes.strip_prefix(MAGIC) {
        postcard::from_bytes(body)
    } else if let Some(body) = bytes.strip_prefix(OLD_MAGIC) {
        postcard::from_bytes(body).map(|old: Vec<OldGame>| old.into_iter().map(GameRecord::from).collect())
    } else {
        return Err(games("it does not begin like a file of games".to_owned()));
    };
    read.map_err(|error| games(error.to_string()))
}

#[cfg(test)]
mod tests {
    use damma_env::{Side, WinCause};

    use super::*;

    #[test]
    fn games_of_the_version_before_are_read_without_surprises() {
        let outcome = Outcome::Win { winner: Side::Black, cause: WinCause::NoPieces };
        let value = Value::from_outcome(outcome);
        let decisions = vec![(3_u32, vec![(5_u16, 7_u16), (9, 300)], value)];
        let old = vec![(12_u64, vec![1_u16, 2, 300], 1_u32, decisions, outcome, 2_u32)];
        let bytes = [OLD_MAGIC.to_vec(), postcard::to_stdvec(&old).expect("plain data")].concat();
        let folder = tempfile::TempDir::new().expect("a folder");
        fs::create_dir(folder.path().join("games")).expect("made");
        fs::write(folder.path().join("games/000001.games"), &bytes).expect("written");

        let found = read_games(folder.path(), &FileSum::of("000001.games", &bytes)).expect("read");

        let decision = Decision { ply: 3, visits: vec![(5, 7), (9, 300)], value, surprise: 0.0 };
        let (actions, decisions) = (vec![1, 2, 300], vec![decision]);
        let game = GameRecord {
            number: 12,
            actions,
            random_actions: 1,
            decisions,
            outcome,
            turns: 2,
            notes: Notes::default(),
        };
        assert_eq!(found, std::slice::from_ref(&game));
        let notes = Notes { resigned: true, lowest: Some([-0.25, 0.5]), reanalysed: true };
        let games = [GameRecord { notes, ..game }];
        let sum = write_games(folder.path(), 2, &games).expect("written");
        assert_eq!(read_games(folder.path(), &sum).expect("read"), games);
    }
}
