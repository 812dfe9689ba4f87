//! The root: deeper and deeper, the best action so far first.

use damma_env::{Action, Side, State};

use super::level::Level;
use super::search::{At, Search, WIN, WON};

/// What a search found out about a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The action chosen.
    pub action: Action,
    /// Whose decision it is, and whose view `score` is.
    pub side: Side,
    /// The score in hundredths of a man; beyond 29,000 either way a win that was seen to the end.
    pub score: i32,
    /// Turns searched in full width.
    pub depth: u32,
    /// Actions played by the search.
    pub nodes: u64,
}

impl Analysis {
    /// Gives the score as `side` sees it.
    #[must_use]
    pub fn score_for(&self, side: Side) -> i32 {
        if side == self.side { self.score } else { -self.score }
    }

    /// Gives the side that was seen to win, if there is one.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match self.score {
            WON.. => Some(self.side),
            score if score <= -WON => Some(self.side.opponent()),
            _ => None,
        }
    }
}

impl Search<'_> {
    /// Searches the state at a level.
    pub(super) fn analyse(&mut self, level: Level) -> Analysis {
        let (depths, nodes) = level.bounds();
        let mut actions = self.state.position().legal_actions(self.game);
        let mut analysis = Analysis {
            action: *actions.first().expect("a game that goes on has a legal action"),
            side: self.state.position().side(),
            score: 0,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=depths {
            // One turn is always searched, however few nodes are allowed.
            self.limit = if depth == 1 { u64::MAX } else { nodes };
            let Some((place, score)) = self.deepen(&actions, depth) else { break };
            analysis.score = score;
            analysis.action = actions[place];
            if self.is_stopped() {
                break;
            }
            analysis.depth = depth;
            actions[..=place].rotate_right(1);
            if score.abs() >= WON {
                break;
            }
        }
        Analysis { nodes: self.nodes, ..analysis }
    }

    /// Searches every action to a depth; gives the place and score of the best one, as far as the
    /// nodes allow. Among equals the earlier one is best.
    fn deepen(&mut self, actions: &[Action], depth: u32) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for (place, &action) in actions.iter().enumerate() {
            let alpha = best.map_or(-WIN, |(_, score)| score);
            let mut value = alpha + 1;
            if best.is_some() {
                value = self.try_action(At::ROOT, action, depth - 1, alpha, alpha + 1);
            }
            if value > alpha {
                value = self.try_action(At::ROOT, action, depth - 1, alpha, WIN);
            }
            if self.is_stopped() {
                break;
            }
            if best.is_none_or(|(_, score)| value > score) {
                best = Some((place, value));
            }
        }
        best
    }
}

/// Says whether a state leaves its decider no choice, and if so, what must be played.
pub(super) fn only_action(game: &damma_env::Game, state: &State) -> Option<Action> {
    match state.position().legal_actions(game)[..] {
        [action] => Some(action),
        _ => None,
    }
}
