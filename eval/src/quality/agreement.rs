//! Agreement with a deep search: a measure that needs no tables.

use damma_env::{Game, State};
use serde::{Deserialize, Serialize};

use super::{decide, streams};
use crate::alphabeta::{AlphaBeta, Level};
use crate::error::EvalError;
use crate::player::Player;

/// How often a player chooses what a deep search chooses.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Agreement {
    /// The level of the baseline that judged.
    pub judge: String,
    /// Decisions.
    pub decisions: u32,
    /// Decisions where both chose the same action.
    pub agreed: u32,
    /// The share of these, 0 to 1.
    pub share: f64,
    /// The lower end of its 95 % interval (Wilson's score interval).
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Asks a player and the baseline for a decision in each state.
///
/// Where several actions are as good as each other the two may differ without a fault, so no
/// player reaches 100 %; the figure compares checkpoints of one game.
///
/// # Errors
/// The player answers with actions that are not legal or too few.
pub fn agreement(
    game: &Game,
    player: &mut dyn Player,
    judge: Level,
    states: &[State],
    seed: u64,
) -> Result<Agreement, EvalError> {
    let asked: Vec<&State> = states.iter().collect();
    let mut deep = AlphaBeta::new(judge);
    let wanted = decide(game, &mut deep, &asked, &mut streams(seed, asked.len()))?;
    let chosen = decide(game, player, &asked, &mut streams(seed, asked.len()))?;
    let agreed = wanted.iter().zip(&chosen).filter(|(one, other)| one == other).count();
    let (share, low, high) = wilson(agreed as f64, asked.len() as f64);
    Ok(Agreement { judge: judge.to_string(), decisions: asked.len() as u32, agreed: agreed as u32, share, low, high })
}

/// Gives a share and its 95 % interval (Wilson 1927); all of 0 to 1 without trials.
fn wilson(hits: f64, trials: f64) -> (f64, f64, f64) {
    if trials <= 0.0 {
        return (0.0, 0.0, 1.0);
    }
    let (share, z2) = (hits / trials, 1.959_964_f64.powi(2));
    let centre = (share + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
    let spread = (share * (1.0 - share) / trials + z2 / (4.0 * trials * trials)).sqrt();
    let half = z2.sqrt() * spread / (1.0 + z2 / trials);
    (share, (centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        let (share, low, high) = wilson(81.0, 263.0);
        assert!((share - 0.308).abs() < 0.0005 && (low - 0.2553).abs() < 0.0005 && (high - 0.3662).abs() < 0.0005);
        assert_eq!(wilson(0.0, 0.0), (0.0, 0.0, 1.0));
    }
}
