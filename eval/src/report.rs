//! Reports: what a match or a rating says, as JSON and as text for people.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use damma_env::{Game, Ruleset, Side};
use serde::{Deserialize, Serialize};

use crate::alphabeta::VERSION;
use crate::arena::{MatchResult, PairCounts, Tally};
use crate::statistics::{Elo, Ladder, MatchStatistics, PairTable, Pairing, Rating, Sprt, SprtState};

/// What came out of a match. Everything is as the player `a` sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchReport {
    /// The first player.
    pub a: String,
    /// The second player.
    pub b: String,
    /// The version of the baseline; it says what `ab-4` means.
    pub baseline: String,
    /// The rules.
    pub ruleset: Ruleset,
    /// The seed of the players' random streams.
    pub seed: u64,
    /// Whether the games are a series, in which the winner has White next: then there are no pairs.
    #[serde(default)]
    pub series: bool,
    /// All games.
    pub total: Tally,
    /// The games with White.
    pub as_white: Tally,
    /// The games with Black.
    pub as_black: Tally,
    /// Pairs of games by half points, 0 to 4.
    pub pairs: PairCounts,
    /// The strength by the distinct pairs; nothing without games, or where a player met itself.
    pub elo: Option<Elo>,
    /// What the strength is estimated from; nothing in reports of earlier versions.
    #[serde(default)]
    pub statistics: Option<MatchStatistics>,
    /// The sequential test that the match was played for, and where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Tested>,
    /// Games by the cause of their end.
    pub causes: BTreeMap<String, u32>,
    /// Actions of a game on average.
    pub mean_actions: f64,
    /// Turns of a game on average.
    pub mean_turns: f64,
}

/// A sequential test and where it stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tested {
    /// The test.
    pub test: Sprt,
    /// What the distinct pairs say.
    pub state: SprtState,
}

impl MatchReport {
    /// Sums up a match.
    #[must_use]
    pub fn new(game: &Game, result: &MatchResult) -> Self {
        let statistics = MatchStatistics::new(result);
        let (mean_actions, mean_turns) = result.mean_length();
        Self {
            a: result.a.clone(),
            b: result.b.clone(),
            baseline: VERSION.to_owned(),
            ruleset: game.ruleset().clone(),
            seed: result.seed,
            series: result.series,
            total: result.tally(),
            as_white: result.tally_as(Side::White),
            as_black: result.tally_as(Side::Black),
            pairs: result.pairs(),
            elo: statistics.elo(),
            statistics: Some(statistics),
            sprt: None,
            causes: result.causes(),
            mean_actions,
            mean_turns,
        }
    }

    /// Adds where a sequential test stands; a mirror match leaves it where it began.
    #[must_use]
    pub fn tested(self, test: Option<Sprt>) -> Self {
        let pairs = if self.is_mirror() { PairCounts::default() } else { self.pairing().pairs };
        let sprt = test.map(|test| Tested { test, state: test.state(&pairs) });
        Self { sprt, ..self }
    }

    /// Says whether a player met itself, so that the pairs say nothing of strength.
    #[must_use]
    pub fn is_mirror(&self) -> bool {
        self.a == self.b || self.statistics.is_some_and(|statistics| statistics.mirror.is_some())
    }

    /// Counts the pairs that repeat others, action by action, and so are no information.
    #[must_use]
    pub fn repeated_pairs(&self) -> u32 {
        self.statistics.map_or(0, |statistics| self.pairs.total().saturating_sub(statistics.distinct_pairs))
    }

    /// Gives the distinct pairs of games with their players, as ladders take them.
    #[must_use]
    pub fn pairing(&self) -> Pairing {
        let pairs = self.statistics.map_or(self.pairs, |statistics| statistics.table.counts());
        Pairing { a: self.a.clone(), b: self.b.clone(), pairs }
    }

