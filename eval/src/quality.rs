//! Quality beyond Elo: how often a player errs, agrees with a deep search, and finds a tactic.
//!
//! Elo says who wins; these say what somebody misses. Truth comes from outside: an [`Oracle`] such
//! as endgame tables, the baseline at a deep level, or a [`Suite`] of positions with their
//! solutions. Players are asked for single decisions or single turns, never for whole games.

mod agreement;
mod maker;
mod mistakes;
mod states;
mod suite;
#[cfg(test)]
mod tests;

use damma_env::{Action, Game, Position, State};
use rand_pcg::Pcg64;

use crate::error::EvalError;
use crate::player::Player;

pub use agreement::{Agreement, agreement};
pub use maker::{SuiteConfig, make_suite};
pub use mistakes::{Mistake, MistakeCount, Mistakes, mistakes};
pub use states::{Wanted, sample_states};
pub use suite::{Puzzle, Solved, Suite, SuiteError};

/// Says what a position is worth to whoever decides in it: 1 won, 0 drawn, -1 lost, or nothing
/// where that is not known.
pub type Oracle<'a> = dyn Fn(&Game, &Position) -> Option<i8> + Sync + 'a;

/// Asks a player for an action in each of many games, as a match does.
fn decide(
    game: &Game,
    player: &mut dyn Player,
    states: &[&State],
    rngs: &mut [Pcg64],
) -> Result<Vec<Action>, EvalError> {
    if states.is_empty() {
        return Ok(Vec::new());
    }
    let actions = player.choose(game, states, rngs);
    if actions.len() != states.len() {
        return Err(EvalError::WrongCount { player: player.name(), wanted: states.len(), found: actions.len() });
    }
    for (state, action) in states.iter().zip(&actions) {
        if !state.position().is_legal(game, *action) {
            let position = game.position_text(state.position());
            return Err(EvalError::IllegalChoice { player: player.name(), action: action.0, position });
        }
    }
    Ok(actions)
}

/// Makes the random stream of each of many decisions.
fn streams(seed: u64, count: usize) -> Vec<Pcg64> {
    (0..count).map(|index| Pcg64::new(u128::from(seed), index as u128)).collect()
}
