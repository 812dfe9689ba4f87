//! Monte-Carlo tree search over many games in lockstep.
//!
//! Every tree takes one simulation at a time; the leaves of all trees go to the evaluator as one
//! batch. [`Tree`] is split into halves, so that it never sees batching: [`Tree::descend`]
//! finds a leaf, [`Tree::expand`] takes the answer. No networks here: an [`Evaluator`] is asked.

mod config;
mod lockstep;
mod tree;

pub use config::SearchConfig;
pub use lockstep::{Lockstep, Task, run};
pub use tree::{Descent, RootAction, Tree};

/// What a network says about a batch of positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluations {
    /// Policy logits `[B, A]`, row-major, over all actions: the reader masks the illegal ones.
    pub logits: Vec<f32>,
    /// Probabilities `[B, 3]` of win, draw and loss, seen by the player who decides.
    pub wdl: Vec<f32>,
}

/// Answers for batches of positions: a network, or anything that stands in for one.
pub trait Evaluator: Sync {
    /// Evaluates observations `[B, C, H, W]`, row-major, each from its decider's view.
    fn evaluate(&self, observations: &[f32]) -> Evaluations;
}
