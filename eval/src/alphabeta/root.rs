//! The root: deeper and deeper, the best action so far first.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

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
    /// The depth of the last search that was finished, in turns.
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

/// How far from the last score the next one is expected at first, in hundredths of a man.
const WINDOW: i32 = 30;

/// The depth from which on a score is expected near the last one.
const WINDOW_DEPTH: u32 = 4;

impl<'a> Search<'a> {
    /// Searches the state at a level, until it is told to stop.
    pub(super) fn analyse(&mut self, level: Level, stop: Option<&'a AtomicBool>) -> Analysis {
        let bounds = level.bounds();
        let deadline = bounds.time.map(|time| Instant::now() + time);
        let mut actions = self.state.position().legal_actions(self.game);
        let mut analysis = Analysis {
            action: *actions.first().expect("a game that goes on has a legal action"),
            side: self.state.position().side(),
            score: 0,
            depth: 0,
            nodes: 0,
        };
        for depth in 1..=bounds.depth {
            // One turn is always searched, however little is allowed.
            if depth > 1 {
                (self.limit, self.deadline, self.stop) = (bounds.nodes, deadline, stop);
            }
            if let Some((place, score)) = self.deepen(&actions, depth, analysis.score) {
                analysis.score = score;
                analysis.action = actions[place];
                actions[..=place].rotate_right(1);
            }
            if self.is_stopped() {
                break;
            }
            analysis.depth = depth;
            if analysis.score.abs() >= WON {
                break;
            }
        }
        Analysis { nodes: self.nodes, ..analysis }
    }

    /// Searches every action to a depth, in a window round the last score that is widened until
    /// the new one is inside; gives place and score of the best one, as far as it was found.
    fn deepen(&mut self, actions: &[Action], depth: u32, last: i32) -> Option<(usize, i32)> {
        let mut width = if depth < WINDOW_DEPTH { 2 * WIN } else { WINDOW };
        let (mut alpha, mut beta) = ((last - width).max(-WIN), (last + width).min(WIN));
        loop {
            let best = self.pass(actions, depth, alpha, beta);
            if self.is_stopped() {
                return best.filter(|(_, score)| *score > alpha);
            }
            let (_, score) = best.expect("a game that goes on has a legal action");
            width *= 4;
            if score <= alpha && alpha > -WIN {
                alpha = (score - width).max(-WIN);
            } else if score >= beta && beta < WIN {
                beta = (score + width).min(WIN);
            } else {
                return best;
            }
        }
    }

    /// Searches every action to a depth and gives place and score of the best one; among equals the
    /// earlier one is best. A score outside the window is only a bound.
    fn pass(&mut self, actions: &[Action], depth: u32, mut alpha: i32, beta: i32) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for (place, &action) in actions.iter().enumerate() {
            let mut value = alpha + 1;
            if best.is_some() {
                value = self.try_action(At::ROOT, action, depth - 1, alpha, alpha + 1);
            }
            if best.is_none() || value > alpha && value < beta {
                value = self.try_action(At::ROOT, action, depth - 1, alpha, beta);
            }
            if self.is_stopped() {
                break;
            }
            if best.is_none_or(|(_, score)| value > score) {
                best = Some((place, value));
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
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
