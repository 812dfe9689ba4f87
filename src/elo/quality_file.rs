//! What `damma quality --record` measured of a run's checkpoints, kept beside the ratings.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context as _;
use damma_eval::{Measured, VERSION};
use serde::{Deserialize, Serialize};

use super::lock;
use crate::files::write_beside;

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

/// Reads what was measured with this baseline; nothing if there is no file.
///
/// # Errors
/// The file is damaged.
pub fn read(run: &Path) -> anyhow::Result<Vec<Recorded>> {
    let file = run.join(FILE);
    match std::fs::read(&file) {
        Ok(bytes) => {
            let mut recorded: Vec<Recorded> = serde_json::from_slice(&bytes)
                .with_context(|| format!("{} is damaged; remove it to measure anew", file.display()))?;
            recorded.retain(|record| record.baseline == VERSION);
            Ok(recorded)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
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
    write_beside(&run.join(FILE), &serde_json::to_vec_pretty(&recorded)?)
}
