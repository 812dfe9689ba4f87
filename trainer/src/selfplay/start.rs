//! Where a game starts that goes on from an earlier one.
//!
//! Starts near the end are a curriculum: what decides games is learnt before what leads there, and the part of the
//! games that starts come from grows backwards with the run (Resnick et al. 2018, "Backplay").

use damma_env::Action;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::SelfPlay;
use crate::record::GameRecord;

/// Actions before the end that are near it from the first.
const NEAR_END: usize = 8;

/// Games that are looked at for one that somebody won.
const TRIES: usize = 16;

/// A position of an earlier game.
pub(super) struct Start<'a> {
    game: &'a GameRecord,
    /// How many of its actions come before.
    before: usize,
    /// Whether a random action leads away from it.
    pub(super) deviates: bool,
}

impl<'a> Start<'a> {
    /// Draws whether a game starts from an earlier one, and from where.
    pub(super) fn draw(context: &SelfPlay<'a>, rng: &mut Pcg64) -> Option<Self> {
        let config = context.config;
        // Nothing is drawn where nothing is asked for, so that games stay what they were.
        if config.earlier_share + config.endgame_share <= 0.0 {
            return None;
        }
        let drawn = rng.random::<f32>();
        if drawn < config.earlier_share {
            let game = context.window.draw_game(rng)?;
            return Some(Self { game, before: rng.random_range(0..game.actions.len()), deviates: true });
        }
        if drawn < config.earlier_share + config.endgame_share {
            let mut games = (0..TRIES).filter_map(|_| context.window.draw_game(rng));
            let game = games.find(|game| game.outcome.winner().is_some())?;
            let actions = game.actions.len();
            let part = (actions as f64 * (context.progress / config.endgame_until).min(1.0)) as usize;
            let from_end = rng.random_range(1..=part.max(NEAR_END).min(actions));
            return Some(Self { game, before: actions - from_end, deviates: false });
        }
        None
    }

    /// Gives the actions that lead there.
    pub(super) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.game.actions().take(self.before)
    }
}
