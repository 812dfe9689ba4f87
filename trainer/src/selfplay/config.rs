//! How self-play games are played.

use serde::{Deserialize, Serialize};

use crate::keys::{self, SettingError};

/// Batch sizes that a run measures where its config leaves the choice to it, smallest first.
pub(crate) const BATCHES: [usize; 7] = [16, 32, 64, 128, 256, 512, 1024];

/// Settings of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games an iteration, 1 to 1,000,000.
    pub games: usize,
    /// Groups of games that run in parallel, 1 to 1,024; results depend on it, threads do not matter.
    pub shards: usize,
    /// Games of a shard that go on at once, up to 65,536: the largest batch of the network; 0 leaves it to a run to
    /// measure.
    pub lockstep: usize,
    /// Simulations of a full search, 1 to 60,000; only these are learnt from.
    pub simulations: u32,
    /// Simulations of a fast search, 1 to 60,000 (playout-cap randomisation, Wu 2019).
    pub fast_simulations: u32,
    /// Share of full searches, above 0 and up to 1.
    pub full_share: f32,
    /// Temperature of the choice in the first turns, 0 to 10.
    pub temperature: f32,
    /// How many turns the first temperature holds.
    pub temperature_turns: u32,
    /// Temperature afterwards, 0 to 10.
    pub final_temperature: f32,
    /// Share of games that open with random turns, 0 to 1.
    pub random_opening_share: f32,
    /// Most random turns of such an opening, 0 to 100.
    pub random_opening_turns: u32,
    /// Share of games that go on from a random position of an earlier game with a random action, 0 to 1.
    pub earlier_share: f32,
    /// Share of games that start near the end of an earlier game, 0 to 1.
    pub endgame_share: f32,
    /// Share of the run after which such starts come from the whole of the earlier game, above 0 and up to 1.
    pub endgame_until: f64,
    /// No-progress limit of self-play games in turns; 0 is the ruleset's own.
    pub no_progress_limit: u16,
    /// Share of resigned games that who resigns would not have lost, 0 to 0.5; 0 resigns none.
    pub resign_errors: f32,
    /// Share of games in which nobody may resign, above 0 and up to 1: they show what resigning costs.
    pub resign_playthrough: f32,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        Self {
            games: 256,
            shards: 4,
            lockstep: 64,
            simulations: 96,
            fast_simulations: 24,
            full_share: 0.33,
            temperature: 1.0,
            temperature_turns: 12,
            final_temperature: 0.25,
            random_opening_share: 0.4,
            random_opening_turns: 8,
            earlier_share: 0.0,
            endgame_share: 0.0,
            endgame_until: 0.5,
            no_progress_limit: 0,
            resign_errors: 0.0,
            resign_playthrough: 0.1,
        }
    }
}

impl SelfPlayConfig {
    /// Gives the most games of a shard that can go on at once.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        let [.., largest] = BATCHES;
        if self.lockstep == 0 { largest } else { self.lockstep }
    }

    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first that is not, with its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        keys::check_section("selfplay", self)
    }
}
