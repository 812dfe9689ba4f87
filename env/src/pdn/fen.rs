//! Positions in FEN tags: `B:W21,22,K30:B1,2,K3`, or the six fields of the rules page.

use std::fmt::Write as _;

use thiserror::Error;

use super::squares;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::notation::PositionTextError;
use crate::outcome::Side;
use crate::position::Position;
use crate::setup::{Setup, SetupError};

/// Why the value of a FEN tag is no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// The first field names no side.
    #[error("`{0}` is neither W nor B; the form is B:W21,22,K30:B1,2,K3")]
    Side(String),
    /// A field that does not begin with a colour.
    #[error("`{0}` begins with neither W nor B; the form is B:W21,22,K30:B1,2,K3")]
    Colour(String),
    /// A word that is no square of this board, and no range of squares.
    #[error("`{0}` is no square of this board; write {1}, with K before a king")]
    Square(String, &'static str),
    /// Not the six fields either.
    #[error(transparent)]
    Fields(#[from] PositionTextError),
    /// Squares that exist, with pieces that cannot be there.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Game {
    /// Reads a position as people write it: the value of a FEN tag such as `B:W21,22,K30:B1,2,K3`, where squares may
    /// be names too, or what [`parse_position`](Self::parse_position) takes.
    ///
    /// # Errors
    /// The text is neither, or its pieces cannot stand there.
    pub fn parse_fen(&self, text: &str) -> Result<Position, FenError> {
        parse(self, text)
    }
}

/// Reads the value of a FEN tag.
pub(super) fn parse(game: &Game, text: &str) -> Result<Position, FenError> {
    let text = text.trim();
    if !text.contains(':') {
        return Ok(game.parse_position(text)?);
    }
    let mut fields = text.trim_end_matches('.').split(':').map(str::trim);
    let mut setup = Setup {
        white: Bitboard::EMPTY,
        black: Bitboard::EMPTY,
        kings: Bitboard::EMPTY,
        side: match fields.next().unwrap_or_default() {
            "W" | "w" => Side::White,
            "B" | "b" => Side::Black,
            other => return Err(FenError::Side(other.to_owned())),
        },
        chain: None,
        huffable: Bitboard::EMPTY,
        captured: Bitboard::EMPTY,
        no_progress: 0,
    };
    for field in fields {
        let (pieces, list) = match field.split_at_checked(1) {
            Some(("W" | "w", list)) => (&mut setup.white, list),
            Some(("B" | "b", list)) => (&mut setup.black, list),
            // Counters of other programs: half moves and the number of the move.
            Some(("H" | "F", _)) => continue,
            _ => return Err(FenError::Colour(field.to_owned())),
        };
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (name, king) = word.strip_prefix('K').map_or((word, false), |name| (name, true));
            let squares = range(game, name).ok_or_else(|| FenError::Square(word.to_owned(), example(game)))?;
            *pieces |= squares;
            if king {
                setup.kings |= squares;
            }
        }
    }
    Ok(setup.position(game)?)
}

/// Writes the value of a FEN tag: numbered where the game type has numbers and the turn is not half played.
pub(super) fn text(game: &Game, position: &Position) -> String {
    let setup = position.setup(game);
    let half_played = setup.chain.is_some() || !setup.huffable.is_empty() || !setup.captured.is_empty();
    if !game.has_numbered_squares() || half_played {
        return game.position_text(position);
    }
    let mut text = setup.side.letter().to_uppercase().to_string();
    for (letter, pieces) in [('W', setup.white), ('B', setup.black)] {
        let mut numbers: Vec<_> =
            pieces.into_iter().map(|square| (game.square_number(square), setup.kings.contains(square))).collect();
        numbers.sort_unstable();
        let _ = write!(text, ":{letter}");
        for (place, (number, king)) in numbers.into_iter().enumerate() {
            let (comma, king) = (if place > 0 { "," } else { "" }, if king { "K" } else { "" });
            let _ = write!(text, "{comma}{king}{}", number.unwrap_or_default());
        }
    }
    text
}

/// Reads a square or a range of numbers, `21` or `21-32`.
fn range(game: &Game, name: &str) -> Option<Bitboard> {
    let Some((first, last)) = name.split_once('-') else { return squares::find(game, name).map(Square::bit) };
    let (first, last): (u8, u8) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first..=last)
        .map(|number| game.numbered_square(number))
        .collect::<Option<Vec<_>>>()
        .map(|list| list.into_iter().collect())
}

fn example(game: &Game) -> &'static str {
    if game.has_numbered_squares() { "1 to 32 or a range such as 21-32" } else { "names such as a1" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;
    use std::sync::Arc;

    fn game(preset: &str) -> Arc<Game> {
        Game::new(Ruleset::preset(preset).unwrap()).unwrap()
    }

    #[test]
    fn the_start_position_is_two_ranges() {
        let game = game("damma8");
        for text in ["B:W21-32:B1-12", "B:B1-12:W21-32.", " B : W 21-30, 31 ,32 : B1-12 : H0 : F1 . "] {
            assert_eq!(parse(&game, text).unwrap(), game.start(), "{text}");
        }
    }

    #[test]
    fn kings_and_sides_come_back() {
        let game = game("damma8");
        for text in ["B:W21,22,K30:B1,2,K3", "W:WK1:BK32", "W:W5:B"] {
            assert_eq!(self::text(&game, &parse(&game, text).unwrap()), text);
        }
        // h8 is 4, g7 is 8: a white king, a black man.
        let position = game.parse_position("7W/6b1/8/8/8/8/8/8 w").unwrap();
        assert_eq!(self::text(&game, &position), "W:WK4:B8");
    }

    #[test]
    fn a_turn_half_played_and_other_boards_have_six_fields() {
        let eight = game("damma8");
        let half = "8/8/8/2b5/8/2b5/1w6/8 w b2 - - 0";
        let position = eight.parse_position(half).unwrap();
        assert_eq!(text(&eight, &position), half);
        let nine = game("zamma");
        assert_eq!(parse(&nine, &text(&nine, &nine.start())).unwrap(), nine.start());
    }

    #[test]
    fn what_is_no_position_is_named() {
        let game = game("damma8");
        let message = |text| parse(&game, text).unwrap_err().to_string();
        assert!(message("X:W21").starts_with("`X` is neither W nor B"));
        assert!(message("B:21").starts_with("`21` begins with neither"));
        assert!(message("B:W33").starts_with("`33` is no square of this board; write 1 to 32"));
        assert!(message("B:W9-33").starts_with("`9-33` is no square"));
        assert!(message("B:W21:B21").contains("on one another"));
        assert!(message("B:W4:B21").contains("h8 stands on its far rank"));
        assert!(message("nonsense").contains("has 1"));
    }
}
