//! Steps a second of a batch of boards, under a uniform random policy.
//!
//! Boards start anew in the step that ends their game. A slice of play is timed twice: once as it
//! is drawn and played, which counts the policy, and once replayed from its recorded actions,
//! which counts the steps alone without a clock call between them.

use std::time::{Duration, Instant};

use anyhow::ensure;
use damma_env::{VectorEnv, VectorError};

use super::clock::{Taken, rate, time};
use super::plan::Setting;

/// Steps before the measuring, about as many as a random game of the largest presets has (302 in
/// Dâmma, with a standard deviation of 80). Boards that all began at once would still go through
/// their games together after that, and the number of legal actions with them.
pub const WARM_UP: usize = 300;

/// The longest time that a slice is played; replayed it takes less.
const SLICE: Duration = Duration::from_millis(20);

/// The fewest slices whose median is taken.
const FEWEST: usize = 5;

/// The most recorded actions of a slice, 32 MiB.
const LONGEST: usize = 1 << 24;

/// What was measured of one setting, in steps of one board a second; medians of slices.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The steps alone.
    pub step: Rates,
    /// Drawing actions and stepping.
    pub with_sampling: Rates,
    /// What the batch holds for each board, observations left out.
    pub bytes_per_board: usize,
}

/// Steps a second by both clocks.
#[derive(Clone, Copy, Debug)]
pub struct Rates {
    /// A second of one CPU.
    pub cpu: f64,
    /// A second on the wall.
    pub wall: f64,
}

/// Measures a setting for about so long after the warm-up.
///
/// # Errors
/// The batch cannot be made, or it does not replay what it played.
pub fn measure(setting: &Setting<'_>, seconds: f64) -> anyhow::Result<Speed> {
    let (boards, options) = (setting.boards, setting.kind.options(setting.threads));
    let mut batch = VectorEnv::new(setting.game.game.clone(), boards, options)?;
    let slice = SLICE.min(Duration::from_secs_f64(seconds / (2 * FEWEST) as f64));
    let steps = warm_up(&mut batch, slice)?;
    let mut tape = vec![0; steps * boards];
    let (mut played, mut replayed) = (Vec::new(), Vec::new());
    let clock = Instant::now();
    while played.len() < FEWEST || clock.elapsed().as_secs_f64() < seconds {
        let mut again = batch.clone();
        played.push(time(|| play(&mut batch, &mut tape))?);
        replayed.push(time(|| tape.chunks_exact(boards).try_for_each(|actions| again.step(actions)))?);
        ensure!(batch.packed_masks() == again.packed_masks(), "the batch plays the same actions in two ways: a bug");
    }
    Ok(Speed {
        step: median(&replayed, tape.len()),
        with_sampling: median(&played, tape.len()),
        bytes_per_board: batch.bytes_per_board(),
    })
}

/// Brings the boards to all phases of their games, each beginning anew at its own step of the
/// warm-up, and says how many steps fill a slice.
fn warm_up(batch: &mut VectorEnv, slice: Duration) -> Result<usize, VectorError> {
    let boards = batch.len();
    let mut actions = vec![0; boards];
    for step in 0..WARM_UP {
        play(batch, &mut actions)?;
        let late: Vec<usize> = (step * boards / WARM_UP..(step + 1) * boards / WARM_UP).collect();
        batch.reset_boards(&late, None)?;
    }
    let (mut steps, clock) = (0, Instant::now());
    while clock.elapsed() < slice {
        play(batch, &mut actions)?;
        steps += 1;
    }
    Ok(steps.min(LONGEST / boards).max(1))
}

/// Plays as many steps as the tape has room for, and leaves their actions on it.
fn play(batch: &mut VectorEnv, tape: &mut [u16]) -> Result<(), VectorError> {
    for actions in tape.chunks_exact_mut(batch.len()) {
        batch.sample_legal(actions)?;
        batch.step(actions)?;
    }
    Ok(())
}

fn median(slices: &[Taken], steps: usize) -> Rates {
    let middle = |of: fn(&Taken) -> Duration| {
        let mut times: Vec<Duration> = slices.iter().map(of).collect();
        times.sort_unstable();
        rate(steps as f64, times[times.len() / 2])
    };
    Rates { cpu: middle(|taken| taken.cpu), wall: middle(|taken| taken.wall) }
}
