//! CPU time of the process and of a thread.
//!
//! On a shared machine it says more than wall time, which counts what others did meanwhile.
//! Windows has no such clock here: a process gives the time since the first question instead, and a
//! thread none, so that ratings beside training never wait for their share.

use std::time::Duration;

/// Gives the CPU time of all threads of this process so far.
#[cfg(not(windows))]
pub fn of_process() -> Duration {
    read(rustix::time::ClockId::ProcessCPUTime)
}

/// Gives the CPU time of the thread that asks.
#[cfg(not(windows))]
pub fn of_thread() -> Duration {
    read(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(not(windows))]
fn read(clock: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[cfg(windows)]
pub use self::wall::{of_process, of_thread};

#[cfg(windows)]
mod wall {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub fn of_process() -> Duration {
        START.elapsed()
    }

    /// Gives no time: a thread's own is not known, and wall time would look like more than its share.
    pub const fn of_thread() -> Duration {
        Duration::ZERO
    }
}
