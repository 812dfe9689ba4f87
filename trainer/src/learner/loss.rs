//! The training batch, its losses, and how each output of the network should move.
//!
//! The policy loss takes the softmax over legal actions only, as search does: what the network
//! says about illegal ones is never used, so nothing is spent on teaching it.

use crate::network::{NetworkError, NetworkShape};
use crate::search::softmax;

use super::Losses;

/// Positions to learn from, row-major; `B` is the number of values over 3.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Observations `[B, C, H, W]` of the player who decides.
    pub observations: Vec<f32>,
    /// Whether an action is legal, `[B, A]`.
    pub legal: Vec<bool>,
    /// Target probabilities `[B, A]`, 0 on illegal actions; a row of zeros has no policy target.
    pub policy: Vec<f32>,
    /// Target probabilities `[B, 3]` of win, draw and loss, seen by the player who decides.
    pub value: Vec<f32>,
}

impl Batch {
    /// How many positions there are, `B`.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.value.len() / 3
    }

    /// Checks lengths, and that targets are probabilities of legal actions.
    pub(super) fn check(&self, shape: NetworkShape) -> Result<(), NetworkError> {
        let rows = self.rows();
        let fail = |reason: String| Err(NetworkError::Batch { reason });
        for (name, length, width) in [
            ("observations", self.observations.len(), shape.inputs()),
            ("legal", self.legal.len(), shape.actions),
            ("policy", self.policy.len(), shape.actions),
            ("value", self.value.len(), 3),
        ] {
            if rows == 0 || length != rows * width {
                return fail(format!(
                    "{name} holds {length} numbers; {rows} rows need {} (and one row at least)",
                    rows * width
                ));
            }
        }
        if let Some(place) = self.observations.iter().position(|x| !x.is_finite()) {
            let row = place / shape.inputs();
            return fail(format!("observation {row} is not finite"));
        }
        let wrong = |(target, legal): (&f32, &bool)| !(0.0..=1.001).contains(target) || (*target > 0.0 && !*legal);
        if let Some(place) = self.policy.iter().zip(&self.legal).position(wrong) {
            let (row, action) = (place / shape.actions, place % shape.actions);
            return fail(format!(
                "row {row} asks for action {action} with {}, but it is illegal or that is no \
                 probability",
                self.policy[place]
            ));
        }
        let off = |row: &[f32]| {
            let sum: f32 = row.iter().sum();
            (sum - 1.0).abs() > 1e-3 || row.iter().any(|x| !(0.0..=1.001).contains(x))
        };
        if let Some(row) = self.value.chunks_exact(3).position(off) {
            return fail(format!("the value target of row {row} does not sum to 1"));
        }
        Ok(())
    }
}

/// The losses of a batch, and their derivatives by the network's outputs.
#[derive(Debug)]
pub(super) struct Slopes {
    pub(super) losses: Losses,
    /// By the policy logits, `[B, A]`; 0 on illegal actions.
    pub(super) policy: Vec<f32>,
    /// By the value logits, `[B, 3]`.
    pub(super) value: Vec<f32>,
}

/// Computes the losses of the outputs `logits` `[B, A]` and `values` `[B, 3]`.
pub(super) fn slopes(batch: &Batch, logits: &[f32], values: &[f32], value_weight: f64) -> Slopes {
    let mut losses = Losses::default();
    let policy = policy_slopes(batch, logits, &mut losses);
    let value = value_slopes(batch, values, value_weight, &mut losses);
    losses.total = losses.policy + value_weight * losses.value;
    Slopes { losses, policy, value }
}

/// The mean over rows that have a target; a softmax's cross-entropy falls by probability minus target.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a batch has fewer than 2^23 rows, and f32 is the network's precision"
)]
fn policy_slopes(batch: &Batch, logits: &[f32], losses: &mut Losses) -> Vec<f32> {
    let actions = logits.len() / batch.rows();
    let mut slopes = vec![0.0; logits.len()];
    let targets = batch.policy.chunks_exact(actions);
    let with_target = targets.clone().filter(|row| has_target(row)).count();
    let share = 1.0 / with_target.max(1) as f64;
    let mut legal: Vec<usize> = Vec::new();
    let mut chances: Vec<f32> = Vec::new();
    for (index, (target, mask)) in targets.zip(batch.legal.chunks_exact(actions)).enumerate() {
        if !has_target(target) {
            continue;
        }
        let row = index * actions;
        legal.clear();
        legal.extend((0..actions).filter(|action| mask[*action]));
        chances.clear();
        chances.extend(legal.iter().map(|action| logits[row + action]));
        softmax(&mut chances);
        let mass: f32 = target.iter().sum();
        for (action, chance) in legal.iter().zip(&chances) {
            losses.policy -= share * weighted_log(target[*action], *chance);
            losses.policy_entropy -= share * weighted_log(*chance, *chance);
            losses.target_entropy -= share * weighted_log(target[*action], target[*action]);
            slopes[row + action] = (chance * mass - target[*action]) * share as f32;
        }
    }
    slopes
}

/// The mean over all rows, weighted in the slopes but not in the loss reported.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a batch has fewer than 2^23 rows, and f32 is the network's precision"
)]
fn value_slopes(batch: &Batch, values: &[f32], value_weight: f64, losses: &mut Losses) -> Vec<f32> {
    let share = 1.0 / batch.rows() as f64;
    let mut slopes = values.to_vec();
    for (row, target) in slopes.chunks_exact_mut(3).zip(batch.value.chunks_exact(3)) {
        softmax(row);
        for (chance, target) in row.iter_mut().zip(target) {
            losses.value -= share * weighted_log(*target, *chance);
            *chance = (*chance - target) * (share * value_weight) as f32;
        }
    }
    slopes
}

fn has_target(row: &[f32]) -> bool {
    row.iter().any(|target| *target > 0.0)
}

/// `weight * ln(chance)`, 0 for no weight; a chance too small for `f32` counts as the smallest.
fn weighted_log(weight: f32, chance: f32) -> f64 {
    if weight > 0.0 { f64::from(weight) * f64::from(chance.max(f32::MIN_POSITIVE)).ln() } else { 0.0 }
}
