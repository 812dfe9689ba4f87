//! Round after round: played now, or taken up from a file and checked.

use std::path::Path;

use anyhow::ensure;
use damma_eval::{
    Arena, Ending, Fixture, MatchGame, MatchResult, MatchStatistics, PairCounts, Player, Progress, Seat, Sprt,
    SprtDecision, Tally,
};
use rayon::prelude::*;

use super::journal::Journal;
use crate::contest;

/// The rounds of a match.
pub struct Rounds<'m> {
    /// Where they are played.
    pub arena: &'m Arena<'m>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// Which of the two players are programs, and so can fail.
    pub programs: [bool; 2],
}

impl Rounds<'_> {
    /// Plays a match to its end, from where a result stands.
    ///
    /// # Errors
    /// A player answers what no player may, or the journal cannot be written.
    pub fn play(
        &self,
        [a, b]: [&mut dyn Player; 2],
        mut result: MatchResult,
        mut journal: Option<&mut Journal>,
    ) -> anyhow::Result<MatchResult> {
        let bar = contest::bar(self.arena.games() as u64, &format!("{} - {}", a.name(), b.name()));
        let show = |finished: usize, tally: Tally| {
            bar.set_position(finished as u64);
            let score = 100.0 * tally.score();
            bar.set_message(format!("+{} ={} -{} ({score:.1} %)", tally.wins, tally.draws, tally.losses));
        };
        let mut tally = result.tally();
        show(result.games.len(), tally);
        bar.reset_eta();
        loop {
            let round = self.next(&result);
            if round.is_empty() {
                break;
            }
            let before = result.games.len();
            let mut progress = |progress: Progress| show(before + progress.finished, tally + progress.tally);
            let games = self.arena.play(&round, a, b, &mut progress)?;
            if let Some(journal) = journal.as_deref_mut() {
                journal.add(&games)?;
            }
            tally += games.iter().map(|game| game.half_points(Seat::A)).collect::<Tally>();
            result.games.extend(games);
        }
        bar.finish_and_clear();
        Ok(result)
    }

    /// Takes up games of a file: whole rounds from the first on, each game played again by the rules.
    ///
    /// # Errors
    /// The first game that is none of this match in its place, or more or fewer games than rounds have.
    pub fn take_up(&self, mut result: MatchResult, games: Vec<MatchGame>, file: &Path) -> anyhow::Result<MatchResult> {
        let (name, count, mut games) = (file.display(), games.len(), games.into_iter());
        loop {
            let round = self.next(&result);
            let known: Vec<MatchGame> = games.by_ref().take(round.len()).collect();
            if known.is_empty() {
                break;
            }
            let pairs = round.par_iter().zip(known.par_iter());
            let fault = pairs.find_map_first(|(fixture, game)| Some((fixture.number + 1, self.fault(fixture, game)?)));
            if let Some((number, fault)) = fault {
                anyhow::bail!("{name}, game {number}: {fault}; remove the file to play the match anew");
            }
            let whole = known.len() == round.len();
            ensure!(whole, "{name} ends within a round, after {count} games; remove the file to play the match anew");
            result.games.extend(known);
        }
        let over = games.next().is_none();
        ensure!(
            over,
            "{name} has {count} games, and the match is over after {}; remove the file to play the match anew",
            result.games.len()
        );
        Ok(result)
    }

    /// Says whether nothing is left to play.
    #[must_use]
    pub fn are_over(&self, result: &MatchResult) -> bool {
        self.next(result).is_empty()
    }

    /// Lists the games of the next round; none once the match is over.
    fn next(&self, result: &MatchResult) -> Vec<Fixture> {
        let decided = |sprt: &Sprt| sprt.state(&pairs(result)).decision != SprtDecision::Continue;
        if !result.games.is_empty() && self.sprt.as_ref().is_some_and(decided) {
            return Vec::new();
        }
        self.arena.next_round(&result.games)
    }

    /// Says why a game cannot have been played where it stands.
    fn fault(&self, fixture: &Fixture, game: &MatchGame) -> Option<String> {
        if let Err(fault) = self.arena.check(fixture, game) {
            return Some(fault.to_string());
        }
        let Ending::Forfeited { loser, .. } = game.ending else { return None };
        let program = self.programs[usize::from(game.side(Seat::A) != loser)];
        (!program).then(|| "its loser is said to have failed, which only programs do".to_owned())
    }
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
    fn a_match_that_a_test_stops_keeps_the_rounds_so_far_and_is_over_when_taken_up() {
        let game = Game::new(Ruleset::preset("khreibga").expect("a preset")).expect("a game");
        let openings = draw_openings(&game, 60, 1, &OpeningConfig::default()).expect("there are as many").openings;
        let arena = Arena::new(&game, &openings, 1, Order::Pairs { together: 2 }).expect("they can be played");
        let blank = || MatchResult { a: "a".to_owned(), b: "b".to_owned(), seed: 1, series: false, games: Vec::new() };
        let sprt = Sprt::new(0.0, 100.0, 0.2, 0.2).expect("a test");
        let rounds = Rounds { arena: &arena, sprt: Some(sprt), programs: [false; 2] };
        let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());

        let result = rounds.play([&mut a, &mut b], blank(), None).expect("nothing goes wrong");

        assert!(result.games.len() < 120 && result.games.len().is_multiple_of(4), "{}", result.games.len());
        let file = Path::new("m.json");
        let taken = rounds.take_up(blank(), result.games.clone(), file).expect("its own games");
        assert!(rounds.are_over(&taken) && taken == result);
        let part = rounds.take_up(blank(), result.games[..4].to_vec(), file).expect("a whole round");
        assert!(!rounds.are_over(&part));
        let message = |games: Vec<MatchGame>| rounds.take_up(blank(), games, file).expect_err("damaged").to_string();
        assert!(message(result.games[..3].to_vec()).starts_with("m.json ends within a round, after 3 games"));
        let twice = [&result.games[..4], &result.games[..4]].concat();
        assert!(message(twice).starts_with("m.json, game 5: it does not begin with opening 3"));
        let mut failed = result.games.clone();
        (failed[0].actions, failed[0].turns) = (openings[0].actions().map(|action| action.0).collect(), 0);
        let state = openings[0].state(&game).expect("an opening");
        failed[0].turns = state.turns();
        failed[0].ending = Ending::Forfeited { loser: state.position().side(), fault: damma_eval::Fault::Crash };
        assert!(message(failed).contains("game 1: its loser is said to have failed"));
    }
}
