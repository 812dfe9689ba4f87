//! Finding puzzles: positions where one turn alone wins, and a shallow search does not see it.

use damma_env::{Action, Game, Position, State};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Puzzle, Suite, Wanted, sample_states};
use crate::alphabeta::{AlphaBeta, Level};
use crate::error::EvalError;

/// Positions looked at in one round.
const ROUND: usize = 512;

/// Rounds after which the search gives up.
const ROUNDS: u64 = 60;

/// Positions with more turns are left alone: each of them would be searched.
const MOST_TURNS: usize = 24;

/// What puzzles should be like.
#[derive(Clone, Copy, Debug)]
pub struct SuiteConfig {
    /// How many are wanted.
    pub count: usize,
    /// The seed of the games that they come from.
    pub seed: u64,
    /// How deep the proof looks after each turn.
    pub judge: Level,
    /// What the turn must gain, and by how much it must beat every other, in hundredths of a man.
    pub margin: i32,
}

/// Finds puzzles in games of a shallow player and in random play; the same for the same config.
///
/// In each, one turn leads to a win or a gain by a search of [`SuiteConfig::judge`], every other
/// turn is worse by the margin and gains less than a third of it, and a search of depth 1 neither
/// plays that turn nor expects the gain. There may be fewer than were wanted. `progress` hears how
/// many were found, and of how many positions.
///
/// # Errors
/// Never in practice: the players are the baseline.
pub fn make_suite(
    mut suite: Suite,
    config: &SuiteConfig,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Suite, EvalError> {
    let game = suite.game.clone();
    let judges = [AlphaBeta::new(Level::Depth(1)), AlphaBeta::new(config.judge)];
    let (mut known, mut looked) = (FxHashSet::default(), 0);
    for round in 0..ROUNDS {
        let wanted = Wanted { count: ROUND, per_game: 4, games: ROUND };
        let mut player = AlphaBeta::new(Level::Depth(2));
        let begins = |state: &State| !state.position().has_progressed();
        let seed = config.seed.wrapping_mul(1000).wrapping_add(round);
        let states = sample_states(&game, &mut player, wanted, seed, &begins)?;
        let found: Vec<Puzzle> =
            states.par_iter().with_max_len(1).filter_map(|state| examine(&game, state, config, &judges)).collect();
        for puzzle in found {
            if suite.puzzles.len() < config.count && known.insert(puzzle.position.key()) {
                suite.puzzles.push(puzzle);
            }
        }
        looked += states.len();
        progress(suite.puzzles.len(), looked);
        if suite.puzzles.len() == config.count {
            break;
        }
    }
    Ok(suite)
}

/// Makes a puzzle of a state, if it is one.
fn examine(game: &Game, state: &State, config: &SuiteConfig, [shallow, deep]: &[AlphaBeta; 2]) -> Option<Puzzle> {
    let position = state.position();
    let side = position.side();
    let turns = game.turns(position, MOST_TURNS).ok()?;
    if turns.len() < 2 || shallow.analyse(game, state).score > config.margin / 2 {
        return None;
    }
    if deep.analyse(game, state).score < config.margin {
        return None;
    }
    let missed = turn_of(game, state, shallow);
    let mut results: Vec<(Position, i32, Vec<Vec<Action>>)> = Vec::new();
    for turn in turns {
        let mut after = state.clone();
        for action in &turn {
            after.play(game, *action);
        }
        if let Some((_, _, paths)) = results.iter_mut().find(|(other, ..)| other.key() == after.position().key()) {
            paths.push(turn);
            continue;
        }
        let score = match after.outcome() {
            Some(outcome) => outcome.winner().map_or(0, |winner| if winner == side { 30_000 } else { -30_000 }),
            None => deep.analyse(game, &after).score_for(side),
        };
        results.push((*after.position(), score, vec![turn]));
    }
    results.sort_by_key(|(_, score, _)| -score);
    let second = results.get(1)?.1;
    let (after, best, turns) = results.swap_remove(0);
    let single = best >= config.margin && second <= best - config.margin && second <= config.margin / 3;
    if !single || missed == after.key() {
        return None;
    }
    let gain =
        if best > 29_000 { "wins by force".to_owned() } else { format!("gains {:.1} men", f64::from(best) / 100.0) };
    let comment = format!("{gain}; the next best turn is worth {:+.1}", f64::from(second.max(-29_999)) / 100.0);
    let comment = if second < -29_000 { format!("{gain}; every other turn loses") } else { comment };
    Some(Puzzle { line: 0, position: *position, turns, comment })
}

/// Plays a player's whole turn and gives the key of what it leads to.
fn turn_of(game: &Game, state: &State, player: &AlphaBeta) -> u64 {
    let (mut after, side) = (state.clone(), state.position().side());
    while after.outcome().is_none() && after.position().side() == side {
        let action = player.analyse(game, &after).action;
        after.play(game, action);
    }
    after.position().key()
}
