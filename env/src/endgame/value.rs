//! What a position is worth: won, drawn or lost, and in how many turns.
//!
//! Three forms of one thing: [`EndgameValue`] for people and search, a byte for tables, and a
//! score that orders values as the decider wishes them, for the inner loops.

use std::cmp::Ordering;

/// The value of a position for the player who decides.
///
/// Distances count turns to the end of the game, the turn in hand included, when the winner
/// shortens and the loser lengthens: odd for a win, even for a loss, 0 where the decider is blocked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndgameValue {
    /// The decider wins in so many turns.
    Win(u16),
    /// Nobody can force a win; infinite play is a draw.
    Draw,
    /// The decider loses in so many turns.
    Loss(u16),
}

/// A value as a number that is greater where the decider is better off.
pub(super) type Score = i32;

/// Nearer ends have scores farther from 0; no distance reaches this.
const HORIZON: Score = 1 << 20;

/// The score of a decider who has no turn yet to look at: worse than any value.
pub(super) const NOTHING: Score = -HORIZON - 1;

/// The greatest distances that a byte tells apart: more are stored as these.
const LONGEST_WIN: u16 = 253;
const LONGEST_LOSS: u16 = 254;

impl EndgameValue {
    /// Says whether the distance of a table may stand for a longer one.
    ///
    /// A byte holds wins up to 251 turns and losses up to 252; 253 and 254 mean "or more".
    #[must_use]
    pub const fn is_saturated(self) -> bool {
        matches!(self, Self::Win(LONGEST_WIN..) | Self::Loss(LONGEST_LOSS..))
    }

    /// Gives the distance, or `None` of a draw.
    #[must_use]
    pub const fn distance(self) -> Option<u16> {
        match self {
            Self::Win(distance) | Self::Loss(distance) => Some(distance),
            Self::Draw => None,
        }
    }

    /// Gives the value if only wins and losses of at most `turns` count, as a cautious player takes
    /// them who has so many turns left before a counter ends the game.
    ///
    /// A win that needs more turns than the counter leaves may still be one: progress sets the
    /// counter back. So this errs to the draw, never to a false win.
    #[must_use]
    pub fn within(self, turns: u16) -> Self {
        if self.is_saturated() || self.distance().is_some_and(|distance| distance > turns) { Self::Draw } else { self }
    }

    /// Gives what a turn is worth to its player if it leads to this value for the other player.
    #[must_use]
    pub fn turn_earlier(self) -> Self {
        Self::from_score(turned(self.score()))
    }

    pub(super) fn from_score(score: Score) -> Self {
        match score {
            0 => Self::Draw,
            1.. => Self::Win((HORIZON - score) as u16),
            _ => Self::Loss((HORIZON + score) as u16),
        }
    }

    pub(super) const fn score(self) -> Score {
        match self {
            Self::Draw => 0,
            Self::Win(distance) => HORIZON - distance as Score,
            Self::Loss(distance) => distance as Score - HORIZON,
        }
    }

    /// Reads a byte of a table.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Draw,
            code if code.is_multiple_of(2) => Self::Win(code as u16 - 1),
            code => Self::Loss(code as u16 - 1),
        }
    }
}

/// Gives the other player's score one turn earlier.
pub(super) const fn turned(score: Score) -> Score {
    match score {
        0 => 0,
        1.. => 1 - score,
        _ => -score - 1,
    }
}

/// Gives the score of a code: 0 for a draw, otherwise the distance and one.
pub(super) const fn score_of(code: u16) -> Score {
    match code {
        0 => 0,
        code if code.is_multiple_of(2) => HORIZON - (code as Score - 1),
        code => code as Score - 1 - HORIZON,
    }
}

/// Gives the code of a score.
pub(super) const fn code_of(score: Score) -> u16 {
    match score {
        0 => 0,
        1.. => (HORIZON - score + 1) as u16,
        _ => (HORIZON + score + 1) as u16,
    }
}

/// Gives the byte of a code, with the greatest distances taken together.
pub(super) const fn byte_of(code: u16) -> u8 {
    if code <= LONGEST_LOSS + 1 {
        code as u8
    } else if code.is_multiple_of(2) {
        LONGEST_WIN as u8 + 1
    } else {
        LONGEST_LOSS as u8 + 1
    }
}

impl PartialOrd for EndgameValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Greater is better for the decider: sooner wins, then draws, then later losses.
impl Ord for EndgameValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score().cmp(&other.score())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_bytes_and_scores_say_the_same() {
        for code in 0..=255 {
            let value = EndgameValue::from_byte(byte_of(code));
            assert_eq!(value.score(), score_of(code));
            assert_eq!(EndgameValue::from_score(score_of(code)), value);
            assert_eq!(code_of(score_of(code)), code);
        }
        assert_eq!(EndgameValue::from_byte(byte_of(1000)), EndgameValue::Win(253));
        assert_eq!(EndgameValue::from_byte(byte_of(1001)), EndgameValue::Loss(254));
    }

    #[test]
    fn the_decider_wants_to_win_soon_and_to_lose_late() {
        use EndgameValue::{Draw, Loss, Win};
        let wishes = [Win(1), Win(3), Draw, Loss(8), Loss(0)].map(EndgameValue::score);
        assert!(wishes.is_sorted_by(|better, worse| better > worse) && wishes[4] > NOTHING);
        assert_eq!(turned(Win(1).score()), Loss(2).score());
        assert_eq!(turned(Loss(0).score()), Win(1).score());
        assert_eq!(turned(Draw.score()), Draw.score());
    }

    #[test]
    fn a_counter_makes_far_wins_uncertain() {
        assert_eq!(EndgameValue::Win(7).within(6), EndgameValue::Draw);
        assert_eq!(EndgameValue::Loss(6).within(6), EndgameValue::Loss(6));
        assert_eq!(EndgameValue::Win(253).within(1000), EndgameValue::Draw);
    }
}
