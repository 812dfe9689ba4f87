//! The last layer of the policy, forward and back, for the actions of a batch only.
//!
//! A position has some ten legal actions of hundreds or thousands. burn would multiply all of them, which on 9x9
//! boards is most of a step's work.

use super::Batch;
use crate::network::{NamedTensor, POLICY_BIAS, POLICY_WEIGHT, Weights};

/// Numbers that are summed side by side.
const LANES: usize = 16;

/// The layer's weights, `[A, F]` and `[A]`.
#[derive(Clone, Copy)]
pub(super) struct PolicyLayer<'a> {
    width: usize,
    weight: &'a NamedTensor,
    bias: &'a NamedTensor,
}

/// What the slopes of the logits come to.
pub(super) struct PolicyGradients {
    /// By the features, `[B, F]`.
    pub(super) features: Vec<f32>,
    /// By the weights, `[A, F]`.
    pub(super) weight: Vec<f32>,
    /// By the biases, `[A]`.
    pub(super) bias: Vec<f32>,
}

impl<'a> PolicyLayer<'a> {
    pub(super) fn of(weights: &'a Weights) -> Self {
        let weight = weights.get(POLICY_WEIGHT);
        Self { width: weight.dims[1], weight, bias: weights.get(POLICY_BIAS) }
    }

    /// Gives the width of the features, `F`.
    pub(super) const fn width(&self) -> usize {
        self.width
    }

    /// Gives the logits of the batch's actions, from features `[B, F]`.
    pub(super) fn logits(&self, batch: &Batch, features: &[f32]) -> Vec<f32> {
        let mut logits = Vec::with_capacity(batch.actions.len());
        for (row, features) in features.chunks_exact(self.width).enumerate() {
            logits.extend(batch.actions[batch.row(row)].iter().map(|action| {
                let index = action.index();
                self.bias.values[index] + product(features, &self.weight.values[index * self.width..][..self.width])
            }));
        }
        logits
    }

    /// Gives the gradients that the slopes of those logits make.
    pub(super) fn gradients(&self, batch: &Batch, features: &[f32], slopes: &[f32]) -> PolicyGradients {
        let mut gradients = PolicyGradients {
            features: vec![0.0; features.len()],
            weight: vec![0.0; self.weight.values.len()],
            bias: vec![0.0; self.bias.values.len()],
        };
        let rows = features.chunks_exact(self.width).zip(gradients.features.chunks_exact_mut(self.width));
        for (row, (features, back)) in rows.enumerate() {
            for place in batch.row(row) {
                let (index, slope) = (batch.actions[place].index(), slopes[place]);
                let weights = index * self.width..(index + 1) * self.width;
                gradients.bias[index] += slope;
                add_scaled(&mut gradients.weight[weights.clone()], slope, features);
                add_scaled(back, slope, &self.weight.values[weights]);
            }
        }
        gradients
    }
}

fn add_scaled(sum: &mut [f32], factor: f32, other: &[f32]) {
    for (sum, other) in sum.iter_mut().zip(other) {
        *sum += factor * other;
    }
}

/// Multiplies two vectors, summed in one fixed order.
fn product(left: &[f32], right: &[f32]) -> f32 {
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (left, right) in left.iter().zip(right) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += left * right;
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}
