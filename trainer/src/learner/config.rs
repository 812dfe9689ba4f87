//! The learner's settings, and the learning rate and average that follow from them.

use serde::{Deserialize, Serialize};

use crate::keys::{self, SettingError};

/// How a gradient moves the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// `AdamW`: every weight has a step of its own.
    AdamW,
    /// Stochastic gradient descent with Nesterov's momentum.
    Sgd,
}

/// How the network is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnerConfig {
    /// The optimiser; a run keeps the one that it began with.
    pub optimiser: Optimiser,
    /// Share of the step before that goes on in SGD, 0 to below 1; `AdamW` has its own constants.
    pub momentum: f32,
    /// Highest learning rate, above 0 and up to 1.
    pub learning_rate: f64,
    /// Learning rate at the end of the run, 0 to `learning_rate`.
    pub final_learning_rate: f64,
    /// Steps over which the learning rate rises from near 0.
    pub warmup_steps: u64,
    /// Decoupled weight decay of matrices and kernels (biases have none), 0 to 1.
    pub weight_decay: f32,
    /// Largest Euclidean norm of the whole gradient; a longer one is scaled down. 0 is no limit.
    pub gradient_clip: f32,
    /// Weight of the value loss against the policy loss, 0 to 100.
    pub value_weight: f32,
    /// Weight of the loss of turns left against the policy loss, 0 to 100; the network must tell them.
    pub turns_left_weight: f32,
    /// Share of the average of the weights kept each step, 0 to below 1; 0 plays the weights.
    pub ema: f32,
}

impl Default for LearnerConfig {
    fn default() -> Self {
        Self {
            optimiser: Optimiser::AdamW,
            momentum: 0.9,
            learning_rate: 1e-3,
            final_learning_rate: 3e-5,
            warmup_steps: 200,
            weight_decay: 1e-4,
            gradient_clip: 5.0,
            value_weight: 1.0,
            turns_left_weight: 0.0,
            ema: 0.999,
        }
    }
}

impl LearnerConfig {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first that is not, with its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        keys::check_section("learner", self)
    }

    /// The learning rate of a step: a linear rise, times half a cosine from the highest to the
    /// last over the run's `progress` of 0 to 1 (<https://arxiv.org/abs/1608.03983>, equation 5).
    #[must_use]
    pub fn learning_rate_at(&self, step: u64, progress: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "fewer than 2^52 steps")]
        let rise = (step as f64 + 1.0) / (self.warmup_steps as f64 + 1.0);
        let fall = 0.5 * (1.0 + (std::f64::consts::PI * progress.clamp(0.0, 1.0)).cos());
        let span = self.learning_rate - self.final_learning_rate;
        rise.min(1.0) * (self.final_learning_rate + span * fall)
    }

    /// The share of the new weights in the average; larger at first, to forget the random start.
    pub(super) fn ema_share(&self, step: u64) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "only small steps matter")]
        let young = 9.0 / (step as f32 + 10.0);
        young.max(1.0 - self.ema)
    }
}
