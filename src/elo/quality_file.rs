//! What `damma quality --record` measured of a run's checkpoints, kept beside the ratings.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use damma_eval::{Measured, VERSION};
use serde::{Deserialize, Serialize};

use super::lock;
use crate::files;

/// The file in a run's folder.
const FILE: &str = "quality.json";

/// What was measured of one checkpoint.
#[derive(Clone, Serialize, Deserialize)]
pub struct Recorded {
    iteration: u64,
    /// The baseline that judged.
    #[serde(default)]
    baseline: String,
    /// Checksum of the network.
    #[serde(default)]
    crc32: u32,
    measured: Vec<Measured>,
}

/// Gives the place of the file of a run.
pub fn place(run: &Path) -> PathBuf {
    run.join(FILE)
}

/// Reads what was measured with this baseline; nothing if there is no file.
///
/// # Errors
/// The file is damaged.
pub fn read(run: &Path) -> anyhow::Result<Vec<Recorded>> {
    let file = place(run);
    let Some(bytes) = files::read_if_there(&file)? else { return Ok(Vec::new()) };
    let mut recorded: Vec<Recorded> = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is damaged; remove it to measure anew", file.display()))?;
    recorded.retain(|record| record.baseline == VERSION);
    Ok(recorded)
}

/// Gives what was measured of a checkpoint with this network.
pub fn of(recorded: &[Recorded], iteration: u64, crc32: u32) -> Vec<Measured> {
    let own = recorded.iter().filter(|record| (record.iteration, record.crc32) == (iteration, crc32));
    own.flat_map(|record| record.measured.clone()).collect()
}

/// Adds figures of a checkpoint; those of the same kind and name are replaced.
///
/// # Errors
/// The file is damaged or cannot be written.
pub fn add(run: &Path, iteration: u64, crc32: u32, figures: &[Measured]) -> anyhow::Result<()> {
    let _lock = lock::take(run)?;
    let mut recorded = read(run)?;
    let mut measured = of(&recorded, iteration, crc32);
    measured.retain(|old| !figures.iter().any(|new| (new.kind, &new.name) == (old.kind, &old.name)));
    measured.extend_from_slice(figures);
    recorded.retain(|record| record.iteration != iteration);
    recorded.push(Recorded { iteration, baseline: VERSION.to_owned(), crc32, measured });
    recorded.sort_by_key(|record| record.iteration);
    files::write_beside(&place(run), &serde_json::to_vec_pretty(&recorded)?)
}
