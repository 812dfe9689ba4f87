//! Rating new checkpoints as a training run writes them.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use damma_trainer::checkpoint::{CheckpointError, RunState};
use damma_trainer::{Checkpoint, checkpoint};

use super::{Pace, Session};

/// Time between two looks at the run's folder.
const PAUSE: Duration = Duration::from_secs(2);

/// Makes a pace that Ctrl-C stops; a second Ctrl-C ends the program at once.
///
/// # Errors
/// The system does not let us watch for Ctrl-C.
pub fn pace() -> anyhow::Result<Arc<Pace>> {
    let pace = Arc::new(Pace::default());
    let watched = pace.clone();
    ctrlc::set_handler(move || {
        if watched.is_stopped() {
            std::process::exit(130);
        }
        watched.stop();
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(pace)
}

/// Rates what is not rated yet, the newest checkpoint first, until the run has ended or the pace is
/// stopped. The newest comes first since older ones are only kept for a while.
///
/// # Errors
/// A checkpoint is damaged, or the ratings cannot be written.
pub(super) fn follow(session: &Session<'_>, pace: &Pace) -> anyhow::Result<()> {
    let run = &session.args.run;
    while !pace.is_stopped() {
        // Looked at before the list, or a checkpoint written in between would be missed.
        let goes_on = is_trained(run)?;
        match next(session)? {
            Some(found) => {
                let rated = session.rate(&found);
                if pace.is_stopped() {
                    break;
                }
                rated?;
                session.write_page(&newest(run)?)?;
                session.tensorboard.flush();
            }
            None if goes_on => std::thread::park_timeout(PAUSE),
            None => break,
        }
    }
    session.write_page(&newest(run)?)
}

/// Reads the state of the newest checkpoint; where the run removes it meanwhile there is a newer one.
fn newest(run: &Path) -> anyhow::Result<RunState> {
    loop {
        let list = checkpoint::list(run)?;
        let (_, path) = list.last().with_context(|| format!("{} has no checkpoint any more", run.display()))?;
        match checkpoint::read_state(path) {
            Ok(state) => return Ok(state),
            Err(_) if !path.exists() => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Opens the newest checkpoint that is not rated; one that the run has removed meanwhile is passed over.
fn next(session: &Session<'_>) -> anyhow::Result<Option<Checkpoint>> {
    let list = checkpoint::list(&session.args.run)?;
    let complete = session.rater.complete()?;
    for (_, path) in list.into_iter().rev().filter(|(iteration, _)| !complete.contains(iteration)) {
        match Checkpoint::open(&path) {
            Ok(found) => return Ok(Some(found)),
            Err(CheckpointError::None { .. } | CheckpointError::Damaged { .. }) if !path.exists() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Says whether a process trains in the folder: it holds a lock as long as it lives.
fn is_trained(run: &Path) -> anyhow::Result<bool> {
    let path = run.join("lock");
    let Ok(file) = File::open(&path) else { return Ok(false) };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot look at {}", path.display())),
    }
}
