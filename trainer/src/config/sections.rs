//! Sections of a config that belong to the run as a whole: samples, limits, rating.

use serde::{Deserialize, Serialize};

use crate::network::DeviceKind;

/// What is drawn of positions that stand many times in the window, as openings do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Repeated {
    /// Each as often as it stands there, with what was found then.
    Each,
    /// Each as often as any other, with the average of what was found.
    Average,
}

/// Settings of the training samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SamplesConfig {
    /// Positions of one optimiser step, 1 to 65,536.
    pub batch: usize,
    /// How often each new position is learnt from on average, above 0 and up to 100.
    pub per_position: f64,
    /// Share of the game's result in the value target, 0 to 1; the rest is the search's value.
    pub outcome_share: f32,
    /// Whether positions are turned by a random symmetry of the board.
    pub symmetry: bool,
    /// Share of a game's draws that go to its decisions in proportion to how much they surprised, 0 to 1.
    pub surprise: f32,
    /// What is drawn of positions that stand many times in the window.
    pub repeated: Repeated,
}

impl Default for SamplesConfig {
    fn default() -> Self {
        Self {
            batch: 256,
            per_position: 4.0,
            outcome_share: 0.5,
            symmetry: true,
            surprise: 0.0,
            repeated: Repeated::Each,
        }
    }
}

/// When a run ends, which checkpoints it keeps, and what computes its network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Iterations after which the run ends; 0 is no limit.
    pub iterations: u64,
    /// Minutes after which the run ends, earlier sessions included; 0 is no limit.
    pub minutes: f64,
    /// Minutes of CPU time after which the run ends, earlier sessions included; 0 is no limit.
    pub cpu_minutes: f64,
    /// Iterations between checkpoints, 1 and more.
    pub checkpoint_every: u64,
    /// The newest checkpoints are kept, this many, 1 and more.
    pub keep_last: usize,
    /// Checkpoints of iterations divisible by this are kept for ever; 0 keeps none of them.
    pub keep_every: u64,
    /// Whether learning goes on beside self-play, one iteration behind it.
    pub overlap: bool,
    /// Iterations between files of self-play games as PDN; 0 writes none.
    pub pdn_every: u64,
    /// Games in such a file.
    pub pdn_games: usize,
    /// What computes the network, in self-play and in learning.
    pub device: DeviceKind,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            iterations: 0,
            minutes: 0.0,
            cpu_minutes: 0.0,
            checkpoint_every: 1,
            keep_last: 3,
            keep_every: 10,
            overlap: true,
            pdn_every: 50,
            pdn_games: 4,
            device: DeviceKind::Cpu,
        }
    }
}

/// How checkpoints are rated against the baseline: the last one, and some while training goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Opponents, as `damma match` names them; empty rates nothing.
    pub opponents: Vec<String>,
    /// Games against each, an even number; every opening is played with both colours.
    pub games: usize,
    /// Simulations a decision, 1 to 60,000.
    pub simulations: u32,
    /// Iterations between ratings while training goes on; 0 is none by iterations.
    pub every: u64,
    /// Minutes between ratings while training goes on; 0 is none by time.
    pub every_minutes: f64,
    /// The most of the run's CPU time that these ratings may take, above 0 and up to 0.9.
    pub share: f64,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            opponents: ["random", "ab-1", "ab-2", "ab-3", "ab-4"].map(str::to_owned).into(),
            games: 100,
            simulations: 200,
            every: 0,
            every_minutes: 10.0,
            share: 0.05,
        }
    }
}
