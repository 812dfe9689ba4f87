//! Positions a second of perft, one thread, from the start of a game.

use std::convert::Infallible;
use std::hint::black_box;

use damma_env::{Game, perft_turns};

use super::clock::{rate, time};

/// The greatest depth, for games of forced moves whose counts do not grow.
const DEEPEST: u32 = 100;

/// What was counted at the greatest depth that the time allowed.
#[derive(Clone, Copy, Debug)]
pub struct Nodes {
    /// Depth in complete turns.
    pub depth: u32,
    /// Sequences of turns.
    pub count: u64,
    /// Counted in a second of CPU time.
    pub rate: f64,
}

/// Counts deeper and deeper, as long as the next depth is likely to take less than twice `seconds`.
pub fn measure(game: &Game, seconds: f64) -> Nodes {
    let start = game.start();
    let mut last = Nodes { depth: 0, count: 1, rate: 0.0 };
    loop {
        let mut next = Nodes { depth: last.depth + 1, ..last };
        let counted = time(|| {
            next.count = black_box(perft_turns(black_box(game), &start, next.depth));
            Ok::<_, Infallible>(())
        });
        let Ok(taken) = counted;
        if next.count == 0 || next.depth > DEEPEST {
            return last;
        }
        next.rate = rate(next.count as f64, taken.cpu);
        let growth = next.count as f64 / last.count as f64;
        if taken.cpu.as_secs_f64() * growth > 2.0 * seconds {
            return next;
        }
        last = next;
    }
}
