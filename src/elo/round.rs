//! One match of a rating, with a pace and a sample of its games.

use damma_env::Game;
use damma_eval::{MatchGame, MatchReport, OpeningConfig, Player, Progress, draw_openings, play_match};

use super::pace::{Pace, Paced};
use crate::contest::{self, Terms};

/// Games of a match that are kept to be looked at: two pairs.
const KEPT: usize = 4;

/// Plays a match of paired random openings and gives its report and its first games.
///
/// # Errors
/// There are not enough different openings, or the pace was stopped.
pub fn play(
    game: &Game,
    a: &mut dyn Player,
    b: &mut dyn Player,
    terms: Terms,
    pace: &Pace,
) -> anyhow::Result<(MatchReport, Vec<MatchGame>)> {
    anyhow::ensure!(pace.go_on(), "the rating was stopped");
    let book = draw_openings(game, terms.games / 2, terms.seed, &OpeningConfig::default())?;
    let bar = (!pace.is_limited()).then(|| contest::bar(terms.games as u64, &format!("{} - {}", a.name(), b.name())));
    let mut progress = |progress: Progress| {
        let Some(bar) = &bar else { return };
        bar.set_position(progress.finished as u64);
        bar.set_message(format!("+{} ={} -{}", progress.tally.wins, progress.tally.draws, progress.tally.losses));
    };
    let (mut a, mut b) = (Paced { player: a, pace }, Paced { player: b, pace });
    let mut result = play_match(game, &mut a, &mut b, &book.openings, terms.seed, &mut progress)?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let report = MatchReport::new(game, &result);
    result.games.truncate(KEPT);
    Ok((report, result.games))
}
