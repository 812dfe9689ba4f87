//! Rating checkpoints while training goes on, in a thread of its own.
//!
//! The thread has the lowest priority and one worker, and waits whenever it has used more than its
//! share of the CPU time. It only reads checkpoints, so training does the same with or without it;
//! and whatever goes wrong in it is a warning.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use damma_env::Game;
use damma_trainer::{Checkpoint, TrainConfig};
use thread_priority::{ThreadPriority, set_current_thread_priority};

use crate::elo::{Pace, Rater, rate_and_report};
use crate::tensorboard::TensorBoard;

/// Shows a line to people.
type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// Rates checkpoints beside training.
pub struct Rating {
    inbox: Arc<Inbox>,
    pace: Arc<Pace>,
    thread: Option<JoinHandle<()>>,
    due: Mutex<Due>,
}

/// When the next rating is due.
struct Due {
    every: u64,
    minutes: f64,
    iteration: u64,
    since: Instant,
}

/// Where the newest checkpoint to rate waits; an older one that nobody took is replaced.
#[derive(Default)]
struct Inbox {
    content: Mutex<Content>,
    wake: Condvar,
}

#[derive(Default)]
struct Content {
    waiting: Option<Box<Checkpoint>>,
    closed: bool,
}

impl Rating {
    /// Starts the thread; nothing where the config asks for no rating during training.
    pub fn start(config: &TrainConfig, tensorboard: Arc<TensorBoard>, say: Say) -> Option<Self> {
        let terms = &config.evaluation;
        if (terms.every == 0 && terms.every_minutes <= 0.0) || terms.opponents.is_empty() {
            return None;
        }
        let (inbox, pace) = (Arc::new(Inbox::default()), Arc::new(Pace::limited(terms.share)));
        let work = Work { config: config.clone(), inbox: inbox.clone(), pace: pace.clone(), tensorboard, say };
        let thread = std::thread::Builder::new().name("rating".to_owned()).spawn(move || work.run()).ok();
        let due = Due { every: terms.every, minutes: terms.every_minutes, iteration: 0, since: Instant::now() };
        Some(Self { inbox, pace, thread, due: Mutex::new(due) })
    }

    /// Says at which iteration this session of training begins.
    pub fn begin(&self, iteration: u64) {
        locked(&self.due).iteration = iteration;
    }

    /// Hears of a checkpoint and has it rated if a rating is due.
    ///
    /// # Errors
    /// The checkpoint cannot be read.
    pub fn offer(&self, path: &std::path::Path, iteration: u64) -> anyhow::Result<()> {
        if !locked(&self.due).is_met(iteration) {
            return Ok(());
        }
        // Read at once: training removes old checkpoints.
        let found = Checkpoint::open(path).with_context(|| format!("checkpoint {iteration} is not rated"))?;
        locked(&self.inbox.content).waiting = Some(Box::new(found));
        self.inbox.wake.notify_all();
        Ok(())
    }

    /// Gives the CPU time that rating took so far.
    pub fn cpu_time(&self) -> Duration {
        self.pace.used()
    }

    /// Ends the rating in hand at its next decision. Finished matches are kept.
    pub fn finish(&mut self) {
        self.pace.stop();
        locked(&self.inbox.content).closed = true;
        self.inbox.wake.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic was told of where it happened.
            let _ = thread.join();
        }
    }
}

impl Due {
    fn is_met(&mut self, iteration: u64) -> bool {
        let by_count = self.every > 0 && iteration >= self.iteration + self.every;
        let by_time = self.minutes > 0.0 && self.since.elapsed().as_secs_f64() >= self.minutes * 60.0;
        let met = iteration > self.iteration && (by_count || by_time);
        if met {
            (self.iteration, self.since) = (iteration, Instant::now());
        }
        met
    }
}

/// What the thread has.
struct Work {
    config: TrainConfig,
    inbox: Arc<Inbox>,
    pace: Arc<Pace>,
    tensorboard: Arc<TensorBoard>,
    say: Say,
}

impl Work {
    fn run(&self) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).thread_name(|_| "rating worker".to_owned()).build();
        let Ok(pool) = pool else {
            return (self.say)("warning: there is no thread for ratings during training");
        };
        // Everything runs in the one worker, whose CPU time is then that of the rating.
        pool.install(|| {
            // Where the system refuses, the share still holds.
            let _ = set_current_thread_priority(ThreadPriority::Min);
            while let Some(checkpoint) = self.next() {
                let iteration = checkpoint.state.iteration;
                match guarded(|| self.rate(&checkpoint)) {
                    Ok(text) => (self.say)(&text),
                    Err(_) if self.pace.is_stopped() => {}
                    Err(error) => (self.say)(&format!(
                        "warning: checkpoint {iteration} is not rated, training goes on: {error:#}"
                    )),
                }
            }
        });
    }

    fn next(&self) -> Option<Box<Checkpoint>> {
        let mut content = locked(&self.inbox.content);
        loop {
            if content.closed {
                return None;
            }
            if let Some(checkpoint) = content.waiting.take() {
                return Some(checkpoint);
            }
            content = self.inbox.wake.wait(content).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn rate(&self, checkpoint: &Checkpoint) -> anyhow::Result<String> {
        let game = Game::new(self.config.ruleset()?)?;
        let rater = Rater::new(&self.config.output, &game, self.config.evaluation.clone(), &self.pace)?;
        let report = rate_and_report(&rater, &self.config, checkpoint, &self.tensorboard)?;
        let rating = report.rating.map_or_else(
            || "has no rating".to_owned(),
            |rating| format!("stands at {:.0} +- {:.0} Elo", rating.elo, rating.plus_minus),
        );
        Ok(format!("checkpoint {} {rating}", checkpoint.state.iteration))
    }
}

/// Does some work and makes an error of its panic.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(anyhow::anyhow!("{}", message(panic.as_ref()))))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

/// Locks; a panic while it was held spoils nothing here.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        let error = guarded::<()>(|| panic!("the opponent {} is gone", "ab-1")).expect_err("it panicked");
        assert_eq!(error.to_string(), "the opponent ab-1 is gone");
        assert_eq!(guarded(|| Ok(1)).expect("it did not"), 1);
    }

    #[test]
    fn ratings_are_due_by_iterations_counted_from_where_training_began() {
        let mut due = Due { every: 3, minutes: 0.0, iteration: 10, since: Instant::now() };
        let met: Vec<u64> = (10..20).filter(|iteration| due.is_met(*iteration)).collect();
        assert_eq!(met, [13, 16, 19]);
    }

    #[test]
    fn ratings_are_due_by_time_but_never_twice_of_one_checkpoint() {
        let mut due = Due { every: 0, minutes: 1e-9, iteration: 0, since: Instant::now() };
        assert!(!due.is_met(0));
        while due.since.elapsed().as_nanos() < 100 {}
        assert!(due.is_met(1));
        assert!(!due.is_met(1));
    }
}
