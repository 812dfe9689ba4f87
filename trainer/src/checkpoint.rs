//! Checkpoints: everything that a run needs to go on, as files that are whole or not there.
//!
//! A run's folder holds `checkpoints/000010/` with the network, the optimiser and a `state.json`
//! that lists their lengths and checksums, and `games/000010.games` with the games of one
//! iteration. A checkpoint is written beside and renamed as a folder; games are written before
//! the checkpoint that names them.

mod segment;
mod state;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use damma_env::{Game, Ruleset};
use thiserror::Error;

use crate::files::{sync_folder, write_synced};
use crate::learner::MODEL_FILE;
use crate::network::{Network, NetworkError};
pub use segment::{read_games, write_games};
pub(crate) use state::{FORMAT, PROGRAM};
pub use state::{FileSum, RunState, Segment};
pub use state::{encoder, shape};

/// The file that says what a checkpoint is.
pub const STATE_FILE: &str = "state.json";

/// Why a checkpoint cannot be written or used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// A file or folder cannot be read or written.
    #[error(
        "cannot read or write {path}; see that the folder is there, can be written and has space, then start the same command again"
    )]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no checkpoint.
    #[error("{path} holds no checkpoint: give a run's folder, or one of its checkpoints/NNNNNN")]
    None {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file is cut short, changed or not what it should be.
    #[error("{path} is damaged: {reason}; remove the folder of this checkpoint to go on from the one before it")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The games that the checkpoint learns from are damaged.
    #[error(
        "{path} is damaged: {reason}; without these games the run cannot go on exactly: start it in another folder (--output)"
    )]
    Games {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The network does not fit the game.
    #[error("{path} is of another game or network: {reason}")]
    Mismatch {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The games of a run are there, and no checkpoint.
    #[error("{path} holds games of a run but none of its checkpoints; remove the folder, or choose another (--output)")]
    Orphans {
        /// The run's folder.
        path: PathBuf,
    },
    /// Another process trains in the same folder.
    #[error("{path} is in use: another training run is writing to it; stop it, or choose another folder (--output)")]
    InUse {
        /// The run's folder.
        path: PathBuf,
    },
    /// The network's file is not one.
    #[error("{path} holds no network that can be used")]
    Network {
        /// The file.
        path: PathBuf,
        /// Why.
        source: NetworkError,
    },
}

/// A checkpoint on disk whose files were found whole.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// Its folder.
    pub path: PathBuf,
    /// What it says of itself.
    pub state: RunState,
    files: Vec<(String, Vec<u8>)>,
}

impl Checkpoint {
    /// Opens a checkpoint's folder, or the newest checkpoint of a run's folder.
    ///
    /// # Errors
    /// There is none, or a file of it is damaged.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        if path.join(STATE_FILE).is_file() {
            return Self::read(path);
        }
        let newest = list(path)?.pop().ok_or_else(|| CheckpointError::None { path: path.to_owned() })?;
        Self::read(&newest.1)
    }

    /// Opens the checkpoint in a folder.
    ///
    /// # Errors
    /// A file of it is missing or damaged.
    pub(crate) fn read(path: &Path) -> Result<Self, CheckpointError> {
        let state = read_state(path)?;
        let mut files = Vec::new();
        for sum in &state.files {
            let file = path.join(&sum.name);
            let bytes = fs::read(&file).map_err(missing(&file))?;
            sum.check(&bytes).map_err(|reason| CheckpointError::Damaged { path: file, reason })?;
            files.push((sum.name.clone(), bytes));
        }
        Ok(Self { path: path.to_owned(), state, files })
    }

    /// Gives the files of the learner, as [`Learner::from_files`](crate::learner::Learner::from_files) takes them.
    #[must_use]
    pub fn files(&self) -> &[(String, Vec<u8>)] {
        &self.files
    }

    /// Gives the network to play with.
    ///
    /// # Errors
    /// The file is no network.
    pub fn network(&self) -> Result<Network, CheckpointError> {
        let path = self.path.join(MODEL_FILE);
        let bytes = self.files.iter().find(|(name, _)| name == MODEL_FILE).map(|(_, bytes)| bytes.as_slice());
        let bytes = bytes.ok_or_else(|| CheckpointError::Damaged {
            path: path.clone(),
            reason: "state.json does not list it".to_owned(),
        })?;
        Network::from_safetensors(bytes).map_err(|source| CheckpointError::Network { path, source })
    }

    /// Gives the network if it was trained for the game.
    ///
    /// # Errors
    /// The checkpoint's ruleset or the network's shape is another; draw limits may differ.
    pub fn network_for(&self, game: &Game) -> Result<Network, CheckpointError> {
        let reason = self.state.mismatch(game).or_else(|| {
            let network = self.network().ok()?;
            let wanted = shape(network.config(), game);
            (network.shape() != wanted)
                .then(|| format!("its network has {:?}, this game needs {wanted:?}", network.shape()))
        });
        match reason {
            Some(reason) => Err(CheckpointError::Mismatch { path: self.path.clone(), reason }),
            None => self.network(),
        }
    }

    /// Gives the rules that it was trained for.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.state.ruleset
    }
}