    /// Gives the distinct pairs by both results; nothing if the sums of the report contradict
    /// each other, or if it is of a player against itself.
    #[must_use]
    pub fn table(&self) -> Option<PairTable> {
        match &self.statistics {
            Some(statistics) => statistics.mirror.is_none().then_some(statistics.table),
            None => PairTable::rebuild(&self.pairs, &self.as_white, &self.as_black),
        }
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} against {} ({}): {} games", self.a, self.b, self.baseline, self.total.games())?;
        writeln!(f, "{:10}{:>7}{:>7}{:>7}{:>7}{:>9}", "", "games", "won", "drawn", "lost", "score")?;
        for (name, tally) in [("all", self.total), ("as White", self.as_white), ("as Black", self.as_black)] {
            let Tally { wins, draws, losses } = tally;
            writeln!(f, "{name:10}{:>7}{wins:>7}{draws:>7}{losses:>7}{:>9}", tally.games(), score(tally))?;
        }
        if !self.series {
            let points = ["0", "0.5", "1", "1.5", "2"];
            writeln!(f, "pairs     {}", counts(points.into_iter().zip(self.pairs.0)))?;
        }
        writeln!(f, "ends      {}", counts(self.causes.iter().map(|(name, count)| (name.as_str(), *count))))?;
        writeln!(f, "length    {:.1} actions, {:.1} turns", self.mean_actions, self.mean_turns)?;
        let colours = self.as_white + self.as_black.turned();
        let draws = f64::from(colours.draws) / f64::from(colours.games().max(1));
        writeln!(f, "colours   White scored {}, {:.1} % drawn", score(colours), 100.0 * draws)?;
        if let Some(statistics) = self.statistics.filter(|found| found.distinct_games < self.total.games()) {
            let MatchStatistics { distinct_games, distinct_pairs, .. } = statistics;
            let what = if self.series {
                "players without chance repeat themselves".to_owned()
            } else {
                format!("{distinct_pairs} pairs are counted")
            };
            writeln!(f, "warning   {distinct_games} of {} games are distinct; {what}", self.total.games())?;
        }
        if let Some(Tested { test, state }) = &self.sprt {
            writeln!(f, "SPRT      {test}: {state}")?;
        }
        match (self.statistics.and_then(|statistics| statistics.mirror), &self.elo) {
            _ if self.series => f.write_str("series    the winner has White in the next game: no pairs, so no Elo"),
            (Some(mirror), _) => write!(f, "Elo       unknown ({mirror})"),
            (None, Some(elo)) => write!(f, "Elo       {elo}"),
            (None, None) => f.write_str("Elo       unknown"),
        }
    }
}

/// Writes the score of some games; a dash where there is none.
fn score(tally: Tally) -> String {
    if tally.games() == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * tally.score()) }
}

/// Writes counts with their names.
fn counts<'n>(items: impl Iterator<Item = (&'n str, u32)>) -> String {
    items.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |bound: Option<f64>, unbounded: &str| {
            bound.map_or_else(|| unbounded.to_owned(), |bound| format!("{bound:+.0}"))
        };
        let (low, high) = (bound(self.low, "-inf"), bound(self.high, "+inf"));
        write!(f, "{:+.0} [{low}, {high}] at 95 %, stronger with probability {:.1} %", self.elo, 100.0 * self.los)
    }
}

/// How strong one player is, from matches against several.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EloReport {
    /// Who was rated.
    pub player: String,
    /// The matches, the player first in each.
    pub matches: Vec<MatchReport>,
    /// Who has which rating by definition or from earlier matches.
    pub ladder: Ladder,
    /// The rating that explains all matches best; nothing where no opponent is on the ladder.
    pub rating: Option<Rating>,
}

impl EloReport {
    /// Rates a player who is `a` in each of the matches; opponents not on the ladder only count
    /// for themselves, and mirror matches for nothing.
    #[must_use]
    pub fn new(player: &str, matches: Vec<MatchReport>, ladder: Ladder) -> Self {
        let rated = matches.iter().filter(|report| report.a == player && ladder.ratings.contains_key(&report.b));
        let pairings: Vec<Pairing> = rated.filter(|report| !report.is_mirror()).map(MatchReport::pairing).collect();
        let mut known = ladder.clone();
        known.ratings.remove(player);
        let rating = Ladder::fit(&known, &pairings).ok().and_then(|fit| fit.ratings.get(player).copied());
        Self { player: player.to_owned(), matches, ladder, rating }
    }
}

