//! What an iteration's searches are for: new games, and decisions of earlier ones.

use super::Run;
use crate::monitor::Event;
use crate::network::Network;
use crate::record::GameRecord;
use crate::rng::{Purpose, stream};
use crate::selfplay::{Played, SelfPlay, SelfPlayConfig, resign_threshold};

/// The games of an iteration.
pub(super) struct Fresh {
    pub(super) played: Played,
    /// Earlier games with decisions that were searched anew.
    pub(super) reanalysed: Vec<GameRecord>,
    /// The value below which a side resigned; `None` where nobody might.
    pub(super) resign_below: Option<f32>,
}

impl Run<'_> {
    /// Plays the games of an iteration and searches earlier ones anew; the window stays as it is meanwhile.
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
            tables: self.tables.as_deref(),
            window: &self.replay,
            progress: self.progress(),
            resign_below,
            stop: &stop,
            finished: &finished,
        };
        let first = self.state.games + self.state.reanalysed;
        let last = first + config.games as u64;
        let mut played = selfplay.play(first..last);
        let again = selfplay.reanalyse(&self.worth_another_look(&played), last);
        played.complete &= again.complete;
        played.work += again.work;
        Fresh { played, reanalysed: again.games, resign_below }
    }

    /// Draws the games of the window that an iteration searches anew besides playing.
    fn worth_another_look(&self, played: &Played) -> Vec<&GameRecord> {
        let share = self.config.replay.reanalyse;
        let positions = played.games.iter().map(|game| game.decisions.len()).sum::<usize>() as f64;
        let wanted = (positions * share / (1.0 - share)).round() as u64;
        self.replay.draw_games(wanted, &mut stream(self.config.seed, Purpose::Reanalysis, self.state.iteration))
    }
}
