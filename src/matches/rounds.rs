//! Round after round: played now, or taken from the journal.

use std::ops::ControlFlow;

use damma_eval::{Arena, MatchResult, MatchStatistics, PairCounts, Player, Tally};

use super::journal::Journal;
use crate::contest;

/// Plays a match to its end, or until `stop` says so, which hears of the distinct pairs after every round.
///
/// # Errors
/// A player answers what no player may, or the journal cannot be written.
pub fn play(
    arena: &Arena<'_>,
    a: &mut dyn Player,
    b: &mut dyn Player,
    mut result: MatchResult,
    mut journal: Option<&mut Journal>,
    stop: &mut dyn FnMut(&PairCounts) -> ControlFlow<()>,
) -> anyhow::Result<MatchResult> {
    let bar = contest::bar(arena.games() as u64, &format!("{} - {}", a.name(), b.name()));
    let show = |before: usize, finished: usize, tally: Tally| {
        bar.set_position((before + finished) as u64);
        let score = 100.0 * tally.score();
        bar.set_message(format!("+{} ={} -{} ({score:.1} %)", tally.wins, tally.draws, tally.losses));
    };
    let mut known = journal.as_mut().map_or_else(Vec::new, |journal| std::mem::take(&mut journal.rounds)).into_iter();
    loop {
        let round = arena.next_round(&result.games);
        if round.is_empty() {
            break;
        }
        let before = (result.games.len(), result.tally());
        let games = if let Some(games) = known.next() {
            anyhow::ensure!(
                games.len() == round.len(),
                "the journal has a round of another size; remove it to begin anew"
            );
            show(before.0, games.len(), before.1);
            bar.reset_eta();
            games
        } else {
            let games = arena.play(&round, a, b, &mut |progress| {
                let mut tally = before.1;
                tally += progress.tally;
                show(before.0, progress.finished, tally);
            })?;
            journal.as_mut().map_or(Ok(()), |journal| journal.add(&games))?;
            games
        };
        result.games.extend(games);
        if stop(&MatchStatistics::new(&result).table.counts()).is_break() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(result)
}

#[cfg(test)]
mod tests {
    use damma_env::{Game, Ruleset};
    use damma_eval::{OpeningConfig, Order, RandomPlayer, draw_openings};

    use super::*;

    #[test]
    fn a_match_that_is_stopped_keeps_the_rounds_so_far() {
        let game = Game::new(Ruleset::preset("khreibga").expect("a preset")).expect("a game");
        let openings = draw_openings(&game, 9, 1, &OpeningConfig::default()).expect("there are as many").openings;
        let arena = Arena::new(&game, &openings, 1, Order::Pairs { together: 2 }).expect("they can be played");
        let blank = MatchResult { a: String::new(), b: String::new(), seed: 1, series: false, games: Vec::new() };
        let mut heard = Vec::new();
        let mut stop = |pairs: &PairCounts| {
            heard.push(pairs.total());
            if pairs.total() >= 4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());

        let result = play(&arena, &mut a, &mut b, blank, None, &mut stop).expect("nothing goes wrong");

        assert_eq!((heard, result.games.len()), (vec![2, 4], 8));
    }
}
