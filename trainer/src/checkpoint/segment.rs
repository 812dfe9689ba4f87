//! A file with the games of one iteration.

use std::fs;
use std::path::{Path, PathBuf};

use super::{CheckpointError, FileSum, io_error};
use crate::files::write_beside;
use crate::record::GameRecord;

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
    postcard::from_bytes(body).map_err(|error| games(error.to_string()))
}
