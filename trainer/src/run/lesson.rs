//! What an iteration learns: some steps of the optimiser on batches of the window.

use std::time::Instant;

use rand::RngExt;

use super::setup::Board;
use crate::config::SamplesConfig;
use crate::learner::{Batch, Learner, Losses};
use crate::network::NetworkError;
use crate::replay::Replay;
use crate::rng::{Purpose, stream};

/// Everything that one iteration's learning depends on but the learner.
pub(super) struct Lesson<'a> {
    pub(super) board: &'a Board,
    pub(super) samples: &'a SamplesConfig,
    pub(super) replay: &'a Replay,
    pub(super) seed: u64,
    pub(super) iteration: u64,
    /// Positions that were not learnt from yet: steps come in proportion.
    pub(super) new: u64,
    /// How much of the run is done, 0 to 1.
    pub(super) progress: f64,
}

/// What a lesson came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Learnt {
    /// Averages over the steps.
    pub(super) losses: Losses,
    /// Learning rate of the last step.
    pub(super) learning_rate: f64,
    pub(super) seconds: f64,
    /// Steps that were made.
    pub(super) steps: u64,
}

impl Lesson<'_> {
    /// Makes the steps, until `stop` says so, and tells of each one: its number, how many there are, and what it
    /// saw.
    pub(super) fn learn(
        &self,
        learner: &mut Learner,
        stop: impl Fn() -> bool,
        mut seen: impl FnMut(u64, u64, &Losses),
    ) -> Result<Learnt, NetworkError> {
        let began = Instant::now();
        let samples = self.samples;
        let steps = (self.new as f64 * samples.per_position / samples.batch as f64).round() as u64;
        let mut learnt = Learnt::default();
        if steps == 0 || self.replay.positions() == 0 {
            return Ok(learnt);
        }
        let mut rng = stream(self.seed, Purpose::Learning, self.iteration);
        let encode = self.board.sampler(samples);
        let symmetries = if samples.symmetry { self.board.symmetries.len() } else { 1 };
        let mut next = || -> Batch {
            let drawn: Vec<_> = (0..samples.batch)
                .filter_map(|_| Some((self.replay.draw(&mut rng)?, rng.random_range(0..symmetries))))
                .collect();
            encode.batch(&drawn)
        };
        let mut batch = next();
        for step in 1..=steps {
            learnt.learning_rate = learner.config().learning_rate_at(learner.steps(), self.progress);
            // The next batch is made while this one is learnt from.
            let (losses, following) = rayon::join(
                || learner.train_batch(&batch, learnt.learning_rate),
                || if step < steps { next() } else { Batch::default() },
            );
            let losses = losses?;
            batch = following;
            learnt.losses.add(&losses, 1.0 / steps as f64);
            seen(step, steps, &losses);
            learnt.steps = step;
            if stop() {
                break;
            }
        }
        learnt.seconds = began.elapsed().as_secs_f64();
        Ok(learnt)
    }
}
