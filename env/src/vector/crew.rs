//! Threads that share the work on a batch.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

/// The threads of a batch: the caller's own and, if there are more, those of a pool.
///
/// A step takes tens of microseconds, and waking a thread takes several of them. So the caller
/// begins at once, the others join when they are awake, and until all is done nobody sleeps.
#[derive(Clone, Debug)]
pub(super) struct Crew {
    /// A pool of our own; without one, others come from the pool that the caller is in.
    pool: Option<Arc<rayon::ThreadPool>>,
    /// How many threads work; 0 for as many as the caller's pool has.
    threads: usize,
}

impl Crew {
    /// Starts the threads but for the caller's.
    pub(super) fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build()?)),
        };
        Ok(Self { pool, threads })
    }

    /// Works on every grain unless `check` finds fault with one, given all and the
    /// number of the grain; gives the least fault, and has changed nothing then.
    ///
    /// Neither may depend on the order of grains.
    pub(super) fn share<S: Grains>(
        &self,
        all: S,
        check: impl Fn(&S, usize) -> Option<usize> + Sync,
        work: impl Fn(S) + Sync,
    ) -> Option<usize> {
        let grains = all.grains();
        let threads = if grains == 1 { 1 } else { self.threads() }.min(grains);
        let task = Task {
            unchecked: Mutex::new(0..grains),
            checking: AtomicUsize::new(grains),
            working: AtomicUsize::new(grains),
            fault: AtomicUsize::new(NO_FAULT),
            rest: RwLock::new(Some(all)),
            check,
            work,
        };
        match &self.pool {
            _ if threads == 1 => task.run(true),
            Some(pool) => pool.in_place_scope(|scope| task.run_with(scope, threads)),
            None => rayon::in_place_scope(|scope| task.run_with(scope, threads)),
        }
        let fault = task.fault.into_inner();
        (fault != NO_FAULT).then_some(fault)
    }

    fn threads(&self) -> usize {
        if self.threads == 0 { rayon::current_num_threads() } else { self.threads }
    }
}

/// Boards that can be split into grains, none of which is empty.
pub(super) trait Grains: Send + Sync + Sized {
    /// Counts the grains, of which there is at least one.
    fn grains(&self) -> usize;

    /// Splits off the first grains.
    fn split(self, grains: usize) -> (Self, Self);
}

/// No grain is at fault.
const NO_FAULT: usize = usize::MAX;

/// What a crew works on.
struct Task<S, C, W> {
    /// Grains that nobody has taken to check.
    unchecked: Mutex<Range<usize>>,
    /// Grains of which it is not known yet whether they are at fault.
    checking: AtomicUsize,
    /// Grains that are not worked on to the end.
    working: AtomicUsize,
    /// The least fault.
    fault: AtomicUsize,
    /// Grains that nobody has taken to work on.
    rest: RwLock<Option<S>>,
    check: C,
    work: W,
}

impl<S: Grains, C: Fn(&S, usize) -> Option<usize> + Sync, W: Fn(S) + Sync> Task<S, C, W> {
    fn run_with<'s>(&'s self, scope: &rayon::Scope<'s>, threads: usize) {
        for _ in 1..threads {
            scope.spawn(|_| self.run(false));
        }
        self.run(true);
    }

    /// Takes grains from the front or from the back, so that a thread finds those that it had in
    /// the step before still in its cache.
    fn run(&self, front: bool) {
        if let Some(all) = &*self.rest.read().expect("nothing panics under the lock") {
            while let Some(grain) = self.take_unchecked(front) {
                let _counted = Counted(&self.checking);
                if let Some(fault) = (self.check)(all, grain) {
                    self.fault.fetch_min(fault, Ordering::Relaxed);
                }
            }
        }
        wait_for(&self.checking);
        if self.fault.load(Ordering::Relaxed) == NO_FAULT {
            while let Some(grain) = self.take(front) {
                let _counted = Counted(&self.working);
                (self.work)(grain);
            }
            wait_for(&self.working);
        }
    }

    fn take_unchecked(&self, front: bool) -> Option<usize> {
        let mut unchecked = self.unchecked.lock().expect("nothing panics under the lock");
        if front { unchecked.next() } else { unchecked.next_back() }
    }

    fn take(&self, front: bool) -> Option<S> {
        let mut rest = self.rest.write().expect("nothing panics under the lock");
        let all = rest.take()?;
        let grains = all.grains();
        if grains == 1 {
            return Some(all);
        }
        let (left, right) = all.split(if front { 1 } else { grains - 1 });
        let (grain, others) = if front { (left, right) } else { (right, left) };
        *rest = Some(others);
        Some(grain)
    }
}

/// Waits until others have done what they have in hand, which takes less time than going to sleep
/// and being woken; unless they are not running, and then whoever holds them up may have the core.
fn wait_for(grains: &AtomicUsize) {
    let mut spins = 0;
    while grains.load(Ordering::Acquire) != 0 {
        if spins < SPINS {
            spins += 1;
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// A few times as long as a grain takes.
const SPINS: u32 = 1 << 12;

/// Counts down when dropped, so that nobody waits for a grain whose check panicked.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}
