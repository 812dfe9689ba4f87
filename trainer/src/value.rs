//! Who is ahead: a value that belongs to a player.
//!
//! Players may decide several times in a row, so nothing may be negated by counting plies. A
//! [`Value`] is kept for White and read for a named side.

use damma_env::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// The expected result of a game and the chance that it is drawn.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    /// White's expected result, -1 to 1.
    white: f32,
    /// The probability of a draw, 0 to 1.
    draw: f32,
}

impl Value {
    /// Makes a value of probabilities of win, draw and loss as `side` sees them.
    #[must_use]
    pub fn from_wdl(side: Side, wdl: [f32; 3]) -> Self {
        let score = wdl[0] - wdl[2];
        Self { white: if side == Side::White { score } else { -score }, draw: wdl[1] }
    }

    /// Makes a value of how a game ended; a truncated game counts as drawn.
    #[must_use]
    pub fn from_outcome(outcome: Outcome) -> Self {
        Self { white: outcome.reward(Side::White), draw: if outcome.winner().is_none() { 1.0 } else { 0.0 } }
    }

    /// Gives the expected result as `side` sees it, -1 to 1.
    #[must_use]
    pub fn for_side(self, side: Side) -> f32 {
        if side == Side::White { self.white } else { -self.white }
    }

    /// Gives the probability of a draw.
    #[must_use]
    pub const fn draw(self) -> f32 {
        self.draw
    }

    /// Gives probabilities of win, draw and loss as `side` sees them.
    #[must_use]
    pub fn wdl(self, side: Side) -> [f32; 3] {
        let score = self.for_side(side);
        let win = f32::midpoint(1.0 - self.draw, score).clamp(0.0, 1.0);
        let loss = f32::midpoint(1.0 - self.draw, -score).clamp(0.0, 1.0);
        [win, (1.0 - win - loss).max(0.0), loss]
    }

    /// Gives `share` of this value and the rest of another.
    #[must_use]
    pub fn mix(self, share: f32, other: Self) -> Self {
        Self {
            white: share * self.white + (1.0 - share) * other.white,
            draw: share * self.draw + (1.0 - share) * other.draw,
        }
    }
}

/// A running average of values.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ValueSum {
    white: f32,
    draw: f32,
    count: u32,
}

impl ValueSum {
    /// Adds a value.
    pub fn add(&mut self, value: Value) {
        self.white += value.white;
        self.draw += value.draw;
        self.count += 1;
    }

    /// Counts the values added.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Gives the average, or an even game of nothing.
    #[must_use]
    pub fn mean(&self) -> Value {
        let count = self.count.max(1) as f32;
        Value { white: self.white / count, draw: self.draw / count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_reads_back_for_either_side() {
        let value = Value::from_wdl(Side::Black, [0.5, 0.3, 0.2]);
        assert!((value.for_side(Side::Black) - 0.3).abs() < 1e-6);
        assert!((value.for_side(Side::White) + 0.3).abs() < 1e-6);
        let wdl = value.wdl(Side::Black);
        assert!(wdl.iter().zip([0.5, 0.3, 0.2]).all(|(found, expected)| (found - expected).abs() < 1e-6));
    }
}
