//! Round after round: played now, or taken from the journal.

use std::ops::ControlFlow;

use anyhow::ensure;
use damma_eval::{Arena, Fixture, MatchGame, MatchResult, MatchStatistics, PairCounts, Player, Progress, Tally};

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
        let (before, tally) = (result.games.len(), result.tally());
        let games = if let Some(games) = known.next() {
            ensure!(games.len() == round.len(), "the journal has a round of another size; remove it to begin anew");
            show(before, games.len(), tally);
            bar.reset_eta();
            games
        } else {
            new_round(arena, &round, [a, b], journal.as_deref_mut(), &mut |progress| {
                let mut tally = tally;
                tally += progress.tally;
                show(before, progress.finished, tally);
            })?
        };
        result.games.extend(games);
        if stop(&pairs(&result)).is_break() {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(result)
}

/// Plays a round that is not known, and notes it in the journal.
fn new_round(
    arena: &Arena<'_>,
    round: &[Fixture],
    [a, b]: [&mut dyn Player; 2],
    journal: Option<&mut Journal>,
    progress: &mut dyn FnMut(Progress),
) -> anyhow::Result<Vec<MatchGame>> {
    let games = arena.play(round, a, b, progress)?;
    journal.map_or(Ok(()), |journal| journal.add(&games))?;
    Ok(games)
}

/// Counts the distinct pairs; none of a mirror match, which says nothing of strength.
fn pairs(result: &MatchResult) -> PairCounts {
    let statistics = MatchStatistics::new(result);
    if statistics.mirror.is_some() { PairCounts::default() } else { statistics.table.counts() }
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
        let blank = MatchResult { a: "a".to_owned(), b: "b".to_owned(), seed: 1, series: false, games: Vec::new() };
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
