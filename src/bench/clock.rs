//! CPU time and wall time of a piece of work.
//!
//! CPU time is that of all threads of the process, as [`crate::cpu`] tells it.

use std::time::{Duration, Instant};

use crate::cpu::of_process;

/// How long a piece of work took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    /// Time on all CPUs together.
    pub cpu: Duration,
    /// Time on the clock on the wall.
    pub wall: Duration,
}

/// Does some work and says how long it took.
///
/// # Errors
/// Those of the work.
pub fn time<E>(work: impl FnOnce() -> Result<(), E>) -> Result<Taken, E> {
    let wall = Instant::now();
    let cpu = of_process();
    work()?;
    Ok(Taken { cpu: of_process().saturating_sub(cpu), wall: wall.elapsed() })
}

/// Gives how much of something went by in a second; no time at all counts as a nanosecond.
pub fn rate(count: f64, time: Duration) -> f64 {
    count / time.as_secs_f64().max(1e-9)
}