impl fmt::Display for EloReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.player)?;
        writeln!(
            f,
            "{:16}{:>7}{:>7}{:>7}{:>7}{:>9}  Elo against it",
            "opponent", "rated", "won", "drawn", "lost", "score"
        )?;
        for report in &self.matches {
            let Tally { wins, draws, losses } = report.total;
            let rated = self.ladder.ratings.get(&report.b).map_or_else(|| "-".to_owned(), |r| format!("{:.0}", r.elo));
            let elo = report.elo.map_or_else(|| "unknown".to_owned(), |elo| elo.to_string());
            let score = score(report.total);
            writeln!(f, "{:16}{rated:>7}{wins:>7}{draws:>7}{losses:>7}{score:>9}  {elo}", report.b)?;
        }
        for report in self.matches.iter().filter(|report| report.repeated_pairs() > 0) {
            let (repeated, pairs) = (report.repeated_pairs(), report.pairs.total());
            let rest = "repeat others; the score has them, Elo has not";
            writeln!(f, "warning: {}: {repeated} of {pairs} pairs {rest}", report.b)?;
        }
        let mut rating = String::new();
        match self.rating {
            Some(Rating { elo, plus_minus }) => write!(rating, "{elo:.0} +- {plus_minus:.0} at 95 %")?,
            None => rating.push_str("unknown: no opponent is on the ladder"),
        }
        write!(f, "rating: {rating}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabeta::{AlphaBeta, Level};
    use crate::arena::{Opening, play_match};
    use crate::player::RandomPlayer;
    use crate::statistics::Mirror;

    fn report() -> MatchReport {
        let game = Game::new(Ruleset::preset("khreibga").unwrap()).unwrap();
        let openings = vec![Opening::default(); 15];
        let (mut a, mut b) = (RandomPlayer::new(), RandomPlayer::new());
        let mut result = play_match(&game, &mut a, &mut b, &openings, 1, &mut |_| ()).unwrap();
        result.b = "another".to_owned();
        MatchReport::new(&game, &result)
    }

    #[test]
    fn a_report_counts_every_game_once() {
        let report = report();
        assert_eq!(report.total.games(), 30);
        assert_eq!(report.as_white.games() + report.as_black.games(), 30);
        assert_eq!(report.causes.values().sum::<u32>(), 30);
        assert_eq!(report.pairs.total(), 15);
        assert!((report.elo.unwrap().score - report.total.score()).abs() < 1e-12);
    }

    #[test]
    fn a_report_reads_back_from_its_json() {
        let elo = EloReport::new("random", vec![report()], Ladder::anchored("ab-1", 0.0));
        let mut read: EloReport = serde_json::from_str(&serde_json::to_string(&elo).unwrap()).unwrap();
        let estimates = [&elo, &read].map(|report| report.matches[0].elo.unwrap());
        // The parser may be off in the last digit of a number.
        assert!((estimates[0].los - estimates[1].los).abs() < 1e-12);
        assert!((estimates[0].elo - estimates[1].elo).abs() < 1e-9);
        read.matches[0].elo = elo.matches[0].elo;
        assert_eq!(read, elo);
        assert_eq!(elo.rating, None);
    }

    #[test]
    fn a_rating_lies_where_its_matches_put_it() {
        let against = |b: &str, pairs| MatchReport {
            a: "new".to_owned(),
            b: b.to_owned(),
            pairs: PairCounts(pairs),
            statistics: None,
            ..report()
        };
        let mut ladder = Ladder::anchored("ab-1", 0.0);
        ladder.ratings.insert("ab-2".to_owned(), Rating { elo: 200.0, plus_minus: 0.0 });
        let matches =
            vec![against("ab-1", [0, 0, 50, 0, 50]), against("ab-2", [0, 0, 100, 0, 0]), against("x", [0; 5])];

        let elo = EloReport::new("new", matches, ladder);

        assert!((elo.rating.unwrap().elo - 196.0).abs() < 5.0, "{elo}");
        assert!(elo.to_string().contains("rating: 19"), "{elo}");
    }

    #[test]
    fn a_mirror_match_feeds_neither_a_rating_nor_a_test() {
        let mut mirror = report();
        mirror.statistics.as_mut().unwrap().mirror = Some(Mirror::SameGames);
        let tested = mirror.clone().tested(Some(Sprt::new(0.0, 1.0, 0.05, 0.05).unwrap()));
        assert!(tested.sprt.unwrap().state.llr.abs() < 1e-12);
        let elo = EloReport::new("random", vec![mirror], Ladder::anchored("another", 0.0));
        assert_eq!(elo.rating, None);
    }

    #[test]
    fn a_deterministic_player_against_itself_is_reported_as_a_mirror_match() {
        let game = Game::new(Ruleset::preset("khreibga").unwrap()).unwrap();
        let openings = vec![Opening::default(); 3];
        let level = || AlphaBeta::new(Level::Depth(1));
        let result = play_match(&game, &mut level(), &mut level(), &openings, 1, &mut |_| ()).unwrap();

        let report = MatchReport::new(&game, &result);

        assert_eq!((report.elo, report.table()), (None, None));
        let found = report.statistics.unwrap();
        assert_eq!((found.distinct_games, found.distinct_pairs, found.mirror), (1, 1, Some(Mirror::SamePlayer)));
        let text = report.to_string();
        assert!(text.contains("1 of 6 games are distinct") && text.contains("mirror match: no information"), "{text}");
        assert!(serde_json::to_string(&report).unwrap().contains("\"mirror\":\"same_player\""));
    }

    #[test]
    fn a_rating_says_which_pairs_repeat_others_and_a_series_compares_no_colours() {
        let mut repeated = report();
        let statistics = repeated.statistics.as_mut().unwrap();
        statistics.distinct_pairs = repeated.pairs.total() - 4;
        let elo = EloReport::new("random", vec![repeated.clone()], Ladder::anchored("another", 0.0));
        let text = elo.to_string();
        assert!(text.contains("warning: another: 4 of 15 pairs repeat others"), "{text}");

        let one = Tally { wins: 1, draws: 0, losses: 0 };
        let series =
            MatchReport { series: true, elo: None, total: one, as_white: one, as_black: Tally::default(), ..repeated };
        let text = series.to_string();
        assert!(text.contains("as Black        0      0      0      0        -"), "{text}");
        assert!(!text.contains("pairs are counted") && text.ends_with("no pairs, so no Elo"), "{text}");
    }

    #[test]
    fn a_report_without_statistics_is_read_as_those_of_earlier_versions_were_written() {
        let report = report();
        let mut json = serde_json::to_value(&report).unwrap();
        json.as_object_mut().unwrap().remove("statistics");
        let old: MatchReport = serde_json::from_value(json).unwrap();
        assert_eq!(old.table().unwrap().counts(), old.pairs);
    }
}
