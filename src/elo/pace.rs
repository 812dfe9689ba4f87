//! When rating may go on: always, or only while it stays within its share of the CPU time.
//!
//! A rating beside training runs in one thread, and asks before every few decisions. What it
//! has used is measured against what the whole process has used, so however slow an opponent is,
//! it waits until its share is right again.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use damma_env::{Action, Game, State};
use damma_eval::{Player, PlayerSpec};
use rand_pcg::Pcg64;

use crate::cpu;

/// The longest wait before the share is looked at anew.
const NAP: Duration = Duration::from_millis(250);

/// Whether rating goes on, waits or stops.
#[derive(Debug, Default)]
pub struct Pace {
    /// The most of the process's CPU time that the rating thread may take; nothing is no limit.
    share: Option<f64>,
    state: Mutex<Progress>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Progress {
    stopped: bool,
    used: Duration,
}

impl Pace {
    /// Makes the pace of a rating that one thread makes beside other work.
    pub fn limited(share: f64) -> Self {
        Self { share: Some(share), ..Self::default() }
    }

    /// Says whether the rating goes on beside other work, whose screen it must leave alone.
    pub fn is_limited(&self) -> bool {
        self.share.is_some()
    }

    /// Ends the rating at the next question.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.wake.notify_all();
    }

    /// Says whether it was stopped.
    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    /// Gives the CPU time of the rating thread, as of its last question.
    pub fn used(&self) -> Duration {
        self.state().used
    }

    /// Waits until the rating may go on; `false` if it must end.
    pub fn go_on(&self) -> bool {
        let mut state = self.state();
        let Some(share) = self.share else { return !state.stopped };
        loop {
            state.used = cpu::of_thread();
            if state.stopped || state.used.as_secs_f64() <= share * cpu::of_process().as_secs_f64() {
                return !state.stopped;
            }
            state = self.wake.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A panic of the rating must not spread by way of this lock.
    fn state(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A player that keeps a pace. Once stopped it gives no action, which ends its match with an error.
pub struct Paced<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// When it may.
    pub pace: &'a Pace,
}

/// Decisions between two looks at the pace, as many as [`damma_eval::MctsPlayer`] searches in one
/// batch: smaller ones could change the last bits of what a network says.
const CHUNK: usize = 32;

impl Paced<'_> {
    /// Gives how many decisions are made between two looks at the pace: all where it has no share
    /// to keep, one of a level of the baseline, which may take seconds.
    fn chunk(&self) -> usize {
        match self.player.name().parse() {
            _ if !self.pace.is_limited() => usize::MAX,
            Ok(PlayerSpec::AlphaBeta(_)) => 1,
            _ => CHUNK,
        }
    }
}

impl Player for Paced<'_> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action> {
        let chunk = self.chunk();
        let mut actions = Vec::with_capacity(states.len());
        for (states, rngs) in states.chunks(chunk).zip(rngs.chunks_mut(chunk)) {
            if !self.pace.go_on() {
                return Vec::new();
            }
            actions.extend(self.player.choose(game, states, rngs));
        }
        actions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spends CPU time in this thread until it has used so much.
    fn burn(until: Duration) {
        let mut sum = 0_u64;
        while cpu::of_thread() < until {
            sum = std::hint::black_box(sum.wrapping_mul(31).wrapping_add(7));
        }
    }

    #[test]
    fn a_thread_above_its_share_waits_until_others_have_worked_or_it_is_stopped() {
        let pace = Pace::limited(0.2);
        let waiting = std::thread::scope(|scope| {
            let rating = scope.spawn(|| {
                // Far above any share of what this process will have used.
                burn(cpu::of_process() + Duration::from_millis(50));
                let went_on = pace.go_on();
                (went_on, cpu::of_thread().as_secs_f64() / cpu::of_process().as_secs_f64())
            });
            while !rating.is_finished() {
                std::hint::spin_loop();
            }
            rating.join().expect("it does not panic")
        });
        assert!(waiting.0 && waiting.1 <= 0.21, "{waiting:?}");
        pace.stop();
        assert!(!pace.go_on() && pace.is_stopped());
    }

    #[test]
    fn a_free_pace_goes_on_until_it_is_stopped() {
        let pace = Pace::default();
        assert!(pace.go_on() && !pace.is_limited());
        pace.stop();
        assert!(!pace.go_on());
    }
}
