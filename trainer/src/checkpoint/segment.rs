//! A file with the games of one iteration.
//!
//! Behind the games come their notes, unless all are empty: files of runs that need none stay as they always were.

use std::fs;
use std::path::{Path, PathBuf};

use super::{CheckpointError, FileSum, io_error};
use crate::files::write_beside;
use crate::record::{GameRecord, Notes};

const MAGIC: &[u8; 8] = b"DAMMAGM1";

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
    let notes: Vec<Notes> = games.iter().map(|game| game.notes).collect();
    if notes.iter().any(|notes| *notes != Notes::default()) {
        bytes.extend(postcard::to_stdvec(&notes).expect("notes are plain data"));
    }
    let path = folder.join(&name);
    write_beside(&path, &bytes).map_err(io_error(&path))?;
    Ok(FileSum::of(&name, &bytes))
}

/// Reads the games of an iteration.
///
/// # Errors
/// The file is missing, is not the one summed up, or holds no games.
pub fn read_games(run: &Path, sum: &FileSum) -> Result<Vec<GameRecord>, CheckpointError> {
    let path: PathBuf = run.join("games").join(&sum.name);
    let games = |reason: String| CheckpointError::Games { path: path.clone(), reason };
    let bytes = fs::read(&path).map_err(|error| games(error.to_string()))?;
    sum.check(&bytes).map_err(games)?;
    let body = bytes.strip_prefix(MAGIC).ok_or_else(|| games("it does not begin like a file of games".to_owned()))?;
    decode(body).map_err(|error| games(error.to_string()))
}

fn decode(body: &[u8]) -> postcard::Result<Vec<GameRecord>> {
    let (mut games, rest): (Vec<GameRecord>, _) = postcard::take_from_bytes(body)?;
    if !rest.is_empty() {
        let notes: Vec<Notes> = postcard::from_bytes(rest)?;
        games.iter_mut().zip(notes).for_each(|(game, notes)| game.notes = notes);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use damma_env::Outcome;

    use super::*;

    fn game(number: u64, notes: Notes) -> GameRecord {
        let outcome = Outcome::Truncated;
        GameRecord { number, actions: vec![3, 1], random_actions: 1, decisions: Vec::new(), outcome, turns: 2, notes }
    }

    #[test]
    fn notes_are_read_back_and_take_no_byte_where_there_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let noted = Notes { resigned: true, lowest: Some([-0.25, 0.5]), reanalysed: true };
        let sizes = [noted, Notes::default()].map(|last| {
            let games = [game(0, Notes::default()), game(1, last)];
            let sum = write_games(folder.path(), 1, &games).expect("written");
            assert_eq!(read_games(folder.path(), &sum).expect("read"), games);
            sum.bytes
        });
        let plain = postcard::to_stdvec(&vec![game(0, Notes::default()), game(1, Notes::default())]).expect("bytes");
        assert_eq!(sizes[1], (MAGIC.len() + plain.len()) as u64);
        assert!(sizes[0] > sizes[1]);
    }
}
