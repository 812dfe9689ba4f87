//! Mistakes: decisions that give away what a position is worth.

use std::collections::BTreeMap;

use damma_env::{Action, Game, Position, State};
use serde::{Deserialize, Serialize};

use super::{Oracle, decide, streams};
use crate::error::EvalError;
use crate::player::Player;

/// Examples that are kept.
const EXAMPLES: usize = 20;

/// Decisions and what was given away in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MistakeCount {
    /// Decisions between actions whose worth is known.
    pub decisions: u32,
    /// Those among them where not all actions are worth the same, so that one can err.
    pub at_stake: u32,
    /// Won positions that were drawn after the decision.
    pub win_to_draw: u32,
    /// Won positions that were lost after it.
    pub win_to_loss: u32,
    /// Drawn positions that were lost after it.
    pub draw_to_loss: u32,
}

impl MistakeCount {
    /// Counts the mistakes.
    #[must_use]
    pub const fn mistakes(&self) -> u32 {
        self.win_to_draw + self.win_to_loss + self.draw_to_loss
    }

    /// Gives the share of decisions that lost value, 0 to 1; nothing without decisions.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.decisions > 0).then(|| f64::from(self.mistakes()) / f64::from(self.decisions))
    }

    fn add(&mut self, best: i8, worst: i8, played: i8) {
        self.decisions += 1;
        self.at_stake += u32::from(worst < best);
        match (best, played) {
            (1, 0) => self.win_to_draw += 1,
            (1, -1) => self.win_to_loss += 1,
            (0, -1) => self.draw_to_loss += 1,
            _ => {}
        }
    }
}

/// A mistake that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mistake {
    /// The position as text.
    pub position: String,
    /// The action that was played.
    pub played: String,
    /// An action that keeps the value.
    pub better: String,
    /// What the position was worth to whoever decided: 1, 0 or -1.
    pub before: i8,
    /// What it was worth to them afterwards.
    pub after: i8,
}

/// What a player gave away.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mistakes {
    /// All decisions.
    pub total: MistakeCount,
    /// The same by the number of pieces on the board.
    pub by_pieces: BTreeMap<u32, MistakeCount>,
    /// Positions left out, since an action leads to where the oracle knows nothing.
    pub unknown: u32,
    /// The first mistakes.
    pub examples: Vec<Mistake>,
}

/// Asks a player for a decision in each state and looks up what it gave away.
///
/// What a position is worth is what its best action leads to, so the oracle must know where every
/// action leads; endgame tables do, since no action adds pieces.
///
/// # Errors
/// The player answers with actions that are not legal or too few.
pub fn mistakes(
    game: &Game,
    player: &mut dyn Player,
    states: &[State],
    seed: u64,
    oracle: &Oracle<'_>,
) -> Result<Mistakes, EvalError> {
    let mut found = Mistakes::default();
    let mut known: Vec<(&State, Vec<(Action, i8)>)> = Vec::new();
    for state in states {
        match worths(game, state.position(), oracle) {
            Some(worths) => known.push((state, worths)),
            None => found.unknown += 1,
        }
    }
    let asked: Vec<&State> = known.iter().map(|(state, _)| *state).collect();
    let actions = decide(game, player, &asked, &mut streams(seed, asked.len()))?;
    for ((state, worths), action) in known.iter().zip(actions) {
        let position = state.position();
        let (better, best) = *worths.iter().max_by_key(|(_, worth)| *worth).expect("there is a legal action");
        let worst = worths.iter().map(|(_, worth)| *worth).min().unwrap_or(best);
        let after = worths.iter().find(|(other, _)| *other == action).map_or(best, |(_, worth)| *worth);
        let pieces = position.own().len() + position.enemy().len();
        found.total.add(best, worst, after);
        found.by_pieces.entry(pieces).or_default().add(best, worst, after);
        if after < best && found.examples.len() < EXAMPLES {
            found.examples.push(Mistake {
                position: game.position_text(position),
                played: game.action_text(position, action),
                better: game.action_text(position, better),
                before: best,
                after,
            });
        }
    }
    Ok(found)
}

/// Gives each legal action's worth to whoever decides; nothing if one of them is not known.
fn worths(game: &Game, position: &Position, oracle: &Oracle<'_>) -> Option<Vec<(Action, i8)>> {
    let worth = |action: Action| {
        let after = position.play(game, action);
        if let Some((winner, _)) = after.winner(game) {
            return Some(if winner == position.side() { 1 } else { -1 });
        }
        let worth = oracle(game, &after)?;
        Some(if after.side() == position.side() { worth } else { -worth })
    };
    position.legal_actions(game).into_iter().map(|action| Some((action, worth(action)?))).collect()
}
