//! Random numbers: one stream for each purpose and index of a run's seed.

use rand_pcg::Pcg64;

/// What a stream of random numbers is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// One self-play game, by its number.
    Game,
    /// The batches of one iteration, by its number.
    Learning,
    /// One game of a match, by its number.
    Match,
    /// The games that one iteration searches anew, by its number.
    Reanalysis,
}

/// Gives the stream of a seed, a purpose and an index: the same on every machine.
#[must_use]
pub fn stream(seed: u64, purpose: Purpose, index: u64) -> Pcg64 {
    let state = (u128::from(seed) << 64) | u128::from(seed ^ 0x9E37_79B9_7F4A_7C15);
    Pcg64::new(state, (purpose as u128) << 64 | u128::from(index))
}
