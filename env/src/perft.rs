//! Perft: counting what can be played, the standard check of a move generator.
//!
//! Draws are not looked at, as usual for perft; a position with a winner has no moves.

use crate::action::Action;
use crate::geometry::Game;
use crate::position::Position;

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
    Counter::new(game, true).count(position, depth, 0)
}

/// Counts the sequences of `depth` complete turns, different paths of captures apart.
#[must_use]
pub fn perft_turns(game: &Game, position: &Position, depth: u32) -> u64 {
    Counter::new(game, false).count(position, depth, 0)
}

/// Counts as `perft_actions` (`by_actions`) or `perft_turns` do, apart for each first action.
///
/// `depth` is at least 1.
#[must_use]
pub fn perft_divide(game: &Game, position: &Position, depth: u32, by_actions: bool) -> Vec<(Action, u64)> {
    let mut counter = Counter::new(game, by_actions);
    position
        .legal_actions(game)
        .into_iter()
        .map(|action| {
            let next = position.play(game, action);
            let spent = counter.spent(position, &next);
            (action, counter.count(&next, depth - spent, 0))
        })
        .collect()
}

struct Counter<'g> {
    game: &'g Game,
    by_actions: bool,
    /// One list a level of the search, kept between calls.
    lists: Vec<Vec<Action>>,
}

impl<'g> Counter<'g> {
    const fn new(game: &'g Game, by_actions: bool) -> Self {
        Self { game, by_actions, lists: Vec::new() }
    }

    /// Says how much of the depth an action took; a huff of the last piece ends game and turn.
    fn spent(&self, before: &Position, after: &Position) -> u32 {
        u32::from(self.by_actions || after.side() != before.side() || after.enemy().is_empty())
    }

    fn count(&mut self, position: &Position, depth: u32, level: usize) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.lists.len() == level {
            self.lists.push(Vec::new());
        }
        let mut actions = std::mem::take(&mut self.lists[level]);
        position.legal_actions_into(self.game, &mut actions);
        let total = if depth == 1 && self.by_actions {
            actions.len() as u64
        } else {
            actions
                .iter()
                .map(|&action| {
                    let next = position.play(self.game, action);
                    let spent = self.spent(position, &next);
                    self.count(&next, depth - spent, level + 1)
                })
                .sum()
        };
        self.lists[level] = actions;
        total
    }
}
