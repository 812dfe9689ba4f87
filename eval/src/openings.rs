//! Openings: different and fair beginnings, or a match of fixed players says nothing.
//!
//! Random legal turns from the start, kept where a shallow search sees neither side ahead. On
//! small boards most random openings are decided, so where fair ones run short the least
//! uneven ones found are taken, and [`OpeningBook::uneven`] says how many. Every opening is
//! played with both colours, so an uneven one wastes a pair of games and favours nobody.

mod file;

use std::ops::RangeInclusive;

use damma_env::{Game, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::alphabeta::{AlphaBeta, Level};
use crate::arena::Opening;
use crate::error::EvalError;
pub use file::{ballots, opening_line, openings_from_pdn, openings_from_text};

/// Sets the streams of openings apart from those of games.
const STREAMS: u128 = 1 << 64;

/// Candidates looked at for each opening wanted, at most.
const TRIES: usize = 20;

/// What openings should be like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningConfig {
    /// How many random turns an opening has, each number as likely.
    pub turns: RangeInclusive<u32>,
    /// How deep the check looks.
    pub level: Level,
    /// How far ahead a side may be, in hundredths of a man.
    pub margin: i32,
}

impl Default for OpeningConfig {
    fn default() -> Self {
        Self { turns: 4..=8, level: Level::Depth(3), margin: 80 }
    }
}

/// Openings that were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBook {
    /// The openings, all of different positions.
    pub openings: Vec<Opening>,
    /// Random games begun to find them.
    pub tried: usize,
    /// How many openings are outside the margin, for want of better ones.
    pub uneven: usize,
}

/// Draws different random openings of a game; the same for the same seed.
///
/// # Errors
/// There are not so many different positions that random turns lead to.
pub fn draw_openings(game: &Game, count: usize, seed: u64, config: &OpeningConfig) -> Result<OpeningBook, EvalError> {
    let judge = AlphaBeta::new(config.level);
    let limit = TRIES * count + 200;
    let mut book = OpeningBook { openings: Vec::with_capacity(count), tried: 0, uneven: 0 };
    let mut known = FxHashSet::default();
    let mut rejected: Vec<Candidate> = Vec::new();
    while book.openings.len() < count && book.tried < limit {
        let round = (2 * (count - book.openings.len())).max(16).min(limit - book.tried);
        let candidates: Vec<Candidate> = (book.tried..book.tried + round)
            .into_par_iter()
            .with_max_len(1)
            .filter_map(|number| Candidate::draw(game, seed, number as u64, config, &judge))
            .collect();
        book.tried += round;
        for candidate in candidates.into_iter().filter(|candidate| known.insert(candidate.key)) {
            if candidate.lead > config.margin {
                rejected.push(candidate);
            } else if book.openings.len() < count {
                book.openings.push(candidate.opening);
            }
        }
    }
    // Stable, so equals stay in the order of their numbers.
    rejected.sort_by_key(|candidate| candidate.lead);
    book.uneven = rejected.len().min(count - book.openings.len());
    book.openings.extend(rejected.into_iter().take(book.uneven).map(|candidate| candidate.opening));
    if book.openings.len() < count {
        let turns = format!("{} to {}", config.turns.start(), config.turns.end());
        return Err(EvalError::TooFewOpenings { wanted: count, found: book.openings.len(), turns });
    }
    Ok(book)
}

/// A random opening and how far one side is ahead in it.
struct Candidate {
    key: u64,
    opening: Opening,
    lead: i32,
}

impl Candidate {
    fn draw(game: &Game, seed: u64, number: u64, config: &OpeningConfig, judge: &AlphaBeta) -> Option<Self> {
        let mut rng = Pcg64::new(u128::from(seed), STREAMS | u128::from(number));
        let turns = rng.random_range(config.turns.clone());
        let mut state = State::new(game);
        let (mut legal, mut actions) = (Vec::new(), Vec::new());
        while state.turns() < turns {
            state.position().legal_actions_into(game, &mut legal);
            let action = legal[rng.random_range(0..legal.len())];
            state.play(game, action);
            actions.push(action);
            if state.outcome().is_some() {
                return None;
            }
        }
        let lead = judge.analyse(game, &state).score.abs();
        Some(Self { key: state.position().key(), opening: Opening::new(&actions), lead })
    }
}

#[cfg(test)]
mod tests {
    use damma_env::{PRESETS, Ruleset};

    use super::*;

    fn quick() -> OpeningConfig {
        OpeningConfig { level: Level::Depth(2), ..OpeningConfig::default() }
    }

    #[test]
    fn openings_are_legal_different_and_end_at_the_start_of_a_turn() {
        for preset in PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).unwrap()).unwrap();

            let book = draw_openings(&game, 12, 3, &quick()).unwrap();

            let states: Vec<State> = book.openings.iter().map(|opening| opening.state(&game).unwrap()).collect();
            let keys: FxHashSet<u64> = states.iter().map(|state| state.position().key()).collect();
            assert_eq!((keys.len(), book.openings.len()), (12, 12), "{}", preset.name);
            assert!(states.iter().all(|state| (4..=8).contains(&state.turns())));
            assert!(states.iter().all(|state| !state.position().has_progressed()));
        }
    }

    #[test]
    fn openings_depend_on_the_seed_and_not_on_the_threads() {
        let game = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let draw = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| draw_openings(&game, 10, seed, &quick()).unwrap())
        };
        assert_eq!(draw(1, 1), draw(2, 1));
        assert_ne!(draw(1, 1), draw(1, 2));
    }

    #[test]
    fn asking_for_more_openings_than_exist_is_an_error_that_says_how_many_there_are() {
        let game = Game::new(Ruleset::preset("srand").unwrap()).unwrap();
        let config = OpeningConfig { turns: 1..=1, ..quick() };
        let error = draw_openings(&game, 4, 1, &config).unwrap_err();
        assert_eq!(error, EvalError::TooFewOpenings { wanted: 4, found: 3, turns: "1 to 1".to_owned() });
    }
}
