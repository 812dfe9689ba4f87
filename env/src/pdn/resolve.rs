//! From a move's text to the turn that it means.
//!
//! Texts may leave squares out, so captures are searched hop by hop, never listed: one turn can
//! have over a million paths. Positions that were met before are not searched again.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;
use thiserror::Error;

use super::move_text::MoveText;
use super::squares;
use crate::action::{Action, ActionKind};
use crate::bitboard::Square;
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::ruleset::Capture;

/// Distinct positions within one turn that a search looks at, some tenths of a second of work.
/// The largest turn known has 80,064 results (shared notes, random play of `zamma`).
const BUDGET: usize = 1_000_000;
/// Turns and actions that a message lists at most.
const LISTED: usize = 8;

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PdnMoveError {
    /// The text has not the shape of a move.
    #[error("not a move; write 9-14, 9x18x27, a3xa5 or ~d4,a3-a4")]
    Malformed,
    /// A square that the board does not have.
    #[error("`{0}` is no square of this board")]
    NoSquare(String),
    /// No legal turn has these squares.
    #[error("not legal here; legal: {}", listed(.0))]
    Illegal(Vec<String>),
    /// The turn goes on behind the last square.
    #[error("the turn is not over there; it goes on with {}", listed(.0))]
    Unfinished(Vec<String>),
    /// The game was over before.
    #[error("the game is over: {0} has won")]
    Over(Side),
    /// Several turns with different results.
    #[error("ambiguous; it can be {}: write every landing square", listed(.0))]
    Ambiguous(Vec<String>),
    /// Too many paths to search.
    #[error("more than {BUDGET} positions within this turn; write every landing square")]
    TooManyPaths,
}

impl Game {
    /// Finds the turn that a PDN move text means, such as `9-14`, `23x7` or `~d4,a3xa5.`.
    ///
    /// Squares between the first and the last may be left out, and any sign may join them. A text
    /// that is a complete path means that path. A step and a capture with the same ends are told
    /// apart by the sign. Of several turns with the same result the first is taken.
    ///
    /// # Errors
    /// No turn fits the text, or turns with different results do.
    ///
    /// ```
    /// use damma_env::{Game, Ruleset};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// assert_eq!(game.parse_pdn_move(&game.start(), "9x14")?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_pdn_move(&self, position: &Position, text: &str) -> Result<Vec<Action>, PdnMoveError> {
        if let Some((winner, _)) = position.winner(self) {
            return Err(PdnMoveError::Over(winner));
        }
        let shape = MoveText::parse(text).ok_or(PdnMoveError::Malformed)?;
        let square = |name: &&str| match squares::find(self, name) {
            Some(square) => Ok(self.view_square(position.side(), square)),
            None => Err(PdnMoveError::NoSquare((*name).to_owned())),
        };
        let huff = shape.huff.as_ref().map(square).transpose()?;
        let wanted = Wanted {
            game: self,
            side: position.side(),
            points: shape.points.iter().map(square).collect::<Result<_, _>>()?,
            captures: shape.captures,
            // Where chains cannot be stopped, a dot is but the end of somebody's sentence.
            stopped: shape.stopped && self.stop().is_some(),
        };
        let Some(huff) = huff else { return wanted.find(position) };
        let action = self.huff_of(huff).filter(|&action| position.is_legal(self, action));
        let action = action.ok_or_else(|| PdnMoveError::Illegal(wanted.legal(position, None)))?;
        let after = position.play(self, action);
        let mut turn = vec![action];
        match (after.winner(self), wanted.points.is_empty()) {
            (Some(_), true) => {}
            (Some((winner, _)), false) => return Err(PdnMoveError::Over(winner)),
            (None, true) => return Err(PdnMoveError::Unfinished(wanted.legal(&after, None))),
            (None, false) => turn.extend(wanted.find(&after)?),
        }
        Ok(turn)
    }
}

/// What a text says of the turn behind its huff, from the decider's view.
struct Wanted<'g> {
    game: &'g Game,
    side: Side,
    points: Vec<Square>,
    captures: bool,
    stopped: bool,
}

