//! The journal of a match: its finished rounds, so that a match that was killed goes on.
//!
//! A line of JSON holds the terms, and each line behind it a round. A round that was being written
//! when the match was killed is cut off and played again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use damma_eval::MatchGame;
use serde::Serialize;

use super::terms::Terms;
use crate::files;

/// The finished rounds of a match.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The games of rounds that were played before.
    pub games: Vec<MatchGame>,
}

impl Journal {
    /// Opens the journal of a result file, or begins it.
    ///
    /// # Errors
    /// It is no journal, of a match with other terms, damaged, in use, or cannot be written.
    pub fn open(result: &Path, terms: &Terms) -> anyhow::Result<Self> {
        let path = path_beside(result);
        let name = path.display();
        files::check(&path)?;
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = file.with_context(|| format!("cannot write {name}"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{name} is in use: this match is being played by another process"),
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| format!("cannot lock {name}")),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(|| format!("cannot read {name}"))?;
        // What stands behind the last end of a line was not finished. Nothing is cut off before the
        // file has turned out to be the journal of this match.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        let mut lines = text[..whole].split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty());
        let foreign = || format!("{name} is no journal of a match; give another --out, or remove it");
        let begun = match lines.next() {
            None => {
                ensure!(serde_json::to_vec(terms)?.starts_with(&text), foreign());
                false
            }
            Some((_, line)) => {
                let older: Terms = serde_json::from_slice(line).with_context(foreign)?;
                if older != *terms {
                    let difference = terms.difference(&older);
                    bail!(
                        "{name} is of another match ({difference}); give the same arguments as then, or remove it to begin anew"
                    );
                }
                true
            }
        };
        let mut games = Vec::new();
        for (index, line) in lines {
            let damaged = || format!("{name}, line {} is damaged; remove the file to begin anew", index + 1);
            games.extend(serde_json::from_slice::<Vec<MatchGame>>(line).with_context(damaged)?);
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        let mut journal = Self { path: path.clone(), file, games };
        if !begun {
            journal.line(terms)?;
        }
        Ok(journal)
    }

    /// Gives the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Has Ctrl-C say that nothing but the round in hand is lost.
    ///
    /// # Errors
    /// The system does not let us watch for Ctrl-C.
    pub fn tell_at_ctrl_c(&self) -> anyhow::Result<()> {
        let text = format!("\nstopped; the same command goes on from {}", self.path.display());
        let stop = move || {
            let _ = writeln!(io::stderr(), "{text}");
            std::process::exit(130);
        };
        ctrlc::set_handler(stop).context("cannot watch for Ctrl-C")
    }

    /// Adds a round, and has it reach the disk.
    ///
    /// # Errors
    /// The disk is full or gone.
    pub fn add(&mut self, round: &[MatchGame]) -> anyhow::Result<()> {
        self.line(&round)
    }

    /// Removes the journal of a match whose result is written.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> anyhow::Result<()> {
        std::fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }

    fn line(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Removes the journal of a match whose result is written, if there still is one.
///
/// # Errors
/// It is of another match, or cannot be removed.
pub fn remove_left_over(result: &Path, terms: &Terms) -> anyhow::Result<()> {
    if path_beside(result).exists() { Journal::open(result, terms)?.remove() } else { Ok(()) }
}

/// Gives the place of the journal of a result file.
#[must_use]
pub fn path_beside(result: &Path) -> PathBuf {
    let mut path = result.as_os_str().to_owned();
    path.push(".part");
    PathBuf::from(path)
}
