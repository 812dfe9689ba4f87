//! Monte-Carlo tree search over many games in lockstep.
//!
//! Every tree takes one simulation at a time; the leaves of all trees go to the evaluator as one
//! batch. [`Tree`] is split into halves, so that it never sees batching: [`Tree::descend`]
//! finds a leaf, [`Tree::expand`] takes the answer. No networks here: an [`Evaluator`] is asked.

mod cache;
mod config;
mod leaves;
mod lockstep;
mod tree;

use std::hash::Hasher;

use rustc_hash::FxHasher;

pub use config::{Algorithm, SearchConfig};
pub use leaves::Leaves;
pub(crate) use leaves::span;
pub use lockstep::{Batcher, Lockstep, Task, Work};
pub(crate) use tree::play_forced;
pub use tree::{Descent, Proof, RootAction, Target, Tree};

/// What a network says about a batch of positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// Policy logits, one for each legal action, in the order of [`Leaves`].
    pub logits: Vec<f32>,
    /// Probabilities `[B, 3]` of win, draw and loss, seen by the player who decides.
    pub wdl: Vec<f32>,
}

/// Answers for batches of positions: a network, or anything that stands in for one.
pub trait Evaluator: Sync {
    /// Evaluates positions, each from its decider's view.
    fn evaluate(&self, leaves: &Leaves) -> Evaluations;
}

/// Gives the key of what a network sees: the position's own, and every counter that it is shown. Never 0.
pub(crate) fn key_of(position: u64, constants: impl Iterator<Item = f32>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(position);
    constants.for_each(|constant| hasher.write_u32(constant.to_bits()));
    hasher.finish().max(1)
}

/// Turns logits into probabilities in place.
pub(crate) fn softmax(row: &mut [f32]) {
    let top = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *row {
        *logit = (*logit - top).exp();
        sum += *logit;
    }
    for probability in row {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests;