/// Where the listed points lead if none is missing.
enum Walk {
    /// To the end of the turn.
    Whole { turn: Vec<Action>, captures: bool },
    /// To a place where the turn goes on.
    Part(Position),
    /// Nowhere.
    Off,
}

impl Wanted<'_> {
    fn find(&self, position: &Position) -> Result<Vec<Action>, PdnMoveError> {
        let walk = self.walk(position);
        if let Walk::Whole { turn, captures } = &walk {
            let only_kind = self.game.ruleset().capture == Capture::Forced;
            if *captures || !self.captures || only_kind {
                return Ok(turn.clone());
            }
        }
        let mut found = self.captures(position, BUDGET)?;
        if found.len() > 1 {
            let texts = found.iter().map(|(_, turn)| squares::turn_text(self.game, position, turn)).collect();
            return Err(PdnMoveError::Ambiguous(texts));
        }
        match (found.pop(), walk) {
            (Some((_, turn)), _) | (None, Walk::Whole { turn, .. }) => Ok(turn),
            (None, Walk::Part(at)) => Err(PdnMoveError::Unfinished(self.legal(&at, None))),
            (None, Walk::Off) => Err(PdnMoveError::Illegal(self.legal(position, Some(self.points[0])))),
        }
    }

    /// Searches the captures that fit, one for each result, in at most `budget` positions.
    fn captures(&self, position: &Position, budget: usize) -> Result<Vec<(Position, Vec<Action>)>, PdnMoveError> {
        let mut search = Search { wanted: self, budget, seen: HashSet::default(), found: vec![], path: vec![] };
        search.go(position, 0)?;
        Ok(search.found)
    }

    fn walk(&self, position: &Position) -> Walk {
        let mut now = *position;
        let mut turn = Vec::with_capacity(self.points.len());
        let mut captures = false;
        for pair in self.points.windows(2) {
            let action = self.game.move_between(pair[0], pair[1]).filter(|&action| now.is_legal(self.game, action));
            let Some(action) = action.filter(|_| !self.is_over(&now)) else { return Walk::Off };
            captures |= self.game.is_hop(&now, action);
            turn.push(action);
            now = now.play(self.game, action);
        }
        if self.is_over(&now) {
            return if self.stopped { Walk::Off } else { Walk::Whole { turn, captures } };
        }
        match self.game.stop().filter(|&stop| self.stopped && now.is_legal(self.game, stop)) {
            Some(stop) => {
                turn.push(stop);
                Walk::Whole { turn, captures }
            }
            None => Walk::Part(now),
        }
    }

    fn is_over(&self, now: &Position) -> bool {
        now.side() != self.side || now.winner(self.game).is_some()
    }

    /// Lists legal actions: those of the piece on `from` if it has any, else all.
    fn legal(&self, position: &Position, from: Option<Square>) -> Vec<String> {
        let actions = position.legal_actions(self.game);
        let origin = |action| match self.game.action_kind(action) {
            Some(ActionKind::Move { from, .. }) => Some(from),
            _ => None,
        };
        let own: Vec<&Action> = actions.iter().filter(|&&action| from.is_some() && origin(action) == from).collect();
        let shown = if own.is_empty() { actions.iter().collect() } else { own };
        shown.into_iter().map(|&action| squares::action_text(self.game, position, action)).collect()
    }
}

/// A search for the captures that fit a text.
struct Search<'w, 'g> {
    wanted: &'w Wanted<'g>,
    /// How many positions it may look at.
    budget: usize,
    /// Keys of positions met, with the number of points matched there.
    seen: HashSet<(u64, usize), FxBuildHasher>,
    /// Results that differ, each with the first turn that leads there.
    found: Vec<(Position, Vec<Action>)>,
    path: Vec<Action>,
}