/// Reads what a checkpoint's folder says of itself, without looking at its other files.
///
/// # Errors
/// The file is missing or damaged, or of another version of the format.
pub fn read_state(checkpoint: &Path) -> Result<RunState, CheckpointError> {
    let path = checkpoint.join(STATE_FILE);
    let text = fs::read_to_string(&path).map_err(missing(&path))?;
    let state: RunState = serde_json::from_str(&text)
        .map_err(|error| CheckpointError::Damaged { path: path.clone(), reason: error.to_string() })?;
    if state.format != FORMAT {
        let reason = format!("its format is {}, and this program reads {FORMAT}", state.format);
        return Err(CheckpointError::Damaged { path, reason });
    }
    Ok(state)
}

/// Gives the folder of an iteration's checkpoint.
#[must_use]
pub fn folder(run: &Path, iteration: u64) -> PathBuf {
    run.join("checkpoints").join(format!("{iteration:06}"))
}

/// Lists the checkpoints of a run's folder by iteration, oldest first; none if there is no such folder.
///
/// # Errors
/// The folder cannot be read.
pub fn list(run: &Path) -> Result<Vec<(u64, PathBuf)>, CheckpointError> {
    let folder = run.join("checkpoints");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(io_error(&folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(io_error(&folder))?;
        if let Some(iteration) = entry.file_name().to_str().and_then(|name| name.parse().ok()) {
            found.push((iteration, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}

/// Writes a checkpoint and gives its folder.
///
/// # Errors
/// The folder cannot be written; earlier checkpoints are untouched.
pub fn save(run: &Path, mut state: RunState, files: &[(String, Vec<u8>)]) -> Result<PathBuf, CheckpointError> {
    let target = folder(run, state.iteration);
    let beside = run.join("checkpoints").join(format!(".{:06}.tmp", state.iteration));
    state.files = files.iter().map(|(name, bytes)| FileSum::of(name, bytes)).collect();
    let json = serde_json::to_vec_pretty(&state).expect("a run's state is plain data");
    let write = || -> Result<(), CheckpointError> {
        remove(&beside)?;
        fs::create_dir_all(&beside).map_err(io_error(&beside))?;
        for (name, bytes) in files.iter().map(|(name, bytes)| (name.as_str(), bytes)).chain([(STATE_FILE, &json)]) {
            let path = beside.join(name);
            write_synced(&path, bytes).map_err(io_error(&path))?;
        }
        sync_folder(Some(&beside));
        if target.exists() {
            discard(&target)?;
        }
        fs::rename(&beside, &target).map_err(io_error(&target))?;
        sync_folder(target.parent());
        Ok(())
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_dir_all(&beside);
    }
    written.map(|()| target)
}

/// Takes a checkpoint away at once, so that a kill leaves no half of it under its name.
pub(crate) fn discard(checkpoint: &Path) -> Result<(), CheckpointError> {
    let name = checkpoint.file_name().unwrap_or_default().to_string_lossy();
    let aside = checkpoint.with_file_name(format!(".{name}.old.tmp"));
    remove(&aside)?;
    fs::rename(checkpoint, &aside).map_err(io_error(checkpoint))?;
    remove(&aside)
}

/// Removes a folder if it is there.
pub(crate) fn remove(folder: &Path) -> Result<(), CheckpointError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(folder)(error)),
        _ => Ok(()),
    }
}

/// Tells a file that is not there from one that cannot be read.
fn missing(path: &Path) -> impl FnOnce(io::Error) -> CheckpointError + use<> {
    let path = path.to_owned();
    move |source| match source.kind() {
        io::ErrorKind::NotFound => CheckpointError::Damaged { path, reason: "the file is missing".to_owned() },
        _ => CheckpointError::Io { path, source },
    }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> CheckpointError + use<> {
    let path = path.to_owned();
    move |source| CheckpointError::Io { path, source }
}
