//! A lock round changes to what is kept in a run's folder, since a training run, `damma elo` and
//! `damma quality` may all change it at once.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;

/// The file that is locked; it stays empty.
const FILE: &str = ".ratings.lock";

/// Waits until no other process changes ratings of the run; it may until the file is dropped.
///
/// # Errors
/// The folder cannot be written, or its file system has no locks.
pub fn take(run: &Path) -> anyhow::Result<File> {
    let path = run.join(FILE);
    let locked = || {
        let file = File::options().create(true).append(true).open(&path)?;
        file.lock().map(|()| file)
    };
    locked().with_context(|| format!("cannot lock {}", path.display()))
}
