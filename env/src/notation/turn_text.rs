//! Complete turns as text.

use thiserror::Error;

use crate::action::{Action, ActionKind};
use crate::geometry::Game;
use crate::position::Position;

/// Where and why a text is no turn of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("turn `{turn}`, at `{part}`: {kind}")]
pub struct TurnError {
    /// The whole text.
    pub turn: String,
    /// The part that is wrong.
    pub part: String,
    /// What is wrong with it.
    pub kind: TurnErrorKind,
}

/// What can be wrong with a turn.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TurnErrorKind {
    /// Not an action of this game.
    #[error("not an action; write a3-a4, a3xa5xc7, ~d4 or a3xa5.")]
    Malformed,
    /// A point that the board does not have.
    #[error("{0} is no point of this board")]
    NoPoint(String),
    /// Not legal in the position.
    #[error("not legal here; legal are {0}")]
    Illegal(String),
    /// The turn goes on after its end.
    #[error("the turn was over before")]
    TooLong,
    /// The turn is not over at the end of the text.
    #[error("the turn is not over; it goes on with {0}")]
    TooShort(String),
}

impl Game {
    /// Writes a turn, that is actions of one player from a position on, as text.
    #[must_use]
    pub fn turn_text(&self, position: &Position, actions: &[Action]) -> String {
        let mut text = String::new();
        let mut position = *position;
        let mut hopping = false;
        for &action in actions {
            let part = self.action_text(&position, action);
            match part.split_once('x') {
                Some((_, to)) if hopping => {
                    text.push('x');
                    text.push_str(to);
                }
                _ => {
                    if !text.is_empty() && part != "." {
                        text.push(' ');
                    }
                    text.push_str(&part);
                }
            }
            hopping = part.contains('x');
            position = position.play(self, action);
        }
        text
    }

    /// Reads a turn of a position into its actions.
    ///
    /// # Errors
    /// The part that is malformed, illegal, superfluous or missing.
    pub fn parse_turn(&self, position: &Position, text: &str) -> Result<Vec<Action>, TurnError> {
        let actions = self.parse_actions(position, text)?;
        let end = actions.iter().fold(*position, |now, action| now.play(self, *action));
        if end.side() == position.side() && end.winner(self).is_none() {
            let kind = TurnErrorKind::TooShort(self.legal_texts(&end));
            return Err(TurnError { turn: text.to_owned(), part: text.to_owned(), kind });
        }
        Ok(actions)
    }

    /// Reads a turn of a position, or its first actions, into actions.
    ///
    /// # Errors
    /// The part that is malformed, illegal or superfluous.
    pub fn parse_actions(&self, position: &Position, text: &str) -> Result<Vec<Action>, TurnError> {
        let fail = |part: &str, kind| Err(TurnError { turn: text.to_owned(), part: part.to_owned(), kind });
        let mut actions = Vec::new();
        let mut now = *position;
        for part in turn_parts(text) {
            if now.side() != position.side() {
                return fail(&part, TurnErrorKind::TooLong);
            }
            let Some(action) = self.parse_action(&now, &part) else {
                let kind = match self.strange_point(&part) {
                    _ if self.action_shape(now.side(), &part).is_some() => {
                        TurnErrorKind::Illegal(self.legal_texts(&now))
                    }
                    Some(point) => TurnErrorKind::NoPoint(point.to_owned()),
                    None => TurnErrorKind::Malformed,
                };
                return fail(&part, kind);
            };
            actions.push(action);
            now = now.play(self, action);
        }
        if actions.is_empty() {
            return fail(text, TurnErrorKind::Malformed);
        }
        Ok(actions)
    }

    /// Lists the complete turns of a position, different paths apart, at most `limit` of them.
    ///
    /// # Errors
    /// There are more than `limit`: one turn can have more than a million paths.
    pub fn turns(&self, position: &Position, limit: usize) -> Result<Vec<Vec<Action>>, TooManyTurns> {
        let mut turns = Vec::new();
        self.collect_turns(position, &mut Vec::new(), limit, &mut turns)?;
        Ok(turns)
    }

    fn collect_turns(
        &self,
        position: &Position,
        path: &mut Vec<Action>,
        limit: usize,
        turns: &mut Vec<Vec<Action>>,
    ) -> Result<(), TooManyTurns> {
        for action in position.legal_actions(self) {
            path.push(action);
            let next = position.play(self, action);
            if next.side() != position.side() || next.winner(self).is_some() {
                if turns.len() == limit {
                    return Err(TooManyTurns { limit });
                }
                turns.push(path.clone());
            } else {
                self.collect_turns(&next, path, limit, turns)?;
            }
            path.pop();
        }
        Ok(())
    }

    /// Finds a word in an action's text that would be a point on a larger board.
    fn strange_point<'t>(&self, text: &'t str) -> Option<&'t str> {
        let is_point = |word: &str| {
            let rank = word.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
            word.len() - rank.len() == 1 && !rank.is_empty() && rank.bytes().all(|digit| digit.is_ascii_digit())
        };
        let mut words = text.trim_start_matches('~').split(['-', 'x']);
        words.find(|word| is_point(word) && self.parse_point(word).is_none())
    }

    fn legal_texts(&self, position: &Position) -> String {
        let mut texts: Vec<String> =
            position.legal_actions(self).iter().map(|&action| self.action_text(position, action)).collect();
        texts.sort();
        if texts.len() > 12 {
            let more = texts.len() - 12;
            texts.truncate(12);
            texts.push(format!("and {more} more"));
        }
        if texts.is_empty() { "none: the game is over".to_owned() } else { texts.join(", ") }
    }

    /// Says whether an action is a hop in a position.
    #[must_use]
    pub fn is_hop(&self, position: &Position, action: Action) -> bool {
        matches!(self.action_kind(action), Some(ActionKind::Move { between, .. }) if !(between & position.enemy()).is_empty())
    }
}

/// A position has more turns than were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("more than {limit} turns: different capture paths count apart")]
pub struct TooManyTurns {
    /// How many were asked for.
    pub limit: usize,
}

/// Splits `~d4 a3xa5xc7.` into `~d4`, `a3xa5`, `a5xc7`, `.`.
fn turn_parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for word in text.split_whitespace() {
        let (word, stopped) = match word.strip_suffix('.') {
            Some(rest) => (rest, true),
            None => (word, false),
        };
        let points: Vec<&str> = word.split('x').collect();
        if points.len() > 1 {
            parts.extend(points.windows(2).map(|pair| format!("{}x{}", pair[0], pair[1])));
        } else if !word.is_empty() {
            parts.push(word.to_owned());
        }
        if stopped {
            parts.push(".".to_owned());
        }
    }
    parts
}