impl Search<'_, '_> {
    /// Goes on from a position within the turn where `matched` of the points between the ends are behind.
    fn go(&mut self, position: &Position, matched: usize) -> Result<(), PdnMoveError> {
        let Wanted { game, points, stopped, .. } = self.wanted;
        let [origin, between @ .., last] = points.as_slice() else { return Ok(()) };
        for action in position.legal_actions(game) {
            if self.found.len() > LISTED {
                break;
            }
            let landing = match game.action_kind(action) {
                Some(ActionKind::Move { from, to, .. }) if game.is_hop(position, action) => {
                    if position.chain().is_none() && from != *origin {
                        continue;
                    }
                    Some(to)
                }
                Some(ActionKind::Stop) if *stopped && position.chain() == Some(*last) => None,
                _ => continue,
            };
            let next = position.play(game, action);
            self.path.push(action);
            let over = self.wanted.is_over(&next);
            if over {
                if matched == between.len() && landing.is_none_or(|landing| landing == *last && !stopped) {
                    self.keep(next);
                }
            } else {
                let matched = matched + usize::from(landing.is_some() && between.get(matched).copied() == landing);
                if self.seen.insert((next.key(), matched)) {
                    if self.seen.len() > self.budget {
                        return Err(PdnMoveError::TooManyPaths);
                    }
                    self.go(&next, matched)?;
                }
            }
            self.path.pop();
        }
        Ok(())
    }

    fn keep(&mut self, result: Position) {
        if self.found.iter().all(|(known, _)| *known != result) {
            self.found.push((result, self.path.clone()));
        }
    }
}

