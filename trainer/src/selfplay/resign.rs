//! Resignation: when a side gives a game up, and which value it has to fear for that.
//!
//! A share of the games is played to the end all the same. They show how bad a game looked to a side that did not
//! lose it, and so which threshold gives up too much.

use damma_env::Side;

use crate::record::GameRecord;

/// Decisions of a side in a row that must all look bad.
const IN_A_ROW: usize = 3;

/// Games played to the end that a threshold is worked out from at least, and the newest so many at most.
const ENOUGH: usize = 50;
const NEWEST: usize = 500;

/// How the game in hand looks to each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hopes {
    latest: [[f32; IN_A_ROW]; 2],
    /// The least that [`Hopes::note`] gave each side so far.
    pub(super) lowest: [f32; 2],
}

impl Default for Hopes {
    fn default() -> Self {
        Self { latest: [[1.0; IN_A_ROW]; 2], lowest: [1.0; 2] }
    }
}

impl Hopes {
    /// Takes the value that a decision of `side` has for it, and gives the best of its latest ones: the side
    /// resigns if that is below the threshold.
    pub(super) fn note(&mut self, side: Side, value: f32) -> f32 {
        let latest = &mut self.latest[side.index()];
        latest.rotate_left(1);
        latest[IN_A_ROW - 1] = value;
        let best = latest.iter().copied().fold(-1.0, f32::max);
        let lowest = &mut self.lowest[side.index()];
        *lowest = lowest.min(best);
        best
    }
}

/// Works out the value below which a side may resign: the highest at which, of the games played to the end that
/// would have been resigned, a share of at most `errors` was not lost by who resigned.
///
/// The games come newest first; `None` where too few were played to the end, or `errors` is 0. A game in which both
/// sides would have resigned counts as an error, whoever had come first.
#[must_use]
pub fn resign_threshold<'a>(games: impl Iterator<Item = &'a GameRecord>, errors: f32) -> Option<f32> {
    if errors <= 0.0 {
        return None;
    }
    let lows: Vec<Lows> = games.filter_map(Lows::of).take(NEWEST).collect();
    if lows.len() < ENOUGH {
        return None;
    }
    let sorted = |low: fn(&Lows) -> f32| {
        let mut values: Vec<f32> = lows.iter().map(low).collect();
        values.sort_by(f32::total_cmp);
        values
    };
    let (kept, any) = (sorted(|low| low.kept), sorted(|low| low.any));
    let below = |values: &[f32], threshold: f32| values.partition_point(|value| *value < threshold) as f32;
    kept.iter().rev().copied().find(|&threshold| below(&kept, threshold) <= errors * below(&any, threshold))
}

/// Gives the share of games that a side would have resigned at the threshold without losing them, of those played to
/// the end that would have been resigned; 0 where there are none.
#[must_use]
pub fn resign_errors(games: &[GameRecord], threshold: f32) -> f64 {
    let resigned: Vec<Lows> = games.iter().filter_map(Lows::of).filter(|low| low.any < threshold).collect();
    let wrong = resigned.iter().filter(|low| low.kept < threshold).count();
    wrong as f64 / resigned.len().max(1) as f64
}

/// The values at which a game that was played to the end would have been resigned.
struct Lows {
    /// By a side that did not lose it.
    kept: f32,
    /// By either side.
    any: f32,
}

impl Lows {
    fn of(game: &GameRecord) -> Option<Self> {
        let lowest = game.notes.lowest?;
        let kept = Side::BOTH.into_iter().filter(|side| game.outcome.reward(*side) >= 0.0);
        let kept = kept.map(|side| lowest[side.index()]).fold(1.0, f32::min);
        Some(Self { kept, any: lowest[0].min(lowest[1]) })
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{Outcome, WinCause};

    use super::*;
    use crate::record::Notes;

    /// A game that White won, played to the end.
    fn won(white: f32, black: f32) -> GameRecord {
        GameRecord {
            number: 0,
            actions: vec![1],
            random_actions: 0,
            decisions: Vec::new(),
            outcome: Outcome::Win { winner: Side::White, cause: WinCause::NoPieces },
            turns: 1,
            notes: Notes { lowest: Some([white, black]), ..Notes::default() },
        }
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "values are handed through as they are")]
    fn a_side_resigns_only_after_several_bad_decisions_of_its_own() {
        let mut hopes = Hopes::default();
        let seen: Vec<f32> = [-0.9, -0.8, -0.95, -0.2, -0.99].map(|value| hopes.note(Side::White, value)).into();
        assert_eq!(seen, [1.0, 1.0, -0.8, -0.2, -0.2]);
        assert_eq!(hopes.note(Side::Black, -1.0), 1.0, "the other side has seen nothing yet");
        assert_eq!(hopes.lowest, [-0.8, 1.0]);
    }

    #[test]
    fn the_threshold_gives_up_no_more_games_than_it_may() {
        // 90 losers despair at -0.9, and of ten winners each looked a little worse than the one before.
        let mut games: Vec<GameRecord> = (0..90).map(|_| won(0.5, -0.9)).collect();
        games.extend((0..10).map(|number| won(-0.1 * number as f32 - 0.05, -0.9)));
        for (errors, wrong) in [(0.001, 0), (0.02, 2), (0.05, 5)] {
            let threshold = resign_threshold(games.iter(), errors).expect("enough games");
            let found = games.iter().filter(|game| Lows::of(game).expect("played on").kept < threshold).count();
            assert_eq!(found, wrong, "{errors}: below {threshold}");
            assert!((resign_errors(&games, threshold) - f64::from(wrong as u32) / 100.0).abs() < 1e-9);
        }
    }

    #[test]
    fn nobody_resigns_before_enough_games_were_played_to_the_end_or_where_no_error_is_allowed() {
        let mut games: Vec<GameRecord> = (0..ENOUGH).map(|_| won(0.5, -0.9)).collect();
        assert!(resign_threshold(games.iter(), 0.1).is_some());
        assert_eq!(resign_threshold(games.iter(), 0.0), None);
        games[0].notes.lowest = None;
        assert_eq!(resign_threshold(games.iter(), 0.1), None, "one of them might have been resigned");
    }
}
