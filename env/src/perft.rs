//! Perft: counting what can be played, the standard check of a move generator.
//!
//! Draws are not looked at, as usual for perft; a position with a winner has no moves. The
//! counting itself is done by the generator of the batch, see `vector`.

use crate::action::Action;
use crate::geometry::Game;
use crate::position::Position;
use crate::vector::Counter;

/// Counts the sequences of `depth` actions.
///
/// ```
/// use damma_env::{Game, Ruleset, perft_actions};
/// let game = Game::new(Ruleset::preset("damma8")?)?;
/// assert_eq!(perft_actions(&game, &game.start(), 3), 302);
/// # Ok::<(), damma_env::RulesetError>(())
/// ```
#[must_use]
pub fn perft_actions(game: &Game, position: &Position, depth: u32) -> u64 {
    Counter::new(game, true).count(position, depth)
}

/// Counts the sequences of `depth` complete turns, different paths of captures apart.
#[must_use]
pub fn perft_turns(game: &Game, position: &Position, depth: u32) -> u64 {
    Counter::new(game, false).count(position, depth)
}

/// Counts as `perft_actions` (`by_actions`) or `perft_turns` do, apart for each first action.
///
/// `depth` is at least 1.
///
/// # Panics
/// `depth` is 0.
#[must_use]
pub fn perft_divide(game: &Game, position: &Position, depth: u32, by_actions: bool) -> Vec<(Action, u64)> {
    assert!(depth > 0, "the first actions need a depth of at least 1");
    let mut counter = Counter::new(game, by_actions);
    position
        .legal_actions(game)
        .into_iter()
        .map(|action| {
            let next = position.play(game, action);
            // A huff of the last piece ends game and turn.
            let ended = next.side() != position.side() || next.enemy().is_empty();
            (action, counter.count(&next, depth - u32::from(by_actions || ended)))
        })
        .collect()
}
