//! The optimisers on plain slices: one pass over each tensor, the same bits on any number of threads.
//!
//! Written here, since burn clips each tensor's gradient alone, makes a dozen passes, and keys its
//! saved state by random parameter numbers that a new process does not have.
//! Weight decay is decoupled in both: <https://arxiv.org/abs/1711.05101>, algorithms 1 (SGD, with
//! Nesterov's momentum as in <https://proceedings.mlr.press/v28/sutskever13.html>) and 2 (Adam).

use super::{LearnerConfig, Optimiser};

const BETA_FIRST: f32 = 0.9;
const BETA_SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// The constants of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Factor of the gradient that clips it.
    scale: f32,
    /// Share of a decaying weight that stays.
    kept: f32,
    rule: Rule,
}

/// How the gradient moves a weight.
#[derive(Clone, Copy, Debug)]
enum Rule {
    AdamW {
        /// Learning rate over the first average's bias correction.
        rate: f32,
        /// One over the root of the second average's bias correction.
        correction: f32,
    },
    Sgd {
        rate: f32,
        momentum: f32,
    },
}

impl Step {
    /// Works the constants out for the step after `steps` others.
    #[expect(clippy::cast_possible_truncation, reason = "f32 is the weights' precision")]
    pub(super) fn new(config: &LearnerConfig, steps: u64, learning_rate: f64, norm: f64) -> Self {
        let clip = f64::from(config.gradient_clip);
        let scale = if clip > 0.0 && norm > clip { clip / norm } else { 1.0 };
        let rule = match config.optimiser {
            Optimiser::AdamW => {
                let power = i32::try_from(steps + 1).unwrap_or(i32::MAX);
                let first = 1.0 - f64::from(BETA_FIRST).powi(power);
                let second = 1.0 - f64::from(BETA_SECOND).powi(power);
                Rule::AdamW { rate: (learning_rate / first) as f32, correction: second.sqrt().recip() as f32 }
            }
            Optimiser::Sgd => Rule::Sgd { rate: learning_rate as f32, momentum: config.momentum },
        };
        let kept = (1.0 - learning_rate * f64::from(config.weight_decay)) as f32;
        Self { scale: scale as f32, kept, rule }
    }

    /// Moves one tensor's weights and averages; only `AdamW` has a `second`.
    pub(super) fn apply(
        &self,
        weights: &mut [f32],
        gradient: &[f32],
        first: &mut [f32],
        second: &mut [f32],
        decays: bool,
    ) {
        let kept = if decays { self.kept } else { 1.0 };
        match self.rule {
            Rule::AdamW { rate, correction } => {
                let averages = first.iter_mut().zip(second);
                for ((weight, slope), (first, second)) in weights.iter_mut().zip(gradient).zip(averages) {
                    let slope = slope * self.scale;
                    *first = BETA_FIRST * *first + (1.0 - BETA_FIRST) * slope;
                    *second = BETA_SECOND * *second + (1.0 - BETA_SECOND) * slope * slope;
                    let width = second.sqrt() * correction + EPSILON;
                    *weight = *weight * kept - rate * *first / width;
                }
            }
            Rule::Sgd { rate, momentum } => {
                for ((weight, slope), first) in weights.iter_mut().zip(gradient).zip(first) {
                    let slope = slope * self.scale;
                    *first = momentum * *first + slope;
                    *weight = *weight * kept - rate * (slope + momentum * *first);
                }
            }
        }
    }
}

/// Euclidean norm of all gradients together, summed in one fixed order.
pub(super) fn norm(gradients: &[Vec<f32>]) -> f64 {
    let square = |value: &f32| f64::from(*value) * f64::from(*value);
    let squares = |tensor: &Vec<f32>| {
        let mut sums = [0.0; 8];
        let (chunks, rest) = tensor.as_chunks::<8>();
        for chunk in chunks {
            for (sum, value) in sums.iter_mut().zip(chunk) {
                *sum += square(value);
            }
        }
        sums.iter().sum::<f64>() + rest.iter().map(square).sum::<f64>()
    };
    gradients.iter().map(squares).sum::<f64>().sqrt()
}

/// Moves an average towards the weights by `share` of the distance.
pub(super) fn blend(average: &mut [f32], weights: &[f32], share: f32) {
    for (average, weight) in average.iter_mut().zip(weights) {
        *average += share * (weight - *average);
    }
}