fn listed(texts: &[String]) -> String {
    if texts.is_empty() {
        return "nothing".to_owned();
    }
    let list = texts.iter().take(LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if texts.len() > LISTED { list + " and others" } else { list }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ruleset::Ruleset;

    fn game(preset: &str) -> Arc<Game> {
        Game::new(Ruleset::preset(preset).unwrap()).unwrap()
    }

    /// Resolves a text in a position and writes the turn in full.
    fn turn(game: &Game, position: &str, text: &str) -> Result<String, PdnMoveError> {
        let position = game.parse_position(position).unwrap();
        game.parse_pdn_move(&position, text).map(|turn| squares::turn_text(game, &position, &turn))
    }

    /// A black man on d6, 10, and two ways to d2, 26:
    ///
    /// ```text
    /// 6  . . . b . . . .
    /// 5  . . w . w . . .
    /// 4  . . . . . . . .
    /// 3  . . w . w . . .
    /// 2  . . . . . . . .
    ///    a b c d e f g h
    /// ```
    const TWO_WAYS: &str = "8/8/3b4/2w1w3/8/2w1w3/8/8 b";

    #[test]
    fn paths_to_different_results_are_ambiguous_until_written_in_full() {
        let game = game("damma8");
        let PdnMoveError::Ambiguous(mut texts) = turn(&game, TWO_WAYS, "10x26").unwrap_err() else { panic!() };
        texts.sort();
        assert_eq!(texts, ["10x17x26", "10x19x26"]);
        for text in &texts {
            assert_eq!(turn(&game, TWO_WAYS, text).as_ref(), Ok(text));
        }
        assert_eq!(turn(&game, TWO_WAYS, "d6:f4:d2").as_deref(), Ok("10x19x26"));
    }

    #[test]
    fn paths_to_the_same_result_are_one_turn() {
        // A white king on c1, 30, takes all round either way: the four men of a diamond.
        let game = game("damma8");
        let round = "8/8/8/8/1b1b4/8/1b1b4/2W5 w";
        let text = turn(&game, round, "30x30").unwrap();
        assert!(["30x21x14x23x30", "30x23x14x21x30"].contains(&text.as_str()), "{text}");
    }

    #[test]
    fn a_capture_that_stops_short_is_told_how_it_goes_on() {
        let game = game("damma8");
        assert_eq!(turn(&game, TWO_WAYS, "10-17"), Err(PdnMoveError::Unfinished(vec!["17x26".to_owned()])));
        let error = turn(&game, TWO_WAYS, "10-13").unwrap_err();
        assert_eq!(error, PdnMoveError::Illegal(vec!["10x17".to_owned(), "10x19".to_owned()]));
        assert_eq!(turn(&game, TWO_WAYS, "10-33"), Err(PdnMoveError::NoSquare("33".to_owned())));
        assert_eq!(turn(&game, TWO_WAYS, "10"), Err(PdnMoveError::Malformed));
    }

    #[test]
    fn signs_do_not_matter_where_only_one_kind_of_turn_is_legal() {
        let game = game("damma8");
        let start = game.position_text(&game.start());
        for text in ["9-14", "9x14", "9:14", "b6-c5", "9-14."] {
            assert_eq!(turn(&game, &start, text).as_deref(), Ok("9-14"), "{text}");
        }
    }

    #[test]
    fn the_sign_tells_a_step_from_a_capture_that_comes_round() {
        // A king on a1 may step to a5, or take c3, land on e5, and take c5.
        let game = game("damma");
        let board = "9/9/9/9/2b6/9/2b6/9/W8 w";
        assert_eq!(turn(&game, board, "a1-a5").as_deref(), Ok("a1-a5"));
        assert_eq!(turn(&game, board, "a1xa5").as_deref(), Ok("a1xe5xa5"));
        assert_eq!(turn(&game, board, "a1xa4").as_deref(), Ok("a1-a4"));
    }

    #[test]
    fn stops_and_huffs_must_be_written() {
        let game = game("kharberg");
        let chain = "b4/3b1/5/1b3/w4 w";
        assert_eq!(turn(&game, chain, "a1xe5").as_deref(), Ok("a1xc3xe5"));
        assert_eq!(turn(&game, chain, "a1xc3.").as_deref(), Ok("a1xc3."));
        assert!(matches!(turn(&game, chain, "a1xc3"), Err(PdnMoveError::Unfinished(_))));
        assert!(matches!(turn(&game, chain, "a1xe5."), Err(PdnMoveError::Illegal(_))));

        let huffable = "b4/5/5/5/w1w2 b - c1 - 0";
        assert_eq!(turn(&game, huffable, "~c1,a5-a4").as_deref(), Ok("~c1,a5-a4"));
        assert!(matches!(turn(&game, huffable, "~c1"), Err(PdnMoveError::Unfinished(_))));
        assert!(matches!(turn(&game, huffable, "~a1,a5-a4"), Err(PdnMoveError::Illegal(_))));
        assert_eq!(turn(&game, "b4/5/5/5/w4 b - a1 - 0", "~a1").as_deref(), Ok("~a1"));
    }

    /// A flying king among men that stand apart takes them in a great many orders.
    const CROWD: &str = "9/1b1b1b1b1/9/1b1b1b1b1/9/1b1b1b1b1/9/1b1b1b1b1/W8 w";

    #[test]
    fn a_turn_with_many_paths_is_settled_position_by_position() {
        let game = game("damma");
        assert!(matches!(turn(&game, CROWD, "a1xa9"), Err(PdnMoveError::Ambiguous(_))));
        assert!(matches!(turn(&game, CROWD, "a1xi9xa1xi9xa1xi9xa1"), Err(PdnMoveError::Illegal(_))));
        let PdnMoveError::Ambiguous(texts) = turn(&game, CROWD, "a1xe3").unwrap_err() else { panic!() };
        assert_eq!(turn(&game, CROWD, &texts[0]).as_ref(), Ok(&texts[0]));
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        let game = game("damma");
        let position = game.parse_position(CROWD).unwrap();
        let corners = ["a1", "i9", "a1", "i9", "a1"].map(|name| game.parse_point(name).unwrap());
        let wanted =
            Wanted { game: &game, side: Side::White, points: corners.to_vec(), captures: true, stopped: false };
        assert_eq!(wanted.captures(&position, 100).unwrap_err(), PdnMoveError::TooManyPaths);
        assert!(wanted.captures(&position, BUDGET).unwrap().is_empty());
    }
}
