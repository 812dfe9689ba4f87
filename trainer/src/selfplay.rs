//! Self-play: games of a network against itself, many in lockstep, shards in parallel.
//!
//! A game's randomness comes from the run's seed and the game's number, and a shard's games are
//! settled before it starts, so the games are the same whatever the number of threads.

mod config;
mod reanalysis;
mod resign;
mod slot;
mod start;

use std::cell::Cell;
use std::ops::Range;

use damma_env::{Encoder, EndgameTables, Game};
use rayon::prelude::*;

use crate::record::GameRecord;
use crate::replay::Replay;
use crate::search::{Batcher, Evaluator, SearchConfig, Work};
pub(crate) use config::BATCHES;
pub use config::SelfPlayConfig;
use reanalysis::Reader;
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
    /// Endgame tables; positions that they know have their exact values.
    pub tables: Option<&'a EndgameTables>,
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
    pub fn play(&self, numbers: Range<u64>) -> Played {
        self.in_shards(numbers, |numbers| {
            let lockstep = self.lockstep(&numbers);
            let queue = Cell::new(numbers);
            let mut slots: Vec<Slot> = (0..lockstep).map(|_| Slot::new(self, &queue)).collect();
            let work = self.batcher(self.search).run(&mut slots, &self.stop);
            (slots.into_iter().flat_map(Slot::into_games).collect(), work)
        })
    }

    /// Searches the decisions of earlier games anew, each with a full search that does not explore, and gives the
    /// games with what was found, numbered from `first`.
    #[must_use]
    pub fn reanalyse(&self, games: &[&GameRecord], first: u64) -> Played {
        // Nothing is forced where nothing explores, so nothing is to be taken out of what is learnt.
        let search = SearchConfig { forced_playouts: 0.0, ..self.search.clone() };
        self.in_shards(first..first + games.len() as u64, |numbers| {
            let lockstep = self.lockstep(&numbers);
            let queue = Cell::new(numbers);
            let next = || {
                let mut numbers = queue.take();
                let number = numbers.next();
                queue.set(numbers);
                number.map(|number| (number, games[(number - first) as usize]))
            };
            let mut readers: Vec<Reader> = (0..lockstep).map(|_| Reader::new(self, &search, &next)).collect();
            let work = self.batcher(&search).run(&mut readers, &self.stop);
            (readers.into_iter().flat_map(Reader::into_games).collect(), work)
        })
    }

    /// Divides numbered games among the shards and puts what these give in order.
    fn in_shards(
        &self,
        numbers: Range<u64>,
        play: impl Fn(Range<u64>) -> (Vec<GameRecord>, Work) + Sync + Send,
    ) -> Played {
        let count = numbers.end - numbers.start;
        let shards = self.config.shards as u64;
        let shards: Vec<Range<u64>> = (0..shards)
            .map(|shard| numbers.start + count * shard / shards..numbers.start + count * (shard + 1) / shards)
            .collect();
        let shards: Vec<(Vec<GameRecord>, Work)> = shards.into_par_iter().map(play).collect();
        let mut all = Played::default();
        for (games, work) in shards {
            all.games.extend(games);
            all.work += work;
        }
        all.games.sort_by_key(|game| game.number);
        all.complete = all.games.len() as u64 == count;
        all
    }

    fn lockstep(&self, numbers: &Range<u64>) -> u64 {
        (numbers.end - numbers.start).min(self.config.most_at_once() as u64)
    }

    fn batcher<'b>(&'b self, config: &'b SearchConfig) -> Batcher<'b> {
        let Self { game, encoder, evaluator, tables, .. } = *self;
        Batcher { config, game, encoder, evaluator, tables }
    }
}

#[cfg(test)]
mod tests;
