//! What an iteration plays: the games, with what older ones tell about how to play them.

use super::Run;
use crate::monitor::Event;
use crate::network::Network;
use crate::record::GameRecord;
use crate::selfplay::{Played, SelfPlay, SelfPlayConfig, resign_threshold};

/// The games of an iteration.
pub(super) struct Fresh {
    pub(super) played: Played,
    /// The value below which a side resigned; `None` where nobody might.
    pub(super) resign_below: Option<f32>,
}

impl Run<'_> {
    /// Plays the games of an iteration; the window stays as it is meanwhile.
    pub(super) fn play(&self, network: &Network) -> Fresh {
        let config = &SelfPlayConfig { lockstep: self.lockstep(), ..self.config.selfplay.clone() };
        let resign_below = resign_threshold(self.replay.newest_first(), config.resign_errors);
        let stop = || self.monitor.should_stop();
        let finished = |record: &GameRecord| self.monitor.event(&Event::Game { record, of: config.games });
        let selfplay = SelfPlay {
            game: &self.board.game,
            encoder: &self.board.encoder,
            search: &self.config.search,
            config,
            seed: self.config.seed,
            evaluator: network,
            window: &self.replay,
            progress: self.progress(),
            resign_below,
            stop: &stop,
            finished: &finished,
        };
        let played = selfplay.play(self.state.games..self.state.games + config.games as u64);
        Fresh { played, resign_below }
    }
}
