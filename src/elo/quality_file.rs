//! What `damma quality --record` measured of a run's checkpoints, kept beside the ratings.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context as _;
use damma_eval::Measured;
use serde::{Deserialize, Serialize};

use crate::files::write_beside;

/// The file in a run's folder.
const FILE: &str = "quality.json";

/// What was measured of one checkpoint.
#[derive(Clone, Serialize, Deserialize)]
pub struct Recorded {
    iteration: u64,
    measured: Vec<Measured>,
}

/// Reads what was measured; nothing if there is no file.
///
/// # Errors
/// The file is damaged.
pub fn read(run: &Path) -> anyhow::Result<Vec<Recorded>> {
    let file = run.join(FILE);
    match std::fs::read(&file) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is damaged; remove it to measure anew", file.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// Gives what was measured of a checkpoint.
pub fn of(recorded: &[Recorded], iteration: u64) -> Vec<Measured> {
    recorded.iter().filter(|record| record.iteration == iteration).flat_map(|record| record.measured.clone()).collect()
}

/// Adds figures of a checkpoint; those of the same kind and name are replaced.
///
/// # Errors
/// The file is damaged or cannot be written.
pub fn add(run: &Path, iteration: u64, figures: &[Measured]) -> anyhow::Result<()> {
    let mut recorded = read(run)?;
    let mut measured = of(&recorded, iteration);
    measured.retain(|old| !figures.iter().any(|new| (new.kind, &new.name) == (old.kind, &old.name)));
    measured.extend_from_slice(figures);
    recorded.retain(|record| record.iteration != iteration);
    recorded.push(Recorded { iteration, measured });
    recorded.sort_by_key(|record| record.iteration);
    write_beside(&run.join(FILE), &serde_json::to_vec_pretty(&recorded)?)
}
