//! The training batch, its losses, and how each output of the network should move.
//!
//! The policy loss takes the softmax over legal actions only, as search does: what the network
//! says about illegal ones is never used, so nothing is spent on teaching it.

use std::ops::Range;

use damma_env::Action;

use crate::network::{NetworkError, NetworkShape};
use crate::search::{softmax, span};

use super::Losses;

/// Positions to learn from; `B` is the number of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Observations `[B, C, H, W]` of the player who decides, row-major.
    pub observations: Vec<f32>,
    /// Legal actions of one position after another.
    pub actions: Vec<Action>,
    /// Where the actions of each position end, `[B]`.
    pub ends: Vec<usize>,
    /// Target probabilities, one for each of `actions`; a position of zeros has no policy target.
    pub policy: Vec<f32>,
    /// Target probabilities `[B, 3]` of win, draw and loss, seen by the player who decides.
    pub value: Vec<f32>,
    /// Target turns left until the game ends, `[B]`, 0 and more; may be left out where the network does not
    /// tell them.
    pub turns_left: Vec<f32>,
}

impl Batch {
    /// How many positions there are, `B`.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// Gives the place of a position's actions in `actions` and `policy`.
    #[must_use]
    pub fn row(&self, row: usize) -> Range<usize> {
        span(&self.ends, row)
    }

    /// Checks lengths, and that targets are probabilities of actions.
    pub(super) fn check(&self, shape: NetworkShape, turns_left: bool) -> Result<(), NetworkError> {
        let rows = self.rows();
        let turns = if turns_left || !self.turns_left.is_empty() { rows } else { 0 };
        let fail = |reason: String| Err(NetworkError::Batch { reason });
        for (name, length, wanted) in [
            ("observations", self.observations.len(), rows * shape.inputs()),
            ("policy", self.policy.len(), self.actions.len()),
            ("value", self.value.len(), rows * 3),
            ("turns_left", self.turns_left.len(), turns),
        ] {
            if rows == 0 || length != wanted {
                return fail(format!(
                    "{name} holds {length} numbers; {rows} rows need {wanted} (and one row at least)"
                ));
            }
        }
        if self.ends.last() != Some(&self.actions.len()) || !self.ends.is_sorted() {
            return fail("the ends of the rows are not in order, or not those of the actions".to_owned());
        }
        if let Some(place) = self.observations.iter().position(|x| !x.is_finite()) {
            return fail(format!("observation {} is not finite", place / shape.inputs()));
        }
        let wrong =
            |(target, action): (&f32, &Action)| !(0.0..=1.001).contains(target) || action.index() >= shape.actions;
        if let Some(place) = self.policy.iter().zip(&self.actions).position(wrong) {
            return fail(format!(
                "it asks for action {} with {}, but there are {} actions, or that is no probability",
                self.actions[place].index(),
                self.policy[place],
                shape.actions
            ));
        }
        let off = |row: &[f32]| {
            let sum: f32 = row.iter().sum();
            (sum - 1.0).abs() > 1e-3 || row.iter().any(|x| !(0.0..=1.001).contains(x))
        };
        if let Some(row) = self.value.chunks_exact(3).position(off) {
            return fail(format!("the value target of row {row} does not sum to 1"));
        }
        if let Some(row) = self.turns_left.iter().position(|turns| !(0.0..=f32::MAX).contains(turns)) {
            return fail(format!("row {row} has {} turns left", self.turns_left[row]));
        }
        Ok(())
    }
}

/// The losses of a batch, and their derivatives by the network's outputs.
#[derive(Debug)]
pub(super) struct Slopes {
    pub(super) losses: Losses,
    /// By the policy logits, one for each action of the batch.
    pub(super) policy: Vec<f32>,
    /// By the value logits, `[B, 3]`.
    pub(super) value: Vec<f32>,
}

/// Computes the losses of the outputs: `logits` of the batch's actions and `values` `[B, 3]`.
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
    let mut slopes = vec![0.0; logits.len()];
    let taught = || (0..batch.rows()).map(|row| batch.row(row)).filter(|row| has_target(&batch.policy[row.clone()]));
    let share = 1.0 / taught().count().max(1) as f64;
    let mut chances: Vec<f32> = Vec::new();
    for row in taught() {
        chances.clear();
        chances.extend_from_slice(&logits[row.clone()]);
        softmax(&mut chances);
        let targets = &batch.policy[row.clone()];
        let mass: f32 = targets.iter().sum();
        for ((slope, &target), &chance) in slopes[row].iter_mut().zip(targets).zip(&chances) {
            losses.policy -= share * weighted_log(target, chance);
            losses.policy_entropy -= share * weighted_log(chance, chance);
            losses.target_entropy -= share * weighted_log(target, target);
            *slope = (chance * mass - target) * share as f32;
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

/// The mean over all rows of Huber's loss of ln(1 + turns), quadratic up to an error of 1: a factor of e. Adds it to
/// the losses and gives the slopes by what the network said, `[B]`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a batch has fewer than 2^23 rows, and f32 is the network's precision"
)]
pub(super) fn turns_slopes(batch: &Batch, said: &[f32], weight: f64, losses: &mut Losses) -> Vec<f32> {
    let share = 1.0 / batch.rows() as f64;
    let slope = |(said, target): (&f32, &f32)| {
        let error = said - target.ln_1p();
        let near = error.clamp(-1.0, 1.0);
        losses.turns_left += share * f64::from(near * (error - 0.5 * near));
        near * (share * weight) as f32
    };
    let slopes = said.iter().zip(&batch.turns_left).map(slope).collect();
    losses.total += weight * losses.turns_left;
    slopes
}

fn has_target(row: &[f32]) -> bool {
    row.iter().any(|target| *target > 0.0)
}

/// `weight * ln(chance)`, 0 for no weight; a chance too small for `f32` counts as the smallest.
fn weighted_log(weight: f32, chance: f32) -> f64 {
    if weight > 0.0 { f64::from(weight) * f64::from(chance.max(f32::MIN_POSITIVE)).ln() } else { 0.0 }
}
