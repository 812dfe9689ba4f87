//! Which positions of the window are the same to the network, and when each stood.
//!
//! The index is a list in the order of keys: it depends on the window's games alone, not on how they
//! came into it, so a run that goes on draws as one that never stopped.

use std::sync::Arc;

use damma_env::{Action, Encoder, Game, State};
use rand::RngExt;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::record::{Decision, GameRecord};
use crate::search::key_of;

/// The most occurrences of a position that one draw looks at: the newest.
const MOST: usize = 64;

/// The positions of a window by what the network sees.
#[derive(Clone, Debug)]
pub struct Index {
    game: Arc<Game>,
    encoder: Encoder,
    /// In the order of keys, and of their places in the run.
    entries: Vec<Entry>,
    positions: Vec<Distinct>,
}

/// A position that stood in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Of the position and of every counter that the network sees.
    key: u64,
    /// Its number in the run.
    pub(super) at: u64,
    /// Turns from it to the end of its game.
    pub(super) turns_left: u32,
    /// How often it is drawn where it stands alone, 1 on average.
    weight: f32,
}

/// A distinct position.
#[derive(Clone, Copy, Debug)]
struct Distinct {
    /// Where its entries begin.
    start: usize,
    /// The weights of the positions up to this one.
    weight: f64,
}

impl Index {
    /// The memory that each position of the window takes at most, in bytes, with the scratch of sorting.
    pub(crate) const BYTES: usize = 3 * size_of::<Entry>() / 2 + size_of::<Distinct>();

    /// Makes the index of an empty window of games that `encoder` shows to the network.
    #[must_use]
    pub fn new(game: Arc<Game>, encoder: Encoder) -> Self {
        Self { game, encoder, entries: Vec::new(), positions: Vec::new() }
    }

    /// Takes games in, each with the number of its first position in the run, and lets go what stood before
    /// position `first`. A share `surprise` of a game's weight goes to what surprised.
    pub(super) fn update(&mut self, games: &[(u64, &GameRecord)], first: u64, surprise: f32) {
        self.entries.retain(|entry| entry.at >= first);
        let new: Vec<Vec<Entry>> =
            games.par_iter().map(|&(start, record)| self.entries_of(start, record, surprise)).collect();
        let mut new = new.concat();
        new.sort_unstable_by_key(|entry| (entry.key, entry.at));
        self.entries.reserve_exact(new.len());
        self.entries.append(&mut new);
        // Two sorted runs: a stable sort merges them.
        self.entries.sort_by_key(|entry| (entry.key, entry.at));
        self.count();
    }

    /// Lists the distinct positions; the weight of one is the average of its entries'.
    fn count(&mut self) {
        self.positions.clear();
        let (mut start, mut weight) = (0, 0.0);
        for same in self.entries.chunk_by(|one, other| one.key == other.key) {
            weight += same.iter().map(|entry| f64::from(entry.weight)).sum::<f64>() / same.len() as f64;
            self.positions.push(Distinct { start, weight });
            start += same.len();
        }
    }

    /// Plays a game again and lists its positions to learn from.
    fn entries_of(&self, start: u64, record: &GameRecord, surprise: f32) -> Vec<Entry> {
        let mut state = State::new(&self.game);
        let mut played = 0;
        let (mut ones, mut constants) = (Vec::new(), Vec::new());
        let entry = |((at, decision), weight): ((u64, &Decision), f32)| {
            let ply = decision.ply as usize;
            for &action in &record.actions[played..ply] {
                state.play(&self.game, Action(action));
            }
            played = ply;
            ones.clear();
            constants.clear();
            self.encoder.list(&self.game, &state, &mut ones, &mut constants);
            let key = key_of(state.position().key(), constants.iter().copied());
            Entry { key, at, turns_left: record.turns_left(&state), weight }
        };
        (start..).zip(&record.decisions).zip(record.weights(surprise)).map(entry).collect()
    }

    /// Draws a distinct position and gives its newest entries, the newest last; none of an empty window.
    pub(super) fn draw(&self, rng: &mut Pcg64) -> &[Entry] {
        let Some(last) = self.positions.last() else { return &[] };
        let at = rng.random::<f64>() * last.weight;
        let place = self.positions.partition_point(|position| position.weight <= at).min(self.positions.len() - 1);
        let end = self.positions.get(place + 1).map_or(self.entries.len(), |next| next.start);
        let start = self.positions[place].start.max(end.saturating_sub(MOST));
        &self.entries[start..end]
    }

