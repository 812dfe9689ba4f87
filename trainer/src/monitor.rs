//! How training reports: through a trait that the command implements.

use std::path::Path;

use damma_env::Side;

use crate::learner::Losses;
use crate::network::Device;
use crate::record::GameRecord;
use crate::search::Work;

/// What one iteration did.
#[derive(Clone, Debug, Default)]
pub struct IterationReport {
    /// Its number, from 1.
    pub iteration: u64,
    /// Games of the run so far.
    pub games: u64,
    /// Positions to learn from of the run so far.
    pub positions: u64,
    /// Optimiser steps of the run so far.
    pub steps: u64,
    /// Games of this iteration.
    pub selfplay: SelfPlayStats,
    /// What their searches did.
    pub work: Work,
    /// The value below which a side resigned; `None` where nobody might.
    pub resign_threshold: Option<f32>,
    /// Share of games that would have been resigned wrongly, of those played on that would have been resigned; 0
    /// where there are none.
    pub resign_errors: f64,
    /// Averages over the steps of this iteration; all 0 where there was none.
    pub losses: Losses,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Positions of earlier games that this iteration searched anew.
    pub reanalysed: usize,
    /// Records in the replay window: games, and games that were searched anew.
    pub replay_games: usize,
    /// Positions in the replay window.
    pub replay_positions: u64,
    /// Share of distinct positions in the replay window, 0 to 1, where these are drawn.
    pub replay_distinct: Option<f64>,
    /// Memory of the replay window, in bytes.
    pub replay_bytes: usize,
    /// Seconds spent on self-play.
    pub selfplay_seconds: f64,
    /// Seconds spent on learning.
    pub learning_seconds: f64,
    /// Seconds of the whole run so far, earlier sessions included.
    pub elapsed_seconds: f64,
    /// How much of the run is done, 0 to 1.
    pub progress: f64,
}

/// What the games of an iteration were like.
#[derive(Clone, Debug, Default)]
pub struct SelfPlayStats {
    /// How many there were.
    pub games: usize,
    /// Actions played in them.
    pub actions: usize,
    /// Turns played in them.
    pub turns: u64,
    /// Positions to learn from.
    pub positions: usize,
    /// Games won by White and by Black, drawn or truncated.
    pub results: [usize; 3],
    /// Games by cause of their end, as [`GameRecord::cause`] names it, in alphabetical order.
    pub causes: std::collections::BTreeMap<&'static str, usize>,
    /// Games that were resigned.
    pub resigned: usize,
    /// Average over the positions of how sure the search was: the size of its value, 0 to 1.
    pub certainty: f64,
    /// Turns of each game.
    pub lengths: Vec<u32>,
    /// Values that full searches found, as White sees them, -1 to 1.
    pub values: Vec<f32>,
}

impl SelfPlayStats {
    /// Sums up games.
    #[must_use]
    pub fn of(games: &[GameRecord]) -> Self {
        let mut stats = Self { games: games.len(), ..Self::default() };
        for game in games {
            stats.actions += game.actions.len();
            stats.turns += u64::from(game.turns);
            stats.positions += game.decisions.len();
            stats.results[game.outcome.winner().map_or(2, Side::index)] += 1;
            *stats.causes.entry(game.cause()).or_default() += 1;
            stats.resigned += usize::from(game.notes.resigned);
            stats.lengths.push(game.turns);
            stats.values.extend(game.decisions.iter().map(|decision| decision.value.for_side(Side::White)));
        }
        let certain: f64 = stats.values.iter().map(|value| f64::from(value.abs())).sum();
        stats.certainty = certain / stats.positions.max(1) as f64;
        stats
    }
}

/// How fast a network answers batches of a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchRate {
    /// Positions of a batch.
    pub batch: usize,
    /// Positions a second, all threads together.
    pub per_second: f64,
}

/// Something worth telling.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Training begins or goes on.
    Started {
        /// Iterations done before.
        iteration: u64,
        /// Numbers that training adjusts.
        parameters: usize,
        /// Whether a checkpoint was taken up.
        resumed: bool,
        /// What computes the network.
        device: &'a Device,
    },
    /// It was measured how large the batches of the network should be.
    Calibrated {
        /// What was measured, smallest batch first.
        rates: &'a [BatchRate],
        /// The choice: games of a shard that go on at once.
        lockstep: usize,
    },
    /// A self-play game ended; comes from any thread.
    Game {
        /// The game.
        record: &'a GameRecord,
        /// How many games the iteration has.
        of: usize,
    },
    /// A step of the optimiser is done.
    Step {
        /// The step within the iteration, from 1.
        step: u64,
        /// How many steps the iteration has.
        of: u64,
        /// What it saw.
        losses: &'a Losses,
    },
    /// An iteration is done.
    Iteration(&'a IterationReport),
    /// A checkpoint is on disk.
    Checkpoint {
        /// Its folder.
        path: &'a Path,
        /// The iteration after which it was made.
        iteration: u64,
    },
}

/// Hears how training goes and may stop it.
pub trait Monitor: Sync {
    /// Hears of an event.
    fn event(&self, event: &Event<'_>);
    /// Says whether training should stop cleanly; asked often, from any thread.
    fn should_stop(&self) -> bool {
        false
    }
    /// Gives the CPU seconds that training took since the monitor was made; 0 where nobody measures.
    fn cpu_seconds(&self) -> f64 {
        0.0
    }
}
