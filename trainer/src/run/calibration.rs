//! How many games of a shard go on at once where the config leaves it open: measured on the machine.
//!
//! A batch may be too small to keep a network busy, and beyond some size more only makes games wait for each other.
//! The choice is made once and kept in the run's state. It depends on the machine and its load, and so may what
//! a run comes to, since a network's rounding may depend on the batch.

use std::time::Instant;

use damma_env::State;
use rand::RngExt;
use rayon::prelude::*;

use super::Run;
use super::setup::Board;
use crate::monitor::{BatchRate, Event};
use crate::rng::{Purpose, stream};
use crate::search::{Evaluator, Leaves};
use crate::selfplay::BATCHES;

/// Seconds that batches of a size are measured.
const SECONDS: f64 = 0.2;
/// The smallest batch is taken whose rate is at least this share of the best one.
const ENOUGH: f64 = 0.95;

impl Run<'_> {
    /// Gives the games of a shard that go on at once.
    pub(super) fn lockstep(&self) -> usize {
        let set = self.config.selfplay.lockstep;
        if set == 0 { self.state.lockstep } else { set }
    }

    /// Measures how many games of a shard should go on at once, unless that is settled.
    pub(super) fn calibrate(&mut self) {
        if self.lockstep() > 0 {
            return;
        }
        let network = self.learner.play_network();
        let callers = self.config.selfplay.shards.min(rayon::current_num_threads());
        let rate = |batch| BatchRate { batch, per_second: rate(&positions(&self.board, batch), &network, callers) };
        let rates = BATCHES.map(rate);
        self.state.lockstep = choose(&rates);
        self.monitor.event(&Event::Calibrated { rates: &rates, lockstep: self.state.lockstep });
    }
}

/// Gives the smallest batch that is about as fast as the best.
fn choose(rates: &[BatchRate]) -> usize {
    let best = rates.iter().map(|rate| rate.per_second).fold(0.0, f64::max);
    let enough = rates.iter().find(|rate| rate.per_second >= ENOUGH * best);
    enough.expect("the best is one of them").batch
}

/// Measures positions a second with so many threads that ask at once, as shards do.
fn rate(leaves: &Leaves, evaluator: &dyn Evaluator, callers: usize) -> f64 {
    // The first batch of a size is not like others: a card makes its programs for it.
    evaluator.evaluate(leaves);
    let ask = |_| {
        let began = Instant::now();
        let mut answered = 0;
        while began.elapsed().as_secs_f64() < SECONDS {
            evaluator.evaluate(leaves);
            answered += leaves.len();
        }
        answered as f64 / began.elapsed().as_secs_f64()
    };
    (0..callers).into_par_iter().map(ask).sum()
}

/// Gives positions of games played at random.
fn positions(board: &Board, count: usize) -> Leaves {
    let mut rng = stream(0, Purpose::Game, 0);
    let mut leaves = Leaves::new(&board.encoder);
    let mut state = State::new(&board.game);
    while leaves.len() < count {
        let legal = state.position().legal_actions(&board.game);
        leaves.push(&board.game, &state, &legal);
        state.play(&board.game, legal[rng.random_range(0..legal.len())]);
        if state.outcome().is_some() {
            state = State::new(&board.game);
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(per_second: [f64; 4]) -> usize {
        let rates = [16, 32, 64, 128].into_iter().zip(per_second);
        choose(&rates.map(|(batch, per_second)| BatchRate { batch, per_second }).collect::<Vec<_>>())
    }

    #[test]
    fn the_smallest_batch_that_is_about_as_fast_as_the_best_is_taken() {
        assert_eq!(choice([10.0, 50.0, 96.0, 100.0]), 64);
        assert_eq!(choice([10.0, 50.0, 94.0, 100.0]), 128);
        assert_eq!(choice([100.0, 90.0, 80.0, 70.0]), 16);
        assert_eq!(choice([95.0, 100.0, 98.0, 100.0]), 16);
    }
}
