//! Points, actions, turns and positions as text.
//!
//! The form is that of the rules page: points `a1` to `j10`; actions `a3-a4`, `a3xa5`, `~d4` and
//! `.`; turns join them, `~d4 a3-a4`, `a3xa5xc7`, `a3xa5.`; positions have the six fields
//! `board side chain huffable captured no_progress`.

mod position_text;
mod turn_text;

pub use position_text::PositionTextError;
pub use turn_text::{TooManyTurns, TurnError, TurnErrorKind};

use crate::action::{Action, ActionKind};
use crate::bitboard::Square;
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;

impl Game {
    /// Names a square of White's view, `a1` to `j10`.
    #[must_use]
    pub fn point(&self, square: Square) -> String {
        let (file, rank) = self.coordinates(square);
        format!("{}{}", char::from(b'a' + file), rank + 1)
    }

    /// Finds the square of White's view that a name means, if this board has it.
    #[must_use]
    pub fn parse_point(&self, name: &str) -> Option<Square> {
        let mut letters = name.chars();
        let file = letters.next().filter(char::is_ascii_lowercase)? as u8 - b'a';
        let rank = letters.as_str();
        if rank.starts_with(['0', '+']) {
            return None;
        }
        self.square_at(file, rank.parse::<u8>().ok()?.checked_sub(1)?)
    }

    /// Writes an action of a position as text.
    ///
    /// # Panics
    /// The action is none of the game's numbers.
    #[must_use]
    pub fn action_text(&self, position: &Position, action: Action) -> String {
        let name = |square| self.point(self.view_square(position.side(), square));
        match self.action_kind(action).expect("actions come from the game's own numbers") {
            ActionKind::Move { from, to, between, .. } => {
                let sign = if (between & position.enemy()).is_empty() { '-' } else { 'x' };
                format!("{}{sign}{}", name(from), name(to))
            }
            ActionKind::Huff { victim } => format!("~{}", name(victim)),
            ActionKind::Stop => ".".to_owned(),
        }
    }

    /// Finds the legal action that a text means in a position.
    #[must_use]
    pub fn parse_action(&self, position: &Position, text: &str) -> Option<Action> {
        let action = self.action_shape(position.side(), text)?;
        (position.is_legal(self, action) && self.action_text(position, action) == text).then_some(action)
    }

    /// Finds the number of the action that a text means for a side, legal or not.
    fn action_shape(&self, side: Side, text: &str) -> Option<Action> {
        let square = |name: &str| Some(self.view_square(side, self.parse_point(name)?));
        if text == "." {
            return self.stop();
        }
        if let Some(victim) = text.strip_prefix('~') {
            return self.huff_of(square(victim)?);
        }
        let (from, to) = text.split_once(['-', 'x'])?;
        self.move_between(square(from)?, square(to)?)
    }
}
