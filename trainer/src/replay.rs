//! The replay window: the newest games, by positions and by bytes.

mod index;

use std::collections::VecDeque;

use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use crate::keys::{self, SettingError};
use crate::record::{Decision, GameRecord};
use index::Entry;
pub use index::Index;

/// Settings of the replay window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReplayConfig {
    /// Positions that the window holds at first, 1 to 1e9.
    pub positions: u64,
    /// Growth of the window with all positions so far, 0 (fixed) to 1 (nearly keeps all).
    pub growth: f64,
    /// Memory of the window at most, in MiB, 1 to 1,000,000.
    pub mebibytes: u64,
    /// Share of an iteration's positions that come from earlier games, searched anew, 0 to 0.9.
    pub reanalyse: f64,
}

impl Default for ReplayConfig {
    fn default() -> Self {
        Self { positions: 20_000, growth: 0.75, mebibytes: 1024, reanalyse: 0.0 }
    }
}

impl ReplayConfig {
    /// Checks that every setting is in its range.
    ///
    /// # Errors
    /// The first that is not, with its range.
    pub fn validate(&self) -> Result<(), SettingError> {
        keys::check_section("replay", self)
    }

    /// Gives the window in positions once `total` positions were played: sublinear growth as in
    /// `KataGo` (Wu 2019, appendix C, with its 0.4).
    #[must_use]
    pub fn window(&self, total: u64) -> u64 {
        let (base, total) = (self.positions as f64, total as f64);
        if total <= base || self.growth <= 0.0 {
            return self.positions;
        }
        (base * (1.0 + 0.4 * ((total / base).powf(self.growth) - 1.0) / self.growth)) as u64
    }
}

/// The newest games.
#[derive(Clone, Debug)]
pub struct Replay {
    config: ReplayConfig,
    /// Share of the draws that are in proportion to how much a decision of the game surprised.
    surprise: f32,
    games: VecDeque<GameRecord>,
    /// Positions to learn from before each game, counted from the first game of the run.
    starts: VecDeque<u64>,
    total: u64,
    bytes: usize,
    /// The distinct positions, where these are drawn.
    index: Option<Index>,
}

/// A position to learn from.
#[derive(Clone, Debug)]
pub struct Draw<'a> {
    /// When it stood in the window.
    pub stood: Stood<'a>,
    /// Every other time that it stood there, where these are drawn as one, with the turns left in that game; the
    /// newest 63 at most.
    pub others: Vec<(Stood<'a>, u32)>,
}

/// A position that stood in a game.
#[derive(Clone, Copy, Debug)]
pub struct Stood<'a> {
    /// The game.
    pub record: &'a GameRecord,
    /// What was decided.
    pub decision: &'a Decision,
}

impl Replay {
    /// Makes an empty window; `surprise` is the share of the draws that are in proportion to how much the
    /// decisions of a game surprised, 0 to 1. With the index of no games, distinct positions are drawn.
    #[must_use]
    pub fn new(config: ReplayConfig, surprise: f32, index: Option<Index>) -> Self {
        Self { config, surprise, games: VecDeque::new(), starts: VecDeque::new(), total: 0, bytes: 0, index }
    }

    /// Fills an empty window with the games of a run that has `total` positions in all.
    #[must_use]
    pub fn restored(mut self, games: Vec<GameRecord>, total: u64) -> Self {
        let held: u64 = games.iter().map(|game| game.decisions.len() as u64).sum();
        self.total = total.saturating_sub(held);
        for game in games {
            self.push(game);
        }
        self.update_index(0);
        self
    }

    /// Adds games and lets the oldest go.
    pub fn add(&mut self, games: Vec<GameRecord>) {
        let before = self.total;
        for game in games {
            self.push(game);
        }
        let window = self.config.window(self.total);
        let limit = self.config.mebibytes.saturating_mul(1 << 20);
        while self.games.len() > 1 && (self.positions() > window || self.bytes as u64 > limit) {
            let Some(oldest) = self.games.pop_front() else { break };
            self.starts.pop_front();
            self.bytes -= self.bytes_of(&oldest);
        }
        self.update_index(before);
    }

