//! CPU time and wall time of a piece of work.
//!
//! CPU time is that of all threads of the process: on a shared machine it says more than wall
//! time, which counts what others did meanwhile. Windows has no such clock here, and gives wall
//! time for both.

use std::time::{Duration, Instant};

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
    let cpu = cpu_time();
    work()?;
    Ok(Taken { cpu: cpu_time().saturating_sub(cpu), wall: wall.elapsed() })
}

/// Gives how much of something went by in a second; no time at all counts as a nanosecond.
pub fn rate(count: f64, time: Duration) -> f64 {
    count / time.as_secs_f64().max(1e-9)
}

#[cfg(not(windows))]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[cfg(windows)]
fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}
