//! Self-play: games of a network against itself, many in lockstep, shards in parallel.
//!
//! A game's randomness comes from the run's seed and the game's number, and a shard's games are
//! settled before it starts, so the games are the same whatever the number of threads.

mod config;
mod resign;
mod slot;
mod start;

use std::cell::Cell;

use damma_env::{Encoder, Game};
use rayon::prelude::*;

use crate::record::GameRecord;
use crate::replay::Replay;
use crate::search::{Batcher, Evaluator, SearchConfig, Work};
pub(crate) use config::BATCHES;
pub use config::SelfPlayConfig;
pub use resign::{resign_errors, resign_threshold};
use slot::Slot;

/// Everything that the games of one iteration share.
pub struct SelfPlay<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its observations.
    pub encoder: &'a Encoder,
    /// How the search explores.
    pub search: &'a SearchConfig,
    /// How the games are played.
    pub config: &'a SelfPlayConfig,
    /// The run's seed.
    pub seed: u64,
    /// The network that plays both sides.
    pub evaluator: &'a dyn Evaluator,
    /// Earlier games, which games may start from; it does not change while they are played.
    pub window: &'a Replay,
    /// How much of the run is done, 0 to 1.
    pub progress: f64,
    /// The value below which a side resigns, -1 to 1; `None` resigns no game.
    pub resign_below: Option<f32>,
    /// Asked now and then whether to give up.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told of each game as it ends, in no certain order.
    pub finished: &'a (dyn Fn(&GameRecord) + Sync),
}

/// Games that were played.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// The games that ended, in order.
    pub games: Vec<GameRecord>,
    /// Whether all have; if not, it was stopped.
    pub complete: bool,
    /// What the searches did.
    pub work: Work,
}

impl SelfPlay<'_> {
    /// Plays the games with the given numbers.
    #[must_use]
    pub fn play(&self, numbers: std::ops::Range<u64>) -> Played {
        let count = numbers.end - numbers.start;
        let shards = self.config.shards as u64;
        let shards: Vec<std::ops::Range<u64>> = (0..shards)
            .map(|shard| numbers.start + count * shard / shards..numbers.start + count * (shard + 1) / shards)
            .collect();
        let shards: Vec<(Vec<GameRecord>, Work)> = shards.into_par_iter().map(|shard| self.play_shard(shard)).collect();
        let mut all = Played::default();
        for (games, work) in shards {
            all.games.extend(games);
            all.work += work;
        }
        all.games.sort_by_key(|game| game.number);
        all.complete = all.games.len() as u64 == count;
        all
    }

    fn play_shard(&self, numbers: std::ops::Range<u64>) -> (Vec<GameRecord>, Work) {
        let lockstep = (numbers.end - numbers.start).min(self.config.most_at_once() as u64);
        let queue = Cell::new(numbers);
        let mut slots: Vec<Slot> = (0..lockstep).map(|_| Slot::new(self, &queue)).collect();
        let Self { search: config, game, encoder, evaluator, .. } = *self;
        let work = Batcher { config, game, encoder, evaluator, tables: None }.run(&mut slots, &self.stop);
        (slots.into_iter().flat_map(Slot::into_games).collect(), work)
    }
}

#[cfg(test)]
mod tests;