    /// Brings the index up to date where the games of position `new` and later are not in it yet.
    fn update_index(&mut self, new: u64) {
        let Some(index) = &mut self.index else { return };
        let games = self.starts.iter().copied().zip(&self.games);
        let games: Vec<(u64, &GameRecord)> = games.skip(self.starts.partition_point(|&start| start < new)).collect();
        index.update(&games, self.starts.front().copied().unwrap_or(self.total), self.surprise);
    }

    fn push(&mut self, game: GameRecord) {
        self.starts.push_back(self.total);
        self.total += game.decisions.len() as u64;
        self.bytes += self.bytes_of(&game);
        self.games.push_back(game);
    }

    fn bytes_of(&self, game: &GameRecord) -> usize {
        let index = if self.index.is_some() { Index::BYTES } else { 0 };
        game.bytes() + index * game.decisions.len()
    }

    /// Counts the positions to learn from in the window.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.total - self.starts.front().copied().unwrap_or(self.total)
    }

    /// Counts the positions to learn from in the whole run.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Counts the games in the window.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Draws a game, each of the window equally likely; `None` of an empty window.
    pub fn draw_game(&self, rng: &mut Pcg64) -> Option<&GameRecord> {
        if self.games.is_empty() { None } else { self.games.get(rng.random_range(0..self.games.len())) }
    }

    /// Draws different games with about so many positions together, fewer where the window has fewer; none that were
    /// searched anew, since those that they come from have been there too.
    #[must_use]
    pub fn draw_games(&self, positions: u64, rng: &mut Pcg64) -> Vec<&GameRecord> {
        let mut left: Vec<&GameRecord> =
            self.games.iter().filter(|game| !game.notes.reanalysed && !game.decisions.is_empty()).collect();
        let mut drawn = Vec::new();
        let mut found = 0;
        while found < positions && !left.is_empty() {
            let game = left.swap_remove(rng.random_range(0..left.len()));
            found += game.decisions.len() as u64;
            drawn.push(game);
        }
        drawn
    }

    /// Lists the games in the window, the newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.iter().rev()
    }

    /// Gives the number of the oldest game in the window.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.games.front().map(|game| game.number)
    }

    /// Estimates the memory of the window, in bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Gives the share of distinct positions in the window, where these are drawn.
    #[must_use]
    pub fn distinct(&self) -> Option<f64> {
        self.index.as_ref().map(Index::distinct)
    }

    /// Draws a position; `None` of an empty window.
    ///
    /// With an index, one of the distinct positions. Else a game by its positions and one of these, so that a
    /// game's part of what is learnt does not depend on how much it surprised.
    pub fn draw(&self, rng: &mut Pcg64) -> Option<Draw<'_>> {
        let Some(index) = &self.index else { return Some(Draw { stood: self.draw_each(rng)?, others: Vec::new() }) };
        let (newest, others) = index.draw(rng).split_last()?;
        let others = others.iter().map(|entry| (self.stood(entry), entry.turns_left)).collect();
        Some(Draw { stood: self.stood(newest), others })
    }

    /// Finds the game of an entry of the index.
    fn stood(&self, entry: &Entry) -> Stood<'_> {
        let (record, place) = self.place(entry.at);
        Stood { record, decision: &record.decisions[place] }
    }

    /// Finds the position of a number in the run: its game and its place there.
    fn place(&self, at: u64) -> (&GameRecord, usize) {
        let game = self.starts.partition_point(|&start| start <= at) - 1;
        (&self.games[game], (at - self.starts[game]) as usize)
    }

    fn draw_each(&self, rng: &mut Pcg64) -> Option<Stood<'_>> {
        let first = *self.starts.front()?;
        if first == self.total {
            return None;
        }
        let at = rng.random_range(first..self.total);
        let (record, mut place) = self.place(at);
        if self.surprise > 0.0 {
            let mut left = rng.random::<f32>() * record.decisions.len() as f32;
            let chosen = record.weights(self.surprise).position(|weight| {
                left -= weight;
                left < 0.0
            });
            place = chosen.unwrap_or(record.decisions.len() - 1);
        }
        Some(Stood { record, decision: &record.decisions[place] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Notes;
    use crate::rng::{Purpose, stream};
    use crate::value::Value;
    use damma_env::Outcome;

    fn game(number: u64, decisions: u32) -> GameRecord {
        let decision = |ply| Decision { ply, visits: vec![(1, 5), (2, 3)], value: Value::default(), surprise: 0.0 };
        GameRecord {
            number,
            actions: vec![7; 100],
            random_actions: 0,
            decisions: (0..decisions).map(decision).collect(),
            outcome: Outcome::Truncated,
            turns: 100,
            notes: Notes::default(),
        }
    }

    #[test]
    fn the_window_keeps_to_its_memory_whatever_it_would_hold() {
        let config = ReplayConfig { positions: 1_000_000, growth: 1.0, mebibytes: 1, reanalyse: 0.0 };
        let mut replay = Replay::new(config, 0.0, None);
        for number in 0..2000 {
            replay.add(vec![game(number, 40)]);
            assert!(replay.bytes() <= 1 << 20, "{} bytes after game {number}", replay.bytes());
        }
        assert!(replay.games() > 100 && replay.oldest() > Some(0));
        assert_eq!((replay.positions(), replay.total()), (replay.games() as u64 * 40, 80_000));
    }

    #[test]
    fn games_to_search_anew_are_different_and_none_was_searched_anew_before() {
        let mut replay = Replay::new(ReplayConfig::default(), 0.0, None);
        replay.add((0..40).map(|number| game(number, 10)).collect());
        let again = |number| GameRecord { notes: Notes { reanalysed: true, ..Notes::default() }, ..game(number, 10) };
        replay.add((40..80).map(again).collect());
        let rng = || Pcg64::new(1, 2);
        let drawn = |positions| -> Vec<u64> {
            replay.draw_games(positions, &mut rng()).iter().map(|game| game.number).collect()
        };
        assert_eq!((drawn(0).len(), drawn(95).len()), (0, 10));
        let mut all = drawn(1000);
        all.sort_unstable();
        assert!(all.into_iter().eq(0..40));
    }

    /// Counts how often each ply of a game is drawn.
    fn draws(replay: &Replay, number: u64, count: usize) -> [usize; 4] {
        let mut rng = stream(1, Purpose::Learning, 1);
        let mut counts = [0; 4];
        for _ in 0..count {
            let Stood { record, decision } = replay.draw(&mut rng).expect("a full window").stood;
            if record.number == number {
                counts[decision.ply as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn a_share_of_a_games_draws_goes_to_what_surprised() {
        let mut surprising = game(1, 4);
        for (decision, surprise) in surprising.decisions.iter_mut().zip([0.0, 0.3, 0.0, 0.1]) {
            decision.surprise = surprise;
        }
        let games = vec![game(0, 4), surprising];
        let near = |found: [usize; 4], expected: [usize; 4]| {
            assert!(found.iter().zip(expected).all(|(&found, wanted)| found.abs_diff(wanted) < 250), "{found:?}");
        };
        for (share, expected) in [(0.0, [2500; 4]), (0.5, [1250, 5000, 1250, 2500]), (1.0, [0, 7500, 0, 2500])] {
            let replay = Replay::new(ReplayConfig::default(), share, None).restored(games.clone(), 8);
            near(draws(&replay, 0, 20_000), [2500; 4]);
            near(draws(&replay, 1, 20_000), expected);
        }
    }
}