    /// Gives the share of distinct positions among all, 1 of an empty window.
    pub(super) fn distinct(&self) -> f64 {
        if self.entries.is_empty() { 1.0 } else { self.positions.len() as f64 / self.entries.len() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use damma_env::{Outcome, Ruleset};

    use super::*;
    use crate::replay::{Replay, ReplayConfig, Stood};
    use crate::rng::{Purpose, stream};
    use crate::value::Value;

    fn board() -> (Arc<Game>, Encoder) {
        let game = Game::new(Ruleset::preset("kharberg").expect("a preset")).expect("a game");
        let encoder = Encoder::flat(&game);
        (game, encoder)
    }

    /// Plays one of the first two actions at random; every position is one to learn from.
    fn random_game(game: &Game, number: u64) -> GameRecord {
        let mut rng = stream(5, Purpose::Game, number);
        let mut state = State::new(game);
        let (mut actions, mut decisions) = (Vec::new(), Vec::new());
        while state.outcome().is_none() && actions.len() < 12 {
            let legal = state.position().legal_actions(game);
            let action = legal[rng.random_range(0..legal.len().min(2))];
            let (ply, visits) = (actions.len() as u32, vec![(action.0, 1)]);
            decisions.push(Decision { ply, visits, value: Value::default(), surprise: rng.random() });
            actions.push(action.0);
            state.play(game, action);
        }
        let turns = state.turns();
        GameRecord { actions, decisions, outcome: Outcome::Truncated, turns, ..GameRecord::empty(number) }
    }

    /// What the network saw, and who decided.
    fn seen(stood: &Stood<'_>) -> (usize, Vec<u32>) {
        let (game, encoder) = board();
        let mut state = State::new(&game);
        stood.record.actions().take(stood.decision.ply as usize).for_each(|action| state.play(&game, action));
        let mut observation = vec![0.0; encoder.len()];
        encoder.encode(&game, &state, &mut observation);
        (state.position().side().index(), observation.into_iter().map(f32::to_bits).collect())
    }

    fn window(positions: u64, surprise: f32) -> Replay {
        let (game, encoder) = board();
        let config = ReplayConfig { positions, growth: 0.0, ..ReplayConfig::default() };
        Replay::new(config, surprise, Some(Index::new(game, encoder)))
    }

    /// A window that 100 games went through, six at a time.
    fn used(surprise: f32) -> Replay {
        let mut replay = window(700, surprise);
        let games: Vec<GameRecord> = (0..100).map(|number| random_game(&board().0, number)).collect();
        games.chunks(6).for_each(|games| replay.add(games.to_vec()));
        replay
    }

    #[test]
    fn distinct_positions_are_drawn_alike_with_all_their_occurrences() {
        let replay = used(0.0);
        let mut all: BTreeMap<_, usize> = BTreeMap::new();
        for record in &replay.games {
            for decision in &record.decisions {
                *all.entry(seen(&Stood { record, decision })).or_default() += 1;
            }
        }
        assert!(replay.oldest() > Some(0) && all.values().any(|&count| count > 40), "old games left, openings stay");
        assert_eq!(replay.distinct(), Some(all.len() as f64 / replay.positions() as f64));

        let mut rng = stream(2, Purpose::Learning, 1);
        let mut drawn: BTreeMap<_, usize> = BTreeMap::new();
        let count = 60 * all.len();
        for _ in 0..count {
            let draw = replay.draw(&mut rng).expect("a full window");
            let position = seen(&draw.stood);
            assert_eq!(draw.others.len() + 1, all[&position].min(MOST));
            assert!(draw.others.is_sorted_by_key(|(other, _)| other.record.number));
            assert!(draw.others.iter().all(|(other, _)| seen(other) == position));
            *drawn.entry(position).or_default() += 1;
        }
        assert_eq!(drawn.len(), all.len());
        assert!(drawn.values().all(|&count| (20..120).contains(&count)), "60 on average: {:?}", drawn.values());
    }

    #[test]
    fn a_restored_window_draws_the_same() {
        for surprise in [0.0, 0.6] {
            let replay = used(surprise);
            let games: Vec<GameRecord> = replay.games.iter().cloned().collect();
            let restored = window(700, surprise).restored(games, replay.total());
            assert_eq!((restored.bytes(), restored.distinct()), (replay.bytes(), replay.distinct()));
            let (mut one, mut two) = (stream(3, Purpose::Learning, 1), stream(3, Purpose::Learning, 1));
            for _ in 0..2000 {
                let draws = [replay.draw(&mut one), restored.draw(&mut two)];
                let [first, second] = draws.map(|draw| draw.expect("a full window"));
                let place = |stood: &Stood<'_>| (stood.record.number, stood.decision.ply);
                assert_eq!(place(&first.stood), place(&second.stood));
                assert!(
                    first
                        .others
                        .iter()
                        .map(|other| place(&other.0))
                        .eq(second.others.iter().map(|other| place(&other.0)))
                );
            }
        }
    }

    #[test]
    fn what_surprised_is_drawn_more_often() {
        let replay = used(1.0);
        let mut rng = stream(4, Purpose::Learning, 1);
        let drawn = (0..5000).map(|_| replay.draw(&mut rng).expect("a full window").stood.decision.surprise);
        let average = f64::from(drawn.sum::<f32>()) / 5000.0;
        assert!((0.55..0.75).contains(&average), "{average}: uniform surprises are two thirds weighted by themselves");
    }
}
